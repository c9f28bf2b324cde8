#include "stats/mmd.h"

#include <cmath>

#include "base/random.h"
#include "catch.h"
#include "reference.h"

using namespace vaa::stats;
using vaa::test::evidence_cases;
using vaa::test::message_of;
using vaa::test::Tree;
using vaa::test::verification_group;

namespace {

struct Side {
  std::vector<int64_t> prompts, lengths;
  std::vector<int32_t> ids;
  Answers answers() const { return {prompts, lengths, ids}; }
  void add(int64_t prompt, const std::vector<int32_t>& answer) {
    prompts.push_back(prompt);
    lengths.push_back(static_cast<int64_t>(answer.size()));
    ids.insert(ids.end(), answer.begin(), answer.end());
  }
};

Side rows_of(const Tree& rows) {
  Side side;
  for (const Tree& row : rows.items) {
    std::vector<int32_t> answer;
    for (size_t i = 1; i < row.items.size(); ++i) answer.push_back(static_cast<int32_t>(row.items[i].number));
    side.add(static_cast<int64_t>(row.items[0].number), answer);
  }
  return side;
}

Side drawn(vaa::Random* random, int64_t prompts, int64_t each, uint64_t alphabet) {
  Side side;
  for (int64_t i = 0; i < prompts * each; ++i) {
    std::vector<int32_t> answer(6);
    for (int32_t& id : answer) id = static_cast<int32_t>(random->below(alphabet));
    side.add(i % prompts, answer);
  }
  return side;
}

}  // namespace

