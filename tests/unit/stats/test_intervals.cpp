#include "stats/intervals.h"

#include <cmath>

#include "base/failure.h"
#include "catch.h"
#include "reference.h"
#include "stats/distributions.h"

using namespace vaa::stats;
using vaa::test::reference_rows;
using vaa::test::Tree;
using vaa::test::verification_group;

namespace {

int64_t whole(double x) { return static_cast<int64_t>(x); }

// A difference of rates is a difference of near numbers: what counts is its error against the rates'.
void check_near(double got, double want) {
  INFO(got << " for " << want);
  CHECK(std::fabs(got - want) <= 1e-12 * std::fabs(want) + 1e-15);
}

void check_interval(const Interval& got, const std::vector<double>& want) {
  check_near(got.low, want.at(0));
  check_near(got.high, want.at(1));
}

}  // namespace

TEST_CASE("intervals: Wilson's", "[stats]") {
  for (const auto& row : reference_rows("wilson")) {
    INFO("k = " << row[0] << ", n = " << row[1] << ", confidence = " << row[2]);
    const Interval interval = wilson(whole(row[0]), whole(row[1]), row[2]);
    CHECK_CLOSE(interval.low, row[3], 1e-12);
    CHECK_CLOSE(interval.high, row[4], 1e-12);
  }
}

TEST_CASE("intervals: Clopper and Pearson's, two-sided and one-sided", "[stats]") {
  for (const auto& row : reference_rows("clopper_pearson")) {
    INFO("k = " << row[0] << ", n = " << row[1] << ", confidence = " << row[2]);
    const Interval interval = clopper_pearson(whole(row[0]), whole(row[1]), row[2]);
    CHECK_CLOSE(interval.low, row[3], 1e-12);
    CHECK_CLOSE(interval.high, row[4], 1e-12);
  }
  for (const auto& row : reference_rows("rate_limits")) {
    INFO("k = " << row[0] << ", n = " << row[1] << ", confidence = " << row[2]);
    CHECK_CLOSE(rate_lower_limit(whole(row[0]), whole(row[1]), row[2]), row[3], 1e-12);
    CHECK_CLOSE(rate_upper_limit(whole(row[0]), whole(row[1]), row[2]), row[4], 1e-12);
  }
}

TEST_CASE("intervals: the limits of huge counts have the tail that was asked for", "[stats]") {
  for (const int64_t n : {INT64_C(10000000), INT64_C(3000000000), INT64_C(1) << 53}) {
    for (const int64_t k : {INT64_C(1), INT64_C(70), INT64_C(5000), n / 1000, n / 2}) {
      INFO("k = " << k << ", n = " << n);
      const Interval interval = clopper_pearson(k, n, 0.95);
      // The tail moves by at most its logarithm's slope, of the order of sqrt(n), times an ulp of p.
      const double margin = 1e-12 + 40 * std::sqrt(static_cast<double>(n)) * 1.2e-16;
      CHECK(binomial_at_least(k, n, interval.low) == Approx(0.025).epsilon(margin));
      CHECK(binomial_at_most(k, n, interval.high) == Approx(0.025).epsilon(margin));
    }
  }
}

TEST_CASE("intervals: the difference of two independent rates", "[stats]") {
  for (const auto& row : reference_rows("rate_difference")) {
    INFO(row[0] << "/" << row[1] << " against " << row[2] << "/" << row[3]);
    check_interval(rate_difference(whole(row[0]), whole(row[1]), whole(row[2]), whole(row[3]), row[4]), {row[5], row[6]});
  }
}

