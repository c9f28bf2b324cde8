// Numbers as a report writes them for people: without locale, the same on every host.
#pragma once
#include <cstdint>
#include <string>

namespace vaa {

std::string fixed(double value, int decimals);  // "-3.20"; "–" where the value is no finite number below 1e15
std::string grouped(int64_t value);             // "14,042"
// A share of 0 to 1 with the digits that it deserves: "15.7 %", "1 %", "0.02 %"; in Chinese without the space.
std::string percent(double share, bool chinese = false);
std::string percent_range(double lower, double upper, bool chinese = false);  // "11.2 to 21.4 %", "11.2%–21.4%"
std::string points(double share);                                            // a difference of shares in percentage points: "-3.03"

}  // namespace vaa
