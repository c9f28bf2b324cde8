#include "stats/power.h"

#include <cmath>
#include <string>

#include "base/failure.h"
#include "base/math.h"
#include "stats/arguments.h"
#include "stats/distributions.h"

namespace vaa::stats {
namespace {

// A need that is whole but for rounding is not rounded up.
constexpr double kSlack = 1e-13;

double upper_z(const char* function, const char* name, double tail) {
  check_open_share(function, name, tail);
  return -normal_quantile(tail);
}

double test_z(const char* function, double alpha, Sides sides) {
  check_open_share(function, "alpha", alpha);
  return -normal_quantile(sides == Sides::kTwo ? 0.5 * alpha : alpha);
}

// Standard errors from 0 at which an effect is found but for a chance of beta.
double reach(const char* function, double alpha, double beta, Sides sides) {
  const double z = test_z(function, alpha, sides) + upper_z(function, "beta", beta);
  if (!(z > 0)) fail(VAA_ERROR_ARGUMENT, std::string(function) + ": alpha and beta leave nothing to show, their sum must be below 1");
  return z;
}

double square(double x) { return x * x; }

double rate_variance(double p) { return p * (1 - p); }

}  // namespace

int64_t whole_need(double need) {
  if (!(need < static_cast<double>(kMostCount))) return kMostCount;
  const double whole = std::ceil(need * (1 - kSlack));
  return whole < 1 ? 1 : static_cast<int64_t>(whole);
}

int64_t clean_runs_needed(double rate, double alpha) {
  check_open_share("clean_runs_needed", "rate", rate);
  check_open_share("clean_runs_needed", "alpha", alpha);
  return whole_need(math::log(alpha) / math::log1p(-rate));
}

int64_t clean_runs_needed_poisson(double rate, double alpha) {
  check_open_share("clean_runs_needed_poisson", "rate", rate);
  check_open_share("clean_runs_needed_poisson", "alpha", alpha);
  return whole_need(-math::log(alpha) / rate);
}

int64_t samples_needed_above(double rate, double ceiling, double alpha, double beta) {
  check_open_share("samples_needed_above", "ceiling", ceiling);
  check_share("samples_needed_above", "rate", rate);
  if (!(rate > ceiling)) fail(VAA_ERROR_ARGUMENT, "samples_needed_above: rate must be above ceiling");
  const double distance = test_z("samples_needed_above", alpha, Sides::kOne) * std::sqrt(rate_variance(ceiling)) +
                          upper_z("samples_needed_above", "beta", beta) * std::sqrt(rate_variance(rate));
  return whole_need(distance <= 0 ? 1 : square(distance / (rate - ceiling)));
}

int64_t group_size_needed(double p1, double p2, double alpha, double beta, Sides sides) {
  check_share("group_size_needed", "p1", p1);
  check_share("group_size_needed", "p2", p2);
  if (p1 == p2) fail(VAA_ERROR_ARGUMENT, "group_size_needed: p1 and p2 are the same");
  const double distance = test_z("group_size_needed", alpha, sides) * std::sqrt(2 * rate_variance(0.5 * (p1 + p2))) +
                          upper_z("group_size_needed", "beta", beta) * std::sqrt(rate_variance(p1) + rate_variance(p2));
  return whole_need(distance <= 0 ? 1 : square(distance / (p1 - p2)));
}

double unpaired_threshold(double sigma, int64_t n, double alpha, Sides sides) {
  check_positive("unpaired_threshold", "sigma", sigma);
  check_count("unpaired_threshold", "n", n, 1);
  return test_z("unpaired_threshold", alpha, sides) * sigma * std::sqrt(2 / static_cast<double>(n));
}

double unpaired_detectable(double sigma, int64_t n, double alpha, double beta, Sides sides) {
  check_positive("unpaired_detectable", "sigma", sigma);
  check_count("unpaired_detectable", "n", n, 1);
  return reach("unpaired_detectable", alpha, beta, sides) * sigma * std::sqrt(2 / static_cast<double>(n));
}

double paired_detectable(double discordance, int64_t n, double alpha, double beta, Sides sides) {
  check_share("paired_detectable", "discordance", discordance);
  check_count("paired_detectable", "n", n, 1);
  return reach("paired_detectable", alpha, beta, sides) * std::sqrt(discordance / static_cast<double>(n));
}

int64_t pairs_needed(double discordance, double effect, double alpha, double beta, Sides sides) {
  check_share("pairs_needed", "discordance", discordance);
  check_positive("pairs_needed", "effect", effect);
  return whole_need(square(reach("pairs_needed", alpha, beta, sides) / effect) * discordance);
}

int64_t questions_needed(const RepeatedDesign& design, double effect, double alpha, double beta, Sides sides) {
  check_least("questions_needed", "between", design.between, 0);
  check_least("questions_needed", "within_a", design.within_a, 0);
  check_least("questions_needed", "within_b", design.within_b, 0);
  check_least("questions_needed", "repeats_a", design.repeats_a, 1);
  check_least("questions_needed", "repeats_b", design.repeats_b, 1);
  check_positive("questions_needed", "effect", effect);
  const double variance = design.between + design.within_a / design.repeats_a + design.within_b / design.repeats_b;
  return whole_need(square(reach("questions_needed", alpha, beta, sides) / effect) * variance);
}

int64_t repeats_needed(double within, int64_t questions, double other_variance, double effect, double alpha, double beta, Sides sides) {
  check_least("repeats_needed", "within", within, 0);
  check_count("repeats_needed", "questions", questions, 1);
  check_least("repeats_needed", "other_variance", other_variance, 0);
  check_positive("repeats_needed", "effect", effect);
  const double allowed = square(effect / reach("repeats_needed", alpha, beta, sides)) - other_variance;
  if (!(allowed > 0)) return within == 0 && allowed == 0 ? 1 : 0;
  return whole_need(within / static_cast<double>(questions) / allowed);
}

}  // namespace vaa::stats
