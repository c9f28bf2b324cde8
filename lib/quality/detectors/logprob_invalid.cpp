// Log-probabilities that no softmax gives, or that do not belong to the ids: the row is unusable, and the logits were perhaps NaN (docs/detectors.md).
#include <algorithm>

#include "quality/features.h"

namespace vaa {
namespace {

Finding make(const char* reason, const TokenSpots& spots) {
  Finding finding;
  finding.part = Part::kSample;
  finding.onset_token = static_cast<int64_t>(spots.first);
  finding.length_tokens = 1;
  finding.count = spots.count;
  finding.reason = reason;
  return finding;
}

// Lists beside the ids: one value a token. A stop token may have one and not the other.
void check_lengths(const Features& features, std::vector<Finding>* findings) {
  const Sample& sample = features.sample();
  const auto tokens = static_cast<int64_t>(features.ids().size());
  const auto compare = [&](int64_t have, const char* reason) {
    const int64_t missing = tokens - have;
    if (missing == 0 || (missing >= -1 && missing <= 1 && sample.has(TextField::kFinishReason) && features.ending().by_itself)) return;
    Finding finding;
    finding.part = Part::kSample;
    finding.reason = reason;
    finding.count = have;
    finding.measure = static_cast<double>(have);
    finding.threshold = static_cast<double>(tokens);
    findings->push_back(finding);
  };
  const auto values = [&](RealsField field) { return static_cast<int64_t>(sample.real_lists.get(field).size()); };
  if (features.ids_known() && sample.has(RealsField::kOutputLogprobs) && values(RealsField::kOutputLogprobs) > 0) compare(values(RealsField::kOutputLogprobs), "length");
  if (!sample.has(IntsField::kOutputTopEnds) || !sample.has(RealsField::kOutputTopLogprobs)) return;
  const std::vector<int64_t>& ends = sample.int_lists.get(IntsField::kOutputTopEnds);
  const bool fit = list_ends_fit(ends, sample.real_lists.get(RealsField::kOutputTopLogprobs).size());
  if (!fit) findings->push_back(make("top_lists", {static_cast<int64_t>(ends.size()), 0}));
  else if (features.ids_known() && !ends.empty()) compare(static_cast<int64_t>(ends.size()), "top_length");
}

State detect(const Features& features, std::vector<Finding>* findings) {
  const TokenSigns& signs = features.signs();
  const size_t before = findings->size();
  check_lengths(features, findings);
  if (signs.nan.count > 0) findings->push_back(make("nan", signs.nan));
  if (signs.impossible.count > 0) findings->push_back(make("minus_infinity", signs.impossible));
  if (signs.positive.count > 0) {
    Finding finding = make("positive", signs.positive);
    // Logits would be positive; only the recorded mode says that they are none.
    if (!features.sample().has(TextField::kLogprobsMode)) finding.confidence = Confidence::kSuspected;
    findings->push_back(finding);
  }
  if (findings->size() > before) return State::kFound;
  return signs.known ? State::kNo : State::kUnknown;
}

}  // namespace

extern const Detector kLogprobInvalid = {
    "logprob_invalid", Severity::kFail, 0.01, 5, detect,
    {"impossible log-probabilities", "对数概率异常"},
    {"Log-probabilities are NaN, positive, minus infinity for the chosen token, or not as many as the ids.", "对数概率为 NaN、正数、被选 token 为负无穷，或数量与 token id 不符。"}};

}  // namespace vaa
