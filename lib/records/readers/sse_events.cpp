#include "records/readers/sse_events.h"

#include "base/json.h"

namespace vaa {
namespace {

// The field's name, and its value without the one blank.
std::string_view split_field(std::string_view line, std::string_view* value) {
  const size_t colon = line.find(':');
  if (colon == std::string_view::npos) {
    *value = {};
    return line;
  }
  *value = line.substr(colon + 1);
  if (!value->empty() && value->front() == ' ') value->remove_prefix(1);
  return line.substr(0, colon);
}

}  // namespace

bool SseEvents::ends_event(std::string_view line) const {
  if (lines_ != 1 || data_.empty() || line.substr(0, 4) != "data") return false;
  std::string_view value;
  if (split_field(line, &value) != "data" || value.empty()) return false;
  if (data_ == "[DONE]") return true;
  if (data_.front() != '{' || data_.back() != '}') return false;
  JsonReader json(data_);
  return json.skip() && json.finish();
}

bool SseEvents::take(std::string_view line, int64_t number) {
  if (line.empty()) {
    if (pending()) return true;
    clear();
    return false;
  }
  std::string_view value;
  const std::string_view field = split_field(line, &value);
  if (field == "event") {
    type_.assign(value.substr(0, 64));
  } else if (field == "data") {
    if (lines_++ == 0) line_ = number;
    if (too_long_) return false;
    if (data_.size() + value.size() + 1 > max_event_) {
      too_long_ = true;
      data_.clear();
      return false;
    }
    if (has_data_) data_ += '\n';
    data_ += value;
    has_data_ = true;
  }
  return false;  // id, retry and unknown fields are nothing to us; neither is a comment, whose field is ""
}

void SseEvents::take_too_long(int64_t number) {
  if (lines_++ == 0) line_ = number;
  too_long_ = true;
  data_.clear();
}

void SseEvents::clear() {
  data_.clear();
  type_.clear();
  lines_ = 0;
  has_data_ = too_long_ = false;
}

}  // namespace vaa
