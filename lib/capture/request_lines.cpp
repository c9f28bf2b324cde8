// Requests out of a file of lines: OpenAI batch lines, or bare bodies.
#include <cstring>
#include <fstream>
#include <unordered_map>

#include "base/failure.h"
#include "base/json.h"
#include "base/text_hash.h"
#include "capture/json_members.h"
#include "capture/request_pass.h"

namespace vaa::capture {
namespace {

JsonKind kind_of(std::string_view value) {
  if (value.empty()) return JsonKind::kInvalid;
  JsonReader json(value);
  return json.peek();
}

std::string path_of(const std::vector<JsonMember>& line) {
  std::string url, method = "POST";
  const std::string_view value = member_value(line, "url"), verb = member_value(line, "method");
  if (!verb.empty() && (!json_text(verb, &method) || method != "POST")) fail(VAA_ERROR_FORMAT, "method: " + (kind_of(verb) == JsonKind::kString ? "is " + quoted(method) + ", " : "") + "must be \"POST\"");
  if (value.empty() || !json_text(value, &url)) fail(VAA_ERROR_FORMAT, value.empty() ? "url: is missing" : "url: must be text");
  if (url != "/v1/chat/completions" && url != "/v1/completions") fail(VAA_ERROR_FORMAT, "url: " + quoted(url) + " is not asked; allowed are /v1/chat/completions and /v1/completions");
  return url;
}

// What a body of this path must hold.
void check_body(const std::vector<JsonMember>& body, bool chat) {
  const char* name = chat ? "messages" : "prompt";
  const JsonKind kind = kind_of(member_value(body, name));
  if (kind == JsonKind::kArray || (!chat && kind == JsonKind::kString)) return;
  fail(VAA_ERROR_FORMAT, std::string("body: ") + name + (kind == JsonKind::kInvalid ? " is missing" : chat ? " must be a list" : " must be text or a list"));
}

// Reads lines of any length up to kMaxRequestLine; what is longer is passed over and told.
class Lines {
 public:
  explicit Lines(const std::string& path) : path_(path), file_(path, std::ios::binary) {
    if (!file_) fail(VAA_ERROR_IO, path + ": " + std::strerror(errno));
  }
  bool next(std::string* line, bool* too_long) {
    line->clear();
    *too_long = false;
    bool any = false;
    for (;;) {
      const char* feed = at_ < size_ ? static_cast<const char*>(std::memchr(buffer_ + at_, '\n', size_ - at_)) : nullptr;
      const size_t end = feed ? static_cast<size_t>(feed - buffer_) : size_;
      any = any || end > at_ || feed;
      if (line->size() + (end - at_) > kMaxRequestLine) *too_long = true;
      if (!*too_long) line->append(buffer_ + at_, end - at_);
      at_ = feed ? end + 1 : end;
      if (feed) break;
      if (!fill()) break;
    }
    if (any) ++number_;
    return any;
  }
  int64_t number() const { return number_; }

 private:
  bool fill() {
    file_.read(buffer_, sizeof buffer_);
    if (file_.bad()) fail(VAA_ERROR_IO, path_ + ": cannot be read");
    at_ = 0;
    size_ = static_cast<size_t>(file_.gcount());
    return size_ > 0;
  }
  std::string path_;
  std::ifstream file_;
  char buffer_[65536];
  size_t at_ = 0, size_ = 0;
  int64_t number_ = 0;
};

bool is_blank(std::string_view line) { return line.find_first_not_of(" \t\r") == line.npos; }

class LinePass final : public RequestPass {
 public:
  explicit LinePass(const std::string& path) : path_(path), lines_(path) {}
  Item next(Request* request, std::string* problem) override {
    bool too_long = false;
    do {
      if (!lines_.next(&line_, &too_long)) return Item::kEnd;
      if (lines_.number() == 1 && line_.rfind("\xEF\xBB\xBF", 0) == 0) line_.erase(0, 3);
    } while (!too_long && is_blank(line_));
    const std::string where = path_ + ":" + std::to_string(lines_.number()) + ": ";
    if (too_long) return *problem = where + "is longer than " + std::to_string(kMaxRequestLine) + " bytes", Item::kProblem;
    try {
      *request = parse_request_line(line_);
    } catch (const Failure& failure) {
      return *problem = where + failure.message(), Item::kProblem;
    }
    request->source_file = path_;
    request->source_line = lines_.number();
    if (request->id.empty()) request->id = std::to_string(request->source_line);
    request->repeat = times_[hash_bytes(mixed(1), request->id)]++;  // a line that stands again is asked again: it has a name of its own
    return Item::kRequest;
  }

 private:
  std::string path_, line_;
  Lines lines_;
  std::unordered_map<uint64_t, int64_t> times_;  // of each id so far
};

}  // namespace

Request parse_request_line(std::string_view line) {
  const auto members = json_members(line);
  Request request;
  std::string_view body = member_value(members, "body");
  if (body.empty()) {
    const bool chat = !member_value(members, "messages").empty();
    if (!chat && member_value(members, "prompt").empty()) fail(VAA_ERROR_FORMAT, "is no request: it has neither body (a line of a batch file) nor messages or prompt (a bare body)");
    check_body(members, chat);
    request.path = chat ? "/v1/chat/completions" : "/v1/completions";
    request.body = line;
    return request;
  }
  if (kind_of(body) != JsonKind::kObject) fail(VAA_ERROR_FORMAT, "body: must be an object");
  request.path = path_of(members);
  check_body(json_members(body), is_chat(request.path));
  request.body = body;
  const std::string_view id = member_value(members, "custom_id");
  if (kind_of(id) == JsonKind::kNumber) request.id = id;
  else if (!id.empty() && !json_text(id, &request.id)) fail(VAA_ERROR_FORMAT, "custom_id: must be text");
  return request;
}

bool holds_requests(const std::string& path, bool bare) {
  constexpr int kLooked = 100;
  Lines lines(path);
  std::string line;
  bool too_long = false;
  for (int i = 0; i < kLooked && lines.next(&line, &too_long); ++i) {
    if (too_long || line.find('{') == line.npos) continue;
    try {
      const Request request = parse_request_line(line);
      if (bare || request.body.size() < line.size()) return true;
    } catch (const Failure&) {
      continue;
    }
  }
  return false;
}

std::unique_ptr<RequestPass> open_line_pass(const std::string& path) { return std::make_unique<LinePass>(path); }

}  // namespace vaa::capture
