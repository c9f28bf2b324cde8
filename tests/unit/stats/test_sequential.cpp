#include "stats/sequential.h"

#include <cmath>

#include "base/math.h"
#include "catch.h"
#include "reference.h"
#include "stats/distributions.h"

using namespace vaa::stats;
using vaa::test::evidence_cases;
using vaa::test::message_of;
using vaa::test::Tree;
using vaa::test::verification_group;

TEST_CASE("sequential: e-values and confidence sequences against mpmath", "[stats]") {
  for (const Tree& c : evidence_cases("e_value")) {
    const int64_t k = c.count("k"), n = c.count("n");
    INFO(k << " of " << n << ", p0 " << c.real("p0"));
    const EValue got = e_value(k, n, c.real("p0"));
    CHECK_CLOSE(got.e, c.real("e"), 1e-12);
    CHECK_CLOSE(got.p, c.real("p"), 1e-12);
    CHECK_CLOSE(got.e_above, c.real("e_above"), 1e-12);
    CHECK_CLOSE(got.p_above, c.real("p_above"), 1e-12);
    const Interval sequence = confidence_sequence(k, n, c.real("confidence"));
    CHECK_CLOSE(sequence.low, c.real("low"), 1e-12);
    CHECK_CLOSE(sequence.high, c.real("high"), 1e-12);
  }
}

TEST_CASE("sequential: the vectors", "[stats]") {
  for (const Tree& vector : verification_group("sequential")) {
    const Tree &inputs = vector["inputs"], &expected = vector["expected"];
    if (!inputs.find("failures")) continue;
    const int64_t k = inputs.count("failures"), n = inputs.count("runs");
    const EValue got = e_value(k, n, inputs.real("p0"));
    CHECK_CLOSE(got.e, expected.real("e_two_sided"), 1e-12);
    CHECK_CLOSE(got.p, expected.real("p_anytime"), 1e-12);
    CHECK_CLOSE(got.e_above, expected.real("e_rate_exceeds"), 1e-8);
    const Interval sequence = confidence_sequence(k, n, 1 - inputs.real("alpha"));
    CHECK_CLOSE(sequence.low, expected.reals("confidence_sequence95").at(0), 1e-8);
    CHECK_CLOSE(sequence.high, expected.reals("confidence_sequence95").at(1), 1e-8);
  }
}

TEST_CASE("sequential: under the rate that it is against, an e-value's mean is 1", "[stats]") {
  for (const double p0 : {0.001, 0.1, 0.5, 0.93}) {
    for (const int64_t n : {1, 7, 60}) {
      double mean = 0, mean_above = 0;
      for (int64_t k = 0; k <= n; ++k) {
        mean += binomial_pmf(k, n, p0) * e_value(k, n, p0).e;
        mean_above += binomial_pmf(k, n, p0) * e_value(k, n, p0).e_above;
      }
      CHECK_CLOSE(mean, 1, 1e-12);
      CHECK_CLOSE(mean_above, 1, 1e-12);
    }
  }
}

TEST_CASE("sequential: one who looks after every run is wrong at most as often as said", "[stats]") {
  // The chance that e reaches 20, or the sequence leaves p0, at any of 400 looks: by the distribution over k of those that have not.
  for (const double p0 : {0.02, 0.3}) {
    std::vector<double> still = {1};
    double stopped = 0;
    for (int64_t n = 1; n <= 400; ++n) {
      std::vector<double> next(static_cast<size_t>(n) + 1, 0.0);
      for (size_t k = 0; k < still.size(); ++k) {
        next[k] += still[k] * (1 - p0);
        next[k + 1] += still[k] * p0;
      }
      for (size_t k = 0; k < next.size(); ++k) {
        const bool reached = next[k] > 0 && e_value(static_cast<int64_t>(k), n, p0).e >= 20;
        if (reached && n % 80 == 0) {
          const Interval sequence = confidence_sequence(static_cast<int64_t>(k), n, 0.95);
          CHECK((sequence.low >= p0 || sequence.high <= p0));
        }
        if (reached) {
          stopped += next[k];
          next[k] = 0;
        }
      }
      still = next;
    }
    CHECK(stopped <= 0.05);
    CHECK(stopped > 0.001);
  }
}

