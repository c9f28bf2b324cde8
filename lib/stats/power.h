// How many are needed, and what can be seen with those there are. alpha is the level of the test, beta the chance to miss an effect of the size given (0.2: a
// power of 80 %). Numbers that are not exact are by the normal approximation. What is out of range is a Failure (VAA_ERROR_ARGUMENT); a need above 2^53 is 2^53.
#pragma once
#include <cstdint>

namespace vaa::stats {

// `need` as a whole number, at least 1; one that is whole but for rounding is not rounded up.
int64_t whole_need(double need);

// Sides of a test: 2 where an effect of either sign counts.
enum class Sides : uint8_t { kOne = 1, kTwo = 2 };

// The smallest n with (1 - rate)^n <= alpha, exact: that many clean runs exclude `rate`; and a fault of that rate shows in as many runs but for a chance of alpha.
int64_t clean_runs_needed(double rate, double alpha = 0.05);
// The same by Poisson's formula, ceil(-log(alpha) / rate).
int64_t clean_runs_needed_poisson(double rate, double alpha = 0.05);

// The smallest number of samples for which a test of level alpha against `ceiling` fires, but for a chance of beta, when the true rate is `rate` > ceiling.
int64_t samples_needed_above(double rate, double ceiling, double alpha = 0.05, double beta = 0.2);

// In each of two independent groups with rates p1 != p2.
int64_t group_size_needed(double p1, double p2, double alpha = 0.05, double beta = 0.2, Sides sides = Sides::kTwo);

// Means of two independent groups of n, both with standard deviation sigma: the difference at which the test fires, and the one it finds but for a chance of beta.
double unpaired_threshold(double sigma, int64_t n, double alpha = 0.05, Sides sides = Sides::kOne);
double unpaired_detectable(double sigma, int64_t n, double alpha = 0.05, double beta = 0.2, Sides sides = Sides::kOne);

// n pairs of right and wrong, a share `discordance` of which flips: the difference that is found, and the pairs for a given one.
double paired_detectable(double discordance, int64_t n, double alpha = 0.05, double beta = 0.2, Sides sides = Sides::kOne);
int64_t pairs_needed(double discordance, double effect, double alpha = 0.05, double beta = 0.2, Sides sides = Sides::kOne);

// Two models on the same questions, each answered several times (Miller, "Adding error bars to evals", 2024).
struct RepeatedDesign {
  double between = 0;            // variance over questions of the difference of the two mean scores
  double within_a = 0;           // mean variance of one answer's score to a question
  double within_b = 0;
  double repeats_a = 1;          // answers to a question
  double repeats_b = 1;
};
// Questions for a difference of `effect`: (z_alpha + z_beta)^2 (between + within_a / repeats_a + within_b / repeats_b) / effect^2.
int64_t questions_needed(const RepeatedDesign& design, double effect, double alpha = 0.05, double beta = 0.2, Sides sides = Sides::kTwo);

// Repeats of `questions` questions until a mean whose answers vary by `within` about each question's mean is told from another one, whose own variance is
// `other_variance` (of the mean, 0 for a number taken as exact): the smallest k with z^2 (within / (questions k) + other_variance) <= effect^2; 0 where no
// number of repeats suffices.
int64_t repeats_needed(double within, int64_t questions, double other_variance, double effect, double alpha = 0.05, double beta = 0.2,
                       Sides sides = Sides::kTwo);

}  // namespace vaa::stats
