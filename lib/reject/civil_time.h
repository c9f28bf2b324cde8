// Moments as people and programs write them, and back. UTC throughout: a log that does not name its zone is taken as it stands.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace vaa {

// Days since 1970-01-01 (Hinnant, "chrono-compatible low-level date algorithms").
int64_t days_of(int64_t year, int month, int day);
// "2026-08-20 10:15:02"; "" where there is no such moment.
std::string shown_time(double unix_s);

struct WrittenTime {
  bool found = false;
  double unix_s = 0;      // of 1970 where no year stands there
  std::string shown;      // as it stands there, without fractions
};
// The first date with a time in `text`: 2026-08-20 10:15:02, 2026-08-20T10:15:02, 2026-08-20_10-15-02, 20260820_101502, or 08-20 10:15:02.
WrittenTime written_time(std::string_view text);
// Unix time of 10 (seconds) or 13 (milliseconds) digits that stand alone in `text`; else written_time with a year. NaN: none.
double time_in_name(std::string_view text);

}  // namespace vaa
