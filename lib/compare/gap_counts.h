// Gaps counted finely, so that the expected number of flips can be had at any scale of noise without going through the tokens again.
#pragma once
#include <cstdint>
#include <vector>

namespace vaa {

// 64 bins an octave between 2^-12 and 2^7 nats: h = P(N > gap / sigma) of a bin's middle is off by less than 0.1 % where h is above 1e-4.
class GapCounts {
 public:
  void add(double gap);
  void merge(const GapCounts& other);
  struct Expected {
    double flips = 0;     // E = sum of h
    double variance = 0;  // W = sum of h (1 - h)
    double slope = 0;     // dE / d log sigma
  };
  Expected at(double sigma) const;
  int64_t tokens() const { return tokens_; }
  // The sigma at which `flips` are expected: 0 for none, infinity where no sigma expects so many.
  double sigma_for(double flips) const;

 private:
  std::vector<int64_t> bins_;  // empty: none counted
  int64_t tokens_ = 0;
};

}  // namespace vaa
