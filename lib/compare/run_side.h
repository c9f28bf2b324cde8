// One run as a comparison keeps it: a row a sample, questions with their bags of repeats, and what its samples record of how they were made.
#pragma once
#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "quality/account.h"
#include "quality/checker.h"
#include "records/reader.h"
#include "records/sample.h"

namespace vaa {

enum PromptForm : int { kPromptMessages = 0, kPromptText = 1, kPromptIds = 2, kPromptForms = 3 };

// Not recorded: NaN, -1, a hash of 0. 112 bytes.
struct RunRow {
  std::array<uint64_t, kPromptForms> prompt{};  // hashes of the forms that are recorded
  uint64_t extracted = 0;   // hash of the extracted answer, without case and white space
  uint64_t output = 0;      // hash of text, reasoning and ids
  uint64_t seed = 0;
  uint64_t counted = 0;     // flags with a certain finding of their row's severity
  uint64_t testable = 0;    // flags whose state is known
  double score = std::numeric_limits<double>::quiet_NaN();
  int32_t tokens = -1, chars = -1;
  int32_t first_token = -1;
  int32_t question = -1;    // index in the side's questions; -1: no id
  int32_t repeat = 0;
  uint8_t place = 0;        // account.h
  int8_t right = -1;        // 1, 0; -1: neither is recorded
  int8_t at_limit = -1;     // the answer reached its token limit
  uint8_t finish = 0;       // index in the side's finish_reasons and 1; 0: not recorded
  bool failed = false, has_output = false, broken = false;
  bool has_ids = false;     // of the output
  bool forced = false;      // a teacher-forced measurement: no answer
};

struct Question {
  std::string dataset, id;
  std::vector<int32_t> rows;   // its repeats, an unordered bag
};

class RunSide {
 public:
  explicit RunSide(const Checker& checker);
  // Takes what is judged of the sample; false: it is a copy, and left out. A copy: the same question, repeat number (none: 0), prompt, seed, text and ids as a sample before it. An answer under
  // another repeat number is a repeat, whatever it says: frameworks without one number repeats as they come.
  bool add(const Sample& sample, const Judgement& judgement);
  // Once, after the last sample of files of `format`: failed requests count as wrong where the framework counts them so.
  void finish();
  int64_t duplicates() const;                     // samples that give a repeat of a question again, copies too
  std::vector<int32_t> given_again() const;       // the questions of those that are no copies
  const std::vector<RunRow>& rows() const { return rows_; }
  const RunRow& row(int32_t index) const { return rows_[static_cast<size_t>(index)]; }
  const std::vector<Question>& questions() const { return questions_; }
  const Question& question(int32_t index) const { return questions_[static_cast<size_t>(index)]; }
  int32_t find(const Question& question) const;   // -1: none
  uint64_t enabled() const { return enabled_; }   // flags that were looked for
  int64_t count(bool (*of)(const RunRow&)) const;

  std::string path, format, header;   // header: vaa.run/1, "" : none
  std::vector<TaskScore> scores;                  // that the framework's files give
  int64_t bad_lines = 0;
  std::string first_problem;          // "run.jsonl, line 7: …"; "" : none
  int64_t without_id = 0;             // samples that cannot be paired
  int64_t copies = 0, alike = 0;      // left out; kept: long sampled answers that say what another repeat of their question says, word for word
  std::string first_copy, first_alike;  // "gsm8k/17"
  int64_t sampled = 0;                // samples whose temperature is above 0 or not recorded
  int64_t speculated = 0;             // samples for which drafts were recorded
  std::vector<std::string> finish_reasons;
  std::map<std::string, std::map<std::string, int64_t>> settings;  // of samples: name, value, how many; a bounded number of values

 private:
  int64_t again(const Question& question) const;
  std::vector<RunRow> rows_;
  std::vector<Question> questions_;
  std::unordered_map<std::string, int32_t> index_;
  std::unordered_set<uint64_t> answers_, said_;  // hashes of what makes a copy; of the same without the repeat number
  PlaceBits bits_;
  std::vector<Severity> severity_;  // of each flag's row
  uint64_t enabled_ = 0;
};

}  // namespace vaa
