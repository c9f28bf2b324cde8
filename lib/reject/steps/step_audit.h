// The audit of speculative steps: rows go in, engine by engine; each check keeps what it needs of them, so memory does not grow with rows.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "reject/steps/step_row.h"
#include "reject/steps/step_tally.h"

namespace vaa {

// What was read of files, and what was wrong with them.
struct StepOddities {
  int64_t files = 0, repeated_files = 0, bad_rows = 0, cut_files = 0, damaged_files = 0, unknown_records = 0;
  std::string first_bad, first_cut, first_damaged;  // "steps.vaasteps: at byte 4711: …"
};

// What happened at one place of drafts.
struct PlaceCount {
  int64_t drafted = 0, reached = 0, accepted = 0;
};

// Steps that are judged together: of one server and rank, under one header.
struct StepGroup {
  StepHeader header;
  int64_t rows = 0, greedy_rows = 0, full_rows = 0;
  int64_t drafts = 0;              // rows with a draft token
  int64_t draft_tokens = 0, accepted = 0, emitted = 0;
  std::vector<PlaceCount> places;
  bool with_p = false, with_q = false, with_argmax = false, with_noise = false;
  std::vector<std::unique_ptr<StepTally>> tallies;  // one a check; null: says nothing of these
};

class StepAudit {
 public:
  static constexpr size_t kMostGroups = 4096;
  // Those that rows under such a header belong to; owned by the audit. Throws Failure (VAA_ERROR_CAPACITY).
  StepGroup* group_of(const StepHeader& header);
  // A row without a row_fault().
  void add(const StepRow& row, StepGroup* group);
  // All probabilities of such a row, which was added before, without a full_rows_fault().
  void add_full(const StepRow& row, const FullRows& full, StepGroup* group);
  // Of files: a row that contradicts itself is counted, and the first is named. False: it was not added.
  bool add_or_count(const StepRow& row, const std::string& here, StepGroup* group);
  void add_full_or_count(const StepRow& row, const FullRows& full, const std::string& here, StepGroup* group);
  void count_bad(const std::string& what);
  void count_cut(const std::string& where);
  void count_damaged(const std::string& where);
  void count_unknown() { ++oddities_.unknown_records; }
  // A file that begins so. False: one that begins so was read before, and the same steps again are no more evidence.
  bool begin_file(std::string_view head);

  const std::vector<std::unique_ptr<StepGroup>>& groups() const { return groups_; }
  const StepOddities& oddities() const { return oddities_; }
  bool empty() const { return groups_.empty(); }

 private:
  std::vector<std::unique_ptr<StepGroup>> groups_;
  std::vector<uint64_t> heads_;    // of files, hashed; ascending
  StepOddities oddities_;
  std::vector<double> accept_;
};

}  // namespace vaa
