// A run's score against a published number, both errors counted.
#pragma once
#include <string>
#include <vector>

#include "quality/score.h"
#include "report/check.h"

namespace vaa {

// A drop below this is what an evaluation is meant to see: one point.
constexpr double kScoreMargin = 0.01;

struct ExpectResult {
  bool found = false;              // there is such a score
  Check check;                     // rate: the run's score; effect: it less the published one
  double published = 0, published_error = 0;
  int64_t published_n = 0;
  // Repeats of each question of this run that show a difference of one point, or the one seen, in 80 % of runs; -1: the published number's own error is too large.
  int64_t repeats_for_a_point = -1, repeats_for_seen = -1;
};
// Errors are binomial: of the answers, not of the choice of questions, which both sides share. Repeats of a question vary less, so this is an upper bound.
ExpectResult compare_with_published(const ExpectedScore& expect, const std::vector<ScoreRow>& rows);

}  // namespace vaa
