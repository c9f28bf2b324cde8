// The ratio of two quantities that were estimated apart, on the logarithm, with clusters of questions.
#pragma once
#include <cstdint>
#include <span>

#include "compare/paired_effect.h"

namespace vaa {

struct LogEstimate {
  double value;       // logarithm
  double error;       // its standard error, above 0
  int64_t questions;  // clusters behind it
};
// Log of target over reference: Student's law with the freedom of Welch and Satterthwaite.
Effect log_ratio(const LogEstimate& reference, const LogEstimate& target);

// The standard error of an estimate, of its changes when one cluster is left out (Tukey's jackknife). Infinity for fewer than two.
double jackknife_error(std::span<const double> changes);

// Sets what follows from Effect::at: the interval of 95 %, and p, the smallest level whose interval leaves 0 out.
void finish_effect(Effect* effect);

}  // namespace vaa
