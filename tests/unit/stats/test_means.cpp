#include "stats/means.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "catch.h"
#include "reference.h"

using namespace vaa::stats;
using vaa::test::Tree;
using vaa::test::message_of;
using vaa::test::read_golden;
using vaa::test::verification_group;

TEST_CASE("means: paired scores, clusters and equivalence against scipy, statsmodels and mpmath", "[stats]") {
  const Tree reference = read_golden("stats_reference.json");
  for (const Tree& c : reference["means"].items) {
    const std::vector<double> first = c.reals("reference"), second = c.reals("target");
    const std::vector<int64_t> clusters = c.wholes("cluster");
    INFO("n = " << first.size());
    const PairedMean paired = paired_mean(first, second);
    CHECK_CLOSE(paired.difference.mean, c.real("mean"), 1e-12);
    CHECK_CLOSE(paired.difference.standard_error, c.real("se"), 1e-12);
    CHECK_CLOSE(paired.t, std::copysign(c.real("t"), c.real("mean")), 1e-12);
    CHECK_CLOSE(paired.p_t, c.real("p_t"), 1e-12);
    CHECK_CLOSE(paired.p_z, c.real("p_z"), 1e-12);
    CHECK_CLOSE(paired.interval.low, c.real("low"), 1e-12);
    CHECK_CLOSE(paired.interval.high, c.real("high"), 1e-12);
    CHECK_CLOSE(paired.correlation, c.real("correlation"), 1e-12);
    CHECK_CLOSE(paired_mean_clustered(first, second, clusters).standard_error, c.real("se_clustered"), 1e-12);
    std::vector<double> differences(first.size());
    std::transform(second.begin(), second.end(), first.begin(), differences.begin(), std::minus<>());
    const Equivalence result = equivalence(differences, c.real("margin"));
    CHECK_CLOSE(result.p_lower, c.real("p_lower"), 1e-12);
    CHECK_CLOSE(result.p_upper, c.real("p_upper"), 1e-12);
    CHECK(result.p == std::max(result.p_lower, result.p_upper));
  }
}

TEST_CASE("means: the vectors of paired standard errors and of equivalence", "[stats]") {
  for (const Tree& vector : verification_group("paired_se")) {
    const Tree& expected = vector["expected"];
    const std::vector<double> reference = vector["inputs"].reals("ref"), target = vector["inputs"].reals("target");
    const std::vector<int64_t> clusters = vector["inputs"].wholes("cluster");
    const Mean first = mean_of(reference), second = mean_of(target);
    CHECK_CLOSE(first.standard_error, expected.real("se_ref"), 1e-12);
    CHECK_CLOSE(second.standard_error, expected.real("se_target"), 1e-12);
    CHECK_CLOSE(std::hypot(first.standard_error, second.standard_error), expected.real("se_unpaired"), 1e-12);
    CHECK_CLOSE(mean_clustered(reference, clusters).standard_error, expected.real("se_ref_clustered"), 1e-12);
    CHECK_CLOSE(paired_mean_clustered(reference, target, clusters).standard_error, expected.real("se_paired_clustered"), 1e-12);
    // The vector's difference is reference - target.
    const PairedMean paired = paired_mean(target, reference);
    CHECK_CLOSE(paired.difference.mean, expected.real("mean_diff"), 1e-12);
    CHECK_CLOSE(paired.difference.standard_error, expected.real("se_paired"), 1e-12);
    CHECK_CLOSE(paired.correlation, expected.real("correlation"), 1e-12);
    CHECK_CLOSE(paired.t, expected.real("t"), 1e-12);
    CHECK(paired.df == expected.real("df"));
    CHECK_CLOSE(paired.p_t, expected.real("p_two_sided_t"), 1e-12);
    CHECK_CLOSE(paired.p_z, expected.real("p_two_sided_z"), 1e-12);
    CHECK_CLOSE(paired.interval.low, expected.reals("ci95_t").at(0), 1e-12);
    CHECK_CLOSE(paired.interval.high, expected.reals("ci95_t").at(1), 1e-12);
  }
  for (const Tree& vector : verification_group("equivalence")) {
    const Tree& expected = vector["expected"];
    const Equivalence result = equivalence(vector["inputs"].reals("diffs"), vector["inputs"].real("margin"));
    CHECK_CLOSE(result.difference.mean, expected.real("mean"), 1e-12);
    CHECK_CLOSE(result.difference.standard_error, expected.real("se"), 1e-12);
    CHECK_CLOSE(result.p_lower, expected.real("p_lower"), 1e-12);
    CHECK_CLOSE(result.p_upper, expected.real("p_upper"), 1e-12);
    CHECK_CLOSE(result.p, expected.real("p_tost"), 1e-12);
    CHECK_CLOSE(result.interval.low, expected.reals("ci90").at(0), 1e-11);
    CHECK_CLOSE(result.interval.high, expected.reals("ci90").at(1), 1e-12);
  }
}

