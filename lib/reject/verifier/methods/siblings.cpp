// SGLang's target-only tree: the drafts behind one token share its coin and add up target mass; the first that reaches the coin is taken. Lossless where both thresholds are 1.
#include <algorithm>
#include <limits>

#include "base/failure.h"
#include "reject/verifier/methods/tree_walk.h"

namespace vaa {
namespace {

void refuse_twice(const StepInput& in, std::span<const uint32_t> children, size_t at) {
  for (size_t k = 0; k < at; ++k)
    if (in.drafts[children[k]] == in.drafts[children[at]])
      fail(VAA_ERROR_ARGUMENT, in.where(children[at]) + "draft " + std::to_string(in.drafts[children[at]]) + " stands twice behind the same token");
}

double round_mass(double mass, bool fp32) { return fp32 ? static_cast<double>(static_cast<float>(mass)) : mass; }

// What is left of a row without the drafts that were looked at.
Residual without_tried(const StepInput& in, const TargetRow& target, std::span<const uint32_t> children) {
  std::vector<int32_t>& ids = in.scratch->ids;
  ids.clear();
  for (const uint32_t child : children) ids.push_back(in.drafts[child]);
  std::sort(ids.begin(), ids.end());
  return {target.p, 1, {}, ids};
}

class Trials {
 public:
  Trials(const StepInput& in, size_t row, const TargetRow& target, std::span<const uint32_t> children) : in_(in), row_(row), target_(target), children_(children) {}
  DraftVerdict of(size_t place) {
    const uint32_t at = children_[place];
    if (in_.drafts[at] < 0) fail(VAA_ERROR_UNSUPPORTED, in_.where(at) + "a draft is -1, which method siblings does not know: leave it out of the tree");
    refuse_twice(in_, children_, place);
    const double p = target_.of(in_.drafts[at]);
    mass_ = round_mass(mass_ + p, in_.fp32);
    const bool alone = p >= in_.policy->single_threshold;
    return target_.greedy ? judge(in_, {p, 0, p > 0 ? 1 : -1}, 1) : judge(in_, {mass_, in_.policy->accept_threshold, alone ? 1 : 0}, uniform_of(in_, row_));
  }
  Residual residual() const { return without_tried(in_, target_, children_); }

 private:
  const StepInput& in_;
  size_t row_;
  const TargetRow& target_;
  std::span<const uint32_t> children_;
  double mass_ = 0;
};

}  // namespace

void run_siblings(const StepInput& in, const Method&, DraftOutcome* out) { walk_tree<Trials>(in, out); }

void law_of_siblings(const StepInput& in, const Method&, StepLaw* out) {
  std::vector<uint32_t>& children = in.scratch->children;
  std::vector<double>& reached = in.scratch->reals;  // of each row
  std::vector<double>& depth = in.scratch->draft_left;
  reached.assign(in.drafts.size() + 1, 0);
  depth.assign(in.drafts.size() + 1, 0);
  reached[0] = 1;
  for (size_t row = 0; row <= in.drafts.size(); ++row) {
    if (!(reached[row] > 0)) continue;
    children_of(in, row, &children);
    if (children.empty()) {
      bonus_law(in, row, out);
      out->lengths[static_cast<size_t>(depth[row])] += reached[row];
      continue;
    }
    const TargetRow target = in.rows->target(row);
    double mass = 0, taken = 0;  // taken: P(one so far was accepted)
    for (size_t k = 0; k < children.size(); ++k) {
      const uint32_t draft = children[k];
      refuse_twice(in, children, k);
      const double p = target.of(in.drafts[draft]);
      mass += p;
      const double now = p >= in.policy->single_threshold ? 1 : std::max(taken, std::min(1.0, mass / in.policy->accept_threshold)), a = now - taken;
      out->acceptance[draft] = taken < 1 ? a / (1 - taken) : 0;
      out->emitted[row][static_cast<size_t>(in.drafts[draft])] += a;
      reached[draft + 1] = reached[row] * a;
      depth[draft + 1] = depth[row] + 1;
      taken = now;
    }
    out->lengths[static_cast<size_t>(depth[row])] += reached[row] * (1 - taken);
    if (!(taken < 1)) continue;
    recovered_law(in, row, without_tried(in, target, children), out->recovered[row]);
    for (size_t x = 0; x < out->emitted[row].size(); ++x) out->emitted[row][x] += (1 - taken) * out->recovered[row][x];
  }
}

}  // namespace vaa
