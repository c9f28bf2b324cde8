// UTF-8 is checked by the three table look-ups of Keiser and Lemire, "Validating UTF-8 in less than one instruction per byte" (2021), over blocks of 16 bytes,
// in the pass that looks for the end of the run.
#include "base/json_scan.h"

#include "base/utf8_sequence.h"

#if defined(__x86_64__)
#include <tmmintrin.h>
#endif

namespace vaa::json_scan {

namespace {

#if defined(__x86_64__) || (defined(__ARM_NEON) && defined(__aarch64__))
#define VAA_JSON_VECTOR 1

#if defined(__x86_64__)
// SSSE3 for the look-ups: asked for by function, so that the rest of the library runs on any x86-64.
#define VAA_LANES __attribute__((target("ssse3"))) inline
using Bytes = __m128i;
VAA_LANES Bytes load(const char* p) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(p)); }
VAA_LANES void store(char* p, Bytes b) { _mm_storeu_si128(reinterpret_cast<__m128i*>(p), b); }
VAA_LANES Bytes fill(uint8_t b) { return _mm_set1_epi8(static_cast<char>(b)); }
VAA_LANES Bytes both(Bytes a, Bytes b) { return _mm_and_si128(a, b); }
VAA_LANES Bytes either(Bytes a, Bytes b) { return _mm_or_si128(a, b); }
VAA_LANES Bytes differ(Bytes a, Bytes b) { return _mm_xor_si128(a, b); }
VAA_LANES Bytes minus(Bytes a, Bytes b) { return _mm_subs_epu8(a, b); }  // not below 0
VAA_LANES Bytes equal(Bytes a, Bytes b) { return _mm_cmpeq_epi8(a, b); }
VAA_LANES Bytes at_most(Bytes a, uint8_t b) { return _mm_cmpeq_epi8(_mm_min_epu8(a, fill(b)), a); }
VAA_LANES Bytes high_nibble(Bytes a) { return both(_mm_srli_epi16(a, 4), fill(0x0F)); }
VAA_LANES Bytes look_up(Bytes table, Bytes index) { return _mm_shuffle_epi8(table, index); }
template <int kBack>
VAA_LANES Bytes before(Bytes now, Bytes previous) { return _mm_alignr_epi8(now, previous, 16 - kBack); }
VAA_LANES bool any(Bytes a) { return _mm_movemask_epi8(_mm_cmpeq_epi8(a, _mm_setzero_si128())) != 0xFFFF; }
VAA_LANES bool any_high(Bytes a) { return _mm_movemask_epi8(a) != 0; }
VAA_LANES int first(Bytes flags) { return __builtin_ctz(static_cast<unsigned>(_mm_movemask_epi8(flags)) | 0x10000u); }
#else
#define VAA_LANES inline
using Bytes = uint8x16_t;
VAA_LANES Bytes load(const char* p) { return vld1q_u8(reinterpret_cast<const uint8_t*>(p)); }
VAA_LANES void store(char* p, Bytes b) { vst1q_u8(reinterpret_cast<uint8_t*>(p), b); }
VAA_LANES Bytes fill(uint8_t b) { return vdupq_n_u8(b); }
VAA_LANES Bytes both(Bytes a, Bytes b) { return vandq_u8(a, b); }
VAA_LANES Bytes either(Bytes a, Bytes b) { return vorrq_u8(a, b); }
VAA_LANES Bytes differ(Bytes a, Bytes b) { return veorq_u8(a, b); }
VAA_LANES Bytes minus(Bytes a, Bytes b) { return vqsubq_u8(a, b); }  // not below 0
VAA_LANES Bytes equal(Bytes a, Bytes b) { return vceqq_u8(a, b); }
VAA_LANES Bytes at_most(Bytes a, uint8_t b) { return vcleq_u8(a, fill(b)); }
VAA_LANES Bytes high_nibble(Bytes a) { return vshrq_n_u8(a, 4); }
VAA_LANES Bytes look_up(Bytes table, Bytes index) { return vqtbl1q_u8(table, index); }
template <int kBack>
VAA_LANES Bytes before(Bytes now, Bytes previous) { return vextq_u8(previous, now, 16 - kBack); }
VAA_LANES bool any(Bytes a) { return vmaxvq_u8(a) != 0; }
VAA_LANES bool any_high(Bytes a) { return vmaxvq_u8(a) >= 0x80; }
VAA_LANES int first(Bytes flags) {
  const uint64_t mask = vget_lane_u64(vreinterpret_u64_u8(vshrn_n_u16(vreinterpretq_u16_u8(flags), 4)), 0);
  return mask ? __builtin_ctzll(mask) >> 2 : 16;
}
#endif

