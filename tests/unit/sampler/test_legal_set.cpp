// Which tokens are legal, certainly or possibly, by lists that leave a tail out. Rows are made of probabilities so that masses are known by hand.
#include <cmath>
#include <vector>

#include "catch.h"
#include "sampler/calibration/legal_set.h"

using namespace vaa::sampler;

namespace {

ListedRow row_of(const std::vector<double>& probabilities) {
  ListedRow row;
  for (const double p : probabilities) {
    row.ids.push_back(static_cast<int32_t>(row.ids.size()));
    row.logprobs.push_back(std::log(p));
    row.mass += p;
  }
  row.listed = row.entries = row.ids.size();
  return row;
}
Law law_of(double temperature) {
  Law law;
  law.temperature = temperature;
  law.place = TemperaturePlace::kFirst;
  return law;
}

}  // namespace

TEST_CASE("legal set: top-k counts likelier tokens, and a tie at k is legal and not surely so", "[calibrate]") {
  Law law = law_of(1);
  law.top_k = 2;
  const LegalBounds clear = legal_bounds(row_of({0.5, 0.3, 0.1, 0.05}), law);
  CHECK(clear.surely == 2);
  CHECK(clear.maybe == 2);
  const LegalBounds tied = legal_bounds(row_of({0.5, 0.2, 0.2, 0.05}), law);
  CHECK(tied.surely == 1);
  CHECK(tied.maybe == 3);
}

TEST_CASE("legal set: top-p by the mass before a token, with what is not listed as room", "[calibrate]") {
  Law law = law_of(1);
  law.top_p = 0.75;
  const LegalBounds whole = legal_bounds(row_of({0.5, 0.3, 0.15, 0.05}), law);
  CHECK(whole.surely == 2);
  CHECK(whole.maybe == 2);
  law.top_p = 0.8;  // the third has 0.8 before it: the boundary's rule decides
  CHECK(legal_bounds(row_of({0.5, 0.3, 0.15, 0.05}), law).surely == 2);
  CHECK(legal_bounds(row_of({0.5, 0.3, 0.15, 0.05}), law).maybe == 3);
}

TEST_CASE("legal set: below temperature 1 a tail weighs at most as if it were as likely as the last", "[calibrate]") {
  const ListedRow row = row_of({0.4, 0.2, 0.1});
  // The rest of 0.3 is at most three tokens of 0.1: each (0.1 / 0.4)^2 at temperature 1/2.
  CHECK(most_tail_weight(row, 0.5, 1000) == Approx(3 * 0.0625).epsilon(1e-4));
  // Above it, 997 tokens alike: each (0.3 / 997 / 0.4)^(1/2).
  CHECK(most_tail_weight(row, 2, 1000) == Approx(997 * std::sqrt(0.3 / 997 / 0.4)).epsilon(1e-4));
}

TEST_CASE("legal set: an order that nobody knows makes illegal only what is so in both", "[calibrate]") {
  Law law = law_of(0.5);
  law.min_p = 0.3;
  const ListedRow row = row_of({0.5, 0.25, 0.2, 0.05});  // ratios 1, 0.5, 0.4, 0.1; squared 1, 0.25, 0.16, 0.01
  CHECK(legal_bounds(row, law).maybe == 1);
  law.place = TemperaturePlace::kLast;
  CHECK(legal_bounds(row, law).maybe == 3);
  law.place = TemperaturePlace::kUnknown;
  CHECK(legal_bounds(row, law).maybe == 3);
  CHECK(legal_bounds(row, law).surely == 1);
}

TEST_CASE("legal set: greedy takes the likeliest, or one that is equal", "[calibrate]") {
  Law law = law_of(1);
  law.greedy = true;
  CHECK(legal_bounds(row_of({0.5, 0.3}), law).maybe == 1);
  CHECK(legal_bounds(row_of({0.4, 0.4, 0.1}), law).maybe == 2);
}

TEST_CASE("legal set: near ties change places in ranks, and weigh what they weigh in masses", "[calibrate]") {
  Law law = law_of(1);
  law.near_tie = 0.25;  // 0.4 and 0.35 are 0.134 nats apart, 0.35 and 0.2 are 0.560
  law.greedy = true;
  CHECK(legal_bounds(row_of({0.4, 0.35, 0.2, 0.05}), law).maybe == 2);
  law.greedy = false;
  law.top_k = 1;
  CHECK(legal_bounds(row_of({0.4, 0.35, 0.2, 0.05}), law).maybe == 2);
  law.top_k = 0;
  law.top_p = 0.39;
  CHECK(legal_bounds(row_of({0.4, 0.35, 0.2, 0.05}), law).maybe == 1);
}
