// The rule of vllm-ascend's enable_block_verify as read at 182b75ea84: the last i with u_1 ... u_i <= P_i, then the ordinary residual. Not lossless.
#include <algorithm>

#include "base/math.h"
#include "reject/verifier/methods/block_odds.h"

namespace vaa {
namespace {

// P(S_k < bounds[k] for every k), S_k the arrivals of a Poisson process of rate 1: by each bound, which do not fall, there were at least so many.
double arrivals_before(std::span<const double> bounds, std::vector<double>* scratch) {
  const size_t n = bounds.size();
  scratch->assign(2 * (n + 1), 0);
  const std::span<double> now(scratch->data(), n + 1), next(scratch->data() + n + 1, n + 1);
  now[0] = 1;
  for (size_t k = 0; k < n; ++k) {
    const double time = bounds[k] - (k == 0 ? 0 : bounds[k - 1]);
    std::fill(next.begin(), next.end(), 0.0);
    for (size_t j = 0; j <= n; ++j) {
      double left = now[j], more = left * math::exp(-time);
      for (size_t to = j; to < n && left > 0; ++to) {  // n stands for n and more
        next[to] += more;
        left -= more;
        more *= time / static_cast<double>(to - j + 1);
      }
      next[n] += std::max(left, 0.0);
    }
    std::fill(next.begin(), next.begin() + static_cast<ptrdiff_t>(k) + 1, 0.0);
    std::copy(next.begin(), next.end(), now.begin());
  }
  double sum = 0;
  for (const double one : now) sum += one;
  return sum;
}

}  // namespace

void run_block_product(const StepInput& in, const Method& method, DraftOutcome* out) {
  if (in.drafts.empty() || in.rows->target(0).greedy) return run_chain(in, method, out);
  block_prefixes(in, in.scratch);
  size_t accepted = 0;
  double product = 1;
  for (size_t i = 0; i < in.scratch->draft_left.size(); ++i) {
    product *= uniform_of(in, i);
    const DraftVerdict verdict = judge(in, {in.scratch->target_left[i + 1], 1}, product);
    if (verdict.accepted) accepted = i + 1;
    out->places[i].margin = verdict.margin;
    out->places[i].reason = (verdict.boundary ? kBoundary : 0) | (in.scratch->target_left[i + 1] > 0 ? 0 : kSupportViolation);
  }
  finish_block(in, accepted, 1, out);
}

void law_of_block_product(const StepInput& in, const Method&, StepLaw* out) {
  block_prefixes(in, in.scratch);
  const size_t drafts = in.scratch->draft_left.size();
  std::vector<double> bounds(drafts), scratch;
  double below = 0;  // P(fewer than i are accepted): S_k = -log of the product stays below -log P_k from i on
  for (size_t i = 1; i <= drafts; ++i) {
    for (size_t k = drafts; k-- > 0;) {
      const double prefix = in.scratch->target_left[k + 1], bound = prefix > 0 ? -math::log(prefix) : 1e6;
      bounds[k] = k + 1 == drafts ? bound : k + 1 < i ? bounds[k + 1] : std::min(bound, bounds[k + 1]);
    }
    const double own = in.scratch->target_left[i] > 0 ? -math::log(in.scratch->target_left[i]) : 1e6;
    double term = math::exp(-own);  // P(u_1 ... u_i <= P_i) is that of fewer than i arrivals
    for (size_t k = 0; k < i; ++k) {
      out->acceptance[i - 1] += term;
      term *= own / static_cast<double>(k + 1);
    }
    const double next = arrivals_before(bounds, &scratch);
    out->lengths[i - 1] = next - below;
    below = next;
  }
  out->lengths[drafts] = 1 - below;
  lengths_to_law(in, false, out);
}

}  // namespace vaa
