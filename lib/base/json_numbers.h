// JSON's number grammar, and decimals to doubles with correct rounding (to nearest, ties to even) that is the same on every host and compiler.
// In line: the reader spends most of its time here on records with ids and logprobs.
#pragma once
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/big_decimal.h"
#include "base/json_scan.h"

// The loops over numbers depend on it; without it the compilers call and pass the parts through memory.
#define VAA_JSON_INLINE [[gnu::always_inline]] inline

namespace vaa::json_numbers {

// A number of RFC 8259 as it was scanned: value = ±digits * 10^exponent where `fits`; its text is [begin, end).
struct Scanned {
  uint64_t digits = 0;
  int64_t exponent = 0;
  const char* begin = nullptr;
  const char* end = nullptr;
  bool negative = false;
  bool integer = true;  // neither a point nor an exponent
  bool fits = true;     // at most 19 significant digits, so that `digits` holds them all
};

constexpr const char* kTextEnds = "the text ends inside a number";

constexpr uint32_t kPowers[8] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000};
constexpr double kTens[23] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
constexpr int kFives = 27;  // 5^27 is the last below 2^64

__extension__ typedef unsigned __int128 Wide;

// 5^i as a divisor: shifted so that bit 63 is set, and its reciprocal floor((2^128 - 1) / shifted) - 2^64.
struct Five {
  uint64_t power, shifted, reciprocal;
  int shift;
};
extern const std::array<Five, kFives + 1> kFive;

// Takes the exponent behind 'e', which is at p[-1], and sets *at behind it. Null on success; else what is wrong, and *at the byte that is.
const char* take_exponent(const char* p, const char* end, int64_t* exponent, const char** at);
// How many zeros stand before the first other digit of [p, end), not counting the point.
inline ptrdiff_t leading_zeros(const char* p, const char* end) {
  ptrdiff_t count = 0;
  for (; p < end && (*p == '0' || *p == '.'); ++p) count += *p == '0';
  return count;
}

// Digits from `p` on, folded into *value (modulo 2^64). Steps of a known length are branches, not sums: the next load need not wait for a count.
VAA_JSON_INLINE const char* take_digits(const char* p, const char* end, uint64_t* value) {
  uint64_t v = *value;
  for (;; p += 8) {
    if (end - p < 8) break;
    const uint64_t word = json_scan::load_word(p);
    const uint64_t wrong = json_scan::not_digits(word);
    if (wrong == 0) {
      v = v * 100000000 + json_scan::eight_digits(word);
      continue;
    }
    const int n = __builtin_ctzll(wrong) >> 3;
    *value = v * kPowers[n] + json_scan::digits_value(word, n);
    return p + n;
  }
  for (; p < end && json_scan::is_digit(*p); ++p) v = v * 10 + static_cast<uint64_t>(*p - '0');
  *value = v;
  return p;
}

// Scans the number that begins at `p`, with '-' or a digit. Null on success; else what is wrong, and *at the byte that is.
VAA_JSON_INLINE const char* scan(const char* p, const char* end, Scanned* out, const char** at) {
  out->begin = p;
  if (*p == '-') {
    out->negative = true;
    if (++p == end) return *at = p, kTextEnds;
  }
  const char* first = p;
  uint64_t digits = 0;
  if (!json_scan::is_digit(*p)) return *at = p, "a number without a digit";
  if (p + 1 < end && json_scan::is_digit(p[1])) {
    p = take_digits(p, end, &digits);
  } else {
    digits = static_cast<uint64_t>(*p++ - '0');
  }
  if (*first == '0' && p - first > 1) return *at = first, "a number with a leading zero";
  ptrdiff_t count = p - first;
  if (p < end && *p == '.') {
    const char* point = p++;
    p = take_digits(p, end, &digits);
    const ptrdiff_t places = p - point - 1;
    if (places == 0) return *at = p, p == end ? kTextEnds : "a number without a digit behind its point";
    out->exponent = -places;
    out->integer = false;
    count += places;
  }
  out->digits = digits;
  if (count > 19) out->fits = count - leading_zeros(first, p) <= 19;
  if (p < end && (*p == 'e' || *p == 'E')) {
    out->integer = false;
    if (const char* error = take_exponent(p + 1, end, &out->exponent, at)) return error;
    p = *at;
  }
  out->end = p;
  return nullptr;
}

// The number at `p` with no white space before it but one space; false where there is none or it is malformed.
VAA_JSON_INLINE bool scan_plain(const char* p, const char* end, Scanned* out) {
  p += p < end && *p == ' ';
  if (p == end || !(json_scan::is_digit(*p) || *p == '-')) return false;
  const char* wrong = nullptr;
  return scan(p, end, out, &wrong) == nullptr;
}

