#include "base/big_decimal.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

namespace vaa {

namespace {

__extension__ typedef unsigned __int128 Wide;

// A whole number of up to 3,200 bits: 800 digits have 2,658, 5^1125 has 2,613, and division shifts either by up to 127 more.
class Big {
 public:
  explicit Big(uint64_t value) : size_(value != 0) { limbs_[0] = value; }
  bool zero() const { return size_ == 0; }
  int bits() const { return size_ ? 64 * size_ - std::countl_zero(limb(size_ - 1)) : 0; }

  void multiply_add(uint64_t factor, uint64_t addend) {
    uint64_t carry = addend;
    for (int i = 0; i < size_; ++i) {
      const Wide wide = static_cast<Wide>(limb(i)) * factor + carry;
      limb(i) = static_cast<uint64_t>(wide);
      carry = static_cast<uint64_t>(wide >> 64);
    }
    if (carry) limb(size_++) = carry;
  }
  void multiply_by_five_to(int64_t power) {
    constexpr uint64_t kFiveTo27 = 7450580596923828125u;
    for (; power >= 27; power -= 27) multiply_add(kFiveTo27, 0);
    uint64_t rest = 1;
    for (; power > 0; --power) rest *= 5;
    multiply_add(rest, 0);
  }
  void shift_left(int count) {
    const int limbs = count / 64, bits = count % 64;
    for (int i = size_; i >= 0; --i) {
      const uint64_t here = i < size_ ? limb(i) << bits : 0, below = bits && i > 0 ? limb(i - 1) >> (64 - bits) : 0;
      limb(i + limbs) = here | below;
    }
    for (int i = 0; i < limbs; ++i) limb(i) = 0;
    size_ += limbs + 1;
    trim();
  }
  // Divides by `divisor`, whose size n has its top bit set; *this is below divisor * 2^64 and its limb n below the top limb of `divisor`. Returns the quotient and
  // keeps the rest. Knuth, The Art of Computer Programming 4.3.1, algorithm D, of which this is one step: the estimate is at most two too large.
  uint64_t divide(const Big& divisor) {
    const int n = divisor.size_;
    const Wide top = static_cast<Wide>(size_ > n ? limb(n) : 0) << 64 | (size_ >= n ? limb(n - 1) : 0);
    auto quotient = static_cast<uint64_t>(top / divisor.limb(n - 1));
    for (int i = size_; i <= n; ++i) limb(i) = 0;
    size_ = n + 1;
    uint64_t carry = 0, borrow = 0;
    for (int i = 0; i <= n; ++i) {
      const Wide product = static_cast<Wide>(i < n ? divisor.limb(i) : 0) * quotient + carry;
      carry = static_cast<uint64_t>(product >> 64);
      const Wide difference = static_cast<Wide>(limb(i)) - static_cast<uint64_t>(product) - borrow;
      limb(i) = static_cast<uint64_t>(difference);
      borrow = static_cast<uint64_t>(difference >> 64) & 1;
    }
    for (; borrow; --quotient) {
      carry = 0;
      for (int i = 0; i <= n; ++i) {
        const Wide sum = static_cast<Wide>(limb(i)) + (i < n ? divisor.limb(i) : 0) + carry;
        limb(i) = static_cast<uint64_t>(sum);
        carry = static_cast<uint64_t>(sum >> 64);
      }
      borrow -= carry;
    }
    trim();
    return quotient;
  }

 private:
  uint64_t& limb(int i) { return limbs_[static_cast<size_t>(i)]; }
  const uint64_t& limb(int i) const { return limbs_[static_cast<size_t>(i)]; }
  void trim() {
    while (size_ > 0 && limb(size_ - 1) == 0) --size_;
  }
  std::array<uint64_t, 50> limbs_;  // the first size_ hold the number
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
  bool behind_point = false, more = false;
  uint64_t chunk = 0, scale = 1;  // digits that are not in out.value yet
  size_t i = text.substr(0, 1) == "-";
  for (; i < text.size() && text[i] != 'e' && text[i] != 'E'; ++i) {
    if (text[i] == '.') {
      behind_point = true;
      continue;
    }
    const auto digit = static_cast<uint64_t>(text[i] - '0');
    if (out.count == kTaken) {
      out.exponent += !behind_point;
      more |= digit != 0;
      continue;
    }
    out.exponent -= behind_point;
    if (out.count == 0 && digit == 0) continue;
    chunk = chunk * 10 + digit;
    scale *= 10;
    ++out.count;
    if (scale == 1000000000000000000u) {
      out.value.multiply_add(scale, chunk);
      chunk = 0;
      scale = 1;
    }
  }
  out.value.multiply_add(scale, chunk);
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
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (digits.count - 1 + digits.exponent > 308) return negative ? -kInfinity : kInfinity;

  // value = dividend / divisor * 2^binary
  Big& dividend = digits.value;
  Big divisor(1);
  int64_t binary = digits.exponent;
  if (digits.exponent >= 0) {
    dividend.multiply_by_five_to(digits.exponent);
  } else {
    divisor.multiply_by_five_to(-digits.exponent);
  }
  // Whole limbs of divisor, and 63 bits more of dividend: the quotient lies between 2^62 and 2^64.
  const int whole = (std::max(divisor.bits(), dividend.bits() - 63) + 63) / 64 * 64;
  const int divisor_shift = whole - divisor.bits(), dividend_shift = whole + 63 - dividend.bits();
  divisor.shift_left(divisor_shift);
  dividend.shift_left(dividend_shift);
  const uint64_t quotient = dividend.divide(divisor);
  const int spare = std::countl_zero(quotient);
  return make_double(quotient << spare, !dividend.zero(), binary - dividend_shift + divisor_shift - spare, negative);
}

}  // namespace vaa
