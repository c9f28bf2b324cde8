// vLLM's prompt_logprobs: for each prompt token a map from id to {logprob, rank, decoded_token}; the prompt's own id is among them without a mark.
#include <charconv>
#include <limits>

#include "base/failure.h"
#include "records/readers/openai_common.h"
#include "records/readers/token_logprobs.h"

namespace vaa {
namespace {

constexpr const char* kNoPromptIds = "prompt_logprobs stand without prompt_token_ids, which would say which token is the prompt's own, and stay out";

// {"logprob": -0.1, …}, or the number alone.
bool read_value(JsonReader* json, double* logprob, std::string* why) {
  *logprob = std::numeric_limits<double>::quiet_NaN();
  if (json->peek() != JsonKind::kObject) return read_number(json, "prompt_logprobs", logprob, why);
  json->object();
  std::string_view key;
  while (json->key(&key)) {
    if (key == "logprob") {
      if (!read_number(json, "prompt_logprobs", logprob, why)) return false;
    } else {
      json->skip();
    }
  }
  return !json->failed();
}

// One prompt token's map.
bool read_map(JsonReader* json, std::vector<int32_t>* ids, std::vector<double>* logprobs, std::string* why) {
  ids->clear();
  logprobs->clear();
  if (json->peek() == JsonKind::kNull) return json->null();
  if (!enter_object(json, "prompt_logprobs", why)) return false;
  std::string_view key;
  while (json->key(&key)) {
    int32_t id = 0;
    const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), id);
    if (error != std::errc() || end != key.data() + key.size() || id < 0) {
      *why = "prompt_logprobs: key " + quoted(key) + " is no token id";
      return false;
    }
    double logprob = 0;
    if (!read_value(json, &logprob, why)) return false;
    ids->push_back(id);
    logprobs->push_back(logprob_value(logprob));
  }
  return !json->failed();
}

}  // namespace

bool read_prompt_logprobs(std::string_view raw, Sample* sample, Problems* problems, std::string* why) {
  if (!sample->has(IdsField::kPromptTokenIds)) {
    problems->note(kNoPromptIds);
    return true;
  }
  const std::vector<int32_t>& own = sample->ids.get(IdsField::kPromptTokenIds);
  std::vector<double>& own_logprobs = sample->real_lists.put(RealsField::kPromptLogprobs);
  std::vector<int32_t>& top_ids = sample->ids.put(IdsField::kPromptTopIds);
  std::vector<double>& top_logprobs = sample->real_lists.put(RealsField::kPromptTopLogprobs);
  std::vector<int64_t>& top_ends = sample->int_lists.put(IntsField::kPromptTopEnds);
  own_logprobs.clear();
  top_ids.clear();
  top_logprobs.clear();
  top_ends.clear();
  JsonReader json(raw);
  if (!enter_array(&json, "prompt_logprobs", why)) return false;
  std::vector<int32_t> ids;
  std::vector<double> logprobs;
  for (size_t i = 0; json.element(); ++i) {
    if (!read_map(&json, &ids, &logprobs, why)) return false;
    if (i >= own.size()) {
      *why = "prompt_logprobs: has more entries than prompt_token_ids, " + std::to_string(own.size());
      return false;
    }
    double logprob = std::numeric_limits<double>::quiet_NaN();
    for (size_t k = 0; k < ids.size(); ++k) {
      if (ids[k] == own[i]) logprob = logprobs[k];
    }
    own_logprobs.push_back(logprob);
    if (!ids.empty()) append_top(own[i], logprob, ids.data(), logprobs.data(), ids.size(), &top_ids, &top_logprobs);
    top_ends.push_back(static_cast<int64_t>(top_ids.size()));
  }
  return !json.failed();
}

}  // namespace vaa
