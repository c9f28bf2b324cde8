// Expected numbers: the formula swing = [lp_ref(r) - lp_ref(t)] + [lp_tgt(t) - lp_tgt(r)], worked out beside each case.
#include "capture/swing.h"

#include <cmath>
#include <limits>

#include "catch.h"

using namespace vaa;
using namespace vaa::capture;

namespace {

struct Alternative {
  int32_t id;
  double logprob;
};
// Tokens by their lists, the sampled id first.
Continuation said(const std::vector<std::vector<Alternative>>& tokens) {
  Continuation out;
  for (const auto& token : tokens) {
    out.ids.push_back(token[0].id);
    out.logprobs.push_back(token[0].logprob);
    for (const Alternative& a : token) {
      out.top_ids.push_back(a.id);
      out.top_logprobs.push_back(a.logprob);
    }
    out.top_ends.push_back(static_cast<int64_t>(out.top_ids.size()));
  }
  return out;
}
Continuation only_ids(std::vector<int32_t> ids) {
  Continuation out;
  out.ids = std::move(ids);
  return out;
}

constexpr double kInfinite = std::numeric_limits<double>::infinity();
const std::vector<Alternative> kSame = {{1, -0.5}, {2, -1.0}};

}  // namespace

TEST_CASE("swing: both gaps at the first difference, in nats", "[capture]") {
  const Parting p = part(said({kSame, {{3, -0.6}, {4, -0.9}}}), said({kSame, {{4, -0.7}, {3, -0.8}}}), 0.5);
  CHECK(p.what == PartingClass::kNearTie);
  CHECK(p.index == 1);
  CHECK(p.compared == 2);
  CHECK(p.reference_id == 3);
  CHECK(p.target_id == 4);
  CHECK(p.swing == Approx((-0.6 - -0.9) + (-0.7 - -0.8)));
  CHECK_FALSE(p.bound);
}

TEST_CASE("swing: over tau it is a suspect, at tau a near tie, at 0 an exact tie", "[capture]") {
  const Continuation reference = said({{{3, -0.25}, {4, -0.5}}}), target = said({{{4, -0.25}, {3, -0.5}}});
  CHECK(part(reference, target, 0.49).what == PartingClass::kSuspect);
  CHECK(part(reference, target, 0.5).what == PartingClass::kNearTie);
  CHECK(part(said({{{3, -0.5}, {4, -0.5}}}), said({{{4, -0.5}, {3, -0.5}}}), 0.5).what == PartingClass::kExactTie);
}

TEST_CASE("swing: an id outside a list bounds it from below", "[capture]") {
  // lp_ref(9) is at most -4, so the swing is at least (-0.1 + 4) + (-0.2 + 1.5).
  const Parting far = part(said({{{3, -0.1}, {4, -4.0}}}), said({{{9, -0.2}, {3, -1.5}}}), 0.5);
  CHECK(far.what == PartingClass::kSuspect);
  CHECK(far.bound);
  CHECK(far.swing == Approx(3.9 + 1.3));
  // Here the bound is (-0.7 + 0.8) + (-0.7 + 0.8) = 0.2: it may be anything above.
  const Parting near = part(said({{{3, -0.7}, {4, -0.8}}}), said({{{9, -0.7}, {5, -0.8}}}), 0.5);
  CHECK(near.what == PartingClass::kUndetermined);
  CHECK(near.swing == Approx(0.2));
}

TEST_CASE("swing: -infinity is a logprob, NaN is none", "[capture]") {
  CHECK(part(said({{{3, -0.1}, {4, -kInfinite}}}), said({{{4, -0.2}, {3, -1.5}}}), 0.5).what == PartingClass::kSuspect);
  CHECK(part(said({{{3, -kInfinite}, {4, -0.1}}}), said({{{4, -0.2}, {3, -1.5}}}), 0.5).what == PartingClass::kNoEvidence);
  CHECK(part(said({{{3, std::nan("")}, {4, -0.1}}}), said({{{4, -0.2}, {3, -1.5}}}), 0.5).what == PartingClass::kNoEvidence);
  CHECK(part(said({{{3, -0.1}, {4, -4.0}, {5, std::nan("")}}}), said({{{9, -0.2}, {3, -1.5}}}), 0.5).what == PartingClass::kNoEvidence);
}