TEST_CASE("means: any order of the values gives the same bits", "[stats]") {
  std::mt19937_64 random(9);
  std::vector<std::pair<double, int64_t>> items(500);
  for (auto& [value, cluster] : items) {
    value = std::ldexp(static_cast<double>(random() >> 11), -53);
    cluster = static_cast<int64_t>(random() % 40);
  }
  Mean plain, clustered;
  for (int round = 0; round < 10; ++round) {
    std::vector<double> values;
    std::vector<int64_t> clusters;
    for (const auto& [value, cluster] : items) {
      values.push_back(value);
      clusters.push_back(cluster);
    }
    const Mean now = mean_of(values), now_clustered = mean_clustered(values, clusters);
    if (round > 0) {
      REQUIRE(now.mean == plain.mean);
      REQUIRE(now.standard_error == plain.standard_error);
      REQUIRE(now_clustered.standard_error == clustered.standard_error);
    }
    plain = now;
    clustered = now_clustered;
    std::shuffle(items.begin(), items.end(), random);
  }
}

TEST_CASE("means: the root of the mean square against exact fractions", "[stats]") {
  for (const Tree& c : vaa::test::evidence_cases("quantiles")) {
    const Mean root = root_mean_square(c.reals("values"));
    CHECK_CLOSE(root.mean, c.real("rms"), 1e-14);
    CHECK_CLOSE(root.standard_error, c.real("rms_error"), 1e-12);
  }
  const std::vector<double> zeros = {0, 0, 0}, large = {1e71};
  CHECK(root_mean_square(zeros).standard_error == 0);
  CHECK(message_of([&] { root_mean_square(large); }) == "root_mean_square: values[0] is 1e+71, must be at most 1e+70 in size");
}

TEST_CASE("means: hits are ones and zeros", "[stats]") {
  for (const auto& [k, n] : {std::pair<int64_t, int64_t>{0, 2}, {1, 2}, {7, 30}, {30, 30}, {1, 1}}) {
    std::vector<double> values(static_cast<size_t>(n), 0.0);
    std::fill_n(values.begin(), k, 1.0);
    const Mean direct = mean_of_hits(k, n), of_values = mean_of(values);
    CHECK(direct.n == of_values.n);
    CHECK(direct.mean == of_values.mean);
    CHECK_CLOSE(direct.standard_error, of_values.standard_error, 1e-15);
  }
  CHECK(std::isnan(mean_of_hits(0, 0).mean));
}

