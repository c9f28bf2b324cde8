// Numbers as a report writes them for people: without locale, the same on every host.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace vaa {

std::string fixed(double value, int decimals);  // "-3.20"; "–" where the value is no finite number below 1e15
std::string grouped(int64_t value);             // "14,042"
// "2 answers", "1 answer", "1 request failed": of the plural, the first word with an s at its end loses it.
std::string counted(int64_t n, std::string_view plural);
// A share of 0 to 1 with the digits that it deserves: "15.7 %", "1 %", "0.02 %"; in Chinese without the space.
std::string percent(double share, bool chinese = false);
std::string percent_range(double lower, double upper, bool chinese = false);  // "11.2 to 21.4 %", "11.2%–21.4%"
std::string small_probability(double p);                                     // "0.0421", "1.6e-7", "< 1e-300"
std::string exact_number(double value);                                      // the shortest that reads back the same, "NaN", "infinity": for messages
std::string points(double share);                                            // a difference of shares in percentage points: "-3.03"

}  // namespace vaa
