#include <cmath>
#include <limits>

#include "catch.h"
#include "reference.h"
#include "stats/dispersion.h"
#include "stats/distributions.h"
#include "stats/means.h"
#include "stats/near_tie.h"
#include "stats/quantiles.h"
#include "stats/rank.h"

using namespace vaa::stats;
using vaa::test::evidence_cases;
using vaa::test::message_of;
using vaa::test::Tree;
using vaa::test::verification_group;

namespace {

TopTokens top_of(const std::vector<int32_t>& ids, const std::vector<double>& logprobs, int32_t chosen) { return {ids, logprobs, chosen}; }

}  // namespace

TEST_CASE("ranks: Spearman's correlation against fractions and mpmath", "[stats]") {
  for (const Tree& c : evidence_cases("spearman")) {
    INFO("n = " << c.reals("x").size() << ", rho " << c.real("rho"));
    const RankCorrelation got = spearman(c.reals("x"), c.reals("y"));
    CHECK_CLOSE(got.rho, c.real("rho"), 1e-13);
    CHECK_CLOSE(got.t, c.real("t"), 1e-12);
    CHECK_CLOSE(got.p, c.real("p"), 1e-11);
  }
}

TEST_CASE("ranks: ties share their mean, agreement and nothing at all", "[stats]") {
  const std::vector<double> values = {3, 1, 3, 2, 3}, up = {1, 2, 3, 4}, grown = {1, 20, 300, 4000}, down = {9, 7, 5, 3}, flat = {2, 2, 2, 2}, two = {1, 2};
  CHECK(average_ranks(values) == std::vector<double>{4, 1, 4, 2, 4});
  CHECK(spearman(up, grown).rho == 1);
  CHECK(spearman(up, grown).p == 0);
  CHECK(spearman(up, down).rho == -1);
  CHECK(std::isinf(spearman(up, down).t));
  CHECK(std::isnan(spearman(up, flat).rho));
  CHECK(spearman(up, flat).p == 1);
  CHECK(std::isnan(spearman(two, two).rho));
  CHECK(message_of([&] { spearman(up, two); }) == "spearman: the size of y is 2, must be at least 4");
  CHECK(message_of([&] { spearman({}, {}); }) == "spearman: the size of x is 0, must be at least 1");
}

TEST_CASE("buckets of positions: the vectors", "[stats]") {
  for (const Tree& vector : verification_group("position_bucket")) {
    const Tree &inputs = vector["inputs"], &expected = vector["expected"];
    if (inputs.find("observed")) {
      CHECK_CLOSE(poisson_at_least(inputs.count("observed"), inputs.real("expected")), expected.real("p_upper"), 1e-12);
    } else if (inputs.find("abs_diff")) {
      const RankCorrelation got = spearman(inputs.reals("position"), inputs.reals("abs_diff"));
      CHECK_CLOSE(got.rho, expected.real("rho"), 1e-13);
      CHECK_CLOSE(got.t, expected.real("t"), 1e-13);
      CHECK_CLOSE(got.p, expected.real("p_two_sided"), 1e-11);
    }
  }
}

TEST_CASE("quantiles: against fractions", "[stats]") {
  for (const Tree& c : evidence_cases("quantiles")) {
    const std::vector<double> got = quantiles(c.reals("values"), c.reals("shares")), want = c.reals("quantiles");
    for (size_t i = 0; i < want.size(); ++i) CHECK(std::fabs(got[i] - want[i]) <= 1e-13);  // between values of about 10 of both signs
  }
  const std::vector<double> values = {1, std::nan("")}, good = {1}, shares = {1.5};
  CHECK(message_of([&] { quantiles(values, shares); }).find("quantiles: values[1] is nan") == 0);
  CHECK(message_of([&] { quantiles(good, shares); }) == "quantiles: shares[0] is 1.5, must be in [0, 1]");
  CHECK(message_of([&] { quantiles({}, shares); }) == "quantiles: the size of values is 0, must be at least 1");
}

TEST_CASE("quantiles and errors: the vector of llama.cpp's conventions", "[stats]") {
  for (const Tree& vector : verification_group("kld_stats")) {
    const Tree &inputs = vector["inputs"], &expected = vector["expected"];
    const std::vector<double> kld = inputs.reals("kld"), shares = {0.5, 0.9, 0.99, 0.999, 1}, at = quantiles(kld, shares);
    CHECK_CLOSE(mean_of(kld).mean, expected.real("mean_kld"), 1e-14);
    CHECK_CLOSE(mean_of(kld).standard_error, expected.real("mean_kld_unc"), 1e-14);
    const char* const names[] = {"median", "p90", "p99", "p999", "max"};
    for (size_t i = 0; i < at.size(); ++i) CHECK_CLOSE(at[i], expected.real(names[i]), 1e-13);
    const std::vector<double> delta = inputs.reals("delta_p");
    CHECK_CLOSE(mean_of(delta).mean, expected.real("mean_dp"), 1e-14);
    CHECK_CLOSE(root_mean_square(delta).mean, expected.real("rms_dp"), 1e-14);
    CHECK_CLOSE(root_mean_square(delta).standard_error, expected.real("rms_dp_unc"), 1e-14);
    const PairedMean ratio = paired_mean(inputs.reals("nll_ref"), inputs.reals("nll_target"));
    CHECK_CLOSE(ratio.difference.mean, expected.real("ln_ppl_ratio"), 1e-13);
    CHECK_CLOSE(ratio.difference.standard_error, expected.real("ln_ppl_ratio_unc"), 1e-13);
  }
}