TEST_CASE("means: clusters of one are independent values, one cluster of equal ones is one value", "[stats]") {
  const std::vector<double> values = {1, 0, 0, 1, 1, 0.5};
  const std::vector<int64_t> apart = {1, 2, 3, 4, 5, 6};
  CHECK_CLOSE(mean_clustered(values, apart).standard_error, mean_of(values).standard_error, 1e-15);
  // Two questions, each asked three times with the same result r about the mean: SE^2 = sum r^2 / (6 5) + 2 clusters 6 pairs r^2 / 36, r^2 = 1/4.
  const std::vector<double> repeats = {1, 1, 1, 0, 0, 0};
  const std::vector<int64_t> questions = {7, 7, 7, 9, 9, 9};
  CHECK_CLOSE(mean_clustered(repeats, questions).standard_error, std::sqrt(0.25 / 5 + 12 * 0.25 / 36), 1e-15);
  // Opposite values in each cluster: each of the 6 pairs takes r^2 off.
  const std::vector<int64_t> crossed = {1, 2, 3, 1, 2, 3};
  CHECK_CLOSE(mean_clustered(repeats, crossed).standard_error, std::sqrt(0.25 / 5 - 6 * 0.25 / 36), 1e-14);
}

TEST_CASE("means: the mean of subjects weighs them alike", "[stats]") {
  const std::vector<Mean> subjects = {{100, 0.5, 0.05}, {10, 0.9, 0.1}, {7, 0.4, 0.2}};
  const Mean mean = mean_of_subjects(subjects);
  CHECK(mean.n == 3);
  CHECK_CLOSE(mean.mean, 0.6, 1e-15);
  CHECK_CLOSE(mean.standard_error, std::sqrt(0.0025 + 0.01 + 0.04) / 3, 1e-15);
  CHECK(std::isnan(mean_of_subjects({}).mean));
  const std::vector<Mean> unknown = {{100, 0.5, 0.05}, {1, 1.0, std::numeric_limits<double>::quiet_NaN()}};
  CHECK(mean_of_subjects(unknown).mean == 0.75);
  CHECK(std::isnan(mean_of_subjects(unknown).standard_error));
}

TEST_CASE("means: too few values and values without spread", "[stats]") {
  CHECK(std::isnan(mean_of({}).mean));
  const std::vector<double> one = {0.25}, same = {0.5, 0.5, 0.5}, other = {0.75, 0.75, 0.75};
  CHECK(mean_of(one).mean == 0.25);
  CHECK(std::isnan(mean_of(one).standard_error));
  const PairedMean single = paired_mean(one, one);
  CHECK(std::isnan(single.t));
  CHECK(single.p_t == 1);
  CHECK(std::isinf(single.interval.high));
  const PairedMean equal = paired_mean(same, same), apart = paired_mean(same, other);
  CHECK(equal.t == 0);
  CHECK(equal.p_t == 1);
  CHECK(std::isinf(apart.t));
  CHECK(apart.p_t == 0);
  CHECK(std::isnan(apart.correlation));
  const std::vector<double> zeros = {0, 0, 0};
  CHECK(equivalence(zeros, 0.01).p == 0);
  CHECK(equivalence(other, 0.01).p == 1);
}

TEST_CASE("means: what is out of range is named", "[stats]") {
  const std::vector<double> good = {1, 2}, bad = {1, std::numeric_limits<double>::quiet_NaN()}, infinite = {std::numeric_limits<double>::infinity()};
  const std::vector<int64_t> clusters = {1};
  CHECK(message_of([&] { mean_of(bad); }) == "mean_of: values[1] is nan, must be at most 1e+140 in size");
  CHECK(message_of([&] { mean_of(infinite); }) == "mean_of: values[0] is inf, must be at most 1e+140 in size");
  CHECK(message_of([&] { mean_clustered(good, clusters); }) == "mean_clustered: the size of clusters is 1, must be at least 2");
  CHECK(message_of([&] { paired_mean(good, infinite); }) == "paired_mean: the size of target is 1, must be at least 2");
  CHECK(message_of([&] { equivalence(good, 0); }) == "equivalence: margin is 0, must be above 0 and finite");
  CHECK(message_of([&] { equivalence(infinite, 1); }) != "");
  CHECK(message_of([&] { mean_of_hits(3, 2); }) == "mean_of_hits: k is 3, must be at most 2");
}
