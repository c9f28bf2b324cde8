#include "base/figures.h"

#include <algorithm>
#include <cmath>

#include "base/json_writer.h"

namespace vaa {
namespace {

// Of a value in percent.
int decimals_for(double value) {
  const double size = std::abs(value);
  return size >= 1 || size == 0 ? 1 : size >= 0.1 ? 2 : size >= 0.01 ? 3 : 4;
}

std::string without_zeros(std::string digits) {
  if (digits.find('.') == digits.npos) return digits;
  digits.erase(digits.find_last_not_of('0') + 1);
  if (digits.back() == '.') digits.pop_back();
  return digits;
}

std::string short_percent(double share) { return without_zeros(fixed(share * 100, decimals_for(share * 100))); }

}  // namespace

std::string fixed(double value, int decimals) {
  if (!(std::abs(value) < 1e15)) return "–";
  double scale = 1;
  for (int i = 0; i < decimals; ++i) scale *= 10;
  const auto scaled = static_cast<uint64_t>(std::llround(std::abs(value) * scale));
  const auto unit = static_cast<uint64_t>(scale);
  std::string out = std::to_string(scaled / unit);
  if (decimals > 0) {
    std::string part = std::to_string(scaled % unit);
    out += "." + std::string(static_cast<size_t>(decimals) - part.size(), '0') + part;
  }
  return value < 0 && scaled != 0 ? "-" + out : out;
}

std::string grouped(int64_t value) {
  std::string digits = std::to_string(value);
  const size_t first = digits[0] == '-' ? 1 : 0;
  for (size_t at = digits.size(); at > first + 3;) digits.insert(at -= 3, ",");
  return digits;
}

std::string counted(int64_t n, std::string_view plural) {
  const std::string noun(plural);
  for (size_t begin = 0; n == 1 && begin < noun.size();) {
    const size_t end = std::min(noun.find(' ', begin), noun.size());
    if (end > begin && noun[end - 1] == 's') return "1 " + noun.substr(0, end - 1) + noun.substr(end);
    begin = end + 1;
  }
  return grouped(n) + " " + noun;
}

std::string percent(double share, bool chinese) { return std::isnan(share) ? "–" : short_percent(share) + (chinese ? "%" : " %"); }

std::string percent_range(double lower, double upper, bool chinese) {
  if (std::isnan(lower) || std::isnan(upper)) return "–";
  return chinese ? short_percent(lower) + "%–" + short_percent(upper) + "%" : short_percent(lower) + " to " + short_percent(upper) + " %";
}

std::string small_probability(double p) {
  if (!(p >= 0) || p >= 1e-3) return fixed(p, 4);
  int exponent = 0;
  for (; p < 1 && exponent < 300; ++exponent) p *= 10;
  if (p < 1) return "< 1e-300";
  std::string digits = fixed(p, 1);
  if (digits == "10.0") {
    digits = "1.0";
    --exponent;
  }
  return without_zeros(digits) + "e-" + std::to_string(exponent);
}

std::string exact_number(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value < 0 ? "-infinity" : "infinity";
  std::string out;
  append_number(&out, value);
  return out;
}

std::string points(double share) { return fixed(share * 100, 2); }

}  // namespace vaa
