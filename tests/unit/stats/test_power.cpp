#include "stats/power.h"

#include <cmath>

#include "base/failure.h"
#include "catch.h"
#include "reference.h"
#include "stats/distributions.h"
#include "stats/intervals.h"

using namespace vaa::stats;
using vaa::test::reference_rows;
using vaa::test::Tree;
using vaa::test::verification_group;

namespace {

template <class Fn>
std::string message_of(Fn&& fn) {
  try {
    fn();
  } catch (const vaa::Failure& failure) {
    return failure.message();
  }
  return "";
}

}  // namespace

TEST_CASE("power: clean runs that exclude a rate", "[stats]") {
  for (const auto& row : reference_rows("clean_runs_needed")) {
    INFO("rate = " << row[0] << ", alpha = " << row[1]);
    CHECK(clean_runs_needed(row[0], row[1]) == static_cast<int64_t>(row[2]));
    CHECK(clean_runs_needed_poisson(row[0], row[1]) == static_cast<int64_t>(row[3]));
  }
  for (const Tree& vector : verification_group("rule_of_three")) {
    const Tree& inputs = vector["inputs"];
    const Tree& expected = vector["expected"];
    INFO(vector["id"].text);
    if (inputs.find("beta") != nullptr) {
      CHECK(clean_runs_needed(inputs.real("p"), inputs.real("beta")) == expected.count("n"));
      continue;
    }
    const double p = inputs.real("p"), alpha = inputs.real("alpha");
    CHECK(clean_runs_needed(p, alpha) == expected.count("n_exact"));
    CHECK(clean_runs_needed_poisson(p, alpha) == expected.count("n_poisson"));
    CHECK_CLOSE(rate_upper_limit(0, expected.count("n_exact"), 1 - alpha), expected.real("upper_bound_at_n"), 1e-12);
  }
  // A whole number of runs is enough: (1/2)^3 = 1/8.
  CHECK(clean_runs_needed(0.5, 0.125) == 3);
  CHECK(clean_runs_needed(0.75, 1.0 / 1024) == 5);
  CHECK(clean_runs_needed(0.9999, 0.5) == 1);
  CHECK(clean_runs_needed(1e-300, 0.05) == INT64_C(1) << 53);
}

TEST_CASE("power: groups for a difference of rates, samples for a rate above a ceiling", "[stats]") {
  for (const auto& row : reference_rows("group_size_needed")) {
    const double p1 = row[0], p2 = row[1], alpha = row[2], beta = row[3];
    INFO("p1 = " << p1 << ", p2 = " << p2);
    CHECK(group_size_needed(p1, p2, alpha, beta, row[4] == 1 ? Sides::kOne : Sides::kTwo) == static_cast<int64_t>(row[5]));
    CHECK(samples_needed_above(std::max(p1, p2), std::min(p1, p2), alpha, beta) == static_cast<int64_t>(row[6]));
  }
  CHECK(samples_needed_above(1, 0.01) >= 1);
}

TEST_CASE("power: the vectors", "[stats]") {
  for (const Tree& vector : verification_group("power")) {
    const Tree& inputs = vector["inputs"];
    const Tree& expected = vector["expected"];
    const double alpha = inputs.real("alpha"), beta = inputs.real("beta");
    const int64_t n = inputs.count("n");
    INFO(vector["id"].text);
    if (inputs.find("sigma") != nullptr) {
      CHECK_CLOSE(unpaired_threshold(inputs.real("sigma"), n, alpha), expected.real("threshold_drop"), 1e-12);
      CHECK_CLOSE(unpaired_detectable(inputs.real("sigma"), n, alpha, beta), expected.real("theta"), 1e-12);
    } else {  // in points of 100
      const double discordance = inputs.real("discordance");
      CHECK_CLOSE(100 * paired_detectable(discordance, n, alpha, beta), expected.real("theta_paired"), 1e-12);
      CHECK(pairs_needed(discordance, inputs.real("theta_unpaired") / 100, alpha, beta) == expected.count("n_for_2.747_points"));
    }
  }
}

TEST_CASE("power: questions and repeats by Miller's formula", "[stats]") {
  const double z = -normal_quantile(0.025) - normal_quantile(0.2);
  RepeatedDesign design;
  design.between = 1.0 / 9;
  design.within_a = design.within_b = 1.0 / 6;
  const double one = z * z * (1.0 / 9 + 1.0 / 6 + 1.0 / 6) / (0.03 * 0.03);
  CHECK(questions_needed(design, 0.03) == static_cast<int64_t>(std::ceil(one)));
  design.repeats_a = design.repeats_b = 10;
  const double ten = z * z * (1.0 / 9 + 2.0 / 60) / (0.03 * 0.03);
  CHECK(questions_needed(design, 0.03) == static_cast<int64_t>(std::ceil(ten)));
  // The smallest k for which z^2 (within / (questions k) + other) <= effect^2.
  const int64_t repeats = repeats_needed(0.2, 198, 0.0001, 0.05);
  const auto variance = [](int64_t k) { return 0.2 / (198.0 * static_cast<double>(k)) + 0.0001; };
  CHECK(z * z * variance(repeats) <= 0.05 * 0.05);
  CHECK(z * z * variance(repeats - 1) > 0.05 * 0.05);
  CHECK(repeats_needed(0.2, 198, 0.01, 0.05) == 0);  // the other's own error is too large
  CHECK(repeats_needed(0, 198, 0, 0.05) == 1);
}

TEST_CASE("power: what is out of range is named", "[stats]") {
  CHECK(message_of([] { clean_runs_needed(0, 0.05); }) == "clean_runs_needed: rate is 0, must be above 0 and below 1");
  CHECK(message_of([] { clean_runs_needed(0.1, 1); }) == "clean_runs_needed: alpha is 1, must be above 0 and below 1");
  CHECK(message_of([] { samples_needed_above(0.1, 0.1); }) == "samples_needed_above: rate must be above ceiling");
  CHECK(message_of([] { group_size_needed(0.1, 0.1); }) == "group_size_needed: p1 and p2 are the same");
  CHECK(message_of([] { unpaired_detectable(1, 10, 0.6, 0.6); }) == "unpaired_detectable: alpha and beta leave nothing to show, their sum must be below 1");
  CHECK(message_of([] { repeats_needed(0.1, 0, 0, 0.1); }) == "repeats_needed: questions is 0, must be at least 1");
}
