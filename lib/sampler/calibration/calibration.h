// Does a run's sampler draw what was asked: samples go in, a report comes out. docs/sampler-calibration.md has the method.
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/options.h"
#include "base/sections.h"
#include "report/report.h"
#include "sampler/calibration/calibration_check.h"
#include "sampler/calibration/group.h"

namespace vaa::sampler {

struct CalibrationOptions {
  Request declared;                    // stands before what samples record
  Request otherwise;                   // stands where they record nothing
  TemperaturePlace place = TemperaturePlace::kUnknown;
  bool penalties_known = false, penalised = false;  // those in force where samples record none
  std::string engine;                  // its name; "" : not known
  double greedy_below = 0, temperature_floor = 0;
  bool scored = false;                 // the lists are those of forced samples alone
  int64_t vocabulary = 0;              // 0: not known
  int64_t bos = -1;
  double temperature_margin = 0.1;
  int64_t seed = 0;                    // of the randomised PIT
  int64_t max_positions = 0, max_groups = 0;
  int64_t max_tokens = 0;              // answers after so many tokens are left out; 0: none
  double near_tie = 0;                 // Law::near_tie
  bool seeds = true;                   // answers of one prompt are held against each other
};
std::span<const OptionSpec> calibration_option_table();
// Reads the names of calibration_option_table(). Throws Failure (VAA_ERROR_OPTION).
CalibrationOptions calibration_options(const Options& options);
// Rules of a known engine, or of a JSON object as vaa_engine_new takes it.
void take_engine(std::string_view engine, CalibrationOptions* options);

// What was left out of a run, in samples.
struct LeftOut {
  int64_t failed = 0, penalised = 0, many_groups = 0, many_tokens = 0, unknown_lists = 0, forced = 0, without_source = 0, bad_request = 0;
  int64_t penalty_unknown = 0;         // these are judged
  std::string first_bad;
};

class Calibration {
 public:
  explicit Calibration(CalibrationOptions options) : options_(std::move(options)) {}
  // Linear in the lists. A sample that cannot be judged is counted.
  void add(const Sample& sample);
  Report report() const;

  const CalibrationOptions& options() const { return options_; }
  const std::vector<std::unique_ptr<Group>>& groups() const { return groups_; }
  const ListFaults& faults() const { return faults_; }
  const LeftOut& left_out() const { return left_out_; }
  int64_t samples() const { return samples_; }
  int64_t waiting() const { return static_cast<int64_t>(waiting_.size()); }  // answers of which nobody knows how many tokens were asked for
  int64_t problems = 0;                // of reading
  std::string path, scored_path;

 private:
  // What is asked of a sample; false: cannot be judged, counted.
  bool request_of(const Sample& sample, Request* out);
  Group* group_of(const Request& request);
  void count(const Sample& sample, const Request& request, uint64_t seed);
  void count_waiting(Group* group);
  void count_rows(const Sample& sample, RowReader* rows, const std::string& name, const AnswerLists& lists, uint64_t seed, Group* group);
  std::string name_of(const Sample& sample) const;

  struct Source {
    Request request;
    uint64_t seed = 0;
  };
  struct Waiting {
    Sample sample;
    Group* group;
    uint64_t seed;
  };
  CalibrationOptions options_;
  std::vector<Waiting> waiting_;
  std::vector<std::unique_ptr<Group>> groups_;
  std::map<std::string, Source> sources_;
  ListFaults faults_;
  LeftOut left_out_;
  int64_t samples_ = 0, tokens_ = 0;
  ListedRow row_;
};

// A group's checks with their states.
struct JudgedCheck {
  const CalibrationCheck* check;
  const Group* group;
  CheckResult result;
  double p_adjusted = std::nan("");
  const char* status = "";             // pass, fail, undecided, not_applicable
};
std::vector<JudgedCheck> judge(const Calibration& calibration);
SectionReport calibration_report(const Calibration& calibration, const std::vector<JudgedCheck>& checks);

}  // namespace vaa::sampler
