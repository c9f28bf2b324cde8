#include "sampler/generators/mt19937.h"

#include <algorithm>

#include "base/failure.h"

namespace vaa {
namespace {

uint32_t tempered(uint32_t y) {
  y ^= y >> 11;
  y ^= (y << 7) & 0x9D2C5680u;
  y ^= (y << 15) & 0xEFC60000u;
  return y ^ (y >> 18);
}

}  // namespace

Mt19937::Mt19937(uint32_t seed, const WordKernels* kernels) : kernels_(kernels), words_{} {
  state_[0] = seed;
  for (uint32_t i = 1; i < kWords; ++i) state_[i] = 1812433253u * (state_[i - 1] ^ (state_[i - 1] >> 30)) + i;
}

std::span<const uint32_t> Mt19937::ready(size_t most) {
  if (used_ == kWords) {
    kernels_->twist(state_.data(), words_.data());
    used_ = 0;
    fresh_ = false;
  }
  const std::span<const uint32_t> out = std::span(words_).subspan(used_, std::min(most, kWords - used_));
  used_ += out.size();
  return out;
}

void Mt19937::fill(std::span<uint32_t> out) {
  while (!out.empty()) {
    const auto words = ready(out.size());
    std::copy(words.begin(), words.end(), out.begin());
    out = out.subspan(words.size());
  }
}

void Mt19937::discard(uint64_t words) {
  if (words > kMostSkipped)
    fail(VAA_ERROR_ARGUMENT, "units: is " + std::to_string(words) + ", must be at most " + std::to_string(kMostSkipped) + " for a generator that is run through");
  while (words > 0) words -= ready(static_cast<size_t>(std::min<uint64_t>(words, kWords))).size();
}

void Mt19937::restore(std::span<const uint32_t, kWords> state, size_t used, bool fresh) {
  std::copy(state.begin(), state.end(), state_.begin());
  std::transform(state.begin(), state.end(), words_.begin(), tempered);
  used_ = used;
  fresh_ = fresh;
}

}  // namespace vaa
