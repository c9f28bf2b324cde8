// The positions of one answer as an API lists them: the likeliest tokens with their logprobs, and the one that was chosen.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "records/sample.h"

namespace vaa::sampler {

struct ListedRow {
  std::vector<int32_t> ids;       // likeliest first, of equals the lower id
  std::vector<double> logprobs;   // finite
  size_t listed = 0;              // those that are listed whatever was chosen: a prefix; what stands behind is the chosen token, the least likely of all
  size_t chosen = 0;              // index of the chosen token
  int32_t chosen_id = 0;
  bool masked = false;            // it is listed with probability 0; then chosen is ids.size()
  size_t entries = 0;             // of the list as it was recorded, those of probability 0 too
  double mass = 0;                // listed probability, of the prefix
  bool inside() const { return !masked && chosen < listed; }
  double chosen_logprob() const;  // -infinity where it is masked
};

// What was wrong with the lists of a run; positions of these kinds are left out, but chosen_missing.
struct ListFaults {
  int64_t answers_without_ids = 0, answers_without_lists = 0, answers_of_logits = 0, answers_not_fitting = 0;
  int64_t positive = 0, not_a_number = 0, twice = 0, mass = 0, without_list = 0;
  int64_t chosen_missing = 0;     // the chosen token is not in the list: it counts as no likelier than the last one there
  std::string first;              // "gsm8k/17, token 4: logprob 0.5"
  int64_t positions() const { return positive + not_a_number + twice + mass; }
};

// Where an answer's chosen tokens and lists stand in a sample.
struct AnswerLists {
  std::span<const int32_t> chosen;
  std::span<const double> own;      // logprobs of the chosen tokens; may be empty
  std::span<const int32_t> ids;
  std::span<const double> logprobs;
  std::span<const int64_t> ends;    // of all positions, those before the first chosen one too
  size_t from = 0;                  // position of the first chosen one
};
// false with a count in *faults: there is nothing to read.
bool find_lists(const Sample& sample, const std::string& name, AnswerLists* out, ListFaults* faults);

class RowReader {
 public:
  // `name` for messages; both are borrowed while rows are read.
  RowReader(const AnswerLists& lists, const std::string& name, ListFaults* faults);
  size_t size() const { return lists_.chosen.size(); }
  // How many tokens the server was asked to list: where the likeliest was chosen its list has no other token. 0: it never was, so that a list's last token may stand there because it was chosen.
  size_t asked() const { return asked_; }
  void set_asked(size_t asked) { asked_ = asked; }  // as other answers tell
  // false: unusable, counted. k log k; memory of the row is kept.
  bool read(size_t i, ListedRow* row);

 private:
  struct List {
    std::span<const int32_t> ids;
    std::span<const double> logprobs;
  };
  List list(size_t i) const;
  size_t asked_for() const;
  bool fault(int64_t* count, size_t i, const std::string& words);

  AnswerLists lists_;
  const std::string& name_;
  ListFaults* faults_;
  size_t asked_ = 0;
  std::vector<size_t> order_;
};

}  // namespace vaa::sampler
