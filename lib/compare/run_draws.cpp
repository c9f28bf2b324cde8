#include "compare/run_draws.h"

#include <cmath>

#include "align/effective.h"
#include "align/setup_of_run.h"
#include "base/json.h"

namespace vaa {
namespace {

constexpr int64_t kMostTokens = 200'000, kMostPositions = 10'000, kMostGroups = 4;
constexpr double kNearTie = 0.25;  // nats: two steps of a bf16 logit in [16, 32)

}  // namespace

void take_effective(const Input& input, sampler::CalibrationOptions* options) {
  const Setup setup = setup_of_run(input);
  if (setup.engine.empty()) return;
  const Effective effective = effective_parameters(setup, "run");
  const auto number = [&](const char* name, double* out) {
    const EffectiveField& field = effective.field(name);
    JsonReader json(field.value.text);
    double value = 0;
    if (field.value.known() && field.from != "request" && json.peek() == JsonKind::kNumber && json.real(&value)) *out = value;
  };
  number("temperature", &options->otherwise.temperature);
  number("top_p", &options->otherwise.top_p);
  number("min_p", &options->otherwise.min_p);
  double top_k = -1;
  number("top_k", &top_k);
  options->otherwise.top_k = top_k >= 0 && top_k < 1e9 ? static_cast<int64_t>(top_k) : -1;
  const std::string& mode = effective.field("logprobs_mode").value.text;
  if (mode == "raw_logprobs") options->otherwise.kind = sampler::LogprobKind::kRaw;
  if (mode == "processed_logprobs") options->otherwise.kind = sampler::LogprobKind::kProcessed;
  double repetition = std::nan(""), presence = std::nan(""), frequency = std::nan("");
  number("repetition_penalty", &repetition);
  number("presence_penalty", &presence);
  number("frequency_penalty", &frequency);
  options->penalties_known = !std::isnan(repetition) && !std::isnan(presence) && !std::isnan(frequency);
  options->penalised = (!std::isnan(repetition) && repetition != 1) || (!std::isnan(presence) && presence != 0) || (!std::isnan(frequency) && frequency != 0);
  if (options->engine.empty() && !effective.engine.profile.empty()) sampler::take_engine(effective.engine.profile, options);
}

sampler::CalibrationOptions side_calibration() {
  const auto table = sampler::calibration_option_table();
  sampler::CalibrationOptions out = sampler::calibration_options(Options("{}", table.data(), table.size(), "comparison"));
  out.max_tokens = kMostTokens, out.max_positions = kMostPositions, out.max_groups = kMostGroups;
  out.near_tie = kNearTie;
  out.seeds = false;
  return out;
}

}  // namespace vaa
