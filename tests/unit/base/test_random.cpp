#include "base/random.h"

#include <set>
#include <vector>

#include "catch.h"

using vaa::philox4x32;
using vaa::Random;

// The known answers of Random123's kat_vectors for philox4x32 with 10 rounds.
TEST_CASE("random: Philox4x32-10 gives the published known answers", "[base]") {
  using Words = std::array<uint32_t, 4>;
  CHECK(philox4x32({0, 0, 0, 0}, {0, 0}) == Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  CHECK(philox4x32({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, {0xffffffff, 0xffffffff}) == Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  CHECK(philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}) == Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

TEST_CASE("random: a sequence is the counter's words one after another", "[base]") {
  Random random(0);
  CHECK(random.next32() == 0x6627e8d5);
  CHECK(random.next64() == 0xbc57ac4ce169c58d);
  CHECK(random.next32() == 0x9b00dbd8);
  const auto second = philox4x32({1, 0, 0, 0}, {0, 0});
  CHECK(random.next32() == second[0]);
  Random other(0xAABBCCDD11223344, 0x5566778899AABBCC);
  CHECK(other.next32() == philox4x32({0, 0, 0x99AABBCC, 0x55667788}, {0x11223344, 0xAABBCCDD})[0]);
}

TEST_CASE("random: numbers below a bound are below it, and every one comes up", "[base]") {
  Random random(3);
  CHECK(random.below(0) == 0);
  CHECK(random.below(1) == 0);
  std::vector<int> seen(7);
  for (int i = 0; i < 7000; ++i) ++seen[random.below(7)];
  for (const int n : seen) CHECK((n > 850 && n < 1150));  // 1000 ± 5 standard deviations
  for (int i = 0; i < 100; ++i) CHECK(random.below(UINT64_C(1) << 63 | 1) <= UINT64_C(1) << 63);
}

TEST_CASE("random: uniform numbers fill [0, 1)", "[base]") {
  Random random(4);
  double sum = 0;
  for (int i = 0; i < 10000; ++i) {
    const double u = random.uniform();
    REQUIRE((u >= 0 && u < 1));
    sum += u;
  }
  CHECK(sum / 10000 == Approx(0.5).margin(0.015));  // five standard errors
}
