// "Block verification" by products: the last place i with u_1 … u_i at most P_i = prod min(1, p / q) (D06, D07).
#include <array>
#include <cmath>

#include "base/math.h"
#include "reject/bug_laws/bug_law.h"

namespace vaa {
namespace {

constexpr size_t kMostDrafts = 8;
constexpr double kFarthest = 700;
using Polynomial = std::array<double, kMostDrafts + 1>;

double value(const Polynomial& c, double x) {
  double out = 0;
  for (size_t k = c.size(); k-- > 0;) out = out * x + c[k];
  return out;
}

Polynomial integral(const Polynomial& c) {
  Polynomial out{};
  for (size_t k = 0; k + 1 < c.size(); ++k) out[k + 1] = c[k] / static_cast<double>(k + 1);
  return out;
}

// P(S > t) of a sum of i exponentials.
double sum_above(size_t i, double t) {
  double term = 1, out = 0;
  for (size_t k = 0; k < i; ++k, term *= t / static_cast<double>(k)) out += term;
  return out * math::exp(-t);
}

// S_i = -log(u_1 … u_i) is a sum of exponentials, t_i = -log P_i: the last i with S_i >= t_i. The chance that no place from j on has it, given S_(j-1) = s, is 1 - e^s Q_j(s) with Q_j(s) = e^(-t_j) + the integral of Q_(j+1)
// from s to t_j, a polynomial.
double accepted(const LawView& view, size_t count) {
  const size_t n = view.drafts.size();
  if (n < 2 || n > kMostDrafts) return std::nan("");
  std::array<double, kMostDrafts + 1> t{};
  for (size_t i = 0; i < n; ++i) {
    if (!(view.accept[i] >= 0)) return std::nan("");
    t[i + 1] = std::min(kFarthest, t[i] - math::log(view.accept[i]));
  }
  if (count == n) return sum_above(n, t[n]);
  Polynomial q{};
  for (size_t j = n; j > count; --j) {
    const Polynomial sums = integral(q);
    const double top = value(sums, t[j]);
    for (size_t k = 0; k < q.size(); ++k) q[k] = -sums[k];
    q[0] += math::exp(-t[j]) + top;
  }
  if (count == 0) return std::max(0.0, 1 - q[0]);
  // The density of S_i at s from t_i to t_(i+1), times the chance that no later place has it.
  double factorial = 1;
  for (size_t k = 2; k < count; ++k) factorial *= static_cast<double>(k);
  double below = 0, above = 0, low = 1, high = 1;
  for (size_t k = 0; k < count; ++k) low *= t[count], high *= t[count + 1];
  for (size_t k = 0; k < q.size(); ++k, low *= t[count], high *= t[count + 1]) {
    below += q[k] * low / static_cast<double>(k + count);
    above += q[k] * high / static_cast<double>(k + count);
  }
  return std::max(0.0, sum_above(count, t[count]) - sum_above(count, t[count + 1]) - (above - below) / factorial);
}

}  // namespace

extern const BugLaw kProductRule;
const BugLaw kProductRule = {"D06", "product_rule", "drafts are judged as a block by products of uniforms: too many are accepted", "按均匀数之积整块检验：接受过多", "vllm-ascend#7603, #9772", false, false, nullptr, nullptr, nullptr, nullptr, accepted};

}  // namespace vaa
