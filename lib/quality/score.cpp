#include "quality/score.h"

#include <algorithm>
#include <tuple>

#include "base/exact_sum.h"
#include "quality/rates.h"
#include "quality/subjects.h"
#include "stats/distributions.h"
#include "stats/means.h"

namespace vaa {
namespace {

// Files give two decimals of a percentage.
constexpr double kFileRounding = 5.1e-5;

bool is_score(const KeptSample& s, bool failed_is_wrong) { return s.is(KeptSample::kScored) || (failed_is_wrong && s.is(KeptSample::kFailed)); }
double score_of(const KeptSample& s) { return s.is(KeptSample::kScored) ? s.value : 0; }
bool is_broken(const KeptSample& s) { return s.place < kPlaceWellFormed; }

// stats::mean_clustered for what is summed up already, so that no values are copied: the squares of all deviations, and the products of those within a question.
double clustered_error(double squares, double within, int64_t n) {
  if (n < 2) return std::nan("");
  const auto size = static_cast<double>(n);
  return std::sqrt(std::max(0.0, squares / (size * (size - 1)) + within / (size * size)));
}

// Wilson's interval for plain shares, the normal one elsewhere.
void add_interval(ScoreRow* row, bool zeros_and_ones) {
  if (zeros_and_ones && row->questions == row->n && row->n > 0) {
    const Interval shown = wilson_interval(std::llround(row->value * static_cast<double>(row->n)), row->n);
    row->lower = shown.lower;
    row->upper = shown.upper;
  } else if (!std::isnan(row->error)) {
    const double half = stats::normal_quantile(1 - kLevel / 2) * row->error;
    row->lower = row->share ? std::max(0.0, row->value - half) : row->value - half;
    row->upper = row->share ? std::min(1.0, row->value + half) : row->value + half;
  }
}

ScoreRow dataset_row(const DatasetTally& dataset, const RunView& view, size_t index, bool failed_is_wrong) {
  ScoreRow row;
  row.dataset = dataset.name;
  row.metric = dataset.several_metrics ? "several metrics" : dataset.metric;
  row.of_samples = true;
  ExactSum sum, bound;
  bool zeros_and_ones = true;
  for (const uint32_t i : view.of_dataset(index)) {
    const KeptSample& s = view.sample(i);
    if (!is_score(s, failed_is_wrong)) continue;
    const double value = score_of(s);
    row.n += 1;
    row.share = row.share && value >= 0 && value <= 1;
    zeros_and_ones = zeros_and_ones && (value == 0 || value == 1);
    const bool lifted = is_broken(s) && value < 1;
    row.broken += lifted;
    sum.add(value);
    bound.add(lifted ? 1 : value);
  }
  const auto n = static_cast<double>(row.n);
  row.value = sum.value() / n;
  if (row.share) row.bound = bound.value() / n;
  ExactSum squares, within;
  view.questions(view.of_dataset(index), [&](std::span<const uint32_t> one) {
    double together = 0, own = 0;
    int64_t scored = 0;
    for (const uint32_t i : one) {
      const KeptSample& s = view.sample(i);
      if (!is_score(s, failed_is_wrong)) continue;
      const double d = score_of(s) - row.value;
      together += d;
      own += d * d;
      scored += 1;
    }
    row.questions += scored > 0;
    squares.add(own);
    if (scored > 1) within.add(together * together - own);
  });
  row.error = clustered_error(squares.value(), within.value(), row.n);
  add_interval(&row, zeros_and_ones);
  return row;
}

// "exact_match" is the file's "exact_match,strict-match", "accuracy" its "accuracy (3 runs average)".
bool same_metric(std::string_view ours, std::string_view files) {
  return ours.empty() || (files.substr(0, ours.size()) == ours && (files.size() == ours.size() || files[ours.size()] == ',' || files[ours.size()] == ' '));
}

double as_share(const TaskScore& score) { return score.percent ? score.value / 100 : score.value; }

void compare_with_file(ScoreRow* row, const TaskScore& score) {
  row->file_value = as_share(score);
  row->file_n = score.n;
  row->differs = !(std::abs(row->value - row->file_value) <= kFileRounding);
}

ScoreRow file_row(const TaskScore& score) {
  ScoreRow row;
  row.dataset = score.dataset;
  row.metric = score.metric;
  row.value = row.file_value = as_share(score);
  row.n = row.questions = row.file_n = score.n;
  row.share = row.value >= 0 && row.value <= 1;
  if (row.share && score.mean_of_subjects.empty() && score.n > 1) {
    row.error = std::sqrt(row.value * (1 - row.value) / static_cast<double>(score.n - 1));
    add_interval(&row, true);
  }
  return row;
}

// The mean of the subjects' means; its error from theirs. A subject of one question has none of its own: the largest there can be stands for it.
ScoreRow group_row(const std::string& group, const std::vector<const ScoreRow*>& subjects) {
  ScoreRow row;
  row.dataset = group;
  row.metric = subjects[0]->metric;
  row.of_samples = true;
  row.subjects = static_cast<int64_t>(subjects.size());
  ExactSum bound;
  std::vector<stats::Mean> means;
  for (const ScoreRow* s : subjects) {
    row.n += s->n;
    row.questions += s->questions;
    row.broken += s->broken;
    row.share = row.share && s->share;
    bound.add(s->bound);
    means.push_back({s->n, s->value, std::isnan(s->error) ? 0.5 : s->error});
  }
  const stats::Mean mean = stats::mean_of_subjects(means);
  row.value = mean.mean;
  row.error = mean.standard_error;
  row.bound = row.share ? bound.value() / static_cast<double>(subjects.size()) : std::nan("");
  add_interval(&row, false);
  return row;
}

}  // namespace

bool counts_failed_as_wrong(const DatasetTally& dataset, std::string_view format) {
  return dataset.has_scores() && (format.substr(0, 8) == "aisbench" || format.substr(0, 11) == "opencompass");
}

std::vector<ScoreRow> score_rows(const Tally::State& state, const RunView& view, const InputFacts& facts) {
  static const std::vector<TaskScore> kNone;
  const std::vector<TaskScore>& files = facts.header ? facts.header->scores : kNone;
  std::vector<ScoreRow> rows;
  for (size_t i = 0; i < state.datasets.size(); ++i) {
    const DatasetTally& dataset = state.datasets[i];
    if (dataset.has_scores()) rows.push_back(dataset_row(dataset, view, i, counts_failed_as_wrong(dataset, facts.format)));
  }
  const auto by_name = [](const ScoreRow& a, const ScoreRow& b) { return std::tie(a.dataset, a.metric) < std::tie(b.dataset, b.metric); };
  std::sort(rows.begin(), rows.end(), by_name);
  std::vector<std::pair<std::string, std::vector<const ScoreRow*>>> groups;
  for (const ScoreRow& row : rows) {
    const std::string group = subject_group(row.dataset, files);
    if (group.empty()) continue;
    if (groups.empty() || groups.back().first != group) groups.push_back({group, {}});
    groups.back().second.push_back(&row);
  }
  std::vector<ScoreRow> means;
  for (const auto& [group, subjects] : groups) {
    if (subjects.size() > 1) means.push_back(group_row(group, subjects));
  }
  rows.insert(rows.end(), means.begin(), means.end());
  std::vector<ScoreRow> of_files;
  for (const TaskScore& score : files) {
    const auto ours = std::find_if(rows.begin(), rows.end(), [&](const ScoreRow& row) {
      return row.dataset == score.dataset && std::isnan(row.file_value) && same_metric(row.metric, score.metric);
    });
    if (ours != rows.end()) compare_with_file(&*ours, score);
    else of_files.push_back(file_row(score));
  }
  std::sort(of_files.begin(), of_files.end(), by_name);
  rows.insert(rows.end(), of_files.begin(), of_files.end());
  return rows;
}

MissingQuestions missing_questions(const Tally::State& state, const RunView& view, const InputFacts& facts) {
  MissingQuestions out;
  out.of_dataset.resize(state.datasets.size());
  if (!facts.header) return out;
  std::unordered_map<std::string, int64_t> named;
  for (const TaskScore& s : facts.header->scores) {
    if (s.n > 0 && (s.mean_of_subjects.empty() || s.mean_of_subjects != s.dataset)) named[s.dataset] = std::max(named[s.dataset], s.n);
  }
  for (size_t i = 0; i < state.datasets.size(); ++i) {
    const auto found = named.find(state.datasets[i].name);
    if (found == named.end()) continue;
    out.of_dataset[i] = std::max<int64_t>(0, found->second - view.question_count(i));
    out.total += out.of_dataset[i];
    out.expected += found->second;
    named.erase(found);
  }
  for (const auto& [name, n] : named) out.elsewhere += n;
  out.total += out.elsewhere;
  out.expected += out.elsewhere;
  return out;
}

}  // namespace vaa
