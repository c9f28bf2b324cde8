#include "catch.h"
#include "stats/exact_tests.h"
#include "stats/stratified.h"

using namespace vaa::stats;

TEST_CASE("stratified exact test: one table is Fisher's", "[stats]") {
  const TwoByTwo t{9, 991, 0, 400};
  CHECK(stratified_exact(std::span(&t, 1)) == fisher_exact(9, 991, 0, 400));
}

TEST_CASE("stratified exact test: two tables by hand", "[stats]") {
  // Each table [1 0; 0 1]: a is 0 or 1 with 1/2, so the sum is 0, 1, 2 with 1/4, 1/2, 1/4; 2 was seen.
  const TwoByTwo both[] = {{1, 0, 0, 1}, {1, 0, 0, 1}};
  CHECK(std::abs(stratified_exact(both) - 0.5) < 1e-14);
  const TwoByTwo one_each[] = {{1, 0, 0, 1}, {0, 1, 1, 0}};
  CHECK(std::abs(stratified_exact(one_each) - 1) < 1e-14);
  // [2 0; 0 2] twice: P(a = 2) = 1/6 each; the sum 4 and the sum 0 have 1/36.
  const TwoByTwo larger[] = {{2, 0, 0, 2}, {2, 0, 0, 2}};
  CHECK(std::abs(stratified_exact(larger) - 2.0 / 36) < 1e-14);
}

TEST_CASE("stratified exact test: tables that cannot tell change nothing", "[stats]") {
  const TwoByTwo t[] = {{3, 5, 0, 9}, {0, 7, 0, 8}, {2, 0, 0, 0}};
  CHECK(std::abs(stratified_exact(t) - fisher_exact(3, 5, 0, 9)) < 1e-12);
}

TEST_CASE("stratified exact test: many values go by the chi-square", "[stats]") {
  // 2 x [3000 3000; 3000 3000]: a is as expected, so p is 1; the exact sum would have 12,001 values.
  const TwoByTwo t[] = {{3000, 3000, 3000, 3000}, {3000, 3000, 3000, 3000}};
  CHECK(stratified_exact(t) == 1);
}
