#include "records/reply.h"

#include "base/failure.h"
#include "base/json_writer.h"
#include "records/readers/openai_common.h"
#include "records/readers/request_body.h"

namespace vaa {
namespace {

constexpr size_t kShown = 1000;       // bytes of a body that a record keeps for a person
constexpr size_t kLook = 64 << 10;    // bytes in which its kind must show
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::string_view kWhite = " \t\r\n";

OpenOptions with_max_line(int64_t bytes) {
  OpenOptions options;
  options.max_line = bytes;
  return options;
}

// `bytes` begins like `start` as far as both go.
bool agrees(std::string_view bytes, std::string_view start) {
  const size_t n = std::min(bytes.size(), start.size());
  return bytes.substr(0, n) == start.substr(0, n);
}

std::string_view without_mark(std::string_view bytes) {
  if (bytes.substr(0, kByteOrderMark.size()) == kByteOrderMark) bytes.remove_prefix(kByteOrderMark.size());
  return bytes.substr(std::min(bytes.find_first_not_of(kWhite), bytes.size()));
}

bool is_event_stream(std::string_view content_type) {
  constexpr std::string_view kType = "text/event-stream";
  const size_t start = std::min(content_type.find_first_not_of(" \t"), content_type.size());
  const std::string_view type = content_type.substr(start, content_type.find_first_of("; \t", start) - start);
  return type.size() == kType.size() && std::equal(type.begin(), type.end(), kType.begin(), [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a + 32 : a) == b; });
}

std::string json_text(std::string_view text) {
  std::string json;
  append_json_string(&json, text);
  return json;
}

}  // namespace

Reply::Reply(int64_t max_event)
    : options_(with_max_line(max_event)), stream_(FileContext{"", "", "", &options_, &problems_}, static_cast<size_t>(max_event), ChatStream::Source::kResponse) {}

void Reply::must_be_open(const char* call) const {
  if (state_ == State::kNew) fail(VAA_ERROR_ARGUMENT, std::string(call) + ": no response was begun; vaa_reply_begin comes first");
  if (state_ == State::kEnded) fail(VAA_ERROR_ARGUMENT, std::string(call) + ": the response has ended; vaa_reply_begin begins the next");
}

void Reply::begin(std::string_view request, double start_s) {
  problems_ = Problems();
  stream_.clear();
  while (!queue_.empty()) queue_.drop_last();
  request_.clear();
  body_.clear();
  beginning_.clear();
  kind_ = Kind::kUnknown;
  events_ = too_long_ = whole_ = false;
  status_ = 0;
  start_s_ = start_s;
  state_ = State::kBegun;
  if (without_mark(request).size() > 0) {
    JsonReader json(request);
    std::string why;
    // It was sent as it is, and the server may answer it: a fact for its samples.
    if (!read_request(&json, &request_, &why) || !(json.finish() || bad_json(json, &why))) problems_.add("", 0, (why.rfind("request", 0) == 0 ? "" : "request: ") + why);
  }
}

void Reply::head(int32_t status, std::string_view content_type) {
  must_be_open("vaa_reply_head");
  if (state_ == State::kBody) fail(VAA_ERROR_ARGUMENT, "vaa_reply_head: bytes of the body have come already");
  if (status < 100 || status > 999) fail(VAA_ERROR_ARGUMENT, "status: is " + std::to_string(status) + ", must be 100 to 999");
  status_ = status;
  events_ = is_event_stream(content_type);
}

// By the first bytes alone, so that where they are cut decides nothing.
void Reply::decide(bool more) {
  const std::string_view seen = body_;
  if (more && seen.size() < kByteOrderMark.size() && agrees(seen, kByteOrderMark)) return;
  const std::string_view start = without_mark(seen);
  if (more && start.empty()) return;
  bool stream = events_ && (start.empty() || std::string_view("{[<").find(start[0]) == std::string_view::npos);
  for (const std::string_view field : {"data:", "event:", "id:", "retry:", ":"}) {
    if (stream || !agrees(start, field)) continue;
    if (more && start.size() < field.size()) return;
    stream = start.size() >= field.size();
  }
  kind_ = stream ? Kind::kStream : Kind::kWhole;
  const std::string held = std::move(body_);
  body_.clear();
  take(held);
}

void Reply::take(std::string_view bytes) {
  if (kind_ == Kind::kStream) {
    if (beginning_.size() < kShown) beginning_.append(bytes.substr(0, kShown - beginning_.size()));
    return stream_.push(bytes, &queue_);
  }
  too_long_ |= bytes.size() > static_cast<size_t>(options_.max_line) - body_.size();
  if (!too_long_) {
    body_ += bytes;
    return;
  }
  if (body_.size() < kShown) body_.append(bytes.substr(0, kShown - body_.size()));
  if (body_.size() > kShown) {
    body_.resize(kShown);
    body_.shrink_to_fit();
  }
}

