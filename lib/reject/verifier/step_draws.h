// What the generator of a seeded request draws in one step, in the engine's order.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engines/policy.h"
#include "sampler/generators/rng.h"

namespace vaa {

struct StepDraw {
  enum class Of : uint8_t { kBonus, kUniforms, kRecovered, kSample, kDiscarded };
  Of of;
  size_t count;  // exponentials, or uniforms
};
// speculative: some request of the batch has drafts.
std::vector<StepDraw> step_draws(const Policy& policy, bool speculative, size_t drafts, size_t vocabulary);
std::string step_draws_json(std::span<const StepDraw> draws);

// Makes them: exponentials of the bonus token (or of the one that is sampled) and of the recovered one, as long as the vocabulary, and a uniform a draft. A part that is not drawn stays as it is.
void draw_step(std::span<const StepDraw> draws, Rng* rng, std::span<float> bonus, std::span<double> uniforms, std::span<float> recovered);

}  // namespace vaa
