#include "stats/distances.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "base/exact_sum.h"
#include "base/failure.h"
#include "base/math.h"
#include "stats/arguments.h"
#include "stats/kl_term.h"

namespace vaa::stats {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
class DistanceSums {
 public:
  // An outcome of probabilities p and q = p exp(x) = p (1 + d).
  void add(double p, double q, double x, double d) {
    if (p == 0 && q == 0) return;
    kl_pq_.add(kl_term(p, q, x));
    kl_qp_.add(kl_term(q, p, -x));
    const double middle = 0.5 * (p + q);
    const double apart = std::isinf(d) ? 1 : d / (2 + d);  // (q - p) / (q + p)
    js_.add(middle * js_rest(apart));
    const double difference = 2 * middle * apart;
    tv_.add(std::fabs(difference));
    const double roots = std::sqrt(p) + std::sqrt(q);
    product_.add(std::sqrt(p) * std::sqrt(q));
    hellinger_.add(difference / roots * (difference / roots));
  }

  Distances result() const {
    return {kl_pq_.value(), kl_qp_.value(), 0.5 * js_.value(), 0.5 * tv_.value(), product_.value(), std::sqrt(0.5 * hellinger_.value())};
  }

 private:
  // (1 + r) log(1 + r) + (1 - r) log(1 - r).
  static double js_rest(double r) {
    if (std::fabs(r) == 1) return 2 * math::log(2);
    return (1 + r) * math::log1p_minus(r) + (1 - r) * math::log1p_minus(-r) + 2 * r * r;
  }

  ExactSum kl_pq_, kl_qp_, js_, tv_, product_, hellinger_;
};

void check_sum(const char* function, const char* name, std::span<const double> p) {
  ExactSum sum;
  for (size_t i = 0; i < p.size(); ++i) {
    if (!(p[i] >= 0 && p[i] <= 1 + kSumSlack)) check_share(function, element(name, i), p[i]);
    sum.add(p[i]);
  }
  if (!(std::fabs(sum.value() - 1) <= kSumSlack)) {
    const std::string what = std::string("the sum of ") + name;
    check_least(function, what, sum.value(), 1 - kSumSlack);
    check_most(function, what, sum.value(), 1 + kSumSlack);
  }
}

// Logits less their largest, and the logarithm of the sum of their exponentials.
struct Softmax {
  double top, log_sum;
  double log_probability(double logit) const { return (logit - top) - log_sum; }
};
Softmax softmax(const char* function, const char* name, std::span<const double> logits) {
  for (size_t i = 0; i < logits.size(); ++i) check_logit(function, name, i, logits[i]);
  const auto highest = std::max_element(logits.begin(), logits.end());
  const double top = *highest;
  if (top == -kInfinity) fail(VAA_ERROR_ARGUMENT, std::string(function) + ": " + name + " are -inf throughout, one at least must be finite");
  ExactSum others;
  for (auto logit = logits.begin(); logit != logits.end(); ++logit) {
    if (logit != highest) others.add(math::exp(*logit - top));
  }
  return {top, math::log1p(others.value())};
}

}  // namespace

Distances distances(std::span<const double> p, std::span<const double> q) {
  check_some("distances", "p", p.size());
  check_same_size("distances", "q", q.size(), p.size());
  check_sum("distances", "p", p);
  check_sum("distances", "q", q);
  DistanceSums sums;
  for (size_t i = 0; i < p.size(); ++i) {
    const double d = (q[i] - p[i]) / p[i];
    const double x = std::fabs(d) < 0.5 ? math::log1p(d) : math::log(q[i]) - math::log(p[i]);
    sums.add(p[i], q[i], x, d);
  }
  return sums.result();
}

Distances distances_of_logits(std::span<const double> reference, std::span<const double> target) {
  check_some("distances_of_logits", "reference", reference.size());
  check_same_size("distances_of_logits", "target", target.size(), reference.size());
  const Softmax first = softmax("distances_of_logits", "reference", reference), second = softmax("distances_of_logits", "target", target);
  const double offset = second.log_sum - first.log_sum;
  DistanceSums sums;
  for (size_t i = 0; i < reference.size(); ++i) {
    // The difference of the logits less that of the tops keeps more than that of the logprobs.
    const double x = ((target[i] - second.top) - (reference[i] - first.top)) - offset;
    sums.add(math::exp(first.log_probability(reference[i])), math::exp(second.log_probability(target[i])), x, math::expm1(x));
  }
  return sums.result();
}

int64_t argmax(std::span<const double> logits) {
  check_some("argmax", "logits", logits.size());
  for (size_t i = 0; i < logits.size(); ++i) check_number("argmax", element("logits", i), logits[i]);
  return std::max_element(logits.begin(), logits.end()) - logits.begin();
}

KlEstimates kl_estimates(std::span<const double> reference_logprobs, std::span<const double> target_logprobs) {
  check_some("kl_estimates", "reference_logprobs", reference_logprobs.size());
  check_same_size("kl_estimates", "target_logprobs", target_logprobs.size(), reference_logprobs.size());
  ExactSum k1, k2, k3, differences, factors;
  KlEstimates result;
  for (size_t i = 0; i < reference_logprobs.size(); ++i) {
    check_logprob("kl_estimates", "reference_logprobs", i, reference_logprobs[i]);
    check_logprob("kl_estimates", "target_logprobs", i, target_logprobs[i]);
    const double r = target_logprobs[i] - reference_logprobs[i];
    k1.add(r);
    k2.add(0.5 * r * r);
    k3.add(exp_rest(-r));
    differences.add(std::fabs(r));
    factors.add(math::exp(std::fabs(r)));
    result.most_difference = std::max(result.most_difference, std::fabs(r));
  }
  const double n = static_cast<double>(reference_logprobs.size());
  result.k1 = k1.value() / n;
  result.k2 = k2.value() / n;
  result.k3 = k3.value() / n;
  result.mean_difference = differences.value() / n;
  result.mean_factor = factors.value() / n;
  return result;
}

}  // namespace vaa::stats
