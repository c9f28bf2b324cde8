// JSON's number grammar, and decimals to doubles with correct rounding (to nearest, ties to even) that is the same on every host and compiler.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>

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

// Scans the number that begins at `p`, with '-' or a digit. Null on success; else what is wrong, and *at the byte that is.
const char* scan(const char* p, const char* end, Scanned* out, const char** at);

// The nearest double; beyond the largest it is infinity. Cost: a few ns for up to 19 digits and |exponent| <= 27, else up to some µs.
double to_double(const Scanned& number);
// False where the number has a point or an exponent or lies outside int64.
bool to_int64(const Scanned& number, int64_t* out);

}  // namespace vaa::json_numbers
