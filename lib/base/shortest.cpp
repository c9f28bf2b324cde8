#include "base/shortest.h"

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "base/big_decimal.h"

namespace vaa {

namespace {

// d.ddde±xx of printf without its point, whatever the process's locale puts there.
struct Printed {
  std::string digits;
  int exponent = 0;
};

Printed print_digits(double value, int precision) {
  char text[64];
  const int size = std::snprintf(text, sizeof text, "%.*e", precision, value);
  Printed out;
  int i = 0;
  for (; i < size && text[i] != 'e'; ++i) {
    if (text[i] >= '0' && text[i] <= '9') out.digits += text[i];
  }
  out.exponent = static_cast<int>(std::strtol(text + i + 1, nullptr, 10));
  return out;
}

std::string scientific(const Printed& p) {
  std::string out = p.digits.substr(0, 1);
  if (p.digits.size() > 1) out += '.' + p.digits.substr(1);
  const int size = std::abs(p.exponent);
  out += p.exponent < 0 ? "e-" : "e+";
  if (size < 10) out += '0';
  return out += std::to_string(size);
}

// Of a whole number all digits, as std::to_chars has it; `p.exponent` is at most 24.
std::string fixed(const Printed& p, double value) {
  const int count = static_cast<int>(p.digits.size());
  if (p.exponent < 0) return "0." + std::string(static_cast<size_t>(-p.exponent - 1), '0') + p.digits;
  if (p.exponent >= count - 1) {
    char text[32];
    return std::string(text, static_cast<size_t>(std::snprintf(text, sizeof text, "%.0f", value)));
  }
  return p.digits.substr(0, static_cast<size_t>(p.exponent + 1)) + '.' + p.digits.substr(static_cast<size_t>(p.exponent + 1));
}

}  // namespace

void append_shortest_by_trial(std::string* out, double value) {
  const double size = value < 0 ? -value : value;
  if (value < 0) *out += '-';
  std::string found;
  for (int precision = 0; precision <= 16; ++precision) {
    const Printed printed = print_digits(size, precision);
    found = scientific(printed);
    if (big_decimal(found) != size) continue;
    // Beyond these fixed notation cannot be the shorter one.
    if (printed.exponent < -8 || printed.exponent > 24) break;
    if (std::string other = fixed(printed, size); other.size() <= found.size()) found = std::move(other);
    break;
  }
  *out += found;
}

void append_shortest(std::string* out, double value) {
#if defined(__cpp_lib_to_chars)
  char text[32];
  const auto written = std::to_chars(text, text + sizeof text, value);
  out->append(text, written.ptr);
#else
  append_shortest_by_trial(out, value);
#endif
}

}  // namespace vaa
