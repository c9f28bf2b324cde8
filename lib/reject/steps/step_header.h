// What a dump of speculative steps says of itself, once (docs/reject-dump.md).
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace vaa {

enum class DraftProbs : uint8_t { kUnknown, kOneHot, kRecorded };
// What is declared to be in force. From kEntropy on a rule is lossy on purpose.
enum class StepRule : uint8_t { kToken, kBlock, kExactMatch, kEntropy, kTypical, kThreshold, kSynthetic };
enum class StepNoise : uint8_t { kNone, kRace, kGumbel, kUniform };

struct StepHeader {
  int64_t vocab_size = 0;
  DraftProbs draft_probs = DraftProbs::kUnknown;
  StepRule rule = StepRule::kToken;
  StepNoise noise = StepNoise::kNone;
  bool rescored = false;           // p is another engine's
  bool trimmed = false;            // rows may be cut at stop tokens
  bool shared_seeds = false;       // of requests that draw the numbers of another one: no law can be judged by them
  double entropy_alpha = 0.4, entropy_cap = 0.95;
  double typical_epsilon = 0.09, typical_delta = 0.3;
  double threshold = 1;
  std::vector<double> synthetic_rates;
  std::string policy, engine, engine_version, model, method, server;
  int64_t rank = 0;

  bool lossy() const { return rule >= StepRule::kEntropy; }
  std::string label() const;       // "rank 3", "node1: rank 3"
  // Steps of both can be judged together.
  bool same(const StepHeader& other) const;
};

// A header as JSON; "" : none. Throws Failure (VAA_ERROR_OPTION) that begins with `what`.
StepHeader step_header(std::string_view json, std::string_view what);

}  // namespace vaa
