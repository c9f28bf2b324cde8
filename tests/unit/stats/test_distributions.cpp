#include "stats/distributions.h"

#include <cmath>
#include <limits>

#include "catch.h"
#include "reference.h"
#include "stats/tails.h"

using namespace vaa::stats;
using vaa::test::message_of;
using vaa::test::reference_rows;
using vaa::test::verification_group;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// What is below is no normal number and has fewer digits.
constexpr double kSmallest = 1e-290;

int64_t whole(double x) { return static_cast<int64_t>(x); }

void check_tail(double got, double want, double relative) {
  if (want > kSmallest) {
    CHECK_CLOSE(got, want, relative);
  } else {
    CHECK(got <= kSmallest * 1.001);
  }
}

}  // namespace

TEST_CASE("normal: tails to 1e-12 as far as they are numbers", "[stats]") {
  for (const auto& row : reference_rows("normal")) {
    INFO("x = " << row[0]);
    check_tail(normal_tail(row[0]), row[1], 1e-13);
    check_tail(normal_cdf(row[0]), row[2], 1e-13);
    check_tail(normal_two_sided(row[0]), row[3], 1e-13);
  }
  CHECK(normal_tail(0) == 0.5);
  CHECK(normal_tail(kInfinity) == 0);
  CHECK(normal_tail(-kInfinity) == 1);
}

TEST_CASE("normal: quantiles of any p", "[stats]") {
  for (const auto& row : reference_rows("normal_quantile")) {
    INFO("p = " << row[0]);
    CHECK_CLOSE(normal_quantile(row[0]), row[1], 1e-14);
  }
  CHECK(normal_quantile(0.5) == 0);
  CHECK(normal_quantile(0) == -kInfinity);
  CHECK(normal_quantile(1) == kInfinity);
  CHECK(normal_quantile(5e-324) < -38);
}

TEST_CASE("student: tails and quantiles", "[stats]") {
  for (const auto& row : reference_rows("student_tail")) {
    INFO("t = " << row[0] << ", df = " << row[1]);
    check_tail(student_tail(row[0], row[1]), row[2], 1e-12);
  }
  for (const auto& row : reference_rows("student_upper_quantile")) {
    INFO("p = " << row[0] << ", df = " << row[1]);
    CHECK_CLOSE(student_upper_quantile(row[0], row[1]), row[2], 1e-12);
  }
  CHECK(student_tail(0, 3) == 0.5);
  // df = 1 is Cauchy's: 1/2 - atan(t) / pi, and 1 / (pi t) far out.
  CHECK_CLOSE(student_tail(1, 1), 0.25, 1e-14);
  CHECK_CLOSE(student_tail(1e100, 1), 3.1830988618379067e-101, 1e-13);
  CHECK_CLOSE(student_upper_quantile(1e-100, 1), 3.1830988618379067e99, 1e-12);
  CHECK(student_two_sided(-2.5, 7) == 2 * student_tail(2.5, 7));
  CHECK_CLOSE(student_tail(1.5, 1e15), normal_tail(1.5), 1e-12);
}

TEST_CASE("binomial: probabilities and both tails to 1e-12", "[stats]") {
  for (const auto& row : reference_rows("binomial")) {
    const int64_t k = whole(row[0]), n = whole(row[1]);
    INFO("k = " << k << ", n = " << n << ", p = " << row[2]);
    check_tail(binomial_pmf(k, n, row[2]), row[3], 1e-12);
    check_tail(binomial_at_most(k, n, row[2]), row[4], 1e-12);
    check_tail(binomial_at_least(k, n, row[2]), row[5], 1e-12);
  }
}

TEST_CASE("binomial: the ends", "[stats]") {
  CHECK(binomial_pmf(0, 0, 0.3) == 1);
  CHECK(binomial_pmf(-1, 5, 0.3) == 0);
  CHECK(binomial_pmf(6, 5, 0.3) == 0);
  CHECK(binomial_pmf(0, 5, 0) == 1);
  CHECK(binomial_pmf(5, 5, 1) == 1);
  CHECK(binomial_pmf(1, 5, 0) == 0);
  CHECK(binomial_at_most(-1, 5, 0.3) == 0);
  CHECK(binomial_at_most(5, 5, 0.3) == 1);
  CHECK(binomial_at_least(0, 5, 0.3) == 1);
  CHECK(binomial_at_least(6, 5, 0.3) == 0);
  CHECK(binomial_at_least(1, 5, 0) == 0);
  CHECK(binomial_at_most(4, 5, 1) == 0);
  CHECK_CLOSE(binomial_at_least(5, 5, 0.1), 1e-5, 1e-14);  // 0.1^5
  // A mean that no double holds: n p with p the double nearest 1e-7, n = 2^53; half of a normal to 1e-4, and in no time.
  CHECK(binomial_at_most(900719925, INT64_C(1) << 53, 1e-7) == Approx(0.5).margin(1e-3));
}

