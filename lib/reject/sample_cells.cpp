#include "reject/sample_cells.h"

#include "reject/stream_chunks.h"
#include "text/bounded.h"

namespace vaa {
namespace {

// Below it engines take the likeliest token: vLLM's sampler at 1e-5, SGLang at 1e-6.
constexpr double kGreedyBelow = 1e-5;

bool impossible_counts(int64_t drafted, int64_t accepted, int64_t steps) { return drafted < 0 || accepted < 0 || steps < 0 || accepted > drafted; }

constexpr OffSwitch kSwitches[] = {
    {"min_p", "vLLM V1 does not draft for it, or refuses it", "vLLM V1 不为其起草，或拒绝该请求", [](const Sample& s) { return s.real(RealField::kMinP, 0) > 0; }},
    {"repetition_penalty", "vLLM V1 until 0.14 does not draft for it", "vLLM V1 在 0.14 之前不为其起草", [](const Sample& s) { return s.real(RealField::kRepetitionPenalty, 1) != 1; }},
    {"presence_penalty", "vLLM V1 until 0.14 does not draft for it", "vLLM V1 在 0.14 之前不为其起草", [](const Sample& s) { return s.real(RealField::kPresencePenalty, 0) != 0; }},
    {"frequency_penalty", "vLLM V1 until 0.14 does not draft for it", "vLLM V1 在 0.14 之前不为其起草", [](const Sample& s) { return s.real(RealField::kFrequencyPenalty, 0) != 0; }},
    {"logprobs", "vLLM V1 until 0.14 does not draft for it", "vLLM V1 在 0.14 之前不为其起草", [](const Sample& s) { return s.has(RealsField::kOutputLogprobs); }},
};

}  // namespace

std::span<const OffSwitch> off_switches() { return kSwitches; }

// Of a ratio: sum (a - R d)^2 / (sum d)^2, with m / (m - 1).
double SampleCell::variance() const {
  if (counted < 2 || !(drafted > 0)) return std::nan("");
  const double r = rate(), squares = accepted_squares - 2 * r * products + r * r * drafted_squares, m = static_cast<double>(counted);
  return std::max(0.0, squares) / (drafted * drafted) * m / (m - 1);
}

void SampleCells::push(const Sample& sample, Speculation declared) {
  if (!sample.has_output()) return;
  ++pushed_;
  const bool has_counts = sample.has(IntField::kSpecDraftTokens) && sample.has(IntField::kSpecAcceptedTokens);
  const int64_t drafted = sample.integer(IntField::kSpecDraftTokens, 0), accepted = sample.integer(IntField::kSpecAcceptedTokens, 0), steps = sample.integer(IntField::kSpecSteps, 0);
  if (has_counts && impossible_counts(drafted, accepted, steps)) {
    if (impossible_++ == 0) first_impossible_ = bounded(sample.text(TextField::kId), kMaxName);
    return;
  }
  if (sample.integer(IntField::kSpecDraftTokens, 1) == 0) {
    ++drafted_none_;
    for (const OffSwitch& off : kSwitches)
      if (off.set(sample)) ++switches_[off.field];
  }
  if (!sample.has(RealField::kTemperature)) {
    ++no_temperature_;
    return;
  }
  const bool counted = has_counts && drafted > 0;
  const Speculation speculation = counted ? Speculation::kOn : sample.has(IntField::kSpecDraftTokens) ? Speculation::kOff : declared;
  if (speculation == Speculation::kNotRecorded) return;
  SampleCell& cell = cells_[sample.real(RealField::kTemperature, 0) >= kGreedyBelow][speculation == Speculation::kOn];
  ++cell.answers;
  cell.tokens += static_cast<double>(sample.integer(IntField::kCompletionTokens, 0));
  if (sample.has(IntField::kScoreCorrect)) {
    ++cell.scored;
    cell.right += sample.integer(IntField::kScoreCorrect, 0) != 0;
  }
  if (!counted) {
    const ChunkCount chunks = chunk_count(sample.text(TextField::kExtra));
    cell.chunks += chunks.chunks;
    cell.longer_chunks += chunks.longer;
    return;
  }
  const double d = static_cast<double>(drafted), a = static_cast<double>(accepted);
  ++cell.counted;
  cell.without_steps += !sample.has(IntField::kSpecSteps);
  cell.steps += static_cast<double>(steps);
  cell.drafted += d;
  cell.accepted += a;
  cell.drafted_squares += d * d;
  cell.accepted_squares += a * a;
  cell.products += a * d;
}

}  // namespace vaa
