#include "stats/flip_test.h"

#include <cmath>
#include <limits>

#include "catch.h"
#include "reference.h"
#include "stats/distributions.h"

using namespace vaa::stats;
using vaa::test::evidence_cases;
using vaa::test::message_of;
using vaa::test::Tree;
using vaa::test::verification_group;

TEST_CASE("flips: test, likeliest sigma and its interval against mpmath", "[stats]") {
  for (const Tree& c : evidence_cases("flips")) {
    const std::vector<double> gaps = c.reals("gaps");
    const std::vector<uint8_t> flips = c.flags("flips");
    const double sigma = c.real("sigma");
    INFO(gaps.size() << " gaps, sigma " << sigma);
    const HazardTest test = flip_test(gaps, flips, sigma);
    CHECK_CLOSE(test.expected, c.real("expected"), 1e-13);
    CHECK_CLOSE(test.variance, c.real("variance"), 1e-13);
    CHECK_CLOSE(test.z, c.real("z"), 1e-12);
    CHECK_CLOSE(test.p_upper, c.real("p_upper"), 1e-11);
    CHECK_CLOSE(test.p_two_sided, c.real("p"), 1e-11);
    const NoiseScale noise = flip_sigma(gaps, flips);
    CHECK_CLOSE(noise.sigma, c.real("best"), 1e-12);
    CHECK_CLOSE(noise.interval.low, c.real("low"), 1e-12);
    CHECK_CLOSE(noise.interval.high, c.real("high"), 1e-12);
    CHECK_CLOSE(noise.log_likelihood, c.real("most"), 1e-13);
    CHECK_CLOSE(flip_log_likelihood(gaps, flips, sigma), c.real("log_likelihood"), 1e-13);
    const SigmaTest likelihood = flip_sigma_test(gaps, flips, sigma);
    CHECK(std::fabs(likelihood.chi2 - c.real("chi2")) <= 1e-12 * (1 + std::fabs(c.real("most"))));  // a difference of likelihoods
  }
}

TEST_CASE("flips: the vectors of first divergences against the benign model", "[stats]") {
  for (const Tree& vector : verification_group("survival_expected")) {
    const Tree &inputs = vector["inputs"], &expected = vector["expected"];
    if (!inputs.find("gaps")) continue;
    std::vector<double> gaps, by_sequence;
    std::vector<uint8_t> flips;
    const std::vector<int64_t> at_risk = inputs.wholes("tokens_at_risk"), diverged = inputs.wholes("diverged");
    for (size_t i = 0; i < at_risk.size(); ++i) {
      std::vector<double> own;
      for (int64_t t = 0; t < at_risk[i]; ++t) own.push_back(inputs["gaps"].items[i].items[static_cast<size_t>(t)].number);
      std::vector<uint8_t> none(own.size(), 0);
      by_sequence.push_back(flip_test(own, none, inputs.real("sigma")).expected);
      gaps.insert(gaps.end(), own.begin(), own.end());
      none.back() = static_cast<uint8_t>(diverged[i]);
      flips.insert(flips.end(), none.begin(), none.end());
    }
    const HazardTest test = flip_test(gaps, flips, inputs.real("sigma"));
    for (size_t i = 0; i < by_sequence.size(); ++i) CHECK_CLOSE(by_sequence[i], expected.reals("expected_by_sequence").at(i), 1e-13);
    CHECK_CLOSE(test.expected, expected.real("expected"), 1e-13);
    CHECK_CLOSE(test.variance, expected.real("variance"), 1e-13);
    CHECK_CLOSE(test.z, expected.real("z"), 1e-13);
    CHECK_CLOSE(test.p_upper, expected.real("p_upper"), 1e-12);
    CHECK_CLOSE(test.p_two_sided, expected.real("p_two_sided"), 1e-12);
    CHECK_CLOSE(flip_sigma(gaps, flips).sigma, expected.real("sigma_hat"), 1e-6);
    const SigmaTest likelihood = flip_sigma_test(gaps, flips, inputs.real("sigma"));
    CHECK_CLOSE(likelihood.log_likelihood, expected.real("loglik_at_sigma"), 1e-13);
    CHECK_CLOSE(likelihood.most, expected.real("loglik_max"), 1e-13);
    CHECK_CLOSE(likelihood.chi2, expected.real("lr_chi2"), 1e-9);
    CHECK_CLOSE(likelihood.p, expected.real("lr_p"), 1e-9);
  }
}

