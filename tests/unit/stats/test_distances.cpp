#include "stats/distances.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/math.h"
#include "catch.h"
#include "reference.h"

using namespace vaa::stats;
using vaa::test::evidence_cases;
using vaa::test::message_of;
using vaa::test::Tree;
using vaa::test::verification_group;

namespace {

void check_distances(const Distances& got, const Tree& expected, double relative) {
  CHECK_CLOSE(got.kl_pq, expected.real("kl_pq"), relative);
  CHECK_CLOSE(got.kl_qp, expected.real("kl_qp"), relative);
  CHECK_CLOSE(got.js, expected.real("js"), relative);
  CHECK_CLOSE(got.tv, expected.real("tv"), relative);
  CHECK_CLOSE(got.bhattacharyya, expected.real("bhattacharyya"), relative);
  CHECK_CLOSE(got.hellinger, expected.real("hellinger"), relative);
}

}  // namespace

TEST_CASE("distances: of probabilities against mpmath, also where they are tiny", "[stats]") {
  for (const Tree& c : evidence_cases("distances")) {
    INFO("KL " << c.real("kl_pq"));
    check_distances(distances(c.reals("p"), c.reals("q")), c, 1e-13);
  }
}

TEST_CASE("distances: of logits against mpmath, limited by the spacing of the logits", "[stats]") {
  for (const Tree& c : evidence_cases("logits")) {
    const std::vector<double> reference = c.reals("reference"), target = c.reals("target");
    double largest = 0;
    for (const double x : target) largest = std::max(largest, std::fabs(x));
    INFO("KL " << c.real("kl_pq") << ", logits up to " << largest);
    // A difference of logprobs is off by about the spacing of the logits, KL twice that over the difference.
    check_distances(distances_of_logits(reference, target), c, 1e-13 + 16 * 0x1p-53 * largest / std::min(1.0, std::sqrt(c.real("kl_pq"))));
  }
}

TEST_CASE("distances: the vectors of distributions and of peers' defects", "[stats]") {
  for (const char* group : {"distribution", "peer_defect"}) {
    for (const Tree& vector : verification_group(group)) {
      const Tree &inputs = vector["inputs"], &expected = vector["expected"];
      INFO(vector["id"].text);
      const char* first = inputs.find("p") ? "p" : inputs.find("ref_logits") ? "ref_logits" : "golden_logits";
      const char* second = inputs.find("q") ? "q" : inputs.find("target_logits") ? "target_logits" : "my_logits";
      if (!inputs.find(first)) continue;
      const bool of_logits = *first != 'p';
      const std::vector<double> p = inputs.reals(first), q = inputs.reals(second);
      const Distances got = of_logits ? distances_of_logits(p, q) : distances(p, q);
      if (expected.find("kl_correct")) CHECK_CLOSE(got.kl_pq, expected.real("kl_correct"), 1e-12);
      if (expected.find("argmax_same")) CHECK((argmax(p) == argmax(q)) == (expected.real("argmax_same") != 0));
      if (!expected.find("kl_pq_nats")) continue;
      CHECK_CLOSE(got.kl_pq, expected.real("kl_pq_nats"), 1e-11);
      CHECK_CLOSE(got.kl_qp, expected.real("kl_qp_nats"), 1e-11);
      CHECK_CLOSE(got.js, expected.real("js_nats"), 1e-11);
      CHECK_CLOSE(got.js / vaa::math::log(2), expected.real("js_bits"), 1e-11);
      CHECK_CLOSE(got.tv, expected.real("tv"), 1e-12);
      CHECK_CLOSE(got.bhattacharyya, expected.real("bhattacharyya"), 1e-13);
      CHECK_CLOSE(got.hellinger, expected.real("hellinger"), 1e-11);
    }
  }
}

TEST_CASE("distances: none from itself, and the two directions change places", "[stats]") {
  const std::vector<double> p = {0.5, 0.25, 0.25, 0}, q = {0.125, 0.5, 0.25, 0.125};
  const Distances same = distances(p, p), one = distances(p, q), two = distances(q, p);
  CHECK(same.kl_pq == 0);
  CHECK(same.js == 0);
  CHECK(same.hellinger == 0);
  CHECK(one.kl_pq == two.kl_qp);
  CHECK(one.js == two.js);
  CHECK(std::isinf(one.kl_qp));
  // Masked logits are probabilities of 0.
  const double out = -std::numeric_limits<double>::infinity();
  const std::vector<double> a = {0, 0, out}, b = {0, 0, 0};
  const Distances masked = distances_of_logits(a, b);
  CHECK_CLOSE(masked.kl_pq, std::log(1.5), 1e-14);
  CHECK(std::isinf(masked.kl_qp));
  CHECK_CLOSE(masked.tv, 1.0 / 3, 1e-14);
  // A logit 2,000 below: too small a probability for a double, and still a finite divergence.
  const std::vector<double> deep = {0, -2000}, flat = {0, 0};
  CHECK_CLOSE(distances_of_logits(flat, deep).kl_pq, 0.5 * 2000 - std::log(2), 1e-13);
}

