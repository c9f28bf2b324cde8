#include "reject/verifier/step_draws.h"

#include "base/json_writer.h"

namespace vaa {
namespace {

constexpr const char* kNames[] = {"bonus", "uniforms", "recovered", "sample", "discarded"};

}  // namespace

std::vector<StepDraw> step_draws(const Policy& policy, bool speculative, size_t drafts, size_t vocabulary) {
  using enum StepDraw::Of;
  policy.known<StepDraws>(PolicyRule::kDraws, "a step is to be drawn from a generator");
  if (!speculative) return {{kSample, vocabulary}};
  if (drafts > 0) return {{kBonus, vocabulary}, {kUniforms, drafts}, {kRecovered, vocabulary}};
  if (policy.known<IdleDraws>(PolicyRule::kIdleDraws, "a request has no drafts in a batch that has some") == IdleDraws::kBonus) return {{kBonus, vocabulary}};
  return {{kBonus, vocabulary}, {kDiscarded, vocabulary}};
}

std::string step_draws_json(std::span<const StepDraw> draws) {
  std::string out;
  JsonWriter json(&out);
  json.begin_array();
  for (const StepDraw& draw : draws) {
    const bool uniforms = draw.of == StepDraw::Of::kUniforms;
    json.begin_object().member("of", kNames[static_cast<size_t>(draw.of)]).member("law", uniforms ? "uniform" : "exponential").member("type", uniforms ? "float64" : "float32");
    json.member("count", static_cast<int64_t>(draw.count)).end_object();
  }
  json.end_array();
  return out;
}

void draw_step(std::span<const StepDraw> draws, Rng* rng, std::span<float> bonus, std::span<double> uniforms, std::span<float> recovered) {
  for (const StepDraw& draw : draws) {
    if (draw.of == StepDraw::Of::kUniforms) {
      rng->with(Drawable::kUniform64).uniform(uniforms);
      continue;
    }
    std::vector<float> discarded(draw.of == StepDraw::Of::kDiscarded ? draw.count : 0);
    const std::span<float> to = draw.of == StepDraw::Of::kRecovered ? recovered : draw.of == StepDraw::Of::kDiscarded ? std::span<float>(discarded) : bonus;
    rng->with(Drawable::kExponential32).exponential(to, {}, FloatType::kF32);
  }
}

}  // namespace vaa
