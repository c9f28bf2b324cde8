// Any decimal to the nearest double by long division over whole numbers, for what the fast ways of json_numbers cannot hold.
#pragma once
#include <cstdint>
#include <string_view>

namespace vaa {

// ±top * 2^exponent, rounded to the nearest double, ties to even; `rest`: a positive part below the last bit of `top` was cut off. Bit 63 of `top` is set.
double make_double(uint64_t top, bool rest, int64_t exponent, bool negative);

// ±d.ddd * 10^exponent: `text` is a number of RFC 8259.
double big_decimal(std::string_view text);

}  // namespace vaa
