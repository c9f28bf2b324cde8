#include "quality/expect.h"

#include <algorithm>
#include <cmath>

#include "base/figures.h"
#include "quality/excerpt.h"
#include "quality/rates.h"
#include "stats/distributions.h"
#include "stats/power.h"

namespace vaa {
namespace {

constexpr int64_t kMostRepeats = 1'000'000;

bool named(const ScoreRow& row, const std::string& name) {
  return row.dataset == name || row.metric == name || row.dataset + " " + row.metric == name || row.dataset + "/" + row.metric == name || row.metric.substr(0, row.metric.find(',')) == name;
}

// Rows of samples before those that only the file has; a mean over subjects before its subjects.
const ScoreRow* find_row(const std::vector<ScoreRow>& rows, const std::string& name, std::string* why_en, std::string* why_zh) {
  std::vector<const ScoreRow*> found;
  std::string names;
  for (const ScoreRow& row : rows) {
    if (!row.share) continue;
    names += (names.empty() ? "" : ", ") + row.dataset + "/" + row.metric;
    if (named(row, name)) found.push_back(&row);
  }
  const auto by_rank = [](const ScoreRow* a, const ScoreRow* b) { return std::make_pair(a->subjects == 0, !a->of_samples) < std::make_pair(b->subjects == 0, !b->of_samples); };
  std::stable_sort(found.begin(), found.end(), by_rank);
  const bool one = found.size() == 1 || (found.size() > 1 && by_rank(found[0], found[1]));
  if (one && found[0]->n > 0) return found[0];
  const std::string asked = bounded(name, kMaxName), known = names.empty() ? "–" : bounded(names, 2 * kMaxName);
  *why_en = found.size() > 1 ? "expect: several scores are called " + asked + "; name one of " + known : "expect: there is no score called " + asked + "; there are: " + known;
  *why_zh = found.size() > 1 ? "expect：有多个得分名为 " + asked + "，请指明其一：" + known : "expect：没有名为 " + asked + " 的得分；现有：" + known;
  return nullptr;
}

double variance(double value, double n) { return value * (1 - value) / n; }

int64_t repeats_for(double difference, double value, int64_t questions, double published_variance) {
  if (difference == 0) return -1;
  // A score of 0 or 1 has no variance of its own: that of one question off.
  const double size = std::clamp(value, 0.5 / static_cast<double>(questions), 1 - 0.5 / static_cast<double>(questions));
  const int64_t repeats = stats::repeats_needed(size * (1 - size), questions, published_variance, std::abs(difference));
  return repeats == 0 || repeats > kMostRepeats ? -1 : repeats;
}

Interval difference(const ScoreRow& row, double published, int64_t published_n) {
  if (row.subjects > 0) {
    const double own = std::isnan(row.error) ? 0 : row.error * row.error;
    const double half = stats::normal_quantile(1 - kLevel / 2) * std::sqrt(own + variance(published, static_cast<double>(published_n)));
    return {row.value - published - half, row.value - published + half};
  }
  const auto right = [](double value, int64_t n) { return static_cast<int64_t>(std::llround(value * static_cast<double>(n))); };
  const Interval counted = difference_interval(right(row.value, row.n), row.n, right(published, published_n), published_n);
  const double shift = row.value - published - (static_cast<double>(right(row.value, row.n)) / static_cast<double>(row.n) -
                                                static_cast<double>(right(published, published_n)) / static_cast<double>(published_n));
  return {counted.lower + shift, counted.upper + shift};
}

void put_in_words(ExpectResult* result, const ScoreRow& row) {
  Check& c = result->check;
  const std::string own = fixed(row.value * 100, 2), theirs = fixed(result->published * 100, 2);
  c.words.en = own + " % against " + theirs + " %: " + points(c.effect) + " points (95 % interval " + points(c.effect_lower) + " to " + points(c.effect_upper) + ", both errors counted), ";
  c.words.zh = own + "%，公布值 " + theirs + "%：相差 " + points(c.effect) + " 个百分点（95% 区间 " + points(c.effect_lower) + " 至 " + points(c.effect_upper) + "，已计入双方误差），";
  c.words.en += c.status == Verdict::kFail ? "a drop beyond 1 point" : c.status == Verdict::kPass ? "no drop of 1 point" : "a drop of 1 point is neither shown nor excluded";
  c.words.zh += c.status == Verdict::kFail ? "下降超过 1 个百分点" : c.status == Verdict::kPass ? "没有 1 个百分点的下降" : "1 个百分点的下降既未证实也未排除";
  const auto repeats = [&](int64_t k, const std::string& what_en, const std::string& what_zh) {
    c.words.en += k > 0 ? "; " + grouped(k) + (k == 1 ? " repeat" : " repeats") + " of every question would show " + what_en
                        : "; no number of repeats would show " + what_en + ": the published number is itself uncertain by " + points(result->published_error) + " points";
    c.words.zh += k > 0 ? "；每题重复 " + grouped(k) + " 次可判断" + what_zh : "；重复多少次都无法判断" + what_zh + "：公布值自身的误差为 " + points(result->published_error) + " 个百分点";
  };
  if (c.status != Verdict::kUndecided) return;
  repeats(result->repeats_for_a_point, "1 point", " 1 个百分点");
  if (std::abs(c.effect) > kScoreMargin) repeats(result->repeats_for_seen, "a difference as large as this one", "这样大的差距");
}

}  // namespace

ExpectResult compare_with_published(const ExpectedScore& expect, const std::vector<ScoreRow>& rows) {
  ExpectResult result;
  Check& c = result.check;
  c.kind = "expect";
  c.name = bounded(expect.metric, kMaxName);
  c.title = {"score against the published number", "与公布得分对比"};
  c.margin = kScoreMargin;
  result.published = expect.value;
  const ScoreRow* row = find_row(rows, expect.metric, &c.words.en, &c.words.zh);
  if (!row) return result;
  result.found = true;
  result.published_n = (expect.questions > 0 ? expect.questions : row->questions) * expect.repeats;
  const double published_variance = variance(expect.value, static_cast<double>(result.published_n));
  result.published_error = std::sqrt(published_variance);
  const Interval interval = difference(*row, expect.value, result.published_n);
  c.n = row->n;
  c.k = static_cast<int64_t>(std::llround(row->value * static_cast<double>(row->n)));
  c.rate = row->value;
  c.lower = row->lower;
  c.upper = row->upper;
  c.effect = row->value - expect.value;
  c.effect_lower = interval.lower;
  c.effect_upper = interval.upper;
  c.status = interval.upper < -kScoreMargin ? Verdict::kFail : interval.lower > -kScoreMargin ? Verdict::kPass : Verdict::kUndecided;
  result.repeats_for_a_point = repeats_for(kScoreMargin, row->value, row->questions, published_variance);
  result.repeats_for_seen = repeats_for(c.effect, row->value, row->questions, published_variance);
  if (c.status == Verdict::kUndecided && result.repeats_for_a_point > 0) c.n_needed = result.repeats_for_a_point * row->questions;
  put_in_words(&result, *row);
  return result;
}

}  // namespace vaa
