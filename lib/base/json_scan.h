// How JSON text is searched: runs of plain characters inside a string, their UTF-8 checked in the same pass, and runs of digits.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__ARM_NEON) && defined(__aarch64__)
#include <arm_neon.h>
#endif

namespace vaa::json_scan {

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the runs of digits are read as little-endian words");

// What plain text inside a string cannot hold.
inline bool stops(char c) { return c == '"' || c == '\\' || static_cast<uint8_t>(c) < 0x20; }

// From `p`, which begins a character, the first byte in [p, end) at which plain text stops; `end` where there is none. Sets *invalid (and never clears it)
// when the bytes before it are no valid UTF-8.
const char* scan_unicode(const char* p, const char* end, bool* invalid);
// The same, and copies what it can of the run to `copy`, blocks of 16 bytes as long as they end at or before `limit` (bytes behind the run may be written too).
// *copied: how many bytes of the run that was.
const char* scan_unicode_copy(const char* p, const char* end, bool* invalid, char* copy, const char* limit, size_t* copied);
// scan_unicode without vectors: what the vectors are tested against, and what runs where there are none.
const char* scan_unicode_scalar(const char* p, const char* end, bool* invalid);

// Bytes of [p, end) that belong to no valid sequence; *first is the first of them.
int64_t count_invalid(const char* p, const char* end, const char** first);

constexpr ptrdiff_t kBlock = 16;

// Which of p[0, 16) are no plain ASCII characters of a string (what scan_unicode stops at, or a byte from 0x80): 0 where all are plain. The block is copied to
// `copy` when that is not null.
inline uint64_t marks(const char* p, char* copy) {
#if defined(__SSE2__)
  const __m128i block = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
  if (copy) _mm_storeu_si128(reinterpret_cast<__m128i*>(copy), block);
  const __m128i quote = _mm_cmpeq_epi8(block, _mm_set1_epi8('"'));
  const __m128i slash = _mm_cmpeq_epi8(block, _mm_set1_epi8('\\'));
  const __m128i control = _mm_cmpeq_epi8(_mm_min_epu8(block, _mm_set1_epi8(0x1F)), block);
  return static_cast<uint64_t>(_mm_movemask_epi8(_mm_or_si128(_mm_or_si128(quote, slash), _mm_or_si128(control, block))));
#elif defined(__ARM_NEON) && defined(__aarch64__)
  const uint8x16_t block = vld1q_u8(reinterpret_cast<const uint8_t*>(p));
  if (copy) vst1q_u8(reinterpret_cast<uint8_t*>(copy), block);
  const uint8x16_t special = vorrq_u8(vceqq_u8(block, vdupq_n_u8('"')), vceqq_u8(block, vdupq_n_u8('\\')));
  // Below 0x20 or from 0x80: (byte - 0x20) as unsigned is at least 0x60.
  const uint8x16_t outside = vcgeq_u8(vsubq_u8(block, vdupq_n_u8(0x20)), vdupq_n_u8(0x60));
  const uint8x8_t narrow = vshrn_n_u16(vreinterpretq_u16_u8(vorrq_u8(special, outside)), 4);  // four bits a byte
  return vget_lane_u64(vreinterpret_u64_u8(narrow), 0);
#else
  if (copy) std::memcpy(copy, p, 16);
  uint64_t mask = 0;
  for (int i = 0; i < 16; ++i) {
    const auto byte = static_cast<uint8_t>(p[i]);
    mask |= static_cast<uint64_t>(byte < 0x20 || byte >= 0x80 || byte == '"' || byte == '\\') << i;
  }
  return mask;
#endif
}

// The index of the first byte that is marked; `mask` is not 0.
inline int first_mark(uint64_t mask) {
#if !defined(__SSE2__) && defined(__ARM_NEON) && defined(__aarch64__)
  return __builtin_ctzll(mask) >> 2;
#else
  return __builtin_ctzll(mask);
#endif
}

// scan_unicode with its fast path for ASCII in line.
inline const char* scan_text(const char* p, const char* end, bool* invalid) {
  for (; end - p >= kBlock; p += kBlock) {
    const uint64_t mask = marks(p, nullptr);
    if (mask == 0) continue;
    p += first_mark(mask);
    if (static_cast<uint8_t>(*p) < 0x80) return p;
    break;
  }
  return scan_unicode(p, end, invalid);
}

inline bool is_digit(char c) { return static_cast<uint8_t>(c - '0') < 10; }

inline uint64_t load_word(const char* p) {
  uint64_t word;
  std::memcpy(&word, p, sizeof word);
  return word;
}

// Of the eight characters in `word`: the lowest byte that is not 0 belongs to the first that is no digit; 0 where all are digits.
inline uint64_t not_digits(uint64_t word) {
  // A digit has the high nibble 3 and keeps it when 6 is added. A carry reaches only bytes behind one that is no digit already.
  return ((word ^ 0x3030303030303030u) | ((word + 0x0606060606060606u) ^ 0x3030303030303030u)) & 0xF0F0F0F0F0F0F0F0u;
}

// Eight digits, one a byte, the first in the lowest (Langdale's three multiplications).
inline uint32_t digit_bytes_value(uint64_t v) {
  v = v * 10 + (v >> 8);
  v = ((v & 0x000000FF000000FFu) * 0x000F424000000064u + ((v >> 16) & 0x000000FF000000FFu) * 0x0000271000000001u) >> 32;
  return static_cast<uint32_t>(v);
}
inline uint32_t eight_digits(uint64_t word) { return digit_bytes_value(word & 0x0F0F0F0F0F0F0F0Fu); }
// The value of the first `count` (0 to 7) characters of `word`, all digits.
inline uint32_t digits_value(uint64_t word, int count) { return digit_bytes_value((word & 0x0F0F0F0F0F0F0F0Fu) << 8 << (56 - 8 * count)); }

}  // namespace vaa::json_scan
