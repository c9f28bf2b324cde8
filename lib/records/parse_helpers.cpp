// What parsers of formats share: reading a value of the right kind into a field.
#include <cmath>

#include "base/json_writer.h"
#include "records/format.h"
#include "text/think_tags.h"

namespace vaa {
namespace {

constexpr std::string_view kWhite = " \t\r\n\v\f";

// A number that is whole, also where it is written 20.0 or 1e3.
bool whole_number(JsonReader* json, int64_t* out) {
  std::string_view text;
  if (!json->number(&text)) return false;
  JsonReader again(text);
  if (again.int64(out)) return true;
  JsonReader as_real(text);
  double real = 0;
  if (!as_real.real(&real) || !(std::fabs(real) < 9.2e18) || real != std::floor(real)) return false;
  *out = static_cast<int64_t>(real);
  return true;
}

bool wrong(std::string_view key, JsonReader* json, std::string_view allowed, std::string* why) {
  const JsonKind kind = json->peek();
  if (kind == JsonKind::kInvalid) return json->skip() || bad_json(*json, why);  // skip() finds what is malformed
  *why = wrong_kind(key, kind, allowed);
  return false;
}

template <class Slots, class Field>
bool null_leaves(JsonReader* json, Slots* slots, Field field, std::string* why) {
  slots->unset(field);
  return json->null() || bad_json(*json, why);
}

}  // namespace

bool bad_json(const JsonReader& json, std::string* why) {
  *why = "column " + std::to_string(json.error_at() + 1) + ": " + (json.failed() ? json.error() : "text after the end of the value");
  return false;
}

std::string wrong_kind(std::string_view key, JsonKind found, std::string_view allowed) {
  return std::string(key) + ": is " + json_kind_name(found) + ", must be " + std::string(allowed);
}

bool read_text(JsonReader* json, std::string_view key, Sample* sample, TextField field, std::string* why) {
  const JsonKind kind = json->peek();
  if (kind == JsonKind::kNull) return null_leaves(json, &sample->texts, field, why);
  if (kind != JsonKind::kString) return wrong(key, json, "text", why);
  return json->string(&sample->texts.put(field)) || bad_json(*json, why);
}

bool read_id(JsonReader* json, std::string_view key, Sample* sample, TextField field, std::string* why) {
  if (json->peek() != JsonKind::kNumber) {
    if (json->peek() == JsonKind::kString || json->peek() == JsonKind::kNull) return read_text(json, key, sample, field, why);
    return wrong(key, json, "text or an integer", why);
  }
  std::string_view text;
  if (!json->number(&text)) return bad_json(*json, why);
  if (text.find_first_not_of("-0123456789") != std::string_view::npos) {
    *why = std::string(key) + ": is " + std::string(text.substr(0, 40)) + ", must be text or an integer";
    return false;
  }
  sample->set(field, text);
  return true;
}

bool read_integer(JsonReader* json, std::string_view key, Sample* sample, IntField field, std::string* why) {
  const JsonKind kind = json->peek();
  if (kind == JsonKind::kNull) return null_leaves(json, &sample->ints, field, why);
  if (kind != JsonKind::kNumber) return wrong(key, json, "an integer", why);
  if (whole_number(json, &sample->ints.put(field))) return true;
  sample->ints.unset(field);
  if (json->failed()) return bad_json(*json, why);
  *why = std::string(key) + ": is no integer of 64 bits";
  return false;
}

bool read_real(JsonReader* json, std::string_view key, Sample* sample, RealField field, std::string* why) {
  const JsonKind kind = json->peek();
  if (kind == JsonKind::kNull) return null_leaves(json, &sample->reals, field, why);
  if (kind != JsonKind::kNumber) return wrong(key, json, "a number", why);
  return json->real(&sample->reals.put(field)) || bad_json(*json, why);
}

bool read_bool(JsonReader* json, std::string_view key, Sample* sample, IntField field, std::string* why) {
  const JsonKind kind = json->peek();
  if (kind == JsonKind::kNull) return null_leaves(json, &sample->ints, field, why);
  if (kind != JsonKind::kBool) return wrong(key, json, "true or false", why);
  bool value = false;
  if (!json->boolean(&value)) return bad_json(*json, why);
  sample->set(field, value ? 1 : 0);
  return true;
}

bool read_ids(JsonReader* json, std::string_view key, Sample* sample, IdsField field, std::string* why) {
  const JsonKind kind = json->peek();
  if (kind == JsonKind::kNull) return null_leaves(json, &sample->ids, field, why);
  if (kind != JsonKind::kArray) return wrong(key, json, "a list of token ids", why);
  size_t bad = 0;
  if (json->ids(&sample->ids.put(field), &bad)) return true;
  sample->ids.unset(field);
  if (json->failed()) return bad_json(*json, why);
  *why = std::string(key) + "[" + std::to_string(bad) + "]: is no token id";
  return false;
}

namespace {

struct SamplingKey {
  std::string_view key;
  IntField integer = IntField::kEnd;
  RealField real = RealField::kEnd;
};
constexpr SamplingKey kSamplingKeys[] = {
    {"temperature", IntField::kEnd, RealField::kTemperature},
    {"top_p", IntField::kEnd, RealField::kTopP},
    {"top_k", IntField::kTopK, RealField::kEnd},
    {"min_p", IntField::kEnd, RealField::kMinP},
    {"max_tokens", IntField::kMaxTokens, RealField::kEnd},
    {"max_completion_tokens", IntField::kMaxTokens, RealField::kEnd},
    {"max_new_tokens", IntField::kMaxTokens, RealField::kEnd},
    {"max_gen_toks", IntField::kMaxTokens, RealField::kEnd},
    {"max_out_len", IntField::kMaxTokens, RealField::kEnd},
    {"n_predict", IntField::kMaxTokens, RealField::kEnd},
    {"repetition_penalty", IntField::kEnd, RealField::kRepetitionPenalty},
    {"repeat_penalty", IntField::kEnd, RealField::kRepetitionPenalty},
    {"presence_penalty", IntField::kEnd, RealField::kPresencePenalty},
    {"frequency_penalty", IntField::kEnd, RealField::kFrequencyPenalty},
};

bool read_seed(JsonReader* json, Sample* sample, std::string* why) {
  if (json->peek() == JsonKind::kNull) return json->null() || bad_json(*json, why);
  if (!read_id(json, "seed", sample, TextField::kSeed, why)) return false;
  if (!text_value_fault(TextField::kSeed, sample->text(TextField::kSeed)).empty()) sample->texts.unset(TextField::kSeed);  // a word for "none"
  return true;
}

}  // namespace

bool read_sampling(JsonReader* json, Sample* sample, bool overwrite, std::string* why) {
  if (!json->object()) return bad_json(*json, why);
  std::string_view key;
  while (json->key(&key)) {
    if (json->peek() == JsonKind::kNull) {
      if (!json->null()) break;
      continue;
    }
    if (key == "seed" && (overwrite || !sample->has(TextField::kSeed))) {
      if (!read_seed(json, sample, why)) return false;
      continue;
    }
    if (key == "ignore_eos" && (overwrite || !sample->has(IntField::kIgnoreEos))) {
      if (!read_bool(json, "ignore_eos", sample, IntField::kIgnoreEos, why)) return false;
      continue;
    }
    const SamplingKey* found = nullptr;
    for (const SamplingKey& k : kSamplingKeys)
      if (k.key == key) found = &k;
    const bool real = found && found->real != RealField::kEnd;
    if (!found || (!overwrite && (real ? sample->has(found->real) : sample->has(found->integer)))) {
      if (!json->skip()) break;
    } else if (real ? !read_real(json, found->key, sample, found->real, why) : !read_integer(json, found->key, sample, found->integer, why)) {
      return false;
    }
  }
  return !json->failed() || bad_json(*json, why);
}

std::string_view normal_finish_reason(std::string_view word) {
  struct Word {
    std::string_view from, to;
  };
  static constexpr Word kWords[] = {
      {"stop", "stop"},           {"length", "length"},         {"tool_calls", "tool_calls"},         {"function_call", "tool_calls"},
      {"content_filter", "content_filter"},                     {"abort", "abort"},                   {"aborted", "abort"},
      {"cancelled", "abort"},     {"error", "error"},           {"repetition", "repetition"},         {"max_tokens", "length"},
      {"model_length", "length"}, {"limit", "length"},          {"eos", "stop"},                      {"eos_token", "stop"},
      {"stop_sequence", "stop"},  {"word", "stop"},             {"end_turn", "stop"},                 {"tool_use", "tool_calls"},
  };
  for (const Word& w : kWords)
    if (w.from == word) return w.to;
  return "unknown";
}

void set_source(Sample* sample, const char* format, const FileContext& context, int64_t line) {
  sample->set(TextField::kSourceFormat, format);
  sample->set(TextField::kSourceFile, context.path);
  sample->set(IntField::kSourceLine, line);
}

void add_extra(Sample* sample, std::string_view key, std::string_view json) {
  std::string& extra = sample->texts.has(TextField::kExtra) ? sample->texts.put(TextField::kExtra) : (sample->texts.put(TextField::kExtra) = "{}");
  const bool empty = extra.find_first_not_of(" \t\r\n{}") == std::string::npos;
  extra.resize(extra.rfind('}'));
  if (!empty) extra += ',';
  append_json_string(&extra, key);
  extra += ':';
  extra += json;
  extra += '}';
}

void split_reasoning(Sample* sample, bool lone_close) {
  if (!sample->has(TextField::kOutputText) || sample->has(TextField::kOutputReasoning)) return;
  std::string& text = sample->texts.put(TextField::kOutputText);
  const size_t start = text.find_first_not_of(kWhite);
  if (start == std::string::npos) return;
  std::string_view open, close;
  size_t from = 0, to = std::string::npos;
  if (text[start] == '<' || text[start] == '[') {
    for (const ThinkTag& tag : think_tags()) {
      if (text.compare(start, tag.open.size(), tag.open) != 0) continue;
      open = std::string_view(text).substr(0, start + tag.open.size());
      close = tag.close;
      from = open.size();
      to = text.find(close, from);
      break;
    }
  }
  if (to == std::string::npos && lone_close) {
    open = {};
    close = "</think>";
    from = 0;
    to = text.find(close);
  }
  if (to == std::string::npos) return;
  std::string tags = "[";
  append_json_string(&tags, open);
  tags += ',';
  append_json_string(&tags, close);
  tags += ']';
  add_extra(sample, "reasoning_tags", tags);
  sample->texts.put(TextField::kOutputReasoning).assign(text, from, to - from);
  text.erase(0, to + close.size());
}

}  // namespace vaa
