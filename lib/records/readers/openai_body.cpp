#include "records/readers/openai_body.h"

#include <algorithm>

#include "records/readers/openai_common.h"
#include "records/readers/request_body.h"

namespace vaa {

void ChoicePart::clear() {
  index = 0;
  message = so_far = false;
  fields.clear();
  logprobs.clear();
  tool_calls.clear();
  prompt_logprobs = {};
}

void OpenaiBody::clear() {
  common.clear();
  flat_error.clear();
  object.clear();
  prompt_logprobs = {};
  has_choices = false;
  count_ = 0;
}

ChoicePart& OpenaiBody::add() {
  if (count_ == parts_.size()) parts_.push_back(std::make_unique<ChoicePart>());
  ChoicePart& part = *parts_[count_++];
  part.clear();
  return part;
}

namespace {

bool is_empty_list(std::string_view json) { return json.find_first_not_of("[] \t") == std::string_view::npos; }

// The value of tool_calls, or of the older function_call.
bool read_tool_calls(JsonReader* json, bool one, ChoicePart* part, std::string* why) {
  if (json->peek() == JsonKind::kNull) return json->null() || bad_json(*json, why);
  std::string copy;
  if (!copy_json(json, &copy, why)) return false;
  if (one) copy = "[{\"type\":\"function\",\"function\":" + copy + "}]";
  if (!is_empty_list(copy)) part->tool_calls = std::move(copy);
  return true;
}

bool read_message(JsonReader* json, ChoicePart* part, std::string* why) {
  if (json->peek() == JsonKind::kNull) return json->null() || bad_json(*json, why);
  if (!enter_object(json, "message", why)) return false;
  part->message = true;
  std::string_view key;
  while (json->key(&key)) {
    bool good = false;
    if (key == "content") {
      good = json->peek() == JsonKind::kArray ? read_content_parts(json, &part->fields, why) : read_text(json, "message.content", &part->fields, TextField::kOutputText, why);
    } else if (key == "reasoning" || key == "reasoning_content") {
      // Both names may be there, one of them null.
      good = json->peek() == JsonKind::kString ? read_text(json, key, &part->fields, TextField::kOutputReasoning, why) : pass(json, why);
    } else if (key == "tool_calls") {
      good = read_tool_calls(json, false, part, why);
    } else if (key == "function_call") {
      good = read_tool_calls(json, true, part, why);
    } else {
      good = pass(json, why);
    }
    if (!good) return false;
  }
  return !json->failed() || bad_json(*json, why);
}

bool read_index(JsonReader* json, ChoicePart* part, std::string* why) {
  if (json->peek() == JsonKind::kNull) return json->null() || bad_json(*json, why);
  if (json->peek() == JsonKind::kNumber && json->int64(&part->index) && part->index >= 0) return true;
  if (json->failed()) return bad_json(*json, why);
  *why = "choices[].index: is no integer of at least 0";
  return false;
}

bool read_raw_list(JsonReader* json, std::string_view* out, std::string* why) {
  if (json->peek() == JsonKind::kNull) return json->null() || bad_json(*json, why);
  return json->raw(out) || bad_json(*json, why);
}

bool read_choice_value(JsonReader* json, std::string_view key, ChoicePart* part, std::string* why) {
  Sample* fields = &part->fields;
  if (key == "index") return read_index(json, part, why);
  if (key == "message" || key == "delta") return read_message(json, part, why);
  if (key == "text") return read_text(json, "choices[].text", fields, TextField::kOutputText, why);
  if (key == "logprobs") return read_logprobs(json, &part->logprobs, why) || (why->empty() && bad_json(*json, why));
  if (key == "finish_reason") return read_finish_reason(json, fields, why);
  if (key == "stop_reason" || key == "matched_stop") return read_stop_reason(json, "stop_reason", fields, why);
  if (key == "token_ids") return read_ids(json, "token_ids", fields, IdsField::kOutputTokenIds, why);
  if (key == "prompt_token_ids") return read_ids(json, "prompt_token_ids", fields, IdsField::kPromptTokenIds, why);
  if (key == "prompt_logprobs") return read_raw_list(json, &part->prompt_logprobs, why);
  return pass(json, why);
}

bool read_choices(JsonReader* json, OpenaiBody* out, std::string* why) {
  if (json->peek() == JsonKind::kNull) return json->null() || bad_json(*json, why);
  if (!enter_array(json, "choices", why)) return false;
  out->has_choices = true;
  while (json->element()) {
    if (out->size() == OpenaiBody::kMaxChoices) {
      *why = "choices: has more than " + std::to_string(OpenaiBody::kMaxChoices) + " elements";
      return false;
    }
    if (!enter_object(json, "choices[]", why)) return false;
    ChoicePart& part = out->add();
    part.index = static_cast<int64_t>(out->size()) - 1;
    std::string_view key;
    while (json->key(&key)) {
      if (!read_choice_value(json, key, &part, why)) return false;
    }
    if (json->failed()) return bad_json(*json, why);
  }
  return !json->failed() || bad_json(*json, why);
}

// acceptance_histogram[j]: verify passes that accepted j draft tokens; position i was accepted in those with j > i. Taken where it agrees with the counts.
void record_positions(const std::vector<double>& histogram, Sample* sample) {
  double steps = 0, accepted = 0;
  for (size_t j = 0; j < histogram.size(); ++j) {
    if (!(histogram[j] >= 0 && histogram[j] < 1e15)) return;
    steps += histogram[j];
    accepted += histogram[j] * static_cast<double>(j);
  }
  if (histogram.size() < 2 || steps != static_cast<double>(sample->integer(IntField::kSpecSteps, -1)) ||
      accepted != static_cast<double>(sample->integer(IntField::kSpecAcceptedTokens, -1)))
    return;
  std::vector<int64_t>& positions = sample->int_lists.put(IntsField::kSpecAcceptedPerPosition);
  positions.assign(histogram.size() - 1, 0);
  int64_t sum = 0;
  for (size_t i = histogram.size() - 1; i > 0; --i) positions[i - 1] = sum += static_cast<int64_t>(histogram[i]);
}

bool read_speculative(JsonReader* json, Sample* sample, std::string* why) {
  if (json->peek() == JsonKind::kNull) return json->null() || bad_json(*json, why);
  if (!enter_object(json, "speculative_decoding", why)) return false;
  std::vector<double> histogram;
  size_t bad = 0;
  std::string_view key;
  while (json->key(&key)) {
    bool good = true;
    if (key == "num_spec_steps") good = read_integer(json, "num_spec_steps", sample, IntField::kSpecSteps, why);
    else if (key == "num_draft_tokens") good = read_integer(json, "num_draft_tokens", sample, IntField::kSpecDraftTokens, why);
    else if (key == "num_accepted_draft_tokens") good = read_integer(json, "num_accepted_draft_tokens", sample, IntField::kSpecAcceptedTokens, why);
    else if (key != "acceptance_histogram" || json->peek() != JsonKind::kArray) good = pass(json, why);
    else if (!json->reals(&histogram, &bad)) histogram.clear();
    if (!good) return false;
  }
  if (json->failed()) return bad_json(*json, why);
  record_positions(histogram, sample);
  return true;
}

// vLLM's per-request metrics.
bool read_metrics(JsonReader* json, Sample* sample, std::string* why) {
  if (json->peek() == JsonKind::kNull) return json->null() || bad_json(*json, why);
  if (!enter_object(json, "metrics", why)) return false;
  std::string_view key;
  while (json->key(&key)) {
    bool good = false;
    if (key == "time_to_first_token_ms") {
      double ms = 0;
      good = read_number(json, "time_to_first_token_ms", &ms, why);
      if (ms >= 0) sample->set(RealField::kTtftS, ms / 1000);
    } else if (key == "speculative_decoding") {
      good = read_speculative(json, sample, why);
    } else {
      good = pass(json, why);
    }
    if (!good) return false;
  }
  return !json->failed() || bad_json(*json, why);
}

// What llama.cpp adds where it is asked for it ("verbose"): its own body, whose list of ids has all tokens, and the sampling parameters that were in force.
bool read_verbose(JsonReader* json, OpenaiBody* out, std::string* why) {
  if (!enter_object(json, "__verbose", why)) return false;
  std::string_view key;
  while (json->key(&key)) {
    bool good = false;
    if (key == "tokens") good = read_ids(json, "__verbose.tokens", &out->common, IdsField::kOutputTokenIds, why);
    else if (key == "generation_settings") good = read_generation_settings(json, &out->common, why);
    else good = pass(json, why);
    if (!good) return false;
  }
  // An empty list is that of a stream, or of a request that did not ask for ids.
  if (out->common.has(IdsField::kOutputTokenIds) && out->common.ids.get(IdsField::kOutputTokenIds).empty()) out->common.ids.unset(IdsField::kOutputTokenIds);
  return !json->failed() || bad_json(*json, why);
}

bool read_body_value(JsonReader* json, std::string_view key, OpenaiBody* out, std::string* why) {
  Sample* common = &out->common;
  if (key == "id") return read_id(json, "id", common, TextField::kId, why);
  if (key == "model") return read_text(json, "model", common, TextField::kModel, why);
  if (key == "choices") return read_choices(json, out, why);
  if (key == "usage") return read_usage(json, common, why);
  if (key == "error") return read_error(json, common, why);
  if (key == "detail") return read_error_detail(json, common, why);
  if (key == "metrics") return read_metrics(json, common, why);
  if (key == "timings") return read_timings(json, common, why);
  if (key == "__verbose") return read_verbose(json, out, why);
  if (key == "prompt_token_ids") return read_ids(json, "prompt_token_ids", common, IdsField::kPromptTokenIds, why);
  if (key == "prompt_logprobs") return read_raw_list(json, &out->prompt_logprobs, why);
  if (key == "object" && json->peek() == JsonKind::kString) return json->string(&out->object) || bad_json(*json, why);
  if (key == "message" && json->peek() == JsonKind::kString) return read_text(json, key, &out->flat_error, TextField::kErrorMessage, why);
  if (key == "type") return read_any(json, &out->flat_error, TextField::kErrorType, why);
  if (key == "code") return read_status(json, &out->flat_error, why);
  return pass(json, why);
}

}  // namespace

bool read_openai_body(JsonReader* json, OpenaiBody* out, std::string* why) {
  out->clear();
  if (!enter_object(json, "body", why)) return false;
  std::string_view key;
  while (json->key(&key)) {
    if (!read_body_value(json, key, out, why)) return false;
  }
  if (json->failed()) return bad_json(*json, why);
  Sample* common = &out->common;
  const bool flat = out->object == "error" || (out->flat_error.failed() && !out->has_choices && out->object.empty());
  if (flat && !common->failed()) {
    fill_missing(out->flat_error, common);
    if (!common->failed()) common->set(TextField::kErrorMessage, "error");
  }
  if (!out->has_choices && !common->failed() && out->object.empty()) {
    *why = "choices: is missing, and there is no error";
    return false;
  }
  if (common->has(TextField::kId) && common->text(TextField::kId).empty()) common->texts.unset(TextField::kId);
  if (common->has(TextField::kId)) common->set(TextField::kRequestId, common->text(TextField::kId));
  return true;
}

namespace {

// llama.cpp shows characters, not tokens: of the tokens that make one it gives the id of the last alone, in streams and beside logprobs, and none of those that a limit cut off.
bool has_all_ids(bool whole_list, const Sample& sample) {
  const auto ids = static_cast<int64_t>(sample.ids.get(IdsField::kOutputTokenIds).size());
  const int64_t tokens = sample.integer(IntField::kCompletionTokens, ids);
  if (whole_list) return ids + 1 >= tokens;  // the stop token is counted, or is not
  const auto one_token_each = [&](TextField field) {
    const std::string_view text = sample.text(field);
    return std::none_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
  };
  const bool only_stop_left_out = ids + 1 >= tokens && sample.text(TextField::kFinishReason) == "stop" && one_token_each(TextField::kOutputText) && one_token_each(TextField::kOutputReasoning);
  return sample.has(IntField::kCompletionTokens) ? ids == tokens || only_stop_left_out : only_stop_left_out;
}

void drop_ids_with_gaps(bool whole_list, Sample* sample, Problems* problems) {
  if (has_all_ids(whole_list, *sample)) return;
  sample->ids.unset(IdsField::kOutputTokenIds);
  problems->note("token ids of some answers are of a part of their tokens only and stay out");
}

}  // namespace

void unset_empty_output(Sample* sample) {
  const bool no_ids = !sample->has(IdsField::kOutputTokenIds) || sample->ids.get(IdsField::kOutputTokenIds).empty();
  if (!no_ids || !sample->text(TextField::kOutputText).empty() || !sample->text(TextField::kOutputReasoning).empty()) return;
  sample->texts.unset(TextField::kOutputText);
  sample->texts.unset(TextField::kOutputReasoning);
}

void finish_choice(bool streamed, bool message, const std::string& tool_calls, const TokenLogprobs& logprobs, Sample* sample, Problems* problems) {
  if (!tool_calls.empty()) sample->set(TextField::kToolCalls, tool_calls);
  if (message && !sample->has(TextField::kOutputText) && tool_calls.empty()) sample->set(TextField::kOutputText, "");
  const bool listed = sample->has(IdsField::kOutputTokenIds), characters = logprobs.own_ids();
  logprobs.record(sample, problems);
  if ((!listed || characters) && sample->has(IdsField::kOutputTokenIds)) drop_ids_with_gaps(!characters || (listed && !streamed), sample, problems);
  if (sample->has(IdsField::kOutputTokenIds)) {
    // Some versions of llama.cpp leave the stop token out of the list of ids, and count it; streams give no logprob of it.
    const int64_t tokens = sample->text(TextField::kFinishReason) == "stop" ? sample->integer(IntField::kCompletionTokens, -1) : -1;
    const bool with_stop = tokens < 0 ? !listed && !streamed : tokens == static_cast<int64_t>(sample->ids.get(IdsField::kOutputTokenIds).size());
    sample->set(TextField::kIdsProvenance, "engine");
    sample->set(IntField::kIdsIncludeStop, !characters || with_stop);
  }
  if (sample->failed()) unset_empty_output(sample);
  split_reasoning(sample, false);
}

bool emit_openai_body(OpenaiBody* body, SampleQueue* out, Problems* problems, std::string* why) {
  if (body->size() > 1) {
    // usage counts all choices together.
    body->common.ints.unset(IntField::kCompletionTokens);
    body->common.ints.unset(IntField::kReasoningTokens);
    body->common.ids.unset(IdsField::kOutputTokenIds);  // of one of them
  }
  if (body->size() == 0) fill_missing(body->common, &out->add());
  for (size_t i = 0; i < body->size(); ++i) {
    ChoicePart& part = (*body)[i];
    Sample& sample = out->add();
    sample.swap(part.fields);
    sample.set(IntField::kRepeat, part.index);
    fill_missing(body->common, &sample);
    finish_choice(false, part.message, part.tool_calls, part.logprobs, &sample, problems);
    const std::string_view prompt = part.prompt_logprobs.empty() ? body->prompt_logprobs : part.prompt_logprobs;
    if (!prompt.empty() && !read_prompt_logprobs(prompt, &sample, problems, why)) return false;
  }
  return true;
}

namespace {

class OpenaiReader : public BodyReader {
 public:
  bool read(JsonReader* json, SampleQueue* out, Problems* problems, std::string* why) override {
    return read_openai_body(json, &body_, why) && emit_openai_body(&body_, out, problems, why);
  }

