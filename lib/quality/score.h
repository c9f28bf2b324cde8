// The scores of a run, computed again from its samples the way the framework does, and held against those of its files.
#pragma once
#include <cmath>
#include <string>
#include <vector>

#include "quality/run_view.h"
#include "quality/tally.h"

namespace vaa {

// Values count to 1 where they are shares (accuracy); other metrics as they are.
struct ScoreRow {
  std::string dataset, metric;
  bool of_samples = false;         // false: only the file gives it
  bool share = true;               // a value of 0 to 1, shown in percent
  int64_t n = 0, questions = 0;    // scored samples (failed requests among them where the framework counts them as wrong)
  int64_t subjects = 0;            // over 0: the mean of so many datasets' means
  double value = std::nan(""), error = std::nan("");  // standard error: over questions, clustered where they were asked several times
  double lower = std::nan(""), upper = std::nan("");  // 95 %
  double bound = std::nan("");     // the value had every broken answer been right; never the score without them: cut answers are the hard ones
  int64_t broken = 0;              // wrong answers that are broken
  double file_value = std::nan("");
  int64_t file_n = 0;
  bool differs = false;            // from the file's
};

// In byte order of datasets, then metrics; means over subjects after their subjects.
std::vector<ScoreRow> score_rows(const Tally::State& state, const RunView& view, const InputFacts& facts);
// Failed requests of these datasets count as wrong answers though no score is recorded for them.
bool counts_failed_as_wrong(const DatasetTally& dataset, std::string_view format);
// Questions that the files name and the samples lack, by dataset of `state`; and those of datasets without any sample in `elsewhere`.
struct MissingQuestions {
  std::vector<int64_t> of_dataset;
  int64_t elsewhere = 0, total = 0, expected = 0;
};
MissingQuestions missing_questions(const Tally::State& state, const RunView& view, const InputFacts& facts);

}  // namespace vaa