TEST_CASE("mmd: all splits of small samples against brute force in fractions", "[stats]") {
  for (const Tree& c : evidence_cases("mmd")) {
    const Side reference = {c.wholes("reference_prompts"), c.wholes("reference_lengths"), c.ids("reference_ids")};
    const Side target = {c.wholes("target_prompts"), c.wholes("target_lengths"), c.ids("target_ids")};
    const TwoSample test = mmd_test(reference.answers(), target.answers(), 100'000, 0);
    CHECK(test.exact);
    CHECK(std::fabs(test.mmd2 - c.real("mmd2")) <= 1e-14);
    CHECK(test.permutations == c.count("splits"));
    CHECK(test.at_least == c.count("at_least"));
    CHECK(test.p == c.real("at_least") / c.real("splits"));
  }
}

TEST_CASE("mmd: the vector, and random splits near it", "[stats]") {
  for (const Tree& vector : verification_group("two_sample")) {
    const Tree& expected = vector["expected"];
    const Side reference = rows_of(vector["inputs"]["ref"]), target = rows_of(vector["inputs"]["target"]);
    const TwoSample test = mmd_test(reference.answers(), target.answers(), 400, 0);
    CHECK_CLOSE(test.mmd2, expected.real("mmd2"), 1e-14);
    CHECK(test.permutations == expected.count("permutations"));
    CHECK(test.at_least == expected.count("at_least"));
    CHECK_CLOSE(test.p, expected.real("p_exact"), 1e-14);
    const TwoSample sampled = mmd_test(reference.answers(), target.answers(), 399, 5), again = mmd_test(reference.answers(), target.answers(), 399, 5);
    CHECK_FALSE(sampled.exact);
    CHECK(sampled.permutations == 400);
    CHECK(sampled.at_least >= 1);
    CHECK(sampled.p < 0.04);  // 0.01 but for a chance below 1e-5
    CHECK(again.p == sampled.p);
  }
}

TEST_CASE("mmd: p is uniform at most for samples of one distribution, and small for two", "[stats]") {
  vaa::Random random(31);
  int small = 0;
  const int rounds = 200;
  for (int i = 0; i < rounds; ++i) {
    const Side a = drawn(&random, 3, 3, 4), b = drawn(&random, 3, 3, 4);
    small += mmd_test(a.answers(), b.answers(), 99, static_cast<uint64_t>(i)).p <= 0.05;
  }
  CHECK(small <= 23);  // P(Bin(200, 0.05) > 23) = 1e-4
  const Side a = drawn(&random, 5, 6, 3), b = drawn(&random, 5, 6, 9);
  CHECK(mmd_test(a.answers(), b.answers(), 999, 1).p == 0.001);
}

TEST_CASE("mmd: the order of answers and sides does not matter, length differences count", "[stats]") {
  Side a, b, b_turned;
  a.add(1, {1, 2, 3});
  a.add(1, {1, 2});
  a.add(2, {});
  b.add(1, {1, 2, 4, 4});
  b.add(1, {5});
  b.add(2, {7});
  b_turned.add(2, {7});
  b_turned.add(1, {5});
  b_turned.add(1, {1, 2, 4, 4});
  const TwoSample one = mmd_test(a.answers(), b.answers(), 1000, 0), two = mmd_test(b.answers(), a.answers(), 1000, 0);
  CHECK(one.mmd2 == two.mmd2);
  CHECK(one.p == two.p);
  CHECK(mmd_test(a.answers(), b_turned.answers(), 1000, 0).p == one.p);
  // Mismatches: within a 1, within b 4, across (2 + 3) + (2 + 2) and for prompt 2 1, of 4 positions.
  CHECK_CLOSE(one.mmd2, (2.0 * 10 / 5 - 1 - 4) / 4, 1e-14);
}

TEST_CASE("mmd: answers that all agree have p 1", "[stats]") {
  Side a;
  for (int i = 0; i < 4; ++i) a.add(0, {1, 2});
  const TwoSample test = mmd_test(a.answers(), a.answers(), 1000, 0);
  CHECK(test.mmd2 == 0);
  CHECK(test.p == 1);
  Side empty;
  empty.add(0, {});
  empty.add(0, {});
  CHECK(mmd_test(empty.answers(), empty.answers(), 10, 0).p == 1);
}

TEST_CASE("mmd: what is out of range is named", "[stats]") {
  Side a, b, single, none;
  a.add(1, {1, 2});
  a.add(1, {1, 3});
  b.add(2, {1, 2});
  b.add(2, {4, 3});
  single.add(1, {1});
  CHECK(message_of([&] { mmd_test(a.answers(), b.answers(), 10, 0); }) == "mmd_test: prompt 1 has no answer in target");
  CHECK(message_of([&] { mmd_test(a.answers(), single.answers(), 10, 0); }) == "mmd_test: the number of pairs within target is 0, must be at least 1");
  CHECK(message_of([&] { mmd_test(a.answers(), none.answers(), 10, 0); }) == "mmd_test: the size of target_prompts is 0, must be at least 1");
  CHECK(message_of([&] { mmd_test(a.answers(), a.answers(), 0, 0); }) == "mmd_test: permutations is 0, must be at least 1");
  Side longer = a, negative = a, more = a;
  longer.lengths[1] = 3;
  negative.lengths[0] = -1;
  more.ids.push_back(9);
  CHECK(message_of([&] { mmd_test(longer.answers(), a.answers(), 10, 0); }) == "mmd_test: reference_lengths[1] is 3, must be at most 2");
  CHECK(message_of([&] { mmd_test(negative.answers(), a.answers(), 10, 0); }) == "mmd_test: reference_lengths[0] is -1, must be at least 0");
  CHECK(message_of([&] { mmd_test(a.answers(), more.answers(), 10, 0); }) == "mmd_test: the sum of target_lengths is 4, must be the size of target_ids, 5");
}

TEST_CASE("mmd: work without an end in sight is refused", "[stats]") {
  Side many;
  for (int i = 0; i < 400; ++i) many.add(0, {i});
  CHECK(message_of([&] { mmd_test(many.answers(), many.answers(), 1'000'000, 0); }) == "mmd_test: permutations is 1000000, must be at most 312891");
}