TEST_CASE("sequential: evidence past the doubles", "[stats]") {
  const EValue much = e_value(900'000, 1'000'000, 0.001);
  CHECK(std::isinf(much.e));
  CHECK(much.p == 0);
  CHECK(std::isinf(much.e_above));
  const EValue below = e_value(1'000, 1'000'000, 0.9);
  CHECK(std::isinf(below.e));
  CHECK(below.e_above < 1e-3);
  CHECK(below.e_above > 0);
  CHECK(below.p_above == 1);
  CHECK(e_value(0, 0, 0.3).e == Approx(1).epsilon(1e-14));
  CHECK(confidence_sequence(0, 0, 0.95).high == 1);
  // n = 1, k = 1: e = (1/2) / p, so the rates with e < 20 are those above 1/40.
  CHECK_CLOSE(confidence_sequence(1, 1, 0.95).low, 0.025, 1e-12);
  CHECK(confidence_sequence(1, 1, 0.95).high == 1);
}

TEST_CASE("sequential: Wald's test against its formula and the published 249 clean runs", "[stats]") {
  const Sprt start = sprt(0, 0, 0.001, 0.01, 0.05, 0.1);
  CHECK(start.clean_runs == 249);
  CHECK(start.decision == Decision::kGoOn);
  CHECK(sprt(0, 249, 0.001, 0.01, 0.05, 0.1).decision == Decision::kLow);
  CHECK(sprt(0, 248, 0.001, 0.01, 0.05, 0.1).clean_runs == 1);
  CHECK(sprt(3, 20, 0.001, 0.01, 0.05, 0.1).decision == Decision::kHigh);
  for (const Tree& c : evidence_cases("sprt")) {
    const Sprt got = sprt(c.count("k"), c.count("n"), c.real("p0"), c.real("p1"), c.real("alpha"), c.real("beta"));
    CHECK(std::fabs(got.log_ratio - c.real("log_ratio")) <= 1e-13 * (1 + std::fabs(c.real("log_ratio"))));
    CHECK_CLOSE(got.low, c.real("low"), 1e-14);
    CHECK_CLOSE(got.high, c.real("high"), 1e-14);
    CHECK(static_cast<int64_t>(got.decision) == c.count("decision"));
    CHECK(got.clean_runs == c.count("clean_runs"));
  }
}

TEST_CASE("sequential: clean runs after each of which one may look", "[stats]") {
  for (const Tree& c : evidence_cases("clean_runs_anytime")) CHECK(clean_runs_needed_anytime(c.real("rate"), c.real("alpha")) == c.count("n"));
  for (const double rate : {0.5, 0.01, 1e-6, 1e-12}) {
    const int64_t n = clean_runs_needed_anytime(rate, 0.05);
    CHECK(e_value(0, n, rate).e >= 20);
    CHECK(e_value(0, n - 1, rate).e < 20);
  }
  CHECK(clean_runs_needed_anytime(1e-300, 0.05) == int64_t{1} << 53);
}

TEST_CASE("sequential: what is out of range is named", "[stats]") {
  CHECK(message_of([] { sprt(0, 1, 0.2, 0.1); }) == "sprt: p0 is 0.2, must be below 0.1 and finite");
  CHECK(message_of([] { sprt(2, 1, 0.1, 0.2); }) == "sprt: k is 2, must be at most 1");
  CHECK(message_of([] { sprt(0, 1, 0.1, 0.2, 0.6, 0.5); }) == "sprt: alpha and beta leave nothing to show, their sum must be below 1");
  CHECK(message_of([] { e_value(-1, 1, 0.1); }) == "e_value: k is -1, must be at least 0");
  CHECK(message_of([] { e_value(0, 1, 0); }) == "e_value: p0 is 0, must be above 0 and below 1");
  CHECK(message_of([] { e_value(0, 1, std::nan("")); }) == "e_value: p0 is nan, must be above 0 and below 1");
  CHECK(message_of([] { confidence_sequence(0, 1, 1); }) == "confidence_sequence: confidence is 1, must be above 0 and below 1");
  CHECK(message_of([] { clean_runs_needed_anytime(0, 0.1); }) == "clean_runs_needed_anytime: rate is 0, must be above 0 and below 1");
}
