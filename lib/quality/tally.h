// A run in the making: samples and their judgements go in, in any order but for what is shown as "first"; a report comes out. Counts, sums and decisions are the same whatever the
// order and split. Memory: 136 bytes a sample and its id, 300 bytes for each different prompt that is recorded, 512 for an answer that uses next to nothing of its prompt (quality/run/trail.h),
// and what is shown.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/options.h"
#include "quality/checker.h"
#include "records/reader.h"
#include "report/report.h"

namespace vaa {

// Options that vaa_tally_new and vaa_check_records share.
struct TallyOptions {
  std::string baseline;               // "k/n" or ""
  std::string expect;                 // "metric=71.5[/n[xk]]" or ""
  std::vector<std::string> fail_on;   // "flag[:rate]", "any"
  std::vector<std::string> require;   // flags that must have been testable
  int64_t max_rows = 10000;
  bool text = true;                   // false: no text of prompts or outputs anywhere
};
std::span<const OptionSpec> tally_option_table();
// Reads the names of tally_option_table(), which may be a part of a larger table; checks that flags exist and rates can be read. Throws Failure (VAA_ERROR_OPTION).
TallyOptions tally_options(const Options& options);

// What the input was, for the report's head.
struct InputFacts {
  std::string path, format;
  const RunHeader* header = nullptr;      // may be null
  const Problems* opening = nullptr;      // may be null
  const Problems* reading = nullptr;      // may be null
};

class Tally {
 public:
  Tally(const Checker& checker, TallyOptions options);
  ~Tally();
  Tally(Tally&&) noexcept;
  void add(const Sample& sample, const Judgement& judgement);
  // A second run to compare the flags' rates with (option baseline_path): paired by dataset, id (McNemar) where the items are the same, else Fisher. Borrowed until report().
  void set_baseline(const Tally* baseline, std::string name);
  Report report(const InputFacts& facts) const;
  int64_t samples() const;
  struct State;  // quality/tally_state.h
  const State& state() const { return *state_; }

 private:
  std::unique_ptr<State> state_;
};

// One sample's result as one JSON line without line feed (docs/sample-result.schema.json): id, repeat, dataset, source, flags (names of fail and warn findings), findings, unknown, request_failed, …
void append_sample_line(std::string* out, const Sample& sample, const Judgement& judgement, const Checker& checker, bool with_text);

}  // namespace vaa
