#include "records/readers/lm_eval_request.h"

namespace vaa {

void LmEvalRequest::clear() {
  continuations_.clear();
  count_ = 0;
  known_ = generates_ = false;
}

bool LmEvalRequest::read(JsonReader* json, Sample* sample, std::string* why) {
  known_ = true;
  const JsonKind kind = json->peek();
  if (kind == JsonKind::kObject) {
    std::string_view key;
    json->object();
    while (json->key(&key))
      if (!read_one(json, sample, why)) return false;
  } else if (kind == JsonKind::kArray) {
    json->array();
    while (json->element())
      if (!read_one(json, sample, why)) return false;
  } else {
    return json->skip() || bad_json(*json, why);
  }
  return !json->failed() || bad_json(*json, why);
}

// One request: {"arg_0", "arg_1"} or [arg_0, arg_1].
bool LmEvalRequest::read_one(JsonReader* json, Sample* sample, std::string* why) {
  const JsonKind kind = json->peek();
  const bool first = count_++ == 0;
  if (kind == JsonKind::kObject) {
    std::string_view key;
    json->object();
    while (json->key(&key)) {
      bool good = false;
      if (key == "arg_0" && first) good = read_prompt(json, sample, why);
      else if (key == "arg_1") good = read_second(json, sample, why);
      else good = json->skip() || bad_json(*json, why);
      if (!good) return false;
    }
  } else if (kind == JsonKind::kArray) {
    json->array();
    for (int place = 0; json->element(); ++place) {
      bool good = false;
      if (place == 0 && first) good = read_prompt(json, sample, why);
      else if (place == 1) good = read_second(json, sample, why);
      else good = json->skip() || bad_json(*json, why);
      if (!good) return false;
    }
  } else {
    return json->skip() || bad_json(*json, why);
  }
  return !json->failed() || bad_json(*json, why);
}

// Text, or a list whose one element holds the messages as JSON text.
bool LmEvalRequest::read_prompt(JsonReader* json, Sample* sample, std::string* why) {
  if (json->peek() == JsonKind::kString) return read_text(json, "arg_0", sample, TextField::kPromptText, why);
  std::string_view raw;
  if (!json->raw(&raw)) return bad_json(*json, why);
  JsonReader list(raw);
  if (list.peek() != JsonKind::kArray || !list.array() || !list.element()) return true;
  if (list.peek() == JsonKind::kObject) {  // the messages themselves
    sample->set(TextField::kPromptMessages, raw);
    return true;
  }
  if (list.peek() != JsonKind::kString || !list.string(&text_)) return true;
  JsonReader messages(text_);
  if (messages.peek() == JsonKind::kArray && messages.skip() && messages.finish()) sample->set(TextField::kPromptMessages, text_);
  else sample->set(TextField::kPromptText, text_);
  return true;
}

void LmEvalRequest::guess(std::string_view resps) {
  JsonReader json(resps);
  if (json.peek() != JsonKind::kArray || !json.array() || !json.element()) return;
  generates_ = json.peek() == JsonKind::kString || (json.peek() == JsonKind::kArray && json.array() && json.element() && json.peek() == JsonKind::kString);
}

// Settings of a generation, or the continuation that is ranked.
bool LmEvalRequest::read_second(JsonReader* json, Sample* sample, std::string* why) {
  if (json->peek() == JsonKind::kObject) {
    generates_ = true;
    return read_sampling(json, sample, false, why);
  }
  std::string_view raw;
  if (!json->raw(&raw)) return bad_json(*json, why);
  continuations_.push_back(raw);
  return true;
}

bool LmEvalRequest::read_choices(JsonReader* json, Sample* sample, std::string* why) {
  if (json->peek() != JsonKind::kArray) return json->skip() || bad_json(*json, why);
  std::string choices = "[";
  size_t at = 0;
  json->array();
  while (json->element()) {
    std::string_view raw;
    if (!json->raw(&raw)) break;
    // [["-1.23", "False"]]: a request's one answer, a pair of texts
    JsonReader pair(raw);
    std::string numbers;
    bool entered = pair.peek() == JsonKind::kArray && pair.array() && pair.element();
    if (entered && pair.peek() == JsonKind::kArray) entered = pair.array() && pair.element();
    for (int place = 0; entered && place < 2; ++place) {
      std::string_view value;
      if (pair.peek() == JsonKind::kString ? !pair.string(&value) : !pair.raw(&value)) break;
      JsonReader number(value);
      std::string_view checked;
      if (value == "True" || value == "False") numbers += value == "True" ? ",true" : ",false";
      else if (number.peek() == JsonKind::kNumber && number.number(&checked) && number.finish() && value.find_first_not_of("+-.0123456789eE") == std::string_view::npos) numbers += "," + std::string(value);
      else numbers += value == "true" || value == "false" ? "," + std::string(value) : std::string(",null");
      entered = pair.element();
    }
    if (choices.size() > 1) choices += ',';
    choices += '[';
    choices += at < continuations_.size() ? continuations_[at] : std::string_view("null");
    choices += numbers + "]";
    ++at;
  }
  if (json->failed()) return bad_json(*json, why);
  add_extra(sample, "choices", choices + "]");
  return true;
}

}  // namespace vaa
