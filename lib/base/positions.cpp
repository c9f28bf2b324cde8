#include "base/positions.h"

#include <algorithm>

#include "base/failure.h"

namespace vaa {
namespace {

constexpr int64_t kLargest = 2147483647;

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

// Digits and an optional K; false where it is no such thing or over the largest position.
bool number(std::string_view text, int64_t* out) {
  const bool k = !text.empty() && (text.back() == 'K' || text.back() == 'k');
  if (k) text.remove_suffix(1);
  if (text.empty() || text.size() > 10) return false;
  int64_t value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return false;
    value = value * 10 + (c - '0');
  }
  *out = k ? value * 1024 : value;
  return *out <= kLargest;
}

}  // namespace

int64_t parse_position(std::string_view piece, std::string_view what) {
  const std::string_view text = trimmed(piece);
  const size_t sign = text.find_first_of("+-");
  int64_t base = 0, step = 0;
  bool good = number(text.substr(0, sign), &base);
  if (good && sign != std::string_view::npos) good = number(text.substr(sign + 1), &step);
  if (good && sign != std::string_view::npos && text[sign] == '-') step = -step;
  const int64_t value = base + step;
  if (!good || value < 1 || value > kLargest) {
    fail(VAA_ERROR_OPTION, std::string(what) + ": " + quoted(piece) + " is no position; allowed are 1 to 2147483647 as 4096, 4K (K is 1024), 4K-64, 4K+64");
  }
  return value;
}

std::vector<int64_t> parse_positions(std::span<const std::string> texts, std::string_view what) {
  std::vector<int64_t> positions;
  for (const std::string& text : texts) {
    for (size_t at = 0; at <= text.size();) {
      const size_t comma = std::min(text.find(',', at), text.size());
      positions.push_back(parse_position(std::string_view(text).substr(at, comma - at), what));
      at = comma + 1;
    }
  }
  std::sort(positions.begin(), positions.end());
  positions.erase(std::unique(positions.begin(), positions.end()), positions.end());
  return positions;
}

std::string short_position(int64_t number) {
  return number >= 1024 && number % 1024 == 0 && number < 1024 * 1024 ? std::to_string(number / 1024) + "K" : grouped(number);
}

}  // namespace vaa
