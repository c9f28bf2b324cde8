#include "stats/exact_tests.h"

#include <cmath>
#include <limits>

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

void check_tail(double got, double want) {
  if (want > 1e-290) {
    CHECK_CLOSE(got, want, 1e-12);
  } else {
    CHECK(got <= 1.001e-290);
  }
}

}  // namespace

TEST_CASE("mcnemar: exact, mid-p, one-sided and chi-squared", "[stats]") {
  for (const auto& row : reference_rows("mcnemar")) {
    const int64_t b = whole(row[0]), c = whole(row[1]);
    INFO("b = " << b << ", c = " << c);
    check_tail(mcnemar_exact(b, c), row[2]);
    check_tail(mcnemar_mid_p(b, c), row[3]);
    check_tail(mcnemar_exact_greater(b, c), row[4]);
    CHECK_CLOSE(mcnemar_chi2(b, c), row[5], 1e-14);
    CHECK(mcnemar_exact(b, c) == mcnemar_exact(c, b));
  }
}

TEST_CASE("mcnemar: the vectors", "[stats]") {
  for (const Tree& vector : verification_group("mcnemar")) {
    const Tree& expected = vector["expected"];
    const int64_t b = vector["inputs"].count("b"), c = vector["inputs"].count("c");
    INFO(vector["id"].text);
    CHECK_CLOSE(mcnemar_exact(b, c), expected.real("p_exact_two_sided"), 1e-12);
    CHECK_CLOSE(mcnemar_mid_p(b, c), expected.real("p_midp_two_sided"), 1e-12);
    if (expected.find("chi2_cc") != nullptr) CHECK_CLOSE(mcnemar_chi2(b, c), expected.real("chi2_cc"), 1e-12);
    if (expected.find("odds_ratio_b_over_c") == nullptr) continue;
    const OddsRatio odds = mcnemar_odds_ratio(b, c);
    CHECK_CLOSE(odds.ratio, expected.real("odds_ratio_b_over_c"), 1e-12);
    CHECK_CLOSE(odds.interval.low, expected.reals("odds_ratio_ci95_exact").at(0), 1e-12);
    CHECK_CLOSE(odds.interval.high, expected.reals("odds_ratio_ci95_exact").at(1), 1e-12);
  }
  for (const Tree& vector : verification_group("paired_difference")) {
    CHECK_CLOSE(mcnemar_exact(vector["inputs"].count("b"), vector["inputs"].count("c")), vector["expected"].real("mcnemar_exact_p"), 1e-12);
  }
  const OddsRatio none = mcnemar_odds_ratio(0, 0), all = mcnemar_odds_ratio(4, 0);
  CHECK(std::isnan(none.ratio));
  CHECK(none.interval.low == 0);
  CHECK(std::isinf(none.interval.high));
  CHECK(std::isinf(all.ratio));
  CHECK(std::isinf(all.interval.high));
}

TEST_CASE("fisher: two-sided and one-sided, small and large", "[stats]") {
  for (const auto& row : reference_rows("fisher")) {
    const int64_t a = whole(row[0]), b = whole(row[1]), c = whole(row[2]), d = whole(row[3]);
    INFO("table " << a << " " << b << " " << c << " " << d);
    check_tail(fisher_exact(a, b, c, d), row[4]);
    check_tail(fisher_exact_greater(a, b, c, d), row[5]);
    check_tail(fisher_exact_less(a, b, c, d), row[6]);
  }
  for (const Tree& vector : verification_group("fisher")) {
    const Tree& inputs = vector["inputs"];
    CHECK_CLOSE(fisher_exact(inputs.count("ref_bad"), inputs.count("ref_ok"), inputs.count("target_bad"), inputs.count("target_ok")),
                vector["expected"].real("p"), 1e-12);
  }
}

TEST_CASE("fisher: tables that are equally likely all count", "[stats]") {
  // Equal rows: the mirrored table is as likely, so the two-sided p is twice the one-sided.
  CHECK_CLOSE(fisher_exact(3, 17, 9, 11), 2 * fisher_exact_less(3, 17, 9, 11), 1e-14);
  CHECK_CLOSE(fisher_exact(3000, 170000, 3300, 169700), 2 * fisher_exact_less(3000, 170000, 3300, 169700), 1e-13);
  CHECK(fisher_exact(5, 5, 5, 5) == 1);
}

TEST_CASE("fisher: empty rows and columns decide nothing", "[stats]") {
  CHECK(fisher_exact(0, 0, 0, 0) == 1);
  CHECK(fisher_exact(0, 0, 3, 4) == 1);
  CHECK(fisher_exact(3, 0, 4, 0) == 1);
  CHECK(fisher_exact_greater(0, 0, 3, 4) == 1);
  CHECK(fisher_exact_less(0, 0, 0, 0) == 1);
}

TEST_CASE("fisher: the largest counts take no time, and are normal", "[stats]") {
  const int64_t n = INT64_C(1) << 50;
  const double sd = std::sqrt(static_cast<double>(n) / 8);  // of a, for margins n all around
  const auto shift = static_cast<int64_t>(2 * sd);
  CHECK(fisher_exact_greater(n / 2 + shift, n / 2 - shift, n / 2, n / 2) == Approx(normal_tail(1)).epsilon(1e-6));  // the mean is n/2 + shift/2
}

TEST_CASE("exact tests: what is out of range is named", "[stats]") {
  const auto message_of = [](auto&& fn) -> std::string {
    try {
      fn();
    } catch (const vaa::Failure& failure) {
      return failure.message();
    }
    return "";
  };
  CHECK(message_of([] { fisher_exact(1, 2, -3, 4); }) == "fisher_exact: c is -3, must be at least 0");
  CHECK(message_of([] { fisher_exact_less(1, 2, 3, INT64_MAX); }) == "fisher_exact_less: d is 9223372036854775807, must be at most 2251799813685248");
  CHECK(message_of([] { mcnemar_exact(-1, 4); }) == "mcnemar_exact: b is -1, must be at least 0");
}