TEST_CASE("intervals: the vectors of proportions and paired differences", "[stats]") {
  for (const Tree& vector : verification_group("proportion")) {
    const Tree& inputs = vector["inputs"];
    const Tree& expected = vector["expected"];
    INFO(vector["id"].text);
    const int64_t k = inputs.count("k"), n = inputs.count("n");
    check_interval(wilson(k, n, inputs.real("conf")), expected.reals("wilson"));
    check_interval(clopper_pearson(k, n, inputs.real("conf")), expected.reals("clopper_pearson"));
    if (expected.find("rule_of_three") != nullptr) CHECK_CLOSE(rule_of_three(n), expected.real("rule_of_three"), 1e-15);
    if (expected.find("one_sided_upper95_exact") != nullptr) CHECK_CLOSE(rate_upper_limit(k, n, 0.95), expected.real("one_sided_upper95_exact"), 1e-12);
  }
  for (const Tree& vector : verification_group("paired_difference")) {
    const Tree& inputs = vector["inputs"];
    const Tree& expected = vector["expected"];
    INFO(vector["id"].text);
    const PairedDifference result = paired_difference(inputs.count("a"), inputs.count("b"), inputs.count("c"), inputs.count("d"));
    CHECK_CLOSE(result.difference, expected.real("difference"), 1e-12);
    check_interval(result.interval, expected.reals("newcombe10_ci95"));
    CHECK_CLOSE(result.phi, expected.real("phi_corrected"), 1e-12);
    CHECK_CLOSE(result.standard_error, expected.real("se_paired_n_minus_1"), 1e-12);
    CHECK_CLOSE(result.flips, expected.real("flips"), 1e-12);
  }
}

TEST_CASE("intervals: nothing seen says nothing", "[stats]") {
  for (const Interval& interval : {wilson(0, 0), clopper_pearson(0, 0)}) {
    CHECK(interval.low == 0);
    CHECK(interval.high == 1);
  }
  CHECK(rate_lower_limit(0, 0) == 0);
  CHECK(rate_upper_limit(0, 0) == 1);
  CHECK(rate_difference(0, 0, 1, 2).low == -1);
  const PairedDifference none = paired_difference(0, 0, 0, 0);
  CHECK(none.interval.low == -1);
  CHECK(none.interval.high == 1);
  CHECK(std::isnan(none.standard_error));
  CHECK(paired_difference(5, 0, 0, 0).phi == 0);
}

TEST_CASE("intervals: the ends are exact", "[stats]") {
  CHECK(wilson(0, 17).low == 0);
  CHECK(wilson(17, 17).high == 1);
  CHECK(clopper_pearson(0, 17).low == 0);
  CHECK(clopper_pearson(17, 17).high == 1);
  CHECK(clopper_pearson(1, 1, 0.95).low == Approx(0.025).epsilon(1e-14));
  CHECK_CLOSE(rate_upper_limit(0, 100, 0.95), 1 - std::pow(1 - 0.95, 0.01), 1e-13);  // 1 - alpha^(1/n)
}

TEST_CASE("intervals: what is out of range is named", "[stats]") {
  const auto message_of = [](auto&& fn) -> std::string {
    try {
      fn();
    } catch (const vaa::Failure& failure) {
      return failure.message();
    }
    return "";
  };
  CHECK(message_of([] { wilson(4, 3); }) == "wilson: k is 4, must be at most 3");
  CHECK(message_of([] { wilson(-1, 3); }) == "wilson: k is -1, must be at least 0");
  CHECK(message_of([] { clopper_pearson(1, 3, 1); }) == "clopper_pearson: confidence is 1, must be above 0 and below 1");
  CHECK(message_of([] { rate_lower_limit(1, -3); }) == "rate_lower_limit: n is -3, must be at least 0");
  CHECK(message_of([] { rule_of_three(0); }) == "rule_of_three: n is 0, must be at least 1");
  CHECK(message_of([] { rate_difference(1, 2, 3, 2); }) == "rate_difference: k2 is 3, must be at most 2");
  CHECK(message_of([] { paired_difference(1, -2, 3, 2); }) == "paired_difference: b is -2, must be at least 0");
}

// Garwood's limits by the formulas of the exponential and of tables: 0 gives -log(tail), 10 gives 4.795 and 18.390.
TEST_CASE("Poisson mean: exact limits", "[stats]") {
  const Interval none = poisson_mean(0), ten = poisson_mean(10);
  CHECK(none.low == 0);
  CHECK(none.high == Approx(-std::log(0.025)).epsilon(1e-12));
  CHECK(ten.low == Approx(4.795389).epsilon(1e-6));
  CHECK(ten.high == Approx(18.390356).epsilon(1e-6));
  CHECK_THROWS(poisson_mean(-1));
}
