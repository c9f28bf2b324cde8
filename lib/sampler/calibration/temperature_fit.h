// The temperature that chosen tokens behave like, from listed raw logprobs alone: no seed, no logits.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace vaa::sampler {

// Positions as they come, grouped by answer. Each adds the law of its chosen token given that it is one of those listed: softmax(logprobs / T) over the list.
// That is exact for any list that holds the chosen token and was chosen without looking at it, and for the kept set of a top-k or top-p that cuts inside it.
class TemperatureFit {
 public:
  // Raw logprobs (natural log, any common offset) of the tokens that could be drawn, all finite; `chosen` is an index into them. A list of fewer than two says
  // nothing and is not counted. Positions of an answer come one after the other. `noise` names the random numbers that the token was drawn with, the same in all answers of one seed at one
  // position: their draws are alike; 0: its own. VAA_ERROR_ARGUMENT for what is out of range.
  void add(std::span<const double> logprobs, size_t chosen, uint64_t answer, uint64_t noise = 0);

  // Temperatures: 0 and infinity where it lies outside [1e-3, 1e3].
  struct Estimate {
    double temperature, low, high;
    double inflation;  // variance of the scores of answers, or of those that share their noise, over that of independent draws; 1 at least. Where the estimate is 0 or infinite the latter's worst, alike()
    size_t positions, answers;
  };
  // By maximum likelihood, with the interval of the likelihood ratio at this confidence, widened for draws that are alike within an answer: Student's quantile
  // of answers - 1. VAA_ERROR_ARGUMENT for fewer than two answers or a confidence outside (0, 1). Some twenty passes over what was added.
  Estimate estimate(double confidence) const;
  // The one-sided p of a temperature at least as far from the estimate as this one: the likelihood ratio over `inflation`, Student's t of answers - 1.
  double tail(const Estimate& estimate, double temperature) const;
  // How many positions share their noise, each weighed by itself: n draws are worth n / alike() independent ones at least (Kish 1965). 1 where all have their own.
  double alike() const;

  // What was added: logprobs less the greatest of their list, and the index of the chosen one.
  size_t size() const { return ends_.size(); }
  std::span<const double> gaps(size_t i) const { return std::span(gaps_).subspan(i == 0 ? 0 : ends_[i - 1], ends_[i] - (i == 0 ? 0 : ends_[i - 1])); }
  size_t chosen(size_t i) const { return chosen_[i] - (i == 0 ? 0 : ends_[i - 1]); }
  size_t answers() const { return answers_; }

 private:
  struct At {
    double likelihood, score, information, clustered;  // clustered: sum of squares of the answers' scores
  };
  At at(double inverse) const;

  std::vector<double> gaps_;  // logprob less the greatest of its list
  std::vector<size_t> ends_, chosen_;
  double clustered_by_noise(double inverse) const;
  std::vector<uint64_t> answer_, noise_;
  size_t answers_ = 0;
};

}  // namespace vaa::sampler
