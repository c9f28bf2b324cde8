#include "capture/swing.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "capture/sample_fields.h"

namespace vaa::capture {
namespace {

constexpr double kLikely = -4.605170185988091;  // ln 0.01
constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

size_t list_begin(const Continuation& said, size_t i) { return i == 0 ? 0 : static_cast<size_t>(said.top_ends[i - 1]); }

bool well_formed(const Continuation& said) {
  int64_t last = 0;
  for (const int64_t end : said.top_ends) {
    if (end < last) return false;
    last = end;
  }
  return said.top_ends.size() == said.ids.size() && static_cast<size_t>(last) == said.top_ids.size() && said.top_ids.size() == said.top_logprobs.size();
}

// Of the first id over the second in one answer.
struct Gap {
  double value;
  bool bound;
};
Gap gap(const Continuation& said, size_t i, int32_t first, int32_t second) {
  const Looked a = look_up(said, i, first), b = look_up(said, i, second);
  if (a.bound || !std::isfinite(a.logprob)) return {kNothing, false};
  return {a.logprob - b.logprob, b.bound};
}

}  // namespace

Continuation continuation_of(const vaa_sample* sample) {
  Continuation said;
  said.error = text_field(sample, VAA_FIELD_ERROR_MESSAGE);
  if (said.error.empty() && vaa_sample_has(sample, VAA_FIELD_ERROR_MESSAGE)) said.error = "the request failed without a message";
  said.ids = ids_field(sample, VAA_FIELD_OUTPUT_TOKEN_IDS);
  said.logprobs = reals_field(sample, VAA_FIELD_OUTPUT_LOGPROBS);
  said.top_ids = ids_field(sample, VAA_FIELD_OUTPUT_TOP_IDS);
  said.top_logprobs = reals_field(sample, VAA_FIELD_OUTPUT_TOP_LOGPROBS);
  said.top_ends = integers_field(sample, VAA_FIELD_OUTPUT_TOP_ENDS);
  if (said.logprobs.size() != said.ids.size()) said.logprobs.clear();
  if (!well_formed(said)) {
    said.top_ids.clear();
    said.top_logprobs.clear();
    said.top_ends.clear();
  }
  return said;
}

Looked look_up(const Continuation& said, size_t i, int32_t id) {
  if (i >= said.top_ends.size()) return {kNothing, false, 0};
  const size_t begin = list_begin(said, i), end = static_cast<size_t>(said.top_ends[i]);
  if (begin == end) return {kNothing, false, 0};
  double found = kNothing, last = std::numeric_limits<double>::infinity();
  bool there = false;
  for (size_t j = begin; j < end; ++j) {
    const double logprob = said.top_logprobs[j];
    if (std::isnan(logprob)) return {kNothing, false, 0};
    last = std::min(last, logprob);
    if (said.top_ids[j] == id && !there) {
      there = true;
      found = logprob;
    }
  }
  if (!there) return {last, true, 0};
  std::vector<int32_t> before;  // the sampled id may stand in the list twice
  for (size_t j = begin; j < end; ++j) {
    if (said.top_logprobs[j] > found && std::find(before.begin(), before.end(), said.top_ids[j]) == before.end()) before.push_back(said.top_ids[j]);
  }
  return {found, false, static_cast<int>(before.size()) + 1};
}

Parting part(const Continuation& reference, const Continuation& target, double tau) {
  Parting out;
  const size_t n = std::min(reference.ids.size(), target.ids.size());
  size_t i = 0;
  while (i < n && reference.ids[i] == target.ids[i]) ++i;
  out.compared = static_cast<int64_t>(std::min(i + 1, n));
  if (i == n) return out;
  out.index = static_cast<int64_t>(i);
  out.reference_id = reference.ids[i];
  out.target_id = target.ids[i];
  const Gap at_reference = gap(reference, i, out.reference_id, out.target_id), at_target = gap(target, i, out.target_id, out.reference_id);
  out.swing = at_reference.value + at_target.value;
  out.bound = at_reference.bound || at_target.bound;
  if (std::isnan(out.swing)) {
    out.what = PartingClass::kNoEvidence;
  } else if (out.swing > tau) {
    out.what = PartingClass::kSuspect;
  } else if (out.bound) {
    out.what = PartingClass::kUndetermined;
  } else {
    out.what = out.swing == 0 ? PartingClass::kExactTie : PartingClass::kNearTie;
  }
  return out;
}

void append_gap_changes(const Continuation& first, const Continuation& again, std::vector<double>* changes) {
  const size_t n = std::min(first.top_ends.size(), again.top_ends.size());
  for (size_t i = 0; i < n && first.ids[i] == again.ids[i]; ++i) {
    const int32_t chosen = first.ids[i];
    int32_t second = -1;
    double logprob = kLikely;
    for (size_t j = list_begin(first, i); j < static_cast<size_t>(first.top_ends[i]); ++j) {
      if (first.top_ids[j] == chosen || !(first.top_logprobs[j] >= logprob)) continue;
      second = first.top_ids[j];
      logprob = first.top_logprobs[j];
    }
    if (second < 0) continue;
    const Gap before = gap(first, i, chosen, second), after = gap(again, i, chosen, second);
    const double change = std::fabs(before.value - after.value);
    if (!before.bound && !after.bound && std::isfinite(change)) changes->push_back(change);
  }
}

Tau tau_from(std::vector<double> changes) {
  Tau tau;
  const auto n = static_cast<int64_t>(changes.size());
  if (n < kLeastTauTokens) {
    tau.value = kDefaultTau;
    return tau;
  }
  tau.tokens = n;
  // The ceil(0.999 n)-th smallest: the largest where n is under 1,000.
  const auto place = changes.begin() + static_cast<std::ptrdiff_t>((n * 999 + 999) / 1000 - 1);
  std::nth_element(changes.begin(), place, changes.end());
  tau.quantile = *place;
  tau.value = std::max(tau.quantile, kLeastTau);
  return tau;
}

}  // namespace vaa::capture
