// Draft after draft, each on its own, until the first that is rejected.
#include <algorithm>
#include <limits>

#include "reject/verifier/methods/method.h"

namespace vaa {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

void check_padded(const StepInput& in) { in.policy->known<PaddedDraft>(PolicyRule::kPaddedDraft, "a draft is -1"); }

}  // namespace

Residual residual_of(const TargetRow& target, const DraftLaw& law, const int32_t* draft) {
  if (law.form == DraftLaw::Form::kRow) return {target.p, 1, law.row, {}};
  return {target.p, 1, {}, *draft < 0 ? std::span<const int32_t>() : std::span<const int32_t>(draft, 1)};
}

void run_chain(const StepInput& in, const Method& method, DraftOutcome* out) {
  for (size_t i = 0; i < in.drafts.size(); ++i) {
    const int32_t draft = in.drafts[i];
    const TargetRow target = in.rows->target(i);
    const DraftLaw law = in.rows->draft(i);
    if (draft < 0) {
      check_padded(in);
      return finish_rejected(in, i, target, residual_of(target, law, &in.drafts[i]), {kPadding, kPadded, -kInfinity}, out);
    }
    const double p = target.of(draft), q = law.of(draft);
    if (!(p >= 0 && p <= 1 && q >= 0 && q <= 1)) in.rows->check(i);  // by how much a row may be off is said there
    const Odds odds = target.greedy ? Odds{p, 0, p > 0 ? 1 : -1} : method.odds(*in.policy, p, q, target.entropy);
    const DraftVerdict verdict = judge(in, odds, method.uniforms && !target.greedy ? uniform_of(in, i) : 1);
    const int32_t flags = (verdict.boundary ? kBoundary : 0) | (p > 0 ? 0 : verdict.accepted ? kSupportViolation : 0);
    if (verdict.accepted) {
      out->accept(draft, flags, verdict.margin);
      continue;
    }
    if (law.form == DraftLaw::Form::kValue && !target.greedy) {  // what is left needs the whole row of q
      return out->put({kUnknownId, kRejected | flags, verdict.margin});
    }
    return finish_rejected(in, i, target, residual_of(target, law, &in.drafts[i]), {kPadding, kRejected | flags, verdict.margin}, out);
  }
  finish_bonus(in, in.drafts.size(), out);
}

void law_of_chain(const StepInput& in, const Method& method, StepLaw* out) {
  double reached = 1;
  for (size_t i = 0; i < in.drafts.size(); ++i) {
    const int32_t draft = in.drafts[i];
    const TargetRow target = in.rows->target(i);
    const DraftLaw law = in.rows->draft(i);
    if (draft < 0) check_padded(in);
    const double a = draft < 0 ? 0 : acceptance_of(method.odds(*in.policy, target.of(draft), law.of(draft), target.entropy));
    out->acceptance[i] = a;
    out->lengths[i] = reached * (1 - a);
    if (reached > 0) {
      if (a < 1) recovered_law(in, i, residual_of(target, law, &in.drafts[i]), out->recovered[i]);
      for (size_t x = 0; x < out->emitted[i].size(); ++x) out->emitted[i][x] = (1 - a) * out->recovered[i][x];
      if (draft >= 0) out->emitted[i][static_cast<size_t>(draft)] += a;
    }
    reached *= a;
  }
  out->lengths[in.drafts.size()] = reached;
  if (reached > 0) bonus_law(in, in.drafts.size(), out);
}

}  // namespace vaa
