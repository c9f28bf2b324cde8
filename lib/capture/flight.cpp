#include "capture/flight.h"

#include <algorithm>
#include <charconv>

#include "base/json.h"
#include "capture/json_members.h"
#include "capture/sample_fields.h"

namespace vaa::capture {
namespace {

constexpr size_t kHeld = 4096;

// Each choice has a first token.
bool asks_one_choice(std::string_view body) {
  const std::string_view n = member_value(json_members(body), "n");
  return n.empty() || n == "1" || n == "null";
}

bool any_is(std::span<const char* const> names, std::string_view name) {
  return std::any_of(names.begin(), names.end(), [&](const char* one) { return name == one; });
}

OwnedReply new_reply() {
  vaa_reply* reply = nullptr;
  must([&](vaa_error** err) { return vaa_reply_new(border(""), &reply, err); });
  return OwnedReply(reply);
}

// extra.problems.first, of what came: line 0 is the request's.
std::string unread_part(const vaa_sample* sample) {
  const std::string extra = text_field(sample, VAA_FIELD_EXTRA);
  if (extra.find("\"problems\"") == extra.npos) return "";
  const auto members = json_members(extra);
  const auto problems = json_members(member_value(members, "problems"));
  JsonReader json(member_value(problems, "first"));
  for (json.array(); json.element();) {
    std::string_view problem;
    if (!json.raw(&problem)) break;
    const auto parts = json_members(problem);
    std::string message;
    const std::string_view line = member_value(parts, "line");
    if (line != "0" && json_text(member_value(parts, "message"), &message)) return "line " + std::string(line) + ": " + message;
  }
  return "";
}

void set(vaa_sample* sample, vaa_field field, std::string_view value) {
  must([&](vaa_error** err) { return vaa_sample_set_str(sample, field, border(value), err); });
}

}  // namespace

Flight::Flight(Done done) : done_(std::move(done)), reply_(new_reply()) {}

void Flight::take(Question question, const Server* server) {
  question_ = std::move(question);
  server_ = server;
  url_ = server->url + question_.path;
  tries_ = sends_ = 0;
  one_choice_ = asks_one_choice(question_.body);
}

void Flight::begin() {
  ++tries_;
  held_.clear();
  rank_.clear();
  replica_.clear();
  request_id_.clear();
  must([&](vaa_error** err) { return vaa_reply_begin(reply_.get(), border(question_.body), now_s(), err); });
}

void Flight::header(std::string_view name, std::string_view value) {
  if (name == "x-request-id") request_id_ = value;
  if (!server_->dialect) return;
  if (any_is(server_->dialect->rank_headers, name)) rank_ = value;
  if (any_is(server_->dialect->replica_headers, name)) replica_ = value;
}

void Flight::head(int status, std::string_view content_type, double) {
  must([&](vaa_error** err) { return vaa_reply_head(reply_.get(), status, border(content_type), err); });
}

// When the first token came is told by its own push. What follows is pushed in pieces of some size: hundreds of streams, each read for one token at a time, would find nothing of theirs in the
// processor's caches.
void Flight::bytes(std::string_view bytes, double time_s) {
  const bool now = !one_choice_ || tokens() == 0 || bytes.size() >= kHeld;
  if (!now) held_ += bytes;
  if (now ? !held_.empty() : held_.size() >= kHeld) flush(time_s);
  if (now) push(bytes, time_s);
}

void Flight::flush(double time_s) {
  push(held_, time_s);
  held_.clear();
}

void Flight::push(std::string_view bytes, double time_s) {
  must([&](vaa_error** err) { return vaa_reply_push(reply_.get(), border(bytes), time_s, err); });
}

void Flight::end(const HttpEnd& end, double time_s) {
  sends_ += std::max(1, end.sends);
  done_(this, end, time_s);
}

void Flight::land(const HttpEnd& end, double end_s, const std::string& why_not, std::vector<OwnedSample>* spare, Answer* out) {
  if (!held_.empty()) flush(end_s);
  must([&](vaa_error** err) { return vaa_reply_end(reply_.get(), end_s, border(end.fault), err); });
  out->tokens = tokens();
  for (int32_t more = 1;;) {
    if (spare->empty()) spare->push_back(new_sample());
    must([&](vaa_error** err) { return vaa_reply_next(reply_.get(), spare->back().get(), &more, err); });
    if (!more) break;
    out->samples.push_back(std::move(spare->back()));
    spare->pop_back();
    complete(out->samples.back().get(), why_not);
  }
  if (out->samples.empty()) fail(VAA_ERROR_INTERNAL, "an answer gave no sample");
  out->unread = unread_part(out->samples.front().get());
  out->tries = sends_;
  out->failed = vaa_sample_has(out->samples.front().get(), VAA_FIELD_ERROR_MESSAGE) != 0;
  out->end = end;
  out->question = std::move(question_);
}

void Flight::complete(vaa_sample* sample, const std::string& why_not) const {
  set(sample, VAA_FIELD_ENDPOINT, server_->endpoint);
  int64_t rank = 0;
  if (const auto read = std::from_chars(rank_.data(), rank_.data() + rank_.size(), rank); !rank_.empty() && read.ec == std::errc() && read.ptr == rank_.data() + rank_.size() && rank >= 0)
    must([&](vaa_error** err) { return vaa_sample_set_i64(sample, VAA_FIELD_RANK, rank, err); });
  if (!replica_.empty()) set(sample, VAA_FIELD_REPLICA, replica_);
  if (!request_id_.empty() && !vaa_sample_has(sample, VAA_FIELD_REQUEST_ID)) set(sample, VAA_FIELD_REQUEST_ID, request_id_);
  vaa_str message{};
  if (why_not.empty() || vaa_sample_str(sample, VAA_FIELD_ERROR_MESSAGE, &message, nullptr) != VAA_OK) return;
  set(sample, VAA_FIELD_ERROR_MESSAGE, std::string(view(message)) + " (" + why_not + ")");
}

}  // namespace vaa::capture