TEST_CASE("flips: hazards given are the gaps' own", "[stats]") {
  const std::vector<double> gaps = {0.1, 2, 0, 0.4, 7};
  const std::vector<uint8_t> flips = {1, 0, 1, 0, 0};
  std::vector<double> hazards;
  for (const double gap : gaps) hazards.push_back(normal_tail(gap / 0.3));
  const HazardTest given = hazard_test(hazards, 2), own = flip_test(gaps, flips, 0.3);
  CHECK(given.z == own.z);
  CHECK(given.expected == own.expected);
  const std::vector<double> certain = {0, 1, 1};
  CHECK(hazard_test(certain, 2).z == 0);
  CHECK(hazard_test(certain, 2).p_two_sided == 1);
  CHECK(hazard_test(certain, 3).p_upper == 0);
  CHECK(hazard_test(certain, 1).p_upper == 1);
}

TEST_CASE("flips: sigma scales with the gaps, and its ends are said", "[stats]") {
  const std::vector<double> gaps = {0.1, 2, 0.4, 7, 0.2, 1}, none = {0, 0, 0};
  const std::vector<uint8_t> flips = {1, 0, 0, 0, 1, 0}, agree(6, 0), all(6, 1), two = {1, 0, 1};
  std::vector<double> larger;
  for (const double gap : gaps) larger.push_back(8 * gap);
  CHECK_CLOSE(flip_sigma(larger, flips).sigma, 8 * flip_sigma(gaps, flips).sigma, 1e-13);
  const NoiseScale quiet = flip_sigma(gaps, agree), loud = flip_sigma(gaps, all), unknown = flip_sigma(none, two);
  CHECK(quiet.sigma == 0);
  CHECK(quiet.interval.low == 0);
  // Its other end, where the likelihood of no flip at all has fallen by half the chi-squared quantile.
  CHECK_CLOSE(flip_log_likelihood(gaps, agree, quiet.interval.high), -0.5 * std::pow(normal_quantile(0.025), 2), 1e-10);
  CHECK(std::isinf(loud.sigma));
  CHECK(std::isinf(loud.interval.high));
  CHECK(loud.interval.low > 0);
  CHECK(std::isnan(unknown.sigma));
  CHECK(flip_sigma_test(none, two, 1).p == 1);
  CHECK(std::isfinite(flip_sigma_test(gaps, all, 1e-3).chi2));
  // Gaps of any size: the search ends.
  const std::vector<double> tiny = {5e-324, 1e-300, 3}, wide = {1e-29, 1e139, 1e130}, faint = {5e-324, 5e-324, 0};
  CHECK(flip_sigma(tiny, two).sigma > 0);
  CHECK(std::isfinite(flip_sigma(wide, std::vector<uint8_t>{1, 0, 0}).sigma));
  CHECK(std::isnan(flip_sigma(faint, two).sigma));
}

TEST_CASE("flips: what is out of range is named", "[stats]") {
  const std::vector<double> gaps = {0.1, -2}, good = {0.1, 2}, hazards = {0.5, 1.5};
  const std::vector<uint8_t> flips = {1, 0}, one = {1};
  CHECK(message_of([&] { flip_test(gaps, flips, 1); }) == "flip_test: gaps[1] is -2, must be at least 0 and finite");
  CHECK(message_of([&] { flip_test(good, one, 1); }) == "flip_test: the size of flips is 1, must be at least 2");
  CHECK(message_of([&] { flip_test(good, flips, 0); }) == "flip_test: sigma is 0, must be above 0 and finite");
  CHECK(message_of([&] { flip_sigma(good, flips, 1); }) == "flip_sigma: confidence is 1, must be above 0 and below 1");
  CHECK(message_of([&] { hazard_test(hazards, 1); }) == "hazard_test: hazards[1] is 1.5, must be in [0, 1]");
  CHECK(message_of([&] { hazard_test({}, 0); }) == "hazard_test: the size of hazards is 0, must be at least 1");
  CHECK(message_of([&] { hazard_test(good, 3); }) == "hazard_test: observed is 3, must be at most 2");
}
