// What a caller asks of a run beyond the ceilings: fail_on, require, baseline, expect. The strings of TallyOptions, read.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "quality/tally.h"

namespace vaa {

// Findings about the run that gates and checks name beside the flags.
constexpr const char* kRequestFailed = "request_failed";
constexpr const char* kRequestMissing = "request_missing";
constexpr const char* kBroken = "broken";  // answers with a certain finding of severity fail, of whatever flag

struct RateGate {
  std::string flag;            // a flag, or one of the names above
  std::optional<double> rate;  // none: a single finding of severity fail or warn is enough
};
struct KnownRate {
  int64_t broken = 0, all = 0;
};
struct ExpectedScore {
  std::string metric;
  double value = 0;      // 0 to 1
  int64_t questions = 0; // 0: as many as the run at hand
  int64_t repeats = 1;
};

struct Gates {
  bool fail_on_any = false;
  std::vector<RateGate> fail_on;
  std::vector<int> require;  // flags
  std::optional<KnownRate> baseline;
  std::optional<ExpectedScore> expect;
};
// Throws Failure (VAA_ERROR_OPTION) that names key, value and what is allowed.
Gates parse_gates(const TallyOptions& options);

}  // namespace vaa