TEST_CASE("swing: ids without lists part without evidence", "[capture]") {
  const Parting p = part(only_ids({1, 2, 3}), only_ids({1, 5, 3}), 0.5);
  CHECK(p.what == PartingClass::kNoEvidence);
  CHECK(p.index == 1);
  CHECK(std::isnan(p.swing));
  CHECK(part(only_ids({1, 2}), said({kSame, {{5, -0.1}, {2, -3.0}}}), 0.5).what == PartingClass::kNoEvidence);
}

TEST_CASE("swing: one that stops sooner has not parted", "[capture]") {
  const Parting p = part(only_ids({1, 2}), only_ids({1, 2, 3}), 0.5);
  CHECK(p.what == PartingClass::kAlike);
  CHECK(p.index == -1);
  CHECK(p.compared == 2);
  CHECK(part(only_ids({}), only_ids({1}), 0.5).compared == 0);
}

TEST_CASE("swing: rank of an id by logprob, also where the sampled one stands twice", "[capture]") {
  const Continuation c = said({{{7, -2.0}, {1, -0.5}, {2, -1.0}, {7, -2.0}, {5, -3.0}}});
  CHECK(look_up(c, 0, 7).rank == 3);
  CHECK(look_up(c, 0, 5).rank == 4);
  CHECK(look_up(c, 0, 6).rank == 0);
  CHECK(look_up(c, 0, 6).bound);
  CHECK(look_up(c, 0, 6).logprob == -3.0);
}

TEST_CASE("tau: the 99.9 % quantile of how the gap moves, never under two steps of bf16", "[capture]") {
  CHECK(tau_from({}).value == kDefaultTau);
  CHECK(tau_from(std::vector<double>(99, 3.0)).tokens == 0);
  const Tau still = tau_from(std::vector<double>(500, 0.0));
  CHECK(still.value == kLeastTau);
  CHECK(still.tokens == 500);
  // 1 … 2000 hundredths: the 1,998th is the quantile; of 500 the largest.
  std::vector<double> rising;
  for (int i = 2000; i > 0; --i) rising.push_back(i / 100.0);
  CHECK(tau_from(rising).value == 19.98);
  rising.resize(500);
  CHECK(tau_from(rising).value == 20.0);
}

TEST_CASE("tau: gaps of likely second ids are compared, up to the first difference", "[capture]") {
  const Continuation a = said({{{1, -0.5}, {2, -1.0}}, {{3, -0.01}, {4, -7.0}}, {{5, -0.7}, {6, -0.8}}, {{8, -0.1}, {9, -2.4}}});
  const Continuation b = said({{{1, -0.4}, {2, -1.2}}, {{3, -0.01}, {4, -9.0}}, {{6, -0.7}, {5, -0.8}}, {{8, -0.1}, {9, -2.0}}});
  std::vector<double> changes;
  append_gap_changes(a, b, &changes);
  REQUIRE(changes.size() == 1);  // the second token's runner-up is unlikely, the third parts
  CHECK(changes[0] == Approx(0.8 - 0.5));
}

TEST_CASE("swing: lists that do not fit the ids of a sample are not given", "[capture]") {
  const OwnedSample sample = new_sample();
  const std::vector<int32_t> ids = {1, 2};
  const std::vector<double> one = {-0.5};
  must([&](vaa_error** err) { return vaa_sample_set_ids(sample.get(), VAA_FIELD_OUTPUT_TOKEN_IDS, border(std::span<const int32_t>(ids)), err); });
  must([&](vaa_error** err) { return vaa_sample_set_f64s(sample.get(), VAA_FIELD_OUTPUT_LOGPROBS, border(std::span<const double>(one)), err); });
  const Continuation c = continuation_of(sample.get());
  CHECK(c.ids == ids);
  CHECK(c.logprobs.empty());
  CHECK_FALSE(c.has_logprobs());
  CHECK(c.error.empty());
}
