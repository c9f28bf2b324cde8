#include "made_evidence.h"

using namespace vaa;

namespace {

// `other` of `pairs` with the same ids have another text; `repeats` of them stand under each question.
StepResult handling(int pairs, int other, int repeats = 1) {
  TokenEvidence e;
  for (int i = 0; i < pairs; ++i) {
    TokenPair pair;
    pair.question = i / repeats;
    pair.greedy = true;
    pair.reference_tokens = pair.target_tokens = 200;
    pair.same_text = i >= other;
    pair.handling = i < other ? kTextDiffers : 0;
    e.pairs.push_back(pair);
  }
  return run_step("handling", &e, nullptr, "version");
}

}  // namespace

TEST_CASE("handling: another text of the same ids is beyond the margin where more than a few answers have it", "[compare]") {
  const StepResult r = handling(400, 20);
  CHECK(r.effect == Approx(0.05));
  CHECK(r.lower == Approx(0.0308052));  // Clopper and Pearson: scipy.stats.beta.ppf(0.025, 20, 381)
  CHECK(r.upper == Approx(0.0761670));  // beta.ppf(0.975, 21, 380)
  CHECK(r.p_beyond < 1e-6);
  CHECK(std::string(r.kind) == "output_handling");
}

TEST_CASE("handling: one answer of 400 is shown and proves nothing", "[compare]") {
  const StepResult r = handling(400, 1);
  CHECK(r.p == Approx(1));
  CHECK(r.p_beyond > 0.5);
  CHECK(!r.inside);
}

TEST_CASE("handling: repeats of one question are no independent answers", "[compare]") {
  CHECK(handling(400, 20, 20).lower < handling(400, 20).lower);
}

TEST_CASE("handling: many answers handled alike are inside the margin, a few bound nothing", "[compare]") {
  CHECK(handling(1000, 0).inside);  // 0 of 1,000: at most 0.37 % (Clopper and Pearson)
  CHECK(!handling(64, 0).inside);
  CHECK(!handling(1, 0).applies);
}

TEST_CASE("handling: repeats of one question alone bound nothing, however many they are", "[compare]") {
  CHECK(!handling(1000, 0, 1000).inside);
  CHECK(handling(1000, 20, 1000).p_beyond > 0.05);
}
