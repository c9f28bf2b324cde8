#include "reject/civil_time.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace vaa {
namespace {

constexpr int64_t kDaySeconds = 86400;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// `count` digits at `at`; -1: other characters stand there.
int digits(std::string_view text, size_t at, size_t count) {
  if (at + count > text.size()) return -1;
  int value = 0;
  for (size_t i = 0; i < count; ++i) {
    if (!is_digit(text[at + i])) return -1;
    value = value * 10 + (text[at + i] - '0');
  }
  return value;
}

bool is_one_of(std::string_view text, size_t at, std::string_view set) { return at < text.size() && set.find(text[at]) != std::string_view::npos; }

struct Parts {
  int year = 1970, month = 0, day = 0, hour = 0, minute = 0, second = 0;
  size_t length = 0;
  bool good() const { return month >= 1 && month <= 12 && day >= 1 && day <= 31 && hour >= 0 && hour < 24 && minute >= 0 && minute < 60 && second >= 0 && second <= 60; }
  double unix_s() const { return static_cast<double>(days_of(year, month, day) * kDaySeconds + hour * 3600 + minute * 60 + second); }
};

// 08-20 10:15:02 from `at` on.
bool read_month_on(std::string_view text, size_t at, Parts* out) {
  out->month = digits(text, at, 2);
  out->day = digits(text, at + 3, 2);
  out->hour = digits(text, at + 6, 2);
  out->minute = digits(text, at + 9, 2);
  out->second = digits(text, at + 12, 2);
  out->length = 14;
  return is_one_of(text, at + 2, "-/") && is_one_of(text, at + 5, " T_") && is_one_of(text, at + 8, ":-") && is_one_of(text, at + 11, ":-") && out->good();
}

bool read_packed(std::string_view text, size_t at, Parts* out) {
  out->year = digits(text, at, 4);
  out->month = digits(text, at + 4, 2);
  out->day = digits(text, at + 6, 2);
  out->hour = digits(text, at + 9, 2);
  out->minute = digits(text, at + 11, 2);
  out->second = digits(text, at + 13, 2);
  out->length = 15;
  return is_one_of(text, at + 8, "_-T") && out->year >= 1970 && out->good();
}

bool read_parts(std::string_view text, size_t at, bool* with_year, Parts* out) {
  *with_year = true;
  if (digits(text, at, 4) >= 1970 && is_one_of(text, at + 4, "-/") && read_month_on(text, at + 5, out)) {
    out->year = digits(text, at, 4);
    out->length += 5;
    return true;
  }
  if (digits(text, at, 8) > 0 && read_packed(text, at, out)) return true;
  *with_year = false;
  out->year = 1970;
  return read_month_on(text, at, out);
}

}  // namespace

int64_t days_of(int64_t year, int month, int day) {
  year -= month <= 2;
  const int64_t era = (year >= 0 ? year : year - 399) / 400;
  const int64_t of_era = year - era * 400, of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

std::string shown_time(double unix_s) {
  if (!(unix_s >= 0 && unix_s < 253402300800.0)) return "";
  const int64_t whole = static_cast<int64_t>(unix_s), days = whole / kDaySeconds, rest = whole % kDaySeconds;
  // The inverse of days_of.
  const int64_t shifted = days + 719468, era = shifted / 146097, of_era = shifted % 146097;
  const int64_t year_of_era = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
  const int64_t of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100), part = (5 * of_year + 2) / 153;
  const int day = static_cast<int>(of_year - (153 * part + 2) / 5 + 1), month = static_cast<int>(part < 10 ? part + 3 : part - 9);
  char out[40];
  std::snprintf(out, sizeof out, "%04d-%02d-%02d %02d:%02d:%02d", static_cast<int>(era * 400 + year_of_era + (month <= 2)), month, day, static_cast<int>(rest / 3600), static_cast<int>(rest / 60 % 60),
                static_cast<int>(rest % 60));
  return out;
}

WrittenTime written_time(std::string_view text) {
  WrittenTime out;
  for (size_t at = 0; at + 14 <= text.size(); ++at) {
    if (!is_digit(text[at]) || (at > 0 && is_digit(text[at - 1]))) continue;
    Parts parts;
    bool with_year = false;
    if (!read_parts(text, at, &with_year, &parts) || (at + parts.length < text.size() && is_digit(text[at + parts.length]))) continue;
    out.found = true;
    out.unix_s = parts.unix_s();
    out.shown = with_year ? shown_time(out.unix_s) : std::string(text.substr(at, parts.length));
    return out;
  }
  return out;
}

double time_in_name(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    if (!is_digit(text[at])) {
      ++at;
      continue;
    }
    size_t end = at;
    double value = 0;
    for (; end < text.size() && is_digit(text[end]); ++end) value = value * 10 + (text[end] - '0');
    if (end - at == 10 && value >= 1e9) return value;
    if (end - at == 13 && value >= 1e12) return value / 1000;
    at = end;
  }
  const WrittenTime written = written_time(text);
  return written.found && written.unix_s >= kDaySeconds * 366.0 ? written.unix_s : std::nan("");
}

}  // namespace vaa