 private:
  OpenaiBody body_;
};

class BodyParser : public UnitParser {
 public:
  BodyParser(std::unique_ptr<BodyReader> reader, const char* format, const FileContext& context) : reader_(std::move(reader)), format_(format), context_(context) {}

  bool parse(const UnitView& unit, SampleQueue* out, std::string* why) override {
    why->clear();
    json_.reset(unit.bytes);
    const size_t first = out->size();
    if (!reader_->read(&json_, out, context_.problems, why)) return !why->empty() ? false : bad_json(json_, why);
    if (!json_.finish()) return bad_json(json_, why);
    for (size_t i = first; i < out->size(); ++i) {
      Sample& sample = (*out)[i];
      if (!sample.has(TextField::kId)) sample.set(TextField::kId, std::to_string(unit.number));
      if (!sample.has(IntField::kRepeat)) sample.set(IntField::kRepeat, 0);
      set_source(&sample, format_, context_, unit.number);
    }
    return true;
  }

 private:
  std::unique_ptr<BodyReader> reader_;
  const char* format_;
  FileContext context_;
  JsonReader json_{std::string_view()};
};

}  // namespace

std::unique_ptr<BodyReader> openai_reader() { return std::make_unique<OpenaiReader>(); }

std::unique_ptr<UnitParser> body_parser(std::unique_ptr<BodyReader> reader, const char* format, const FileContext& context) {
  return std::make_unique<BodyParser>(std::move(reader), format, context);
}

}  // namespace vaa
