// vaa_verifier through the border: a batch, its law, what is refused, and views that do not fit.
#include <cmath>
#include <vector>

#include "support.h"

namespace {

using Verifier = Owned<vaa_verifier, vaa_verifier_free>;

Verifier new_verifier(std::string_view policy, std::string_view options = R"({"input": "probs"})") {
  vaa_verifier* verifier = nullptr;
  ok([&](vaa_error** err) { return vaa_verifier_new(str(policy), str(options), &verifier, err); });
  return Verifier(verifier);
}

struct Batch {
  std::vector<int32_t> drafts{1, 2, 0}, bonus{2, 2}, ids = std::vector<int32_t>(6), accepted = std::vector<int32_t>(2), places = std::vector<int32_t>(6);
  std::vector<int64_t> cu{2, 3};
  std::vector<float> target{0.25f, 0.5f, 0.25f, 0.5f, 0.25f, 0.25f, 0.5f, 0.25f, 0.25f}, noise{1, 1, 1, 1, 1, 0.25f};
  std::vector<double> uniforms{0.5, 0.5, 0.75}, margins = std::vector<double>(6);
  size_t sizes[4] = {};

  vaa_status run(vaa_verifier* verifier, vaa_error** err, size_t room = 6) {
    return vaa_verifier_run(verifier, {drafts.data(), drafts.size()}, {cu.data(), cu.size()}, {nullptr, 0}, {target.data(), target.size() / 3, 3, 3}, {nullptr, 0, 0, 0}, {nullptr, 0}, {nullptr, 0},
                            {nullptr, 0, 0, 0}, {uniforms.data(), uniforms.size()}, {noise.data(), noise.size() / 3, 3, 3}, {bonus.data(), bonus.size()}, {ids.data(), room}, &sizes[0],
                            {accepted.data(), accepted.size()}, &sizes[1], {places.data(), places.size()}, &sizes[2], {margins.data(), margins.size()}, &sizes[3], err);
  }
};

}  // namespace

TEST_CASE("verifier: a batch comes back as rows of ids, places and margins", "[verifier]") {
  const Verifier verifier = new_verifier("vllm_v1");
  Batch batch;
  ok([&](vaa_error** err) { return batch.run(verifier.get(), err); });
  // Row 0: 0.5 >= 0.5 accepts at equality; 0.25 < 0.5 rejects, and of what is left 0.5 / 1 wins. Row 1: 0.5 < 0.75, and 0.25 / 0.25 beats 0.25 / 1.
  CHECK(batch.ids == std::vector<int32_t>{1, 0, -1, 2, -1, -1});
  CHECK(batch.accepted == std::vector<int32_t>{1, 0});
  CHECK(batch.places == std::vector<int32_t>{VAA_PLACE_ACCEPTED | VAA_PLACE_BOUNDARY, VAA_PLACE_REJECTED, VAA_PLACE_EMPTY, VAA_PLACE_REJECTED, VAA_PLACE_EMPTY, VAA_PLACE_EMPTY});
  CHECK(batch.margins[0] == 0);
  CHECK(batch.margins[1] == Approx(std::log(0.5)));
  CHECK(std::isnan(batch.margins[2]));
  CHECK(batch.sizes[0] == 6);
  CHECK(batch.sizes[1] == 2);
}

TEST_CASE("verifier: what does not fit has its status, and the verifier goes on", "[verifier]") {
  const Verifier verifier = new_verifier("vllm_v1");
  Batch batch;
  const Error small = fault([&](vaa_error** err) { return batch.run(verifier.get(), err, 5); });
  CHECK(vaa_error_status(small.get()) == VAA_ERROR_CAPACITY);
  CHECK(message(small) == "ids: has room for 5, needs 6");
  batch.cu = {3, 2};
  CHECK(message(fault([&](vaa_error** err) { return batch.run(verifier.get(), err); })) == "cu_num_draft_tokens[1]: falls from 3 to 2, must not fall");
  batch.cu = {2, 3};
  batch.target[4] = NAN;
  CHECK(message(fault([&](vaa_error** err) { return batch.run(verifier.get(), err); })) == "request 0, position 1: target probability of id 1 is NaN, must be 0 to 1");
  batch.target[4] = 0.25f;
  ok([&](vaa_error** err) { return batch.run(verifier.get(), err); });
  CHECK(message(fault([&](vaa_error** err) { return batch.run(nullptr, err); })) == "verifier is NULL");
  vaa_verifier* none = nullptr;
  CHECK(vaa_error_status(fault([&](vaa_error** err) { return vaa_verifier_new(str("vllm_v9"), str(""), &none, err); }).get()) == VAA_ERROR_NOT_FOUND);
  CHECK(vaa_error_status(fault([&](vaa_error** err) { return vaa_verifier_new(str("vllm_v1"), str(R"({"layout": "wide"})"), &none, err); }).get()) == VAA_ERROR_OPTION);
}

TEST_CASE("verifier: the law of a step adds up to the target's", "[verifier]") {
  const Verifier verifier = new_verifier("vllm_v1");
  const double target[] = {0.5, 0.25, 0.25}, drafted[] = {0.25, 0.25, 0.5};
  double marginal[3], acceptance = 0;
  size_t size = 0;
  ok([&](vaa_error** err) { return vaa_verifier_marginal(verifier.get(), {target, 3}, {drafted, 3}, {drafted, 3}, 1, {marginal, 3}, &size, &acceptance, err); });
  for (size_t x = 0; x < 3; ++x) CHECK(marginal[x] == Approx(target[x]).margin(1e-15));
  CHECK(acceptance == Approx(0.75));  // the sum of min(p, q)
  const int32_t draft = 2;
  double one = 0, lengths[2], emitted[3];
  size_t n = 0, m = 0;
  ok([&](vaa_error** err) {
    return vaa_verifier_law(verifier.get(), {&draft, 1}, {nullptr, 0}, {target, 1, 3, 3}, {drafted, 1, 3, 3}, {&one, 1}, &n, {lengths, 2}, &m, {emitted, 1, 3, 3}, {nullptr, 0, 0, 0}, err);
  });
  CHECK(one == Approx(0.5));
  CHECK(lengths[0] == Approx(0.5));
  CHECK(emitted[0] == Approx(0.5));  // the only id with p > q
  CHECK(emitted[2] == Approx(0.5));
}

TEST_CASE("verifier: policies are listed, and each gives itself again as JSON", "[verifier]") {
  REQUIRE(vaa_policy_count() >= 6);
  CHECK(text(vaa_policy_name(-1)).empty());
  CHECK(text(vaa_policy_name(vaa_policy_count())).empty());
  for (int32_t i = 0; i < vaa_policy_count(); ++i) {
    const Verifier verifier = new_verifier(text(vaa_policy_name(i)));
    vaa_text* rules = nullptr;
    ok([&](vaa_error** err) { return vaa_verifier_policy(verifier.get(), &rules, err); });
    const Text kept(rules);
    new_verifier(text(vaa_text_str(rules)));
  }
}
