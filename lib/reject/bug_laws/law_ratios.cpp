#include "reject/bug_laws/law_ratios.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/math.h"

namespace vaa {
namespace {

double log_of_outcome(bool accepted, double due) { return math::log(std::max(kLeastChance, accepted ? due : 1 - due)); }

}  // namespace

void LawRatio::add(double fault, double right, Sums* sums) {
  if (std::isnan(fault) || !(right > 0)) return;
  events_ += 1;
  for (size_t m = 0; m < sums->size(); ++m) (*sums)[m].add(math::log((1 - kMixed[m]) * fault / right + kMixed[m]));
}

double LawRatio::log() const {
  std::array<double, kMixed.size()> all;
  for (size_t m = 0; m < all.size(); ++m) all[m] = accepted_[m].value() + tokens_[m].value();
  const double most = *std::max_element(all.begin(), all.end());
  double mean = 0;
  for (const double each : all) mean += math::exp(each - most);
  return most + math::log(mean / static_cast<double>(all.size()));
}

size_t LawRatio::best() const {
  size_t out = 0;
  for (size_t m = 1; m < kMixed.size(); ++m)
    if (accepted_[m].value() + tokens_[m].value() > accepted_[out].value() + tokens_[out].value()) out = m;
  return out;
}

double LawRatio::log_accepted() const { return accepted_[best()].value(); }
double LawRatio::share() const { return 1 - kMixed[best()]; }

void AnyAcceptance::add(bool accepted, double due) {
  const size_t at = std::min(kClasses - 1, static_cast<size_t>(due * static_cast<double>(kClasses)));
  n_[at] += 1;
  k_[at] += accepted;
  right_.add(log_of_outcome(accepted, due));
}

double AnyAcceptance::log() const {
  double out = -right_.value();
  for (size_t c = 0; c < kClasses; ++c) {
    const auto n = static_cast<double>(n_[c]), k = static_cast<double>(k_[c]);
    out += math::lgamma(k + 0.5) + math::lgamma(n - k + 0.5) - math::lgamma(n + 1) - 2 * math::lgamma(0.5);
  }
  return out;
}

void SameUniforms::add(size_t place, bool accepted, double due) {
  if (rejected_.size() <= place) rejected_.resize(place + 1, -1), accepted_.resize(place + 1, 2);
  if (accepted) accepted_[place] = std::min(accepted_[place], due);
  else rejected_[place] = std::max(rejected_[place], due);
  right_.add(log_of_outcome(accepted, due));
  events_ += 1;
}

double SameUniforms::log() const {
  double out = -right_.value();
  bool both = false;
  for (size_t i = 0; i < rejected_.size(); ++i) {
    both = both || (accepted_[i] <= 1 && rejected_[i] >= 0);
    const double room = std::min(1.0, accepted_[i]) - std::max(0.0, rejected_[i]);
    out += room > 0 ? math::log(room) : -std::numeric_limits<double>::infinity();
  }
  return both ? out : -std::numeric_limits<double>::infinity();
}

}  // namespace vaa