// What is wrong with two bytes side by side; a bit that all three look-ups share is an error.
enum : uint8_t {
  kTooShort = 1 << 0,   // a lead before a lead or ASCII
  kTooLong = 1 << 1,    // ASCII before a continuation
  kOverlong3 = 1 << 2,  // E0 80..9F
  kTooLarge = 1 << 3,   // from F4 90
  kSurrogate = 1 << 4,  // ED A0..BF
  kOverlong2 = 1 << 5,  // C0, C1
  kTooLarge1000 = 1 << 6,
  kOverlong4 = 1 << 6,  // F0 80..8F
  kTwoTails = 1 << 7,   // two continuations: an error unless a third or fourth byte is due
  kCarry = kTooShort | kTooLong | kTwoTails,
};
alignas(16) constexpr uint8_t kFirstHigh[16] = {kTooLong, kTooLong, kTooLong, kTooLong, kTooLong, kTooLong, kTooLong, kTooLong,
  kTwoTails, kTwoTails, kTwoTails, kTwoTails, kTooShort | kOverlong2, kTooShort, kTooShort | kOverlong3 | kSurrogate,
  kTooShort | kTooLarge | kTooLarge1000 | kOverlong4};
alignas(16) constexpr uint8_t kFirstLow[16] = {kCarry | kOverlong3 | kOverlong2 | kOverlong4, kCarry | kOverlong2, kCarry, kCarry, kCarry | kTooLarge,
  kCarry | kTooLarge | kTooLarge1000, kCarry | kTooLarge | kTooLarge1000, kCarry | kTooLarge | kTooLarge1000, kCarry | kTooLarge | kTooLarge1000,
  kCarry | kTooLarge | kTooLarge1000, kCarry | kTooLarge | kTooLarge1000, kCarry | kTooLarge | kTooLarge1000, kCarry | kTooLarge | kTooLarge1000,
  kCarry | kTooLarge | kTooLarge1000 | kSurrogate, kCarry | kTooLarge | kTooLarge1000, kCarry | kTooLarge | kTooLarge1000};
alignas(16) constexpr uint8_t kSecondHigh[16] = {kTooShort, kTooShort, kTooShort, kTooShort, kTooShort, kTooShort, kTooShort, kTooShort,
  kTooLong | kOverlong2 | kTwoTails | kOverlong3 | kTooLarge1000 | kOverlong4, kTooLong | kOverlong2 | kTwoTails | kOverlong3 | kTooLarge,
  kTooLong | kOverlong2 | kTwoTails | kSurrogate | kTooLarge, kTooLong | kOverlong2 | kTwoTails | kSurrogate | kTooLarge,
  kTooShort, kTooShort, kTooShort, kTooShort};
// 0xFF up to the count, then 0: keeps[16 - n, 32 - n) masks the first n bytes.
alignas(16) constexpr uint8_t kKeep[32] = {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF};
// A lead this late in a block waits for bytes of the next.
alignas(16) constexpr uint8_t kComplete[16] = {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xEF, 0xDF, 0xBF};

VAA_LANES Bytes table(const uint8_t* t) { return load(reinterpret_cast<const char*>(t)); }

