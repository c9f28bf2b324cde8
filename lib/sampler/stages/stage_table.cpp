#include "sampler/stages/stage.h"

namespace vaa {
namespace {

constexpr Stage kStages[] = {
    {"allowed_ids", true, apply_allowed_ids}, {"bad_words", true, apply_bad_words},
    {"min_tokens", true, apply_min_tokens},   {"logit_bias", true, apply_logit_bias},
    {"penalties", true, apply_penalties},     {"temperature", false, apply_temperature},
    {"top_k", false, apply_top_k},            {"top_p", false, apply_top_p},
    {"min_p", false, apply_min_p},            {"typical_p", false, apply_typical_p},
};

}  // namespace

std::span<const Stage> stages() { return kStages; }

std::vector<std::string_view> stage_names() {
  std::vector<std::string_view> names;
  for (const Stage& stage : kStages) names.push_back(stage.name);
  return names;
}

}  // namespace vaa
