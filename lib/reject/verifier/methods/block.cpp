// Block verification (Sun et al. 2024): the last i with u_i <= h_i is accepted, whole.
#include <algorithm>

#include "base/failure.h"
#include "reject/verifier/methods/block_odds.h"

namespace vaa {
namespace {

// Sum over x of max(P p(x) - q(x), 0) of the row behind i accepted drafts.
double mass_left(const StepInput& in, size_t i, double prefix, const TargetRow& target) {
  const DraftLaw law = in.rows->draft(i);
  if (law.form == DraftLaw::Form::kOneHot) return prefix * (1 - target.of(in.drafts[i]));  // the draft's own term is at most 0
  const Residual residual{target.p, prefix, law.row, {}};
  double sum = 0;
  for (size_t x = 0; x < target.p.size; ++x) sum += residual.at(x);
  return sum;
}

}  // namespace

void block_prefixes(const StepInput& in, StepScratch* scratch) {
  std::vector<double>& prefix = scratch->target_left;  // P_0, P_1, ...
  std::vector<double>& left = scratch->draft_left;     // S_0, S_1, ...
  prefix.assign(1, 1);
  left.clear();
  for (size_t i = 0; i < in.drafts.size() && in.drafts[i] >= 0; ++i) {
    const TargetRow target = in.rows->target(i);
    const DraftLaw law = in.rows->draft(i);
    if (law.form == DraftLaw::Form::kValue) fail(VAA_ERROR_UNSUPPORTED, in.where(i) + "method " + in.policy->method + " needs whole rows of q: draft_probs values are not enough");
    left.push_back(mass_left(in, i, prefix.back(), target));
    const Odds odds = plain_odds(*in.policy, target.of(in.drafts[i]), law.of(in.drafts[i]));
    prefix.push_back(odds.always > 0 ? 1 : odds.always < 0 ? 0 : std::min(prefix.back() * odds.numerator / odds.denominator, 1.0));
  }
}

double block_h(const StepScratch& scratch, size_t i) {
  const double prefix = scratch.target_left[i];
  if (i == scratch.draft_left.size()) return prefix;
  const double left = scratch.draft_left[i];
  return left + 1 - prefix == 0 ? 1 : std::min(left / (left + 1 - prefix), 1.0);
}

void finish_block(const StepInput& in, size_t accepted, double scale, DraftOutcome* out) {
  for (size_t i = 0; i < accepted; ++i) {
    const StepPlace& place = out->places[i];
    out->accept(in.drafts[i], place.reason & (kBoundary | kSupportViolation), place.margin);
  }
  if (accepted == in.drafts.size()) return finish_bonus(in, accepted, out);
  const TargetRow target = in.rows->target(accepted);
  const DraftLaw law = in.rows->draft(accepted);
  const StepPlace& place = out->places[accepted];
  const bool padded = in.drafts[accepted] < 0;
  if (padded) in.policy->known<PaddedDraft>(PolicyRule::kPaddedDraft, "a draft is -1");
  Residual residual = residual_of(target, law, &in.drafts[accepted]);
  if (law.form == DraftLaw::Form::kRow) residual.scale = scale;
  const StepPlace last{kPadding, padded ? int32_t{kPadded} : kRejected | (place.reason & kBoundary), place.margin};
  for (size_t i = accepted; i < out->places.size(); ++i) out->places[i] = {};
  finish_rejected(in, accepted, target, residual, last, out);
}

void run_block(const StepInput& in, const Method& method, DraftOutcome* out) {
  if (in.drafts.empty() || in.rows->target(0).greedy) return run_chain(in, method, out);
  block_prefixes(in, in.scratch);
  const size_t drafts = in.scratch->draft_left.size();
  size_t accepted = 0;
  for (size_t i = 0; i < drafts; ++i) {
    const DraftVerdict verdict = judge(in, {block_h(*in.scratch, i + 1), 1}, uniform_of(in, i));
    if (verdict.accepted) accepted = i + 1;
    out->places[i].margin = verdict.margin;
    out->places[i].reason = (verdict.boundary ? kBoundary : 0) | (in.scratch->target_left[i + 1] > 0 ? 0 : kSupportViolation);
  }
  finish_block(in, accepted, in.scratch->target_left[accepted], out);
}

void lengths_to_law(const StepInput& in, bool scaled, StepLaw* out) {
  double reached = 1;
  for (size_t i = 0; i < in.drafts.size() && reached > 0; ++i) {
    const double stop = std::min(out->lengths[i] / reached, 1.0);
    const TargetRow target = in.rows->target(i);
    const DraftLaw law = in.rows->draft(i);
    Residual residual = residual_of(target, law, &in.drafts[i]);
    if (scaled && law.form == DraftLaw::Form::kRow && in.drafts[i] >= 0) residual.scale = in.scratch->target_left[i];
    if (stop > 0) recovered_law(in, i, residual, out->recovered[i]);
    for (size_t x = 0; x < out->emitted[i].size(); ++x) out->emitted[i][x] = stop * out->recovered[i][x];
    if (in.drafts[i] >= 0) out->emitted[i][static_cast<size_t>(in.drafts[i])] += 1 - stop;
    reached -= out->lengths[i];
  }
  if (out->lengths[in.drafts.size()] > 0) bonus_law(in, in.drafts.size(), out);
}

void law_of_block(const StepInput& in, const Method&, StepLaw* out) {
  block_prefixes(in, in.scratch);
  const size_t drafts = in.scratch->draft_left.size();
  for (size_t last = 0; last <= drafts; ++last) {
    out->lengths[last] = last == 0 ? 1 : block_h(*in.scratch, last);
    for (size_t i = last + 1; i <= drafts; ++i) out->lengths[last] *= 1 - block_h(*in.scratch, i);
    if (last > 0) out->acceptance[last - 1] = block_h(*in.scratch, last);
  }
  lengths_to_law(in, true, out);
}

}  // namespace vaa
