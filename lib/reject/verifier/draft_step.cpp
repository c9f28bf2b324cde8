#include "reject/verifier/draft_step.h"

#include <algorithm>

#include "base/failure.h"

namespace vaa {
namespace {

Recovered draw(const StepInput& in, size_t row, const Residual& residual, std::span<const float> noise) {
  return recover(residual, {in.policy->known<Recovery>(PolicyRule::kRecovery, "a token is to be drawn"), noise, in.boundary, in.fp32, in.request, row});
}

EmptyResidual empty_rule(const StepInput& in, size_t row) {
  const EmptyResidual rule = in.policy->known<EmptyResidual>(PolicyRule::kEmptyResidual, "a draft is rejected and nothing is left of the target");
  if (rule == EmptyResidual::kRefused) fail(VAA_ERROR_ARGUMENT, in.where(row) + "the draft is rejected, and max(p - q, 0) is 0 for every token");
  return rule;
}

bool is_empty(const Residual& residual) {
  if (residual.without.empty() && residual.q.size == 0) return false;
  for (size_t i = 0; i < residual.p.size; ++i)
    if (residual.at(i) > 0 && !std::binary_search(residual.without.begin(), residual.without.end(), static_cast<int32_t>(i))) return false;
  return true;
}

}  // namespace

void finish_rejected(const StepInput& in, size_t row, const TargetRow& target, const Residual& residual, StepPlace place, DraftOutcome* out) {
  if (target.greedy) {
    place.id = target.argmax;
    return out->put(place);
  }
  const std::span<const float> noise = in.rows->noise(row);
  in.rows->check(row);
  if (noise.empty()) {
    place.id = kUnknownId;
    if (is_empty(residual)) place.reason |= kEmptyResidual;
    return out->put(place);
  }
  Recovered recovered = draw(in, row, residual, noise);
  if (recovered.empty) {
    place.reason |= kEmptyResidual;
    recovered = empty_rule(in, row) == EmptyResidual::kToken0 ? Recovered{0, false, false} : draw(in, row, {target.p, 1, {}, {}}, noise);
  }
  if (recovered.near_tie) place.reason |= kBoundary;
  place.id = recovered.id;
  if (!(target.p.at(static_cast<size_t>(place.id)) > 0)) place.reason |= kSupportViolation;
  out->put(place);
}

void finish_bonus(const StepInput& in, size_t row, DraftOutcome* out) {
  StepPlace place;
  place.reason = kBonus;
  place.id = in.bonus;
  if (in.bonus_row) {
    const TargetRow target = in.rows->target(row);
    if (place.id == kUnknownId && target.greedy) place.id = target.argmax;
    const bool drawn_here = place.id == kUnknownId && in.policy->rule<BonusRule>(PolicyRule::kBonus) == BonusRule::kRecoveryNoise;
    if (const std::span<const float> noise = drawn_here ? in.rows->noise(row) : std::span<const float>(); !noise.empty()) {
      in.rows->check(row);
      const Recovered drawn = draw(in, row, {target.p, 1, {}, {}}, noise);
      place.id = drawn.id;
      if (drawn.near_tie) place.reason |= kBoundary;
    }
    if (place.id >= 0 && !target.greedy && !(target.p.at(static_cast<size_t>(place.id)) > 0)) place.reason |= kSupportViolation;
  }
  out->put(place);
}

void recovered_law(const StepInput& in, size_t row, const Residual& residual, std::span<double> out) {
  if (residual_law(residual, out) > 0) return;
  if (empty_rule(in, row) == EmptyResidual::kToken0) out[0] = 1;
  else residual_law({in.rows->target(row).p, 1, {}, {}}, out);
}

void bonus_law(const StepInput& in, size_t row, StepLaw* out) {
  if (!in.bonus_row) return;
  residual_law({in.rows->target(row).p, 1, {}, {}}, out->recovered[row]);
  std::copy(out->recovered[row].begin(), out->recovered[row].end(), out->emitted[row].begin());
}

double uniform_of(const StepInput& in, size_t index) {
  const double u = std::max(in.uniforms[index], in.policy->uniform_floor);
  const bool single = in.fp32 && in.policy->known<UniformWidth>(PolicyRule::kUniform, "its rounding decides with \"rounding\": \"fp32\"") == UniformWidth::kFloat32;
  return single ? static_cast<double>(static_cast<float>(u)) : u;
}

}  // namespace vaa