// Not zero where `now`, read behind `previous`, is no UTF-8.
VAA_LANES Bytes faults(Bytes now, Bytes previous) {
  const Bytes back1 = before<1>(now, previous);
  const Bytes pairs = both(both(look_up(table(kFirstHigh), high_nibble(back1)), look_up(table(kFirstLow), both(back1, fill(0x0F)))),
                           look_up(table(kSecondHigh), high_nibble(now)));
  const Bytes third = minus(before<2>(now, previous), fill(0xE0 - 0x80));
  const Bytes fourth = minus(before<3>(now, previous), fill(0xF0 - 0x80));
  return differ(both(either(third, fourth), fill(0x80)), pairs);
}

template <bool kCopy>
#if defined(__x86_64__)
__attribute__((target("ssse3")))
#endif
const char* scan_vector(const char* p, const char* end, bool* invalid, char* copy, const char* limit, size_t* copied) {
  const char* const begin = p;
  const char* copied_to = nullptr;  // where copying had to end
  Bytes fault = fill(0), previous = fill(0), open = fill(0);  // open: a sequence runs on into the next block
  for (;;) {
    Bytes now;
    const ptrdiff_t left = end - p;
    if (left >= kBlock) {
      now = load(p);
    } else {
      char rest[kBlock] = {};  // its zeros stop the scan
      if (left > 0) std::memcpy(rest, p, static_cast<size_t>(left));
      now = load(rest);
    }
    if (kCopy && !copied_to) {
      if (limit - copy >= kBlock) {
        store(copy, now);
        copy += kBlock;
      } else {
        copied_to = p;
      }
    }
    const int stop = first(either(either(equal(now, fill('"')), equal(now, fill('\\'))), at_most(now, 0x1F)));
    if (stop < kBlock) now = both(now, load(reinterpret_cast<const char*>(kKeep) + (kBlock - stop)));
    if (any_high(now)) {
      fault = either(fault, faults(now, previous));
      open = minus(now, table(kComplete));
    } else {
      fault = either(fault, open);
      open = fill(0);
    }
    if (stop < kBlock) {
      if (any(fault)) *invalid = true;
      if (kCopy) *copied = static_cast<size_t>((copied_to ? copied_to : p + stop) - begin);
      return p + stop;
    }
    previous = now;
    p += kBlock;
  }
}
#endif

}  // namespace

const char* scan_unicode_scalar(const char* p, const char* end, bool* invalid) {
  while (p < end) {
    if (static_cast<uint8_t>(*p) < 0x80) {
      if (stops(*p)) return p;
      ++p;
    } else if (const size_t n = utf8_sequence(p, end)) {
      p += n;
    } else {
      *invalid = true;
      ++p;
    }
  }
  return p;
}

#if defined(VAA_JSON_VECTOR)
namespace {
bool has_vectors() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("ssse3");
#else
  return true;
#endif
}
}  // namespace
#endif

const char* scan_unicode(const char* p, const char* end, bool* invalid) {
#if defined(VAA_JSON_VECTOR)
  if (has_vectors()) return scan_vector<false>(p, end, invalid, nullptr, nullptr, nullptr);
#endif
  return scan_unicode_scalar(p, end, invalid);
}

const char* scan_unicode_copy(const char* p, const char* end, bool* invalid, char* copy, const char* limit, size_t* copied) {
#if defined(VAA_JSON_VECTOR)
  if (has_vectors()) return scan_vector<true>(p, end, invalid, copy, limit, copied);
#endif
  *copied = 0;
  return scan_unicode_scalar(p, end, invalid);
}

int64_t count_invalid(const char* p, const char* end, const char** first_at) {
  int64_t count = 0;
  while (p < end) {
    const size_t n = utf8_sequence(p, end);
    if (n == 0 && count++ == 0) *first_at = p;
    p += n ? n : 1;
  }
  return count;
}

}  // namespace vaa::json_scan