// ±top * 2^exponent (bit 63 of `top` is set; `rest` as in make_double) where that is far from both ends of the doubles.
VAA_JSON_INLINE double round_top(uint64_t top, bool rest, int exponent, bool negative) {
  const uint64_t kept = top >> 11, cut = (top & 0x7FF) << 1 | static_cast<uint64_t>(rest);
  const uint64_t up = cut + (kept & 1) > 0x800;
  // `kept` brings the leading one, which raises the exponent by one, and so does a carry out of the fraction.
  return std::bit_cast<double>(kept + up + (static_cast<uint64_t>(exponent + 63 + 1022) << 52) + (static_cast<uint64_t>(negative) << 63));
}

// digits * 10^exponent for 0 < digits and 0 <= exponent <= 27: the product with 5^exponent has at most 128 bits.
inline double round_product(uint64_t digits, int exponent, bool negative) {
  const int shift = std::countl_zero(digits);
  const Wide product = static_cast<Wide>(digits << shift) * kFive[static_cast<size_t>(exponent)].power;
  const auto high = static_cast<uint64_t>(product >> 64), low = static_cast<uint64_t>(product);
  if (high == 0) return round_top(low, false, exponent - shift, negative);
  const int spare = std::countl_zero(high);
  const Wide aligned = product << spare;
  return round_top(static_cast<uint64_t>(aligned >> 64), static_cast<uint64_t>(aligned) != 0, exponent - shift - spare + 64, negative);
}

// digits * 10^-exponent for 0 < digits and 0 < exponent <= 27: 63 or 64 bits of the quotient by 5^exponent, and whether anything is left, decide the rounding.
VAA_JSON_INLINE double round_quotient(uint64_t digits, int exponent, bool negative) {
  const int shift = std::countl_zero(digits);
  const uint64_t top = digits << shift;
  const Five& five = kFive[static_cast<size_t>(exponent)];
  // top / shifted lies between 1/2 and 2: half of it, as 64 bits behind the point, has its first one at bit 63 or 62. Division by a reciprocal: Möller and
  // Granlund, "Improved division by invariant integers" (2011), algorithm 4.
  const uint64_t high = top >> 1, low = top << 63;
  const Wide estimate = static_cast<Wide>(five.reciprocal) * high + (static_cast<Wide>(high) << 64 | low);
  uint64_t quotient = static_cast<uint64_t>(estimate >> 64) + 1;
  uint64_t rest = low - quotient * five.shifted;
  const uint64_t over = rest > static_cast<uint64_t>(estimate);
  quotient -= over;
  rest += five.shifted & (0 - over);
  if (rest >= five.shifted) {
    ++quotient;
    rest -= five.shifted;
  }
  const int spare = std::countl_zero(quotient);
  return round_top(quotient << spare, rest != 0, five.shift - exponent - shift - 63 - spare, negative);
}

// The nearest double; beyond the largest it is infinity. Cost: a few ns for up to 19 digits and |exponent| <= 27, else up to some µs.
VAA_JSON_INLINE double to_double(const Scanned& number) {
  if (number.fits && number.exponent >= -kFives && number.exponent <= kFives && number.digits != 0) {
    const auto exponent = static_cast<int>(number.exponent);
    // Digits and power are doubles exactly, so that one operation rounds once (Clinger 1990).
    if (number.digits < 1000000000000000u && exponent >= -22 && exponent <= 22) {
      const auto digits = static_cast<double>(static_cast<int64_t>(number.digits));
      const double value = exponent < 0 ? digits / kTens[-exponent] : digits * kTens[exponent];
      return number.negative ? -value : value;
    }
    return exponent < 0 ? round_quotient(number.digits, -exponent, number.negative) : round_product(number.digits, exponent, number.negative);
  }
  if (number.fits && number.digits == 0) return number.negative ? -0.0 : 0.0;
  return big_decimal({number.begin, static_cast<size_t>(number.end - number.begin)});
}

// False where the number has a point or an exponent or lies outside int64.
inline bool to_int64(const Scanned& number, int64_t* out) {
  constexpr uint64_t kLimit = uint64_t{1} << 63;
  if (!number.integer || !number.fits || number.digits > kLimit - (number.negative ? 0 : 1)) return false;
  *out = static_cast<int64_t>(number.negative ? 0 - number.digits : number.digits);
  return true;
}

}  // namespace vaa::json_numbers
