// Which token a given random number picks, and what is reported of a token.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "sampler/pipeline.h"

namespace vaa {

// Numbers that a row's noise has: the vocabulary's size, or 1 for an inverse CDF. Of an engine whose rule is unknown: VAA_ERROR_UNSUPPORTED.
size_t noise_size(const Engine& engine, size_t vocabulary);

// The id that the engine picks of a row that went through Pipeline::run. Noise that the rule does not take is VAA_ERROR_ARGUMENT.
int32_t draw(const Engine& engine, std::span<const double> noise, LogitRow* row);

enum class LogprobsMode : uint8_t { kRaw, kRawLogits, kProcessed, kProcessedLogits };
struct Logprob {
  double value;
  int64_t rank;  // 1 + the tokens that have more
};
// Of one token of a row that Pipeline::load (raw modes) or Pipeline::run has left.
Logprob logprob_of(int32_t token, LogprobsMode mode, LogitRow* row);

}  // namespace vaa