TEST_CASE("dispersion: against fractions and mpmath", "[stats]") {
  for (const Tree& c : evidence_cases("dispersion")) {
    const Dispersion got = dispersion(c.wholes("counts"));
    CHECK_CLOSE(got.ratio, c.real("index"), 1e-14);
    CHECK_CLOSE(got.p, c.real("p"), 1e-11);
  }
  const std::vector<int64_t> none = {0, 0, 0}, same = {4, 4, 4}, bad = {1, -1}, one = {3};
  CHECK(std::isnan(dispersion(none).ratio));
  CHECK(dispersion(none).p == 1);
  CHECK(dispersion(same).ratio == 0);
  CHECK(dispersion(same).p == 1);
  CHECK(message_of([&] { dispersion(bad); }) == "dispersion: counts[1] is -1, must be at least 0");
  CHECK(message_of([&] { dispersion(one); }) == "dispersion: the size of counts is 1, must be at least 2");
}

TEST_CASE("swing: the vectors of near ties", "[stats]") {
  const auto side = [](const Tree& top) {
    std::pair<std::vector<int32_t>, std::vector<double>> lists;
    for (const auto& [id, logprob] : top.members) {
      lists.first.push_back(std::stoi(id));
      lists.second.push_back(logprob.number);
    }
    return lists;
  };
  const std::vector<std::string> names = {"exact_tie", "near_tie", "suspect", "undetermined"};
  for (const Tree& vector : verification_group("near_tie")) {
    const Tree &inputs = vector["inputs"], &expected = vector["expected"];
    if (!inputs.find("ref_top")) continue;
    const auto [ids, logprobs] = side(inputs["ref_top"]);
    const auto [target_ids, target_logprobs] = side(inputs["target_top"]);
    const Swing got = first_divergence_swing(top_of(ids, logprobs, static_cast<int32_t>(inputs.count("ref_token"))),
                                             top_of(target_ids, target_logprobs, static_cast<int32_t>(inputs.count("target_token"))), inputs.real("tau"));
    CHECK_CLOSE(got.reference_gap, expected.real("gap_ref"), 1e-12);
    CHECK_CLOSE(got.target_gap, expected.real("gap_target"), 1e-12);
    CHECK_CLOSE(got.swing, expected.real("swing"), 1e-12);
    CHECK(got.is_bound == (expected.real("swing_is_lower_bound") != 0));
    CHECK(names.at(static_cast<size_t>(got.kind)) == expected["class"].text);
  }
}

TEST_CASE("swing: a bound below tau decides nothing, and what is out of range is named", "[stats]") {
  const std::vector<int32_t> ids = {5, 6}, other = {7, 5};
  const std::vector<double> logprobs = {-0.7, -0.75}, longer = {-0.7, -0.75, -3}, positive = {-0.7, 0.1};
  CHECK(first_divergence_swing(top_of(ids, logprobs, 5), top_of(other, logprobs, 7), 0.25).kind == SwingClass::kUndetermined);
  CHECK(first_divergence_swing(top_of(ids, logprobs, 5), top_of(other, logprobs, 7), 0.01).kind == SwingClass::kSuspect);
  CHECK(message_of([&] { first_divergence_swing(top_of(ids, logprobs, 9), top_of(other, logprobs, 7), 0.1); }) ==
        "swing: reference_token is 9, must be among reference_ids once, is there 0 times");
  CHECK(message_of([&] { first_divergence_swing(top_of(ids, logprobs, 5), top_of(other, logprobs, 5), 0.1); }) ==
        "swing: reference_token and target_token are both 5, must differ");
  CHECK(message_of([&] { first_divergence_swing(top_of(ids, longer, 5), top_of(other, logprobs, 7), 0.1); }) ==
        "swing: the size of reference_logprobs is 3, must be at most 2");
  CHECK(message_of([&] { first_divergence_swing(top_of(ids, logprobs, 5), top_of(other, positive, 7), 0.1); }) ==
        "swing: target_logprobs[1] is 0.1, must be at most 0 and finite");
  CHECK(message_of([&] { first_divergence_swing(top_of(ids, logprobs, 5), top_of(other, logprobs, 7), -1); }) == "swing: tau is -1, must be at least 0 and finite");
}
