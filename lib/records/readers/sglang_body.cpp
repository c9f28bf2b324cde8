#include "records/readers/sglang_body.h"

#include "records/readers/openai_common.h"

namespace vaa {
namespace {

struct CountKey {
  std::string_view key;
  IntField field;
};
// Newer versions count drafts under other names.
constexpr CountKey kCounts[] = {
    {"prompt_tokens", IntField::kPromptTokens},          {"completion_tokens", IntField::kCompletionTokens},
    {"cached_tokens", IntField::kCachedTokens},          {"reasoning_tokens", IntField::kReasoningTokens},
    {"spec_verify_ct", IntField::kSpecSteps},            {"spec_draft_token_num", IntField::kSpecDraftTokens},
    {"spec_accept_token_num", IntField::kSpecAcceptedTokens}, {"spec_num_proposed_drafts", IntField::kSpecDraftTokens},
    {"spec_num_correct_drafts", IntField::kSpecAcceptedTokens},
};

}  // namespace

bool SglangBody::read(JsonReader* json, ChoicePart* part, std::string* why) {
  part->clear();
  prompt_logprobs_.clear();
  prompt_ids_.clear();
  prompt_top_ = {};
  if (!enter_object(json, "body", why)) return false;
  Sample& sample = part->fields;
  bool known = false;
  std::string_view key;
  while (json->key(&key)) {
    bool good = false;
    if (key == "text") good = read_text(json, "text", &sample, TextField::kOutputText, why);
    else if (key == "output_ids") good = read_ids(json, "output_ids", &sample, IdsField::kOutputTokenIds, why);
    else if (key == "prompt_token_ids") good = read_ids(json, "prompt_token_ids", &sample, IdsField::kPromptTokenIds, why);
    else if (key == "meta_info") good = known = read_meta(json, part, why);
    else if (key == "error") good = read_error(json, &sample, why);
    else if (key == "index" && json->peek() == JsonKind::kNumber && json->int64(&part->index) && part->index >= 0) good = true;
    else good = pass(json, why);
    if (!good) return false;
  }
  if (json->failed()) return bad_json(*json, why);
  if (!known && !sample.failed()) {
    *why = "meta_info: is missing, and there is no error";
    return false;
  }
  if (sample.has(TextField::kId)) sample.set(TextField::kRequestId, sample.text(TextField::kId));
  return record_prompt(&sample, why);
}

bool SglangBody::read_meta(JsonReader* json, ChoicePart* part, std::string* why) {
  Sample* sample = &part->fields;
  if (!enter_object(json, "meta_info", why)) return false;
  std::string_view key;
  while (json->key(&key)) {
    bool good = true;
    const CountKey* count = nullptr;
    for (const CountKey& c : kCounts)
      if (c.key == key) count = &c;
    if (count) good = read_integer(json, count->key, sample, count->field, why);
    else if (key == "id") good = read_id(json, "meta_info.id", sample, TextField::kId, why);
    else if (key == "finish_reason") good = read_finish_reason(json, sample, why);
    else if (key == "e2e_latency") good = read_real(json, "e2e_latency", sample, RealField::kE2eS, why);
    else if (key == "output_token_logprobs") good = read_tokens(json, &part->logprobs, why);
    else if (key == "output_top_logprobs") good = read_alternatives(json, &part->logprobs, why);
    else if (key == "input_token_logprobs") good = read_logprob_triples(json, "input_token_logprobs", &prompt_logprobs_, &prompt_ids_, why);
    else if (key == "input_top_logprobs" && json->peek() == JsonKind::kArray) good = json->raw(&prompt_top_);
    else good = pass(json, why);
    if (!good) return false;
  }
  return !json->failed() || bad_json(*json, why);
}

bool SglangBody::read_triples(JsonReader* json, std::string_view name, std::string* why) {
  list_logprobs_.clear();
  list_ids_.clear();
  return read_logprob_triples(json, name, &list_logprobs_, &list_ids_, why);
}

bool SglangBody::read_tokens(JsonReader* json, TokenLogprobs* logprobs, std::string* why) {
  const bool there = json->peek() == JsonKind::kArray;
  if (!read_triples(json, "output_token_logprobs", why)) return false;
  if (there) logprobs->begin();
  for (size_t i = 0; i < list_ids_.size(); ++i) logprobs->token(list_ids_[i], list_logprobs_[i]);
  return true;
}

bool SglangBody::read_alternatives(JsonReader* json, TokenLogprobs* logprobs, std::string* why) {
  if (json->peek() == JsonKind::kNull) return json->null() || bad_json(*json, why);
  if (!enter_array(json, "output_top_logprobs", why)) return false;
  while (json->element()) {
    if (!read_triples(json, "output_top_logprobs", why)) return false;
    for (size_t i = 0; i < list_ids_.size(); ++i) logprobs->alternative(list_ids_[i], list_logprobs_[i]);
    logprobs->end_token();
  }
  return !json->failed() || bad_json(*json, why);
}

// Logprobs may begin in the middle of the prompt; then they cannot be laid beside its ids and stay out.
bool SglangBody::record_prompt(Sample* sample, std::string* why) {
  if (prompt_ids_.empty() || static_cast<int64_t>(prompt_ids_.size()) != sample->integer(IntField::kPromptTokens, static_cast<int64_t>(prompt_ids_.size()))) return true;
  sample->ids.put(IdsField::kPromptTokenIds) = prompt_ids_;
  sample->real_lists.put(RealsField::kPromptLogprobs) = prompt_logprobs_;
  if (prompt_top_.empty()) return true;
  std::vector<int32_t>& ids = sample->ids.put(IdsField::kPromptTopIds);
  std::vector<double>& logprobs = sample->real_lists.put(RealsField::kPromptTopLogprobs);
  std::vector<int64_t>& ends = sample->int_lists.put(IntsField::kPromptTopEnds);
  ids.clear();
  logprobs.clear();
  ends.clear();
  JsonReader json(prompt_top_);
  json.array();
  while (json.element()) {
    if (!read_triples(&json, "input_top_logprobs", why)) return false;
    const size_t i = ends.size();
    if (i >= prompt_ids_.size()) {
      *why = "input_top_logprobs: has more entries than input_token_logprobs, " + std::to_string(prompt_ids_.size());
      return false;
    }
    if (!list_ids_.empty()) append_top(prompt_ids_[i], prompt_logprobs_[i], list_ids_.data(), list_logprobs_.data(), list_ids_.size(), &ids, &logprobs);
    ends.push_back(static_cast<int64_t>(ids.size()));
  }
  return true;
}

}  // namespace vaa
