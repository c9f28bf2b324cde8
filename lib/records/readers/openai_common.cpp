#include "records/readers/openai_common.h"

#include <limits>

#include "base/json_writer.h"

namespace vaa {
namespace {

bool write_value(JsonReader* json, JsonWriter* writer, std::string* why) {
  std::string_view text;
  bool flag = false;
  switch (json->peek()) {
    case JsonKind::kObject: {
      json->object();
      writer->begin_object();
      while (json->key(&text)) {
        writer->key(text);
        if (!write_value(json, writer, why)) return false;
      }
      writer->end_object();
      break;
    }
    case JsonKind::kArray:
      json->array();
      writer->begin_array();
      while (json->element()) {
        if (!write_value(json, writer, why)) return false;
      }
      writer->end_array();
      break;
    case JsonKind::kString:
      if (json->string(&text)) writer->string(text);
      break;
    case JsonKind::kNumber:
      if (json->number(&text)) writer->raw(text);
      break;
    case JsonKind::kBool:
      if (json->boolean(&flag)) writer->boolean(flag);
      break;
    case JsonKind::kNull:
      if (json->null()) writer->null();
      break;
    case JsonKind::kInvalid:
      break;
  }
  return !json->failed() || bad_json(*json, why);
}

// Where no value can stand: skip() finds what is malformed.
bool no_value(JsonReader* json, std::string* why) {
  json->skip();
  return bad_json(*json, why);
}

}  // namespace

bool enter_object(JsonReader* json, std::string_view name, std::string* why) {
  const JsonKind kind = json->peek();
  if (kind == JsonKind::kObject) return json->object() || bad_json(*json, why);
  if (kind == JsonKind::kInvalid) return no_value(json, why);
  *why = wrong_kind(name, kind, "an object");
  return false;
}

bool enter_array(JsonReader* json, std::string_view name, std::string* why) {
  const JsonKind kind = json->peek();
  if (kind == JsonKind::kArray) return json->array() || bad_json(*json, why);
  if (kind == JsonKind::kInvalid) return no_value(json, why);
  *why = wrong_kind(name, kind, "an array");
  return false;
}

bool read_number(JsonReader* json, std::string_view name, double* out, std::string* why) {
  const JsonKind kind = json->peek();
  if (kind == JsonKind::kNumber) return json->real(out) || bad_json(*json, why);
  *out = std::numeric_limits<double>::quiet_NaN();
  if (kind == JsonKind::kNull) return json->null() || bad_json(*json, why);
  if (kind == JsonKind::kInvalid) return no_value(json, why);
  *why = wrong_kind(name, kind, "a number");
  return false;
}

bool pass(JsonReader* json, std::string* why) { return json->skip() || bad_json(*json, why); }

bool copy_json(JsonReader* json, std::string* out, std::string* why) {
  std::string_view raw;
  if (!json->raw(&raw)) return bad_json(*json, why);
  if (raw.find_first_of("\r\n") == std::string_view::npos) {
    out->assign(raw);
    return true;
  }
  out->clear();
  JsonReader again(raw);
  JsonWriter writer(out);
  return write_value(&again, &writer, why);
}

bool read_any(JsonReader* json, Sample* sample, TextField field, std::string* why) {
  const JsonKind kind = json->peek();
  if (kind == JsonKind::kString || kind == JsonKind::kNull) return read_text(json, "", sample, field, why);
  return copy_json(json, &sample->texts.put(field), why);
}

void append_text(Sample* sample, TextField field, std::string_view text) {
  if (sample->has(field)) {
    sample->texts.put(field).append(text);
  } else {
    sample->set(field, text);
  }
}

namespace {

template <class Slots, class Field, class Value, int kBase>
void fill_slots(const FieldSlots<Field, Value, kBase>& from, Slots* to, bool overwrite) {
  for (int f = kBase; from.any() && f < static_cast<int>(Field::kEnd); ++f) {
    const Field field = static_cast<Field>(f);
    if (from.has(field) && (overwrite || !to->has(field))) to->put(field) = from.get(field);
  }
}

void fill(const Sample& from, Sample* to, bool overwrite) {
  fill_slots(from.texts, &to->texts, overwrite);
  fill_slots(from.ints, &to->ints, overwrite);
  fill_slots(from.reals, &to->reals, overwrite);
  fill_slots(from.ids, &to->ids, overwrite);
  fill_slots(from.real_lists, &to->real_lists, overwrite);
  fill_slots(from.int_lists, &to->int_lists, overwrite);
}

}  // namespace

void fill_missing(const Sample& from, Sample* to) { fill(from, to, false); }
void overlay(const Sample& from, Sample* to) { fill(from, to, true); }

bool read_status(JsonReader* json, Sample* sample, std::string* why) {
  int64_t code = 0;
  if (json->peek() == JsonKind::kNumber && json->int64(&code)) {
    if (code >= 100 && code <= 599 && !sample->has(IntField::kErrorStatus)) sample->set(IntField::kErrorStatus, code);
    return true;
  }
  if (json->failed()) return bad_json(*json, why);
  return json->peek() == JsonKind::kNumber || pass(json, why);
}

bool read_stop_reason(JsonReader* json, std::string_view name, Sample* sample, std::string* why) {
  const JsonKind kind = json->peek();
  if (kind == JsonKind::kString || kind == JsonKind::kNumber) return read_id(json, name, sample, TextField::kStopReason, why);
  return pass(json, why);  // null; SGLang gives a list where several stops matched
}

bool read_finish_reason(JsonReader* json, Sample* sample, std::string* why) {
  const JsonKind kind = json->peek();
  std::string_view word;
  if (kind == JsonKind::kString) {
    if (!json->string(&word)) return bad_json(*json, why);
    if (!word.empty()) sample->set(TextField::kFinishReason, normal_finish_reason(word));
    return true;
  }
  if (kind == JsonKind::kNull) return json->null() || bad_json(*json, why);
  if (!enter_object(json, "finish_reason", why)) {
    if (kind != JsonKind::kInvalid) *why = wrong_kind("finish_reason", kind, "text or an object");
    return false;
  }
  while (json->key(&word)) {
    bool good = false;
    if (word == "type") good = read_finish_reason(json, sample, why);
    else if (word == "matched") good = read_stop_reason(json, "matched", sample, why);
    else if (word == "message") good = read_text(json, "message", sample, TextField::kErrorMessage, why);
    else if (word == "status_code") good = read_status(json, sample, why);
    else if (word == "err_type") good = read_text(json, "err_type", sample, TextField::kErrorType, why);
    else good = pass(json, why);
    if (!good) return false;
  }
  return !json->failed() || bad_json(*json, why);
}

namespace {

// {"cached_tokens", "reasoning_tokens", …} inside usage.
bool read_token_details(JsonReader* json, Sample* sample, std::string* why) {
  if (json->peek() != JsonKind::kObject) return pass(json, why);
  json->object();
  std::string_view key;
  while (json->key(&key)) {
    bool good = false;
    if (key == "cached_tokens") good = read_integer(json, "cached_tokens", sample, IntField::kCachedTokens, why);
    else if (key == "reasoning_tokens") good = read_integer(json, "reasoning_tokens", sample, IntField::kReasoningTokens, why);
    else good = pass(json, why);
    if (!good) return false;
  }
  return !json->failed() || bad_json(*json, why);
}

}  // namespace

bool read_usage(JsonReader* json, Sample* sample, std::string* why) {
  if (json->peek() == JsonKind::kNull) return json->null() || bad_json(*json, why);
  if (!enter_object(json, "usage", why)) return false;
  std::string_view key;
  while (json->key(&key)) {
    bool good = false;
    if (key == "prompt_tokens" || key == "input_tokens") good = read_integer(json, "usage.prompt_tokens", sample, IntField::kPromptTokens, why);
    else if (key == "completion_tokens" || key == "output_tokens") good = read_integer(json, "usage.completion_tokens", sample, IntField::kCompletionTokens, why);
    else if (key == "reasoning_tokens") good = read_integer(json, "usage.reasoning_tokens", sample, IntField::kReasoningTokens, why);
    else if (key == "cached_tokens" || key == "input_tokens_cache_read") good = read_integer(json, "usage.cached_tokens", sample, IntField::kCachedTokens, why);
    else if (key == "prompt_tokens_details" || key == "completion_tokens_details") good = read_token_details(json, sample, why);
    else good = pass(json, why);
    if (!good) return false;
  }
  return !json->failed() || bad_json(*json, why);
}

bool read_timings(JsonReader* json, Sample* sample, std::string* why) {
  if (json->peek() == JsonKind::kNull) return json->null() || bad_json(*json, why);
  if (!enter_object(json, "timings", why)) return false;
  double prompt_ms = std::numeric_limits<double>::quiet_NaN(), predicted_ms = prompt_ms;
  std::string_view key;
  while (json->key(&key)) {
    bool good = false;
    if (key == "cache_n") good = read_integer(json, "timings.cache_n", sample, IntField::kCachedTokens, why);
    else if (key == "prompt_ms") good = read_number(json, "timings.prompt_ms", &prompt_ms, why);
    else if (key == "predicted_ms") good = read_number(json, "timings.predicted_ms", &predicted_ms, why);
    else good = pass(json, why);
    if (!good) return false;
  }
  if (json->failed()) return bad_json(*json, why);
  if (prompt_ms >= 0) sample->set(RealField::kTtftS, prompt_ms / 1000);
  if (prompt_ms >= 0 && predicted_ms >= 0) sample->set(RealField::kE2eS, (prompt_ms + predicted_ms) / 1000);
  return true;
}

bool read_error(JsonReader* json, Sample* sample, std::string* why) {
  if (json->peek() != JsonKind::kObject) return read_any(json, sample, TextField::kErrorMessage, why);
  std::string_view raw;
  if (!json->raw(&raw)) return bad_json(*json, why);
  JsonReader inner(raw);
  inner.object();
  std::string_view key;
  while (inner.key(&key)) {
    bool good = false;
    if (key == "message") good = read_any(&inner, sample, TextField::kErrorMessage, why);
    else if (key == "type") good = read_any(&inner, sample, TextField::kErrorType, why);
    else if (key == "code") good = read_status(&inner, sample, why);
    else good = pass(&inner, why);
    if (!good) return false;
  }
  if (!sample->has(TextField::kErrorMessage)) set_error_body(sample, raw);
  return true;
}

bool read_error_detail(JsonReader* json, Sample* sample, std::string* why) {
  if (json->peek() != JsonKind::kArray) return read_any(json, sample, TextField::kErrorMessage, why);
  std::string_view raw;
  if (!json->raw(&raw)) return bad_json(*json, why);
  JsonReader list(raw);
  list.array();
  while (list.element()) {
    if (list.peek() != JsonKind::kObject) {
      list.skip();
      continue;
    }
    list.object();
    std::string place, message;
    std::string_view key, word;
    while (list.key(&key)) {
      if (key == "msg" && list.peek() == JsonKind::kString) {
        list.string(&message);
      } else if (key == "type" && list.peek() == JsonKind::kString && !sample->has(TextField::kErrorType)) {
        list.string(&sample->texts.put(TextField::kErrorType));
      } else if (key == "loc" && list.peek() == JsonKind::kArray) {
        list.array();
        while (list.element()) {
          if (list.peek() == JsonKind::kString ? !list.string(&word) : list.peek() != JsonKind::kNumber || !list.number(&word)) {
            list.skip();
            continue;
          }
          if (!place.empty()) place += '.';
          place += word;
        }
      } else {
        list.skip();
      }
    }
    if (message.empty()) continue;
    if (sample->has(TextField::kErrorMessage)) append_text(sample, TextField::kErrorMessage, "; ");
    append_text(sample, TextField::kErrorMessage, place.empty() ? message : place + ": " + message);
  }
  if (!sample->has(TextField::kErrorMessage)) set_error_body(sample, raw);
  return true;
}

void set_error_body(Sample* sample, std::string_view body) {
  constexpr size_t kMost = 1000;  // bytes of a page that are worth keeping
  if (body.size() > kMost) {
    size_t cut = kMost;
    while (cut > kMost - 4 && (static_cast<unsigned char>(body[cut]) & 0xC0) == 0x80) --cut;
    body = body.substr(0, cut);
  }
  sample->set(TextField::kErrorMessage, body);
}

bool read_content_parts(JsonReader* json, Sample* sample, std::string* why) {
  if (!enter_array(json, "content", why)) return false;
  std::string_view key, word;
  while (json->element()) {
    if (json->peek() == JsonKind::kString) {
      if (json->string(&word)) append_text(sample, TextField::kOutputText, word);
      continue;
    }
    if (json->peek() != JsonKind::kObject) {
      if (!pass(json, why)) return false;
      continue;
    }
    json->object();
    while (json->key(&key)) {
      const bool text = key == "text", reasoning = key == "reasoning" || key == "thinking";
      if ((text || reasoning) && json->peek() == JsonKind::kString) {
        if (json->string(&word)) append_text(sample, text ? TextField::kOutputText : TextField::kOutputReasoning, word);
      } else if (!pass(json, why)) {
        return false;
      }
    }
  }
  return !json->failed() || bad_json(*json, why);
}

}  // namespace vaa
