// Several drafts of one law behind one token, tried one after the other: on a miss p becomes max(p - q, 0), and q is left without the draft (recursive rejection, EAGLE-1) or stays (SpecInfer).
#include <algorithm>

#include "base/failure.h"
#include "reject/verifier/methods/tree_walk.h"

namespace vaa {
namespace {

// p and q of the next draft, as shares of what is left.
class Left {
 public:
  Left(const StepInput& in, const TargetRow& target) : p_(in.scratch->target_left), q_(in.scratch->draft_left), p_total_(1), q_total_(1) {
    p_.resize(target.p.size);
    for (size_t x = 0; x < p_.size(); ++x) p_[x] = target.p.at(x);
    q_.clear();
  }
  void take_q(const DraftLaw& law) {
    if (law.form != DraftLaw::Form::kRow || !q_.empty()) return;
    q_.resize(p_.size());
    for (size_t x = 0; x < q_.size(); ++x) q_[x] = law.row.at(x);
  }
  double p(int32_t id) const { return p_total_ > 0 ? p_[static_cast<size_t>(id)] / p_total_ : 0; }
  double q(int32_t id) const { return q_.empty() ? 1 : q_total_ > 0 ? q_[static_cast<size_t>(id)] / q_total_ : 0; }
  bool empty() const { return !(p_total_ > 0); }
  void miss(int32_t id, Replacement replacement) {
    if (q_.empty()) {
      p_[static_cast<size_t>(id)] = 0;
    } else {
      for (size_t x = 0; x < p_.size(); ++x) p_[x] = std::max((p_total_ > 0 ? p_[x] / p_total_ : 0) - (q_total_ > 0 ? q_[x] / q_total_ : 0), 0.0);
      if (replacement == Replacement::kWithout) q_[static_cast<size_t>(id)] = 0;
    }
    p_total_ = sum(p_);
    q_total_ = sum(q_);
  }
  Residual residual() const { return {ValueRow(std::span<const double>(p_)), 1, {}, {}}; }

 private:
  static double sum(const std::vector<double>& row) {
    double total = 0;
    for (const double one : row) total += one;
    return total;
  }
  std::vector<double>&p_, &q_;
  double p_total_, q_total_;
};

Replacement replacement_of(const StepInput& in, size_t children) {
  return children > 1 ? in.policy->known<Replacement>(PolicyRule::kReplacement, "a position has several drafts") : Replacement::kWith;
}

DraftLaw law_of(const StepInput& in, uint32_t draft) {
  const DraftLaw law = in.rows->draft(draft);
  if (in.drafts[draft] < 0) fail(VAA_ERROR_UNSUPPORTED, in.where(draft) + "a draft is -1, which method multi_draft does not know: leave it out of the tree");
  if (law.form == DraftLaw::Form::kValue) fail(VAA_ERROR_UNSUPPORTED, in.where(draft) + "method multi_draft needs whole rows of q: draft_probs values are not enough");
  return law;
}

class Trials {
 public:
  Trials(const StepInput& in, size_t, const TargetRow& target, std::span<const uint32_t> children) : in_(in), target_(target), children_(children), replacement_(replacement_of(in, children.size())), left_(in, target) {}
  DraftVerdict of(size_t place) {
    const uint32_t draft = children_[place];
    const int32_t id = in_.drafts[draft];
    left_.take_q(law_of(in_, draft));
    if (target_.greedy) return judge(in_, {target_.of(id), 0, target_.of(id) > 0 ? 1 : -1}, 1);
    const DraftVerdict verdict = judge(in_, plain_odds(*in_.policy, left_.p(id), left_.q(id)), uniform_of(in_, draft));
    if (!verdict.accepted) left_.miss(id, replacement_);
    return verdict;
  }
  Residual residual() const { return left_.residual(); }

 private:
  const StepInput& in_;
  const TargetRow& target_;
  std::span<const uint32_t> children_;
  Replacement replacement_;
  Left left_;
};

}  // namespace

void run_multi_draft(const StepInput& in, const Method&, DraftOutcome* out) { walk_tree<Trials>(in, out); }

void law_of_multi_draft(const StepInput& in, const Method&, StepLaw* out) {
  std::vector<uint32_t>& children = in.scratch->children;
  std::vector<double> reached(in.drafts.size() + 1, 0), depth(in.drafts.size() + 1, 0);
  reached[0] = 1;
  for (size_t row = 0; row <= in.drafts.size(); ++row) {
    if (!(reached[row] > 0)) continue;
    children_of(in, row, &children);
    if (children.empty()) {
      bonus_law(in, row, out);
      out->lengths[static_cast<size_t>(depth[row])] += reached[row];
      continue;
    }
    Left left(in, in.rows->target(row));
    const Replacement replacement = replacement_of(in, children.size());
    double open = 1;  // P(none so far was accepted)
    for (const uint32_t draft : children) {
      const int32_t id = in.drafts[draft];
      left.take_q(law_of(in, draft));
      const double a = acceptance_of(plain_odds(*in.policy, left.p(id), left.q(id)));
      out->acceptance[draft] = a;
      out->emitted[row][static_cast<size_t>(id)] += open * a;
      reached[draft + 1] = reached[row] * open * a;
      depth[draft + 1] = depth[row] + 1;
      open *= 1 - a;
      if (open > 0) left.miss(id, replacement);
    }
    out->lengths[static_cast<size_t>(depth[row])] += reached[row] * open;
    if (!(open > 0)) continue;
    recovered_law(in, row, left.residual(), out->recovered[row]);
    for (size_t x = 0; x < out->emitted[row].size(); ++x) out->emitted[row][x] += open * out->recovered[row][x];
  }
}

}  // namespace vaa