TEST_CASE("distances: KL hardly feels sums that are off by float32's rounding", "[stats]") {
  const std::vector<double> p = {0.6, 0.3, 0.1}, q = {0.6 * (1 + 1e-7), 0.3 * (1 + 1e-7), 0.1 * (1 + 1e-7)};
  CHECK(distances(p, q).kl_pq < 1e-13);
}

TEST_CASE("distances: the bound from the likeliest tokens against mpmath", "[stats]") {
  for (const Tree& c : evidence_cases("top_k")) {
    const TopKBound bound = kl_from_top_k(c.ids("reference_ids"), c.reals("reference_logprobs"), c.ids("target_ids"), c.reals("target_logprobs"));
    CHECK(std::fabs(bound.kl - c.real("kl")) <= 1e-13);
    CHECK(bound.common == c.count("common"));
    CHECK_CLOSE(bound.reference_mass, c.real("reference_mass"), 1e-14);
    CHECK_CLOSE(bound.target_mass, c.real("target_mass"), 1e-14);
  }
}

TEST_CASE("distances: the bound is KL where all tokens are listed, and 0 where no id is common", "[stats]") {
  const std::vector<int32_t> ids = {4, 9, 1}, turned = {1, 4, 9}, other = {7, 8, 3};
  const std::vector<double> p = {std::log(0.5), std::log(0.3), std::log(0.2)}, q = {std::log(0.1), std::log(0.6), std::log(0.3)};
  const std::vector<double> q_turned = {0.1, 0.6, 0.3}, p_turned = {0.2, 0.5, 0.3};
  CHECK_CLOSE(kl_from_top_k(ids, p, turned, q).kl, distances(p_turned, q_turned).kl_pq, 1e-12);
  CHECK(kl_from_top_k(ids, p, other, q).kl == 0);
}

TEST_CASE("distances: estimates from chosen tokens against mpmath and the vector", "[stats]") {
  for (const Tree& c : evidence_cases("estimates")) {
    const KlEstimates got = kl_estimates(c.reals("reference"), c.reals("target"));
    CHECK_CLOSE(got.k1, c.real("k1"), 1e-13);
    CHECK_CLOSE(got.k2, c.real("k2"), 1e-13);
    CHECK_CLOSE(got.k3, c.real("k3"), 1e-13);
    CHECK_CLOSE(got.mean_difference, c.real("mean_difference"), 1e-14);
    CHECK_CLOSE(got.most_difference, c.real("most_difference"), 1e-14);
    CHECK_CLOSE(got.mean_factor, c.real("mean_factor"), 1e-14);
  }
  for (const Tree& vector : verification_group("kl_estimator")) {
    const Tree& expected = vector["expected"];
    const KlEstimates got = kl_estimates(vector["inputs"].reals("ref_logprob"), vector["inputs"].reals("target_logprob"));
    CHECK_CLOSE(got.k1, expected.real("k1"), 1e-13);
    CHECK_CLOSE(got.k2, expected.real("k2"), 1e-13);
    CHECK_CLOSE(got.k3, expected.real("k3"), 1e-12);
    CHECK_CLOSE(got.mean_difference, expected.real("mean_abs_diff"), 1e-14);
    CHECK_CLOSE(got.most_difference, expected.real("max_abs_diff"), 1e-14);
    CHECK_CLOSE(got.mean_factor, expected.real("nemo_rl_error"), 1e-14);
  }
}

TEST_CASE("distances: what is out of range is named", "[stats]") {
  const double nan = std::nan(""), out = -std::numeric_limits<double>::infinity();
  const std::vector<double> p = {0.5, 0.5}, heavy = {0.5, 0.6}, negative = {1.5, -0.5}, odd = {0, nan}, masked = {out, out}, one = {1};
  CHECK(message_of([&] { distances(p, heavy); }) == "distances: the sum of q is 1.1, must be at most 1.00001 and finite");
  CHECK(message_of([&] { distances(negative, p); }) == "distances: p[0] is 1.5, must be in [0, 1]");
  CHECK(message_of([&] { distances(p, one); }) == "distances: the size of q is 1, must be at least 2");
  CHECK(message_of([&] { distances({}, {}); }) == "distances: the size of p is 0, must be at least 1");
  CHECK(message_of([&] { distances_of_logits(p, odd); }) == "distances_of_logits: target[1] is nan, must be finite, or -inf for a probability of 0");
  CHECK(message_of([&] { distances_of_logits(masked, p); }) == "distances_of_logits: reference are -inf throughout, one at least must be finite");
  const std::vector<int32_t> ids = {1, 2}, twice = {1, 1};
  const std::vector<double> low = {-1, -2}, high = {-0.1, -0.2}, positive = {-1, 0.25};
  CHECK(message_of([&] { kl_from_top_k(ids, low, twice, low); }) == "kl_from_top_k: the count of id 1 in target_ids is 2, must be at most 1");
  CHECK(message_of([&] { kl_from_top_k(ids, high, ids, low); }).find("kl_from_top_k: the sum of exp(reference_logprobs) is 1.72356") == 0);
  CHECK(message_of([&] { kl_estimates(low, positive); }) == "kl_estimates: target_logprobs[1] is 0.25, must be at most 0 and finite");
  CHECK(message_of([&] { kl_estimates(low, one); }) == "kl_estimates: the size of target_logprobs is 1, must be at least 2");
}
