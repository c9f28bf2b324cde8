// The words of generators: the same from every instruction set, against straight-line code and the standard library.
#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "base/random.h"
#include "catch.h"
#include "sampler/generators/float_noise.h"
#include "sampler/generators/mt19937.h"
#include "sampler/generators/turn.h"
#include "sampler/generators/word_kernels.h"

using namespace vaa;

namespace {

std::vector<const WordKernels*> all_kernels() {
  std::vector<const WordKernels*> out;
  for (const WordIsa isa : {WordIsa::kBase, WordIsa::kAvx2, WordIsa::kAvx512, WordIsa::kBest})
    if (const WordKernels* kernels = word_kernels(isa)) out.push_back(kernels);
  return out;
}

}  // namespace

TEST_CASE("generators: MT19937 gives std::mt19937's words on every instruction set", "[sampler]") {
  for (const WordKernels* kernels : all_kernels()) {
    for (const uint32_t seed : {0u, 42u, 0xFFFFFFFFu}) {
      std::mt19937 want(seed);
      Mt19937 got(seed, kernels);
      for (int i = 0; i < 2000; ++i) REQUIRE(got.next() == want());
      want.discard(12345);
      got.discard(12345);
      std::vector<uint32_t> words(1500);
      got.fill(words);
      for (const uint32_t word : words) REQUIRE(word == want());
    }
  }
}

TEST_CASE("generators: Philox gives the blocks of its counters on every instruction set, for any count", "[sampler]") {
  const uint64_t key = 0x0123456789ABCDEF, block = 0xFFFFFFFF00000001;
  for (const WordKernels* kernels : all_kernels()) {
    for (size_t n = 0; n <= 40; ++n) {
      for (const uint32_t thread : {0u, 5u, 0xFFFFFF00u}) {
        std::vector<std::vector<uint32_t>> planes(4, std::vector<uint32_t>(n + 1, 7));
        uint32_t* const pointers[] = {planes[0].data(), planes[1].data(), planes[2].data(), planes[3].data()};
        kernels->philox4(key, block, thread, n, pointers);
        std::vector<uint32_t> first(n + 1, 7);
        kernels->philox1(key, block, thread, n, first.data());
        for (size_t i = 0; i < n; ++i) {
          const auto want = philox4x32({static_cast<uint32_t>(block), static_cast<uint32_t>(block >> 32), thread + static_cast<uint32_t>(i), 0}, {static_cast<uint32_t>(key), static_cast<uint32_t>(key >> 32)});
          for (size_t k = 0; k < 4; ++k) REQUIRE(planes[k][i] == want[k]);
          REQUIRE(first[i] == want[0]);
        }
        for (const auto& plane : planes) REQUIRE(plane[n] == 7);
        REQUIRE(first[n] == 7);
      }
    }
  }
}

TEST_CASE("generators: words become floats as one rounding of the exact number on every instruction set", "[sampler]") {
  std::vector<uint32_t> words = {0, 1, 127, 128, 0xFFFFFF, 0x1000000, 0x1000001, 0x7FFFFFFF, 0x80000000, 0x80000080, 0x800000C0, 0xFFFFFF7F, 0xFFFFFF80, 0xFFFFFFFF};
  Random random(1);
  while (words.size() < 5003) words.push_back(random.next32());
  for (const WordKernels* kernels : all_kernels()) {
    std::vector<float> low(words.size()), all(words.size()), folded(words.size());
    kernels->rand32(words.data(), words.size(), folded.data());
    kernels->unit24(words.data(), words.size(), low.data());
    kernels->unit32(words.data(), words.size(), all.data());
    for (size_t i = 0; i < words.size(); ++i) {
      REQUIRE(low[i] == static_cast<float>(static_cast<double>(words[i] & 0xFFFFFF) * 0x1p-24));
      REQUIRE(all[i] == curand_float(words[i]));
      REQUIRE(folded[i] == (all[i] == 1 ? 0 : all[i]));
    }
  }
}

TEST_CASE("generators: narrow floats are rounded to even, subnormal and large ones too", "[sampler]") {
  CHECK(rounded(1 + 0x1p-11f, FloatType::kF16) == 1);
  CHECK(rounded(1 + 0x3p-11f, FloatType::kF16) == 1 + 0x1p-9f);
  CHECK(rounded(1 + 0x1p-11f + 0x1p-20f, FloatType::kF16) == 1 + 0x1p-10f);
  CHECK(rounded(1 + 0x1p-8f, FloatType::kBf16) == 1);
  CHECK(rounded(1 + 0x3p-8f, FloatType::kBf16) == 1 + 0x1p-6f);
  CHECK(rounded(0x1p-25f, FloatType::kF16) == 0);
  CHECK(rounded(0x1.8p-25f, FloatType::kF16) == 0x1p-24f);
  CHECK(rounded(-0x1.8p-25f, FloatType::kF16) == -0x1p-24f);
  CHECK(rounded(65519.f, FloatType::kF16) == 65504);
  CHECK(std::isinf(rounded(65520.f, FloatType::kF16)));
  CHECK(rounded(0x1.234567p0f, FloatType::kF32) == 0x1.234567p0f);
}

TEST_CASE("generators: a cast has no band unless its double is near the middle between two floats", "[sampler]") {
  CHECK(cast(0.7, 3 * kUlp64, FloatType::kF32).band == 0);
  CHECK(cast(1 + 0x1p-24, 3 * kUlp64, FloatType::kF32).band == 0x1p-23f);
  CHECK(cast(0, 3 * kUlp64, FloatType::kF32).band == 0);
}

TEST_CASE("generators: sine and cosine of a share of a turn are within 4e-16", "[sampler]") {
  for (int i = 0; i <= 100000; ++i) {
    const double u = i / 100000.0;
    const Turn turn = turn_of(u);
    const long double x = 2 * 3.14159265358979323846264338327950288L * u;
    REQUIRE(std::fabs(turn.cosine - static_cast<double>(std::cos(x))) <= 4e-16);
    REQUIRE(std::fabs(turn.sine - static_cast<double>(std::sin(x))) <= 4e-16);
  }
}