void Reply::push(std::string_view bytes, double time_s) {
  must_be_open("vaa_reply_push");
  state_ = State::kBody;
  stream_.chat().at(time_s - start_s_);
  if (kind_ == Kind::kUnknown) {
    const size_t n = std::min(bytes.size(), kLook - body_.size());
    body_ += bytes.substr(0, n);
    bytes.remove_prefix(n);
    decide(body_.size() < kLook);
  }
  if (kind_ != Kind::kUnknown) take(bytes);
}

void Reply::end(double end_s, std::string_view fault) {
  must_be_open("vaa_reply_end");
  state_ = State::kEnded;
  if (kind_ == Kind::kUnknown) decide(false);
  if (kind_ == Kind::kStream) stream_.finish(&queue_);
  else read_body(fault);
  if (queue_.empty()) {
    std::string bad;
    for (const Problem& problem : problems_.first)
      if (bad.empty() && problem.line > 0) bad = ": line " + std::to_string(problem.line) + ": " + problem.message;
    const bool unread = status_ < 400 && fault.empty() && !without_mark(beginning_).empty();
    add_failure(unread ? "the stream holds no chunk that can be read" + bad : failure(beginning_, fault));
    queue_[0].set(TextField::kSourceFormat, "openai_sse");
    queue_[0].set(TextField::kStreamEnd, fault.empty() ? "error" : "cut");
  }
  for (size_t i = 0; i < queue_.size(); ++i) settle(fault, end_s, &queue_[i]);
}

// A sample of a response that holds no answer, with the body's beginning.
void Reply::add_failure(std::string_view message) {
  Sample& sample = queue_.add();
  set_error_body(&sample, message);
  const std::string_view shown = std::string_view(kind_ == Kind::kStream ? beginning_ : body_).substr(0, kShown);
  if (!shown.empty() && shown != message) add_extra(&sample, "body", json_text(shown));
}

// What a response without an answer says: of a failure what the transport tells, of an error status what the body tells.
std::string Reply::failure(std::string_view body, std::string_view fault) const {
  body = without_mark(body);
  if (!fault.empty() && (status_ < 400 || body.empty())) return std::string(fault);
  if (body.empty()) return status_ >= 400 ? "status " + std::to_string(status_) : "the response is empty";
  JsonReader json(body);
  std::string text;
  return json.peek() == JsonKind::kString && json.string(&text) && json.finish() ? text : std::string(body.substr(0, kShown));
}

void Reply::read_body(std::string_view fault) {
  const std::string_view body = without_mark(body_);
  if (too_long_) return add_failure("the response is longer than max_event, " + std::to_string(options_.max_line) + " bytes");
  std::string why;
  const bool json = !body.empty() && (body[0] == '{' || body[0] == '[');
  whole_ = json && any_.read(body, &queue_, &problems_, &why) && !queue_.empty();
  if (whole_) return;
  const bool unread = json && status_ < 400 && fault.empty();
  add_failure(!unread ? failure(body, fault) : why.empty() ? "the response holds no answer" : "the response cannot be read: " + why);
}

void Reply::settle(std::string_view fault, double end_s, Sample* sample) {
  if (!sample->has(IntField::kRepeat)) sample->set(IntField::kRepeat, 0);
  if (whole_) sample->set(TextField::kSourceFormat, any_.format());
  const std::string_view stream_end = sample->text(TextField::kStreamEnd);
  const bool cut = stream_end == "cut" || stream_end == "cut_in_event";
  if (cut && !sample->failed()) sample->set(TextField::kErrorMessage, fault.empty() ? "the stream was cut: it has no finish reason and no end mark" : fault);
  if (cut || stream_end == "no_finish_reason") unset_empty_output(sample);
  if (!fault.empty() && sample->text(TextField::kErrorMessage) != fault) add_extra(sample, "fault", json_text(fault));
  if (status_ < 400 && !sample->failed() && !sample->has_output()) sample->set(TextField::kErrorMessage, "the response holds no answer");
  apply_status(status_, sample);
  if (start_s_ == start_s_) sample->set(RealField::kStartS, start_s_);
  if (end_s == end_s) sample->set(RealField::kEndS, end_s);
  fill_missing(request_, sample);
  add_problems(sample);
}

// {"count", "first": [{"line", "message"}], "notes"}: what of the response could not be read, or stayed out.
void Reply::add_problems(Sample* sample) const {
  constexpr size_t kFirst = 3;
  if (problems_.count == 0 && problems_.notes.empty()) return;
  std::string text;
  JsonWriter json(&text);
  json.begin_object().member("count", problems_.count).key("first").begin_array();
  for (size_t i = 0; i < std::min(kFirst, problems_.first.size()); ++i)
    json.begin_object().member("line", problems_.first[i].line).member("message", problems_.first[i].message).end_object();
  json.end_array().key("notes").begin_array();
  for (const std::string& note : problems_.notes) json.string(note);
  json.end_array().end_object();
  add_extra(sample, "problems", text);
}

bool Reply::next(Sample* sample) {
  if (state_ != State::kEnded) fail(VAA_ERROR_ARGUMENT, "vaa_reply_next: the response has not ended; vaa_reply_end comes first");
  return queue_.pop(sample);
}

}  // namespace vaa
