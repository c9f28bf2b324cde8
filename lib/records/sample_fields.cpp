// The names of the fields, and what values the fields with a list of words or a range take.
#include <algorithm>

#include "base/failure.h"
#include "base/json.h"
#include "records/sample.h"

namespace vaa {
namespace {

constexpr int number(TextField f) { return static_cast<int>(f); }
constexpr int number(IntField f) { return static_cast<int>(f); }
constexpr int number(RealField f) { return static_cast<int>(f); }
constexpr int number(IdsField f) { return static_cast<int>(f); }
constexpr int number(RealsField f) { return static_cast<int>(f); }
constexpr int number(IntsField f) { return static_cast<int>(f); }

constexpr FieldInfo kFields[] = {
    {number(TextField::kId), "id"},
    {number(TextField::kDataset), "dataset"},
    {number(TextField::kModel), "model"},
    {number(TextField::kPromptText), "prompt.text"},
    {number(TextField::kPromptMessages), "prompt.messages"},
    {number(TextField::kOutputText), "output.text"},
    {number(TextField::kOutputReasoning), "output.reasoning"},
    {number(TextField::kFinishReason), "finish_reason"},
    {number(TextField::kStopReason), "stop_reason"},
    {number(TextField::kIdsProvenance), "output.ids_provenance"},
    {number(TextField::kForcedOf), "forced.of"},
    {number(TextField::kSeed), "sampling.seed"},
    {number(TextField::kLogprobsMode), "sampling.logprobs_mode"},
    {number(TextField::kScoreMetric), "score.metric"},
    {number(TextField::kScoreGold), "score.gold"},
    {number(TextField::kScoreExtracted), "score.extracted"},
    {number(TextField::kEndpoint), "endpoint"},
    {number(TextField::kReplica), "replica"},
    {number(TextField::kRequestId), "request_id"},
    {number(TextField::kErrorMessage), "error.message"},
    {number(TextField::kErrorType), "error.type"},
    {number(TextField::kStreamEnd), "stream_end"},
    {number(TextField::kExtra), "extra"},
    {number(TextField::kSourceFormat), "source.format"},
    {number(TextField::kSourceFile), "source.file"},
    {number(TextField::kToolCalls), "output.tool_calls"},
    {number(IntField::kRepeat), "repeat"},
    {number(IntField::kTopK), "sampling.top_k"},
    {number(IntField::kMaxTokens), "sampling.max_tokens"},
    {number(IntField::kIgnoreEos), "sampling.ignore_eos"},
    {number(IntField::kPromptTokens), "usage.prompt_tokens"},
    {number(IntField::kCompletionTokens), "usage.completion_tokens"},
    {number(IntField::kReasoningTokens), "usage.reasoning_tokens"},
    {number(IntField::kCachedTokens), "usage.cached_tokens"},
    {number(IntField::kScoreCorrect), "score.correct"},
    {number(IntField::kRank), "rank"},
    {number(IntField::kPreemptions), "preemptions"},
    {number(IntField::kSpecSteps), "spec.steps"},
    {number(IntField::kSpecDraftTokens), "spec.draft_tokens"},
    {number(IntField::kSpecAcceptedTokens), "spec.accepted_tokens"},
    {number(IntField::kErrorStatus), "error.status"},
    {number(IntField::kSourceLine), "source.line"},
    {number(IntField::kIdsIncludeStop), "output.ids_include_stop"},
    {number(IntField::kForcedFrom), "forced.from"},
    {number(IntField::kScoreExtractionFailed), "score.extraction_failed"},
    {number(RealField::kTemperature), "sampling.temperature"},
    {number(RealField::kTopP), "sampling.top_p"},
    {number(RealField::kMinP), "sampling.min_p"},
    {number(RealField::kRepetitionPenalty), "sampling.repetition_penalty"},
    {number(RealField::kPresencePenalty), "sampling.presence_penalty"},
    {number(RealField::kFrequencyPenalty), "sampling.frequency_penalty"},
    {number(RealField::kScoreValue), "score.value"},
    {number(RealField::kStartS), "timing.start_s"},
    {number(RealField::kEndS), "timing.end_s"},
    {number(RealField::kTtftS), "timing.ttft_s"},
    {number(RealField::kE2eS), "timing.e2e_s"},
    {number(IdsField::kPromptTokenIds), "prompt.token_ids"},
    {number(IdsField::kOutputTokenIds), "output.token_ids"},
    {number(IdsField::kPromptTopIds), "prompt.top_ids"},
    {number(IdsField::kOutputTopIds), "output.top_ids"},
    {number(RealsField::kPromptLogprobs), "prompt.logprobs"},
    {number(RealsField::kOutputLogprobs), "output.logprobs"},
    {number(RealsField::kPromptTopLogprobs), "prompt.top_logprobs"},
    {number(RealsField::kOutputTopLogprobs), "output.top_logprobs"},
    {number(IntsField::kPromptTopEnds), "prompt.top_ends"},
    {number(IntsField::kOutputTopEnds), "output.top_ends"},
    {number(IntsField::kSpecAcceptedPerPosition), "spec.accepted_per_position"},
};

// The words a field takes, with a line between them; "" : any text.
std::string_view allowed_words(TextField field) {
  switch (field) {
    case TextField::kFinishReason: return "stop|length|tool_calls|content_filter|abort|error|repetition|unknown";
    case TextField::kIdsProvenance: return "engine|reencoded";
    case TextField::kLogprobsMode: return "raw_logprobs|processed_logprobs|raw_logits|processed_logits";
    case TextField::kStreamEnd: return "complete|no_finish_reason|cut|cut_in_event|error";
    default: return "";
  }
}

bool stands_in(std::string_view words, std::string_view word) {
  while (!words.empty()) {
    const size_t end = std::min(words.find('|'), words.size());
    if (words.substr(0, end) == word) return true;
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return false;
}

// The kind of JSON that a field holds; kInvalid: it holds plain text.
JsonKind json_field(TextField field) {
  switch (field) {
    case TextField::kPromptMessages:
    case TextField::kToolCalls: return JsonKind::kArray;
    case TextField::kExtra: return JsonKind::kObject;
    default: return JsonKind::kInvalid;
  }
}

// How `value` fails to be a JSON document of that kind; "" : it is one.
std::string json_value_fault(JsonKind kind, std::string_view value) {
  JsonReader json(value);
  const JsonKind found = json.peek();
  if (!json.failed() && found != kind) return std::string("is ") + json_kind_name(found) + ", must be " + json_kind_name(kind) + " in JSON";
  json.skip();
  if (json.finish()) return {};
  return std::string("is no JSON: column ") + std::to_string(json.error_at() + 1) + ": " + json.error();
}

bool is_integer(std::string_view text) {
  if (!text.empty() && text[0] == '-') text.remove_prefix(1);
  return !text.empty() && text.size() <= 20 && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

std::span<const FieldInfo> field_table() { return kFields; }

const FieldInfo* find_field(int field) {
  const auto* at = std::find_if(std::begin(kFields), std::end(kFields), [&](const FieldInfo& f) { return f.field == field; });
  return at == std::end(kFields) ? nullptr : at;
}

const FieldInfo* find_field(std::string_view name) {
  const auto* at = std::find_if(std::begin(kFields), std::end(kFields), [&](const FieldInfo& f) { return f.name == name; });
  return at == std::end(kFields) ? nullptr : at;
}

std::string text_value_fault(TextField field, std::string_view value) {
  if (const JsonKind kind = json_field(field); kind != JsonKind::kInvalid) {
    const std::string fault = json_value_fault(kind, value);
    return fault.empty() ? fault : find_field(number(field))->name + (": " + fault);
  }
  const std::string_view words = allowed_words(field);
  const bool listed = words.empty() || stands_in(words, value);
  if (listed && (field != TextField::kSeed || is_integer(value))) return {};
  const std::string is = std::string(find_field(number(field))->name) + ": is " + quoted(value);
  return listed ? is + ", must be an integer in decimal digits" : is + ", allowed are " + std::string(words);
}

void check_text_value(TextField field, std::string_view value) {
  std::string fault = text_value_fault(field, value);
  if (!fault.empty()) fail(VAA_ERROR_ARGUMENT, std::move(fault));
}

std::string integer_value_fault(IntField field, int64_t value) {
  const char* allowed = "at least 0";
  bool good = value >= 0;
  switch (field) {
    case IntField::kIgnoreEos:
    case IntField::kScoreCorrect:
    case IntField::kIdsIncludeStop:
    case IntField::kScoreExtractionFailed:
      good = value == 0 || value == 1;
      allowed = "0 or 1";
      break;
    case IntField::kTopK:       // -1 turns it off
    case IntField::kMaxTokens:  // -1: as many as there is room for
    case IntField::kErrorStatus:
    case IntField::kRank:
      good = true;
      break;
    default:
      break;
  }
  if (good) return {};
  return std::string(find_field(number(field))->name) + ": is " + std::to_string(value) + ", must be " + allowed;
}

void check_integer_value(IntField field, int64_t value) {
  std::string fault = integer_value_fault(field, value);
  if (!fault.empty()) fail(VAA_ERROR_ARGUMENT, std::move(fault));
}

}  // namespace vaa
