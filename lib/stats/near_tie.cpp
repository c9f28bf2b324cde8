#include "stats/near_tie.h"

#include <algorithm>
#include <string>

#include "base/failure.h"
#include "stats/arguments.h"

namespace vaa::stats {
namespace {

constexpr const char* kFunction = "swing";

void check_side(const std::string& side, const TopTokens& top) {
  check_some(kFunction, side + "_ids", top.ids.size());
  check_same_size(kFunction, side + "_logprobs", top.logprobs.size(), top.ids.size());
  for (size_t i = 0; i < top.logprobs.size(); ++i) check_logprob(kFunction, side + "_logprobs", i, top.logprobs[i]);
  const auto count = std::count(top.ids.begin(), top.ids.end(), top.chosen);
  if (count != 1)
    fail(VAA_ERROR_ARGUMENT, std::string(kFunction) + ": " + side + "_token is " + std::to_string(top.chosen) + ", must be among " + side + "_ids once, is there " +
                                 std::to_string(count) + " times");
}

double logprob_at(const TopTokens& top, int32_t id, bool* is_bound) {
  const auto found = std::find(top.ids.begin(), top.ids.end(), id);
  if (found != top.ids.end()) return top.logprobs[static_cast<size_t>(found - top.ids.begin())];
  *is_bound = true;
  return *std::min_element(top.logprobs.begin(), top.logprobs.end());
}

double gap(const TopTokens& top, int32_t other, bool* is_bound) {
  bool unused = false;
  return logprob_at(top, top.chosen, &unused) - logprob_at(top, other, is_bound);
}

}  // namespace

Swing first_divergence_swing(const TopTokens& reference, const TopTokens& target, double tau) {
  check_side("reference", reference);
  check_side("target", target);
  check_least(kFunction, "tau", tau, 0);
  if (reference.chosen == target.chosen)
    fail(VAA_ERROR_ARGUMENT, std::string(kFunction) + ": reference_token and target_token are both " + std::to_string(target.chosen) + ", must differ");
  Swing result;
  result.reference_gap = gap(reference, target.chosen, &result.is_bound);
  result.target_gap = gap(target, reference.chosen, &result.is_bound);
  result.swing = result.reference_gap + result.target_gap;
  if (result.swing > tau) {
    result.kind = SwingClass::kSuspect;
  } else if (result.is_bound) {
    result.kind = SwingClass::kUndetermined;
  } else {
    result.kind = result.swing == 0 ? SwingClass::kExactTie : SwingClass::kNearTie;
  }
  return result;
}

}  // namespace vaa::stats
