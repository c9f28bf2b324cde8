// How far two distributions over the same outcomes are apart, in nats. Small distances are as exact as large ones: no term is a difference of near numbers.
// What is out of range is a Failure (VAA_ERROR_ARGUMENT). The same bits in any order of the outcomes. Cost a few ten nanoseconds an outcome.
#pragma once
#include <cstdint>
#include <span>

namespace vaa::stats {

struct Distances {
  double kl_pq = 0;          // sum p log(p / q): infinity where q is 0 and p is not
  double kl_qp = 0;          // sum q log(q / p)
  double js = 0;             // Jensen and Shannon: (KL(p || m) + KL(q || m)) / 2, m = (p + q) / 2; at most log 2
  double tv = 0;             // total variation: sum |p - q| / 2
  double bhattacharyya = 1;  // sum sqrt(p q), the coefficient
  double hellinger = 0;      // sqrt(1 - bhattacharyya)
};

// Probabilities, each side's sum within 1e-5 of 1 (what float32 makes of it). They count as they are: nothing is normalised. KL is taken as
// sum (p log(p / q) - p + q), which is the same for sums of 1 and hardly feels an error of the sums.
Distances distances(std::span<const double> p, std::span<const double> q);
// The softmax of logits, which may be of any size; -infinity is a probability of 0, but not for all.
Distances distances_of_logits(std::span<const double> reference, std::span<const double> target);
// Where the largest logit is; the first of equal ones.
int64_t argmax(std::span<const double> logits);

// KL(p || q) from below, when only the largest probabilities of each side are known: all that is outside the ids common to both lists is one outcome
// (log-sum inequality: merging outcomes never makes KL larger). Ids of a list differ; logprobs are at most 0 and the sum of a side's probabilities at most 1 + 1e-5.
struct TopKBound {
  double kl = 0;
  int64_t common = 0;           // ids in both lists
  double reference_mass = 0;    // the probability of those, p
  double target_mass = 0;       // and q
};
// Cost k log k.
TopKBound kl_from_top_k(std::span<const int32_t> reference_ids, std::span<const double> reference_logprobs, std::span<const int32_t> target_ids,
                        std::span<const double> target_logprobs);

// From the logprobs of the chosen tokens alone, which were drawn from the target: r = target - reference; k1, k2 and k3 estimate KL(target || reference)
// (Schulman, "Approximating KL divergence", 2020).
struct KlEstimates {
  double k1 = 0;              // mean r: unbiased, may be negative
  double k2 = 0;              // mean r^2 / 2
  double k3 = 0;              // mean (exp(-r) - 1 + r): unbiased, never negative
  double mean_difference = 0; // mean |r|
  double most_difference = 0; // the largest |r|
  double mean_factor = 1;     // mean exp(|r|): how many times the one probability is the other
};
KlEstimates kl_estimates(std::span<const double> reference_logprobs, std::span<const double> target_logprobs);

}  // namespace vaa::stats
