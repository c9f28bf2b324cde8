#include "base/big_decimal.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

namespace vaa {

namespace {

// A whole number of up to 3,200 bits: 800 digits have 2,658, 5^1125 has 2,613.
class Big {
 public:
  explicit Big(uint32_t value) : size_(value != 0) { limbs_[0] = value; }
  bool zero() const { return size_ == 0; }
  int bits() const { return size_ ? 32 * size_ - std::countl_zero(limb(size_ - 1)) : 0; }

  void multiply_add(uint32_t factor, uint32_t addend) {
    uint64_t carry = addend;
    for (int i = 0; i < size_; ++i) {
      carry += uint64_t{limb(i)} * factor;
      limb(i) = static_cast<uint32_t>(carry);
      carry >>= 32;
    }
    if (carry) limb(size_++) = static_cast<uint32_t>(carry);
  }
  void multiply_by_five_to(int64_t power) {
    for (; power >= 13; power -= 13) multiply_add(1220703125, 0);
    for (; power > 0; --power) multiply_add(5, 0);
  }
  void shift_left(int count) {
    if (zero()) return;
    const int limbs = count / 32, bits = count % 32, old = size_;
    size_ += limbs + 1;
    limb(size_ - 1) = 0;
    for (int i = old - 1; i >= 0; --i) {
      const uint64_t wide = uint64_t{limb(i)} << bits;
      limb(i + limbs + 1) |= static_cast<uint32_t>(wide >> 32);
      limb(i + limbs) = static_cast<uint32_t>(wide);
    }
    for (int i = 0; i < limbs; ++i) limb(i) = 0;
    trim();
  }
  bool less_than(const Big& other) const {
    if (size_ != other.size_) return size_ < other.size_;
    for (int i = size_ - 1; i >= 0; --i) {
      if (limb(i) != other.limb(i)) return limb(i) < other.limb(i);
    }
    return false;
  }
  void subtract(const Big& other) {  // other <= *this
    int64_t borrow = 0;
    for (int i = 0; i < size_; ++i) {
      const int64_t difference = int64_t{limb(i)} - (i < other.size_ ? other.limb(i) : 0) + borrow;
      limb(i) = static_cast<uint32_t>(difference);
      borrow = difference >> 32;
    }
    trim();
  }

 private:
  uint32_t& limb(int i) { return limbs_[static_cast<size_t>(i)]; }
  const uint32_t& limb(int i) const { return limbs_[static_cast<size_t>(i)]; }
  void trim() {
    while (size_ > 0 && limb(size_ - 1) == 0) --size_;
  }
  std::array<uint32_t, 100> limbs_{};
  int size_;
};

struct Digits {
  Big value{0};
  int64_t exponent = 0;  // of ten
  int count = 0;         // significant ones that were taken
};

// The halfway points between doubles have at most 768 digits (Goldberg's bound for binary64), so behind 800 only whether a digit is not 0 can matter: a last 1 says so.
Digits significant(std::string_view text) {
  constexpr int kTaken = 800;
  Digits out;
  bool behind_point = false, more = false, started = false;
  size_t i = text.substr(0, 1) == "-";
  for (; i < text.size() && text[i] != 'e' && text[i] != 'E'; ++i) {
    if (text[i] == '.') {
      behind_point = true;
      continue;
    }
    const auto digit = static_cast<uint32_t>(text[i] - '0');
    if (out.count < kTaken) {
      out.exponent -= behind_point;
      if (!started && digit == 0) continue;
      out.value.multiply_add(10, digit);
      started = true;
      ++out.count;
    } else {
      out.exponent += !behind_point;
      more |= digit != 0;
    }
  }
  if (more) {
    out.value.multiply_add(10, 1);
    --out.exponent;
    ++out.count;
  }
  if (i < text.size()) {
    const bool negative = text[++i] == '-';
    i += text[i] == '-' || text[i] == '+';
    int64_t exponent = 0;
    for (; i < text.size(); ++i) exponent = std::min(exponent * 10 + (text[i] - '0'), int64_t{1} << 50);
    out.exponent += negative ? -exponent : exponent;
  }
  return out;
}

}  // namespace

double make_double(uint64_t top, bool rest, int64_t exponent, bool negative) {
  const int64_t leading = exponent + 63;
  uint64_t bits = uint64_t{0x7FF} << 52;
  if (leading <= 1023) {
    const int64_t drop = leading >= -1022 ? 11 : 11 + (-1022 - leading);
    bits = 0;
    if (drop <= 64) {
      const uint64_t half = uint64_t{1} << (drop - 1), cut = drop == 64 ? top : top & ((half << 1) - 1);
      const uint64_t kept = drop == 64 ? 0 : top >> drop;
      bits = kept + (cut > half || (cut == half && (rest || kept % 2 == 1)));
      // A carry out of the fraction raises the exponent by one, which is right, up to infinity.
      if (drop == 11) bits += static_cast<uint64_t>(leading + 1022) << 52;
    }
  }
  return std::bit_cast<double>(bits | static_cast<uint64_t>(negative) << 63);
}

double big_decimal(std::string_view text) {
  const bool negative = text.substr(0, 1) == "-";
  Digits digits = significant(text);
  if (digits.value.zero() || digits.count + digits.exponent < -323) return negative ? -0.0 : 0.0;
  if (digits.count - 1 + digits.exponent > 308) return negative ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();

  // value = rest / divisor * 2^binary
  Big& rest = digits.value;
  Big divisor(1);
  int64_t binary = digits.exponent;
  if (digits.exponent >= 0) rest.multiply_by_five_to(digits.exponent); else divisor.multiply_by_five_to(-digits.exponent);
  const int ahead = rest.bits() - divisor.bits();
  if (ahead > 0) divisor.shift_left(ahead); else rest.shift_left(-ahead);
  binary += ahead;
  if (rest.less_than(divisor)) {
    rest.shift_left(1);
    --binary;
  }
  // Now 1 <= rest / divisor < 2: 64 bits of the quotient, one a step.
  uint64_t quotient = 0;
  for (int i = 0; i < 64; ++i) {
    quotient <<= 1;
    if (!rest.less_than(divisor)) {
      rest.subtract(divisor);
      quotient |= 1;
    }
    rest.shift_left(1);
  }
  return make_double(quotient, !rest.zero(), binary - 63, negative);
}

}  // namespace vaa
