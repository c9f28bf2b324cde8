// What a tally counts of one sample.
#include <algorithm>
#include <array>

#include "quality/excerpt.h"
#include "quality/tally_counts.h"
#include "quality/tally_state.h"

namespace vaa {
namespace {

constexpr size_t kMaxErrors = 32;
constexpr size_t kMaxMessage = 300;

}  // namespace

uint8_t score_bits(const Sample& sample, double* value) {
  const bool marked = sample.has(IntField::kScoreCorrect);
  if (!marked && !sample.has(RealField::kScoreValue)) return 0;
  const bool correct = sample.integer(IntField::kScoreCorrect, 0) != 0;
  *value = sample.real(RealField::kScoreValue, correct ? 1 : 0);
  if (!(*value > -1e300 && *value < 1e300)) *value = 0;
  const bool right = marked ? correct : *value == 1;
  const bool wrong = marked ? !correct : *value == 0;
  return static_cast<uint8_t>(KeptSample::kScored | (right ? KeptSample::kRight : 0) | (wrong ? KeptSample::kWrong : 0));
}

uint64_t counted_flags(const Judgement& judgement, const std::vector<Severity>& row) {
  uint64_t bits = 0;
  for (const Finding& f : judgement.findings) {
    if (f.confidence == Confidence::kCertain && f.severity >= row[static_cast<size_t>(f.flag)]) bits |= uint64_t{1} << f.flag;
  }
  return bits;
}

void count_flags(std::vector<FlagCounts>* flags, uint64_t enabled, const Judgement& judgement, uint64_t counted) {
  for (size_t i = 0; i < flags->size(); ++i) {
    const uint64_t bit = uint64_t{1} << i;
    if (!(enabled & bit)) continue;
    FlagCounts& counts = (*flags)[i];
    (judgement.unknown & bit ? counts.unknown : counts.tested) += 1;
    counts.found += (judgement.found & bit) != 0;
    counts.alarm += (judgement.alarm & bit) != 0;
    counts.failing += (judgement.failing & bit) != 0;
    counts.counted += (counted & bit) != 0;
  }
}

bool fails_for_certain(const Judgement& judgement) {
  return std::any_of(judgement.findings.begin(), judgement.findings.end(),
                     [](const Finding& f) { return f.severity == Severity::kFail && f.confidence == Confidence::kCertain; });
}

void count_place(Account* account, AccountPlace place, const Judgement& judgement, const PlaceBits& bits, uint64_t enabled, bool broken) {
  account->places[place] += 1;
  const uint32_t possible = possible_places(place, judgement.unknown, enabled, bits);
  for (size_t before = 0; before < account->unknown.size(); ++before) account->unknown[before] += possible >> before & 1;
  if (place == kPlaceWellFormed) {
    account->cut_unknown += possible >> kPlaceCut & 1;
    account->flagged += broken;
    account->unfinished += (judgement.alarm & bits.no_final_answer) != 0;
  }
  if (place != kPlaceCut) return;
  account->cut_looping += (judgement.alarm & bits.flags[kPlaceLooping]) != 0;
  account->cut_unclosed += (judgement.alarm & bits.flags[kPlaceUnclosed]) != 0;
  const bool certain = std::any_of(judgement.findings.begin(), judgement.findings.end(), [&](const Finding& f) {
    return (bits.flags[kPlaceCut] >> f.flag & 1) && f.confidence == Confidence::kCertain;
  });
  account->cut_suspected += !certain;
}

uint16_t Tally::State::dataset_index(std::string_view name) {
  const uint64_t hash = hash_names(name, "");
  const auto found = dataset_by_hash.find(hash);
  if (found != dataset_by_hash.end()) return found->second;
  const bool full = datasets.size() >= kMaxDatasets;
  if (datasets.size() <= kMaxDatasets) {
    datasets.emplace_back();
    datasets.back().name = full ? kOtherDatasets : bounded(name, kMaxName);
    datasets.back().flags.resize(flags.size());
  }
  const auto index = static_cast<uint16_t>(full ? kMaxDatasets : datasets.size() - 1);
  if (full) datasets_left_out += 1;
  else dataset_by_hash.emplace(hash, index);
  return index;
}

void Tally::State::count_error(const Sample& sample) {
  const std::string_view message = sample.text(TextField::kErrorMessage).substr(0, kMaxMessage);
  const uint64_t hash = hash_names(message, sample.text(TextField::kErrorType).substr(0, kMaxMessage));
  const auto found = error_by_hash.find(hash);
  if (found != error_by_hash.end()) {
    errors[found->second].count += 1;
  } else if (errors.size() < kMaxErrors) {
    error_by_hash.emplace(hash, errors.size());
    errors.push_back({bounded(sample.text(TextField::kErrorMessage), kMaxMessage), bounded(sample.text(TextField::kErrorType), kMaxName),
                      sample.integer(IntField::kErrorStatus, -1), 1});
  } else {
    errors_left_out += 1;
  }
}

// Whether an answer reached the token limit: by its finish reason, else by its tokens.
void Tally::State::count_limit(const Sample& sample, const KeptSample& row, bool cut_for_certain) {
  const std::string_view reason = sample.text(TextField::kFinishReason);
  const bool known_reason = !reason.empty() && reason != "unknown";
  const bool known_tokens = row.tokens >= 0 && sample.has(IntField::kMaxTokens);
  with_finish += known_reason;
  with_max_tokens += sample.has(IntField::kMaxTokens);
  cut_known += known_reason || known_tokens || cut_for_certain;
  if (known_reason || known_tokens) {
    limit_known += 1;
    at_limit += known_reason ? reason == "length" : row.tokens >= sample.integer(IntField::kMaxTokens, 0);
  }
  if (!cut_for_certain) return;
  cut_certain += 1;
  if (!sample.has(IntField::kMaxTokens)) return;
  const int64_t limit = sample.integer(IntField::kMaxTokens, 0);
  cut_limit_min = cut_limit_known ? std::min(cut_limit_min, limit) : limit;
  cut_limit_max = cut_limit_known ? std::max(cut_limit_max, limit) : limit;
  cut_limit_known += 1;
}

void Tally::State::count_facts(const Sample& sample, const Judgement& judgement, const KeptSample& row, DatasetTally* dataset) {
  with_prompt += sample.has(TextField::kPromptText) || sample.has(TextField::kPromptMessages) || sample.has(IdsField::kPromptTokenIds);
  with_id += !row.is(KeptSample::kNoId);
  forced += sample.forced();
  if (sample.failed()) {
    failed += 1;
    dataset->failed += 1;
    dataset->failed_unscored += !row.is(KeptSample::kScored);
    count_error(sample);
  }
  if (row.is(KeptSample::kScored)) {
    with_score += !row.is(KeptSample::kFailed);
    dataset->scored += 1;
    dataset->scored_answers += !row.is(KeptSample::kFailed);
    const std::string_view metric = sample.text(TextField::kScoreMetric).substr(0, kMaxName);
    if (dataset->scored == 1) dataset->metric = metric;
    else if (dataset->metric != metric) dataset->several_metrics = true;
  }
  if (!row.is(KeptSample::kOutput)) return;
  with_output += 1;
  dataset->with_output += 1;
  broken += row.is(KeptSample::kBroken);
  any_failing += judgement.failing != 0;
  with_ids += sample.has(IdsField::kOutputTokenIds);
  with_tokens += row.tokens >= 0;
  wasted += judgement.wasted;
  output_bytes += std::max<int64_t>(judgement.output_bytes, 0);
  count_limit(sample, row, (row.counted & place_bits.flags[kPlaceCut]) != 0);
}

void Tally::State::show(const Sample& sample, const Judgement& judgement, int64_t order) {
  std::array<const Finding*, 64> worst{};
  for (const Finding& f : judgement.findings) {
    const Finding*& best = worst[static_cast<size_t>(f.flag)];
    if (!best || f.severity > best->severity || (f.severity == best->severity && f.confidence > best->confidence)) best = &f;
  }
  for (const Finding* f : worst) {
    if (f) shown.offer(sample, *f, order, checker.max_excerpt(), options.text);
  }
}

}  // namespace vaa
