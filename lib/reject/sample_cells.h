// Answers by temperature and speculation: the 2 x 2 that tells a sampler that is broken at T > 0 only, from what requests record of themselves.
#pragma once
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "records/sample.h"

namespace vaa {

enum class Speculation : int8_t { kNotRecorded = -1, kOff = 0, kOn = 1 };

struct SampleCell {
  int64_t answers = 0;
  int64_t counted = 0;                       // with draft tokens and accepted tokens recorded, some drafted
  double steps = 0, drafted = 0, accepted = 0;
  int64_t without_steps = 0;                 // counted, but verify steps are not recorded
  double drafted_squares = 0, accepted_squares = 0, products = 0;  // over answers, for the variance between them
  double tokens = 0;
  int64_t chunks = 0, longer_chunks = 0;     // of streams whose requests count no drafts: with ids, and of them with several
  int64_t scored = 0, right = 0;
  // Accepted of draft tokens as a ratio over answers, with the variance between answers.
  double rate() const { return drafted > 0 ? accepted / drafted : std::nan(""); }
  double variance() const;
};

class SampleCells {
 public:
  // `declared`: what the caller knows of the run where requests do not record it. An answer without temperature is in neither column.
  void push(const Sample& sample, Speculation declared);
  void count_bad_lines(int64_t lines) { bad_lines_ += lines; }
  int64_t bad_lines() const { return bad_lines_; }
  const SampleCell& cell(bool sampled, bool speculation) const { return cells_[sampled][speculation]; }
  int64_t pushed() const { return pushed_; }
  int64_t no_temperature() const { return no_temperature_; }
  int64_t impossible() const { return impossible_; }        // accepted more than drafted, or a count below 0
  int64_t drafted_none() const { return drafted_none_; }    // a count of 0 draft tokens is recorded
  const std::map<std::string, int64_t>& switches() const { return switches_; }  // of these: request fields that switch speculation off
  const std::string& first_impossible() const { return first_impossible_; }

 private:
  std::array<std::array<SampleCell, 2>, 2> cells_;
  int64_t pushed_ = 0, no_temperature_ = 0, impossible_ = 0, drafted_none_ = 0, bad_lines_ = 0;
  std::map<std::string, int64_t> switches_;
  std::string first_impossible_;
};

// Request fields that switch speculation off for their request on some engine: {"min_p", "vLLM V1: …"}.
struct OffSwitch {
  const char* field;
  const char* en;
  const char* zh;
  bool (*set)(const Sample& sample);
};
std::span<const OffSwitch> off_switches();

}  // namespace vaa
