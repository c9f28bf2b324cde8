// The test of one draft, and what all methods share.
#include <algorithm>
#include <cmath>
#include <limits>

#include "base/math.h"
#include "reject/verifier/methods/method.h"

namespace vaa {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kScale = 0x1p512;

double single(double value) { return static_cast<double>(static_cast<float>(value)); }

// With the sign of u * denominator - numerator, which is exact: scaled, because a product of denormal numbers would be 0.
double exact_excess(const Odds& odds, double u) {
  return std::fma(u * kScale, odds.denominator, -odds.numerator * kScale);
}

// The sign of u * denominator - numerator: exact, or as the engine's floats have it.
double excess(const StepInput& in, const Odds& odds, double u) {
  if (!in.fp32) return exact_excess(odds, u);
  const double p = single(odds.numerator), q = single(odds.denominator);
  switch (in.policy->known<TestForm>(PolicyRule::kTest, "its rounding decides with \"rounding\": \"fp32\"")) {
    case TestForm::kRatio: return u - single(p / q);
    case TestForm::kProduct: return single(single(u) * q) - p;
    default: return single(single(math::log(u)) + single(math::log(q))) - single(math::log(p));
  }
}

double margin_of(const Odds& odds, double u) {
  if (exact_excess(odds, u) == 0) return 0;
  if (odds.numerator == 0) return -kInfinity;
  if (odds.denominator == 0 || u == 0) return kInfinity;
  return math::log(odds.numerator / odds.denominator) - math::log(u);
}

}  // namespace

DraftVerdict judge(const StepInput& in, const Odds& odds, double u) {
  if (odds.always != 0) return {odds.always > 0, false, odds.denominator > 0 ? margin_of(odds, 1) : odds.always > 0 ? kInfinity : -kInfinity};
  const double over = excess(in, odds, u);
  const bool equal_counts = in.policy->known<AcceptRule>(PolicyRule::kAccept, "a draft is tested") == AcceptRule::kGe;
  const double due = u * kScale * odds.denominator, given = odds.numerator * kScale;
  return {equal_counts ? over <= 0 : over < 0, std::fabs(due - given) <= in.boundary * std::max(due, given), margin_of(odds, u)};
}

double acceptance_of(const Odds& odds) {
  if (odds.always != 0) return odds.always > 0 ? 1 : 0;
  return odds.numerator >= odds.denominator ? (odds.numerator > 0 ? 1 : 0) : odds.numerator / odds.denominator;
}

Odds plain_odds(const Policy& policy, double p, double q) {
  if (q > 0) return {p, q};
  if (!(p > 0)) return {p, q, -1};
  return {p, q, policy.known<ZeroQ>(PolicyRule::kZeroQ, "a draft has q = 0 and p > 0") == ZeroQ::kAccept ? 1 : -1};
}

void children_of(const StepInput& in, size_t row, std::vector<uint32_t>* out) {
  out->clear();
  if (in.parents.empty()) {
    if (row < in.drafts.size()) out->push_back(static_cast<uint32_t>(row));
    return;
  }
  for (size_t draft = 0; draft < in.drafts.size(); ++draft)
    if (in.parents[draft] + 1 == static_cast<int32_t>(row)) out->push_back(static_cast<uint32_t>(draft));
}

}  // namespace vaa
