// The parts of a run's document that need no statistics: the account, the scores, errors and problems.
#pragma once
#include <vector>

#include "base/json_writer.h"
#include "quality/score.h"

namespace vaa {

struct DatasetRow {
  const DatasetTally* counts = nullptr;
  int64_t questions = 0, missing = 0;
  // Every sample once. Failed requests without a score stand among the wrong ones where the framework counts them so.
  Account right, wrong, unscored;
};
// In byte order of their names; those past the most that are kept, as one, last.
std::vector<DatasetRow> dataset_rows(const Tally::State& state, const RunView& view, const MissingQuestions& missing, const InputFacts& facts);
void append_account(JsonWriter* json, const std::vector<DatasetRow>& datasets);
Table dataset_table(const std::vector<DatasetRow>& datasets);
void append_scores(JsonWriter* json, const std::vector<ScoreRow>& scores);
void append_errors(JsonWriter* json, const Tally::State& state);
void append_problems(JsonWriter* json, const Tally::State& state, const InputFacts& facts);

}  // namespace vaa