TEST_CASE("poisson: probabilities and both tails to 1e-12", "[stats]") {
  for (const auto& row : reference_rows("poisson")) {
    const int64_t k = whole(row[0]);
    INFO("k = " << k << ", mean = " << row[1]);
    check_tail(poisson_pmf(k, row[1]), row[2], 1e-12);
    check_tail(poisson_at_most(k, row[1]), row[3], 1e-12);
    check_tail(poisson_at_least(k, row[1]), row[4], 1e-12);
  }
  for (const auto& vector : verification_group("position_bucket")) {
    if (vector["inputs"].find("expected") == nullptr) continue;
    CHECK_CLOSE(poisson_at_least(vector["inputs"].count("observed"), vector["inputs"].real("expected")), vector["expected"].real("p_upper"), 1e-12);
  }
  CHECK(poisson_pmf(0, 0) == 1);
  CHECK(poisson_at_least(0, 0) == 1);
  CHECK(poisson_at_least(1, 0) == 0);
  CHECK(poisson_at_most(0, 0) == 1);
  CHECK(poisson_at_most(-1, 2) == 0);
  CHECK(poisson_at_most(3, 1e300) == 0);
}

TEST_CASE("tails: the two ways to take a tail agree where one takes over from the other", "[stats]") {
  // Each pair of parameters lies on another side of 1,000; P(X >= k) for Bin(n, p) changes by the step between them, which the pmf gives.
  for (const double z : {-20.0, -5.0, -1.0, -0.01, 0.0, 0.3, 2.0, 10.0, 25.0}) {
    const int64_t n = 2500;
    const double p = 0.4 - z * std::sqrt(0.24 / 2500);
    INFO("z = " << z);
    CHECK_CLOSE(binomial_at_least(1000, n, p) - binomial_at_least(1001, n, p) + 1, binomial_pmf(1000, n, p) + 1, 1e-13);
    CHECK_CLOSE(binomial_at_least(1000, n, p), binomial_pmf(1000, n, p) + binomial_at_least(1001, n, p), 1e-12);
    CHECK_CLOSE(binomial_at_most(1000, n, p), binomial_pmf(1000, n, p) + binomial_at_most(999, n, p), 1e-12);
    const double mean = 1000 + z * 30;
    CHECK_CLOSE(poisson_at_least(1000, mean), poisson_pmf(1000, mean) + poisson_at_least(1001, mean), 1e-12);
    CHECK_CLOSE(poisson_at_most(1000, mean), poisson_pmf(1000, mean) + poisson_at_most(999, mean), 1e-12);
  }
}

TEST_CASE("distributions: what is out of range is named", "[stats]") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(message_of([&] { normal_quantile(1.5); }) == "normal_quantile: p is 1.5, must be in [0, 1]");
  CHECK(message_of([&] { normal_tail(nan); }) == "normal_tail: x is nan, must be a number");
  CHECK(message_of([&] { student_tail(1, 0.5); }) == "student_tail: df is 0.5, must be at least 1 and finite");
  CHECK(message_of([&] { student_tail(1, nan); }) == "student_tail: df is nan, must be at least 1 and finite");
  CHECK(message_of([&] { student_upper_quantile(1, 5); }) == "student_upper_quantile: p is 1, must be above 0 and below 1");
  CHECK(message_of([&] { binomial_pmf(1, -2, 0.5); }) == "binomial_pmf: n is -2, must be at least 0");
  CHECK(message_of([&] { binomial_at_most(1, INT64_MAX, 0.5); }) == "binomial_at_most: n is 9223372036854775807, must be at most 9007199254740992");
  CHECK(message_of([&] { binomial_at_least(1, 2, -0.25); }) == "binomial_at_least: p is -0.25, must be in [0, 1]");
  CHECK(message_of([&] { poisson_at_most(1, kInfinity); }) == "poisson_at_most: mean is inf, must be at least 0 and finite");
}
