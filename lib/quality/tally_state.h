// What a tally keeps while samples go in, and what its report is made from.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "quality/account.h"
#include "quality/gates.h"
#include "quality/run/trail.h"
#include "quality/shown.h"
#include "quality/tally.h"

namespace vaa {

// One sample as it is kept: 48 bytes. A report needs 4 more for an index and 4 for the quantiles of lengths.
struct KeptSample {
  enum Bits : uint8_t { kFailed = 1, kScored = 2, kRight = 4, kWrong = 8, kBroken = 16, kOutput = 32, kNoId = 64 };
  uint64_t question;  // hash of dataset and id; its own where no id is recorded
  uint64_t counted;   // flags that count in their rates
  uint64_t testable;  // flags whose state is known
  double value;       // of the score
  int32_t tokens, chars;  // of the output; -1: not recorded; capped at INT32_MAX
  int32_t repeat;
  uint16_t dataset;
  uint8_t place;
  uint8_t bits;
  bool is(Bits bit) const { return (bits & bit) != 0; }
};
static_assert(sizeof(KeptSample) == 48);

using KeptSamples = Pieces<KeptSample>;

struct FlagCounts {
  int64_t tested = 0;   // state no or found
  int64_t unknown = 0;
  int64_t found = 0;    // with a finding of any severity
  int64_t alarm = 0;    // with one of severity fail or warn
  int64_t failing = 0;  // with one of severity fail
  int64_t counted = 0;  // with a certain one of the severity of the flag's row: these make the rate
};

struct DatasetTally {
  std::string name;    // bounded; "" : not recorded
  std::string metric;  // of the first scored sample
  bool several_metrics = false;
  int64_t samples = 0, failed = 0, with_output = 0, scored = 0, failed_unscored = 0;
  int64_t scored_answers = 0;  // scored, and the request did not fail
  // That a failed request counts as wrong is no score per answer.
  bool has_scores() const { return scored > 0 && (scored_answers > 0 || with_output == 0); }
  Account right, wrong, open;  // open: neither right nor wrong is recorded
  std::vector<FlagCounts> flags;
};

struct ErrorKind {
  std::string message, type;
  int64_t status = -1, count = 0;
};

struct Tally::State {
  State(const Checker& c, TallyOptions o);
  uint16_t dataset_index(std::string_view name);
  void count_error(const Sample& sample);
  void count_limit(const Sample& sample, const KeptSample& row, bool cut_for_certain);
  void count_facts(const Sample& sample, const Judgement& judgement, const KeptSample& row, DatasetTally* dataset);
  void show(const Sample& sample, const Judgement& judgement, int64_t order);

  const Checker& checker;
  TallyOptions options;
  Gates gates;
  PlaceBits place_bits;
  uint64_t enabled = 0;
  std::vector<Severity> row_severity;  // of each flag's row

  KeptSamples kept;
  Trail trail;
  std::vector<FlagCounts> flags;
  std::vector<DatasetTally> datasets;
  std::unordered_map<uint64_t, uint16_t> dataset_by_hash;
  int64_t datasets_left_out = 0;  // samples counted under the last row, whose name is kOtherDatasets
  int64_t failed = 0, with_output = 0, forced = 0;
  int64_t broken = 0;       // answers with a certain finding of severity fail
  int64_t any_failing = 0;  // with one of severity fail, suspected ones too
  int64_t limit_known = 0, at_limit = 0;           // answers of which it is known whether they reached the token limit
  int64_t cut_known = 0;                           // these, and those certainly cut for another reason: the rate of truncation is a share of them
  int64_t cut_certain = 0, cut_limit_known = 0, cut_limit_min = 0, cut_limit_max = 0;  // max_tokens of certainly cut answers
  int64_t wasted = 0, output_bytes = 0;
  int64_t with_finish = 0, with_ids = 0, with_prompt = 0, with_id = 0, with_max_tokens = 0, with_tokens = 0, with_score = 0;
  std::vector<ErrorKind> errors;
  std::unordered_map<uint64_t, size_t> error_by_hash;
  int64_t errors_left_out = 0;
  Shown shown;
  std::string lines;
  int64_t rows = 0;
  const Tally* baseline = nullptr;
  std::string baseline_name;
};
constexpr const char* kOtherDatasets = "(others)";
constexpr size_t kMaxDatasets = 2000;

// A 64-bit hash of two texts; the same on every host.
uint64_t hash_names(std::string_view first, std::string_view second);

}  // namespace vaa
