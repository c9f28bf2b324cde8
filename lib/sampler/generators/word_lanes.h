// The loops of word_kernels.h over vectors. L gives the vectors of an instruction set: L::kBytes, and L::wide, the products of the lower halves of 64-bit lanes.
// Whoever includes this has set the instruction set for the functions that follow; L keeps their names apart.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace vaa {

// Vectors of a size: of words, of whole and real numbers, of 64-bit lanes, and of half as many words. (g++ forgets what a vector of a dependent size is made of.)
template <size_t kSize>
struct WordVectors;
#define VAA_WORD_VECTORS(size)                              \
  template <>                                               \
  struct WordVectors<size> {                                \
    typedef uint32_t U __attribute__((vector_size(size)));     \
    typedef int32_t I __attribute__((vector_size(size)));      \
    typedef float F __attribute__((vector_size(size)));        \
    typedef uint64_t W __attribute__((vector_size(size)));     \
    typedef uint32_t H __attribute__((vector_size(size / 2))); \
  };
VAA_WORD_VECTORS(16)
VAA_WORD_VECTORS(32)
VAA_WORD_VECTORS(64)
#undef VAA_WORD_VECTORS

template <class L>
struct WordLanes {
  static constexpr size_t kBytes = L::kBytes, kWords = kBytes / 4, kWides = kBytes / 8;
  using U = typename WordVectors<kBytes>::U;
  using I = typename WordVectors<kBytes>::I;
  using F = typename WordVectors<kBytes>::F;
  using W = typename WordVectors<kBytes>::W;
  using H = typename WordVectors<kBytes>::H;

  static inline uint32_t mix(uint32_t upper, uint32_t lower) {
    const uint32_t y = (upper & 0x80000000u) | (lower & 0x7FFFFFFFu);
    return (y >> 1) ^ ((0u - (lower & 1)) & 0x9908B0DFu);
  }
  static inline U load(const uint32_t* p) {
    U v;
    std::memcpy(&v, p, kBytes);
    return v;
  }
  // to[i] = other[i] ^ mix(to[i], to[i + 1]).
  static inline void twist_run(uint32_t* to, const uint32_t* other, size_t n) {
    for (size_t i = 0; i + kWords <= n; i += kWords) {
      const U upper = load(to + i), lower = load(to + i + 1);
      const U y = (upper & 0x80000000u) | (lower & 0x7FFFFFFFu);
      const U next = load(other + i) ^ (y >> 1) ^ ((U{} - (lower & 1)) & 0x9908B0DFu);
      std::memcpy(to + i, &next, kBytes);
    }
    for (size_t i = n - n % kWords; i < n; ++i) to[i] = other[i] ^ mix(to[i], to[i + 1]);
  }
  static void twist(uint32_t* state, uint32_t* out) {
    twist_run(state, state + 397, 227);
    twist_run(state + 227, state, 396);
    state[623] = state[396] ^ mix(state[623], state[0]);
    static_assert(624 % kWords == 0);
    for (size_t i = 0; i < 624; i += kWords) {
      U y = load(state + i);
      y ^= y >> 11;
      y ^= (y << 7) & 0x9D2C5680u;
      y ^= (y << 15) & 0xEFC60000u;
      y ^= y >> 18;
      std::memcpy(out + i, &y, kBytes);
    }
  }

  static inline F to_float(U v) { return __builtin_convertvector((I)v, F); }  // below 2^31
  static inline F of24(U v) { return to_float(v & 0xFFFFFF) * 0x1p-24f; }
  // Both halves are exact, so the sum rounds once.
  static inline F of32(U v) { return (to_float(v >> 16) * 0x1p16f + to_float(v & 0xFFFF)) * 0x1p-32f + 0x1p-33f; }
  static inline F folded32(U v) {
    const F u = of32(v);
    return (F)((I)u & (I)(u != 1.0f));
  }
  template <F (*kOf)(U)>
  static inline void convert(const uint32_t* words, size_t n, float* out) {
    size_t i = 0;
    for (; i + kWords <= n; i += kWords) {
      const F v = kOf(load(words + i));
      std::memcpy(out + i, &v, kBytes);
    }
    if (i == n) return;
    U last = {};
    std::memcpy(&last, words + i, 4 * (n - i));
    const F v = kOf(last);
    std::memcpy(out + i, &v, 4 * (n - i));
  }
  static void unit24(const uint32_t* words, size_t n, float* out) { convert<of24>(words, n, out); }
  static void unit32(const uint32_t* words, size_t n, float* out) { convert<of32>(words, n, out); }
  static void rand32(const uint32_t* words, size_t n, float* out) { convert<folded32>(words, n, out); }

  // The upper half of a lane is of no meaning throughout.
  static inline void philox(uint64_t key, uint64_t block, W thread, W* c) {
    c[0] = W{} + (block & 0xFFFFFFFF);
    c[1] = W{} + (block >> 32);
    c[2] = thread;
    c[3] = W{};
    uint32_t k0 = static_cast<uint32_t>(key), k1 = static_cast<uint32_t>(key >> 32);
#pragma GCC unroll 10
    for (int round = 0; round < 10; ++round) {
      const W a = L::template wide<W>(c[0], 0xD2511F53), b = L::template wide<W>(c[2], 0xCD9E8D57);
      c[0] = (b >> 32) ^ c[1] ^ (W{} + k0);
      c[1] = b;
      c[2] = (a >> 32) ^ c[3] ^ (W{} + k1);
      c[3] = a;
      k0 += 0x9E3779B9;
      k1 += 0xBB67AE85;
    }
  }
  template <size_t kPlanes>
  static inline void planes(uint64_t key, uint64_t block, uint32_t thread, size_t n, uint32_t* const* out) {
    W lane;
    for (size_t k = 0; k < kWides; ++k) lane[k] = k;
    for (size_t i = 0; i < n; i += kWides) {
      W c[4];
      philox(key, block, lane + (thread + i), c);
      const size_t count = n - i < kWides ? n - i : kWides;
      for (size_t k = 0; k < kPlanes; ++k) {
        const H words = __builtin_convertvector(c[k], H);
        if (count == kWides) std::memcpy(out[k] + i, &words, kBytes / 2);
        else std::memcpy(out[k] + i, &words, 4 * count);
      }
    }
  }
  static void philox1(uint64_t key, uint64_t block, uint32_t thread, size_t n, uint32_t* out) { planes<1>(key, block, thread, n, &out); }
  static void philox4(uint64_t key, uint64_t block, uint32_t thread, size_t n, uint32_t* const* out) { planes<4>(key, block, thread, n, out); }
};

}  // namespace vaa
