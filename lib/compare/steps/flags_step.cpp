// The rate of each flag on both sides, and of answers that are broken in any way.
#include <algorithm>

#include "base/figures.h"
#include "compare/answer_rates.h"
#include "quality/gates.h"
#include "stats/multiplicity.h"

namespace vaa {
namespace {

struct FlagRow {
  const char* name;
  Both title;
  double margin;
  AnswerRates rates;
  double p_beyond = 1, adjusted = 1;
};

// Most faults raise several flags and all of them "broken", which gets most of the level; the others share the rest under Holm.
constexpr double kOfBroken = 0.8;
void adjust(std::vector<FlagRow>* rows) {
  std::vector<double> p;
  for (size_t i = 1; i < rows->size(); ++i) p.push_back((*rows)[i].p_beyond);
  const std::vector<double> together = stats::holm(p);
  for (size_t i = 0; i < rows->size(); ++i) (*rows)[i].adjusted = std::min(1.0, i == 0 ? (*rows)[0].p_beyond / kOfBroken : together[i - 1] / (1 - kOfBroken));
}

// "broken" first, failed requests, then each flag that was looked for on both sides. A flag whose ceiling is lower than the margin is held to its ceiling.
std::vector<FlagRow> all_rows(const ComparisonView& view) {
  std::vector<FlagRow> rows;
  const double margin = view.margins.flag_excess;
  rows.push_back({"broken", {"broken answers", "损坏的回答"}, margin, answer_rates(view, [](const RunRow& r) { return r.has_output; }, [](const RunRow& r, bool) { return r.broken; })});
  rows.push_back({kRequestFailed, {"request failed", "请求失败"}, margin, answer_rates(view, [](const RunRow&) { return true; }, [](const RunRow& r, bool) { return r.failed; })});
  const auto table = detector_table();
  for (size_t i = 0; i < table.size(); ++i) {
    const uint64_t bit = uint64_t{1} << i;
    if (!(view.reference.enabled() & view.target.enabled() & bit)) continue;
    rows.push_back({table[i]->name, {table[i]->title.en, table[i]->title.zh}, std::min(margin, table[i]->ceiling),
                    answer_rates(view, [&](const RunRow& r) { return (r.testable & bit) != 0; }, [&](const RunRow& r, bool) { return (r.counted & bit) != 0; })});
  }
  return rows;
}

// "broken", and those that either run has.
std::vector<FlagRow> tested_rows(const std::vector<FlagRow>& all) {
  std::vector<FlagRow> rows;
  for (const FlagRow& row : all) {
    const AnswerRates& r = row.rates;
    if (!r.effect.known() || (&row != &all[0] && r.reference.k + r.target.k == 0)) continue;
    rows.push_back(row);
    rows.back().p_beyond = std::max(p_above(r.effect, row.margin), r.effect.value > 0 ? r.effect.p : 1.0);
  }
  adjust(&rows);
  return rows;
}

// What vaa_variants counts by switch.
std::string rates_json(const std::vector<FlagRow>& all) {
  std::string out;
  JsonWriter json(&out);
  json.begin_object().key("rates").begin_array();
  for (const FlagRow& row : all) {
    json.begin_object().member("flag", row.name).member("title", row.title.en).member("title_zh", row.title.zh);
    for (const auto& [name, rate] : {std::pair{"reference", &row.rates.reference}, {"target", &row.rates.target}}) {
      json.key(name).begin_object().member("k", rate->k).member("n", rate->n).member("design", rate->design).end_object();
    }
    json.end_object();
  }
  json.end_array().end_object();
  return out;
}

std::string rate_text(const ClusteredRate& rate) { return grouped(rate.k) + " / " + grouped(rate.n); }

std::string p_text(double p) {
  const std::string words = p_words(p).en;  // "p = 0.03", "p < 0.0001"
  return words[2] == '=' ? words.substr(4) : words.substr(2);
}

void fill_table(const std::vector<FlagRow>& rows, StepResult* step) {
  step->section.columns = {{"flag", "标记"}, {"meaning", "含义"}, {"reference", "参考"}, {"target", "目标"}, {"change in points, 95 % interval", "变化（百分点，95% 区间）"}, {"margin", "界限"}, {"p", "p"}};
  step->section.right = {false, false, true, true, true, true, true};
  NumberTable numbers{"flags", {{"reference_k", {}}, {"reference_n", {}}, {"target_k", {}}, {"target_n", {}}, {"effect", {}}, {"lower", {}}, {"upper", {}}, {"p", {}}, {"p_beyond", {}}, {"p_adjusted", {}}}};
  for (const FlagRow& row : rows) {
    const Effect& e = row.rates.effect;
    const std::string change = points(e.value) + " [" + points(e.lower) + ", " + points(e.upper) + "]";
    const char* tone = row.adjusted < 0.05 ? "bad" : e.p < 0.05 && e.value > 0 ? "unsure" : "plain";
    step->section.rows.push_back({{plain(row.name), row.title, plain(rate_text(row.rates.reference)), plain(rate_text(row.rates.target)), plain(change), plain(points(row.margin)), plain(p_text(e.shown_p))}, tone});
    const double values[] = {static_cast<double>(row.rates.reference.k), static_cast<double>(row.rates.reference.n), static_cast<double>(row.rates.target.k), static_cast<double>(row.rates.target.n),
                             e.value, e.lower, e.upper, e.p, row.p_beyond, row.adjusted};
    for (size_t i = 0; i < numbers.columns.size(); ++i) numbers.columns[i].second.push_back(values[i]);
  }
  step->numbers.push_back(std::move(numbers));
}

StepResult run(const ComparisonView& view) {
  const std::vector<FlagRow> all = all_rows(view), rows = tested_rows(all);
  if (rows.empty()) return not_applicable({"fewer than two shared questions have an answer on both sides", "两侧都有回答的共有题不足两道"});
  // The row that speaks for the step: the one nearest to a failure, "broken" where none is near.
  const FlagRow& worst = *std::min_element(rows.begin(), rows.end(), [](const FlagRow& a, const FlagRow& b) { return a.adjusted < b.adjusted; });
  StepResult step;
  take_effect(&step, worst.rates.effect);
  step.unit = "share";
  step.n_unit = "answers";
  step.margin = worst.margin;
  step.p = std::min(1.0, step.p * static_cast<double>(rows.size()));
  step.p_beyond = worst.adjusted;
  step.inside = rows[0].rates.effect.upper < rows[0].margin && worst.rates.effect.upper < worst.margin;
  step.better = rows[0].rates.effect.upper < 0;
  const Both change = points_words(step.effect, step.lower, step.upper);
  step.words = {worst.title.en + ": " + rate_text(worst.rates.reference) + " -> " + rate_text(worst.rates.target) + ", " + change.en,
                worst.title.zh + "：" + rate_text(worst.rates.reference) + " → " + rate_text(worst.rates.target) + "，" + change.zh};
  if (!step.inside) {
    // Newcombe's interval of two equal rates shrinks with the root of n.
    const double half = (step.upper - step.lower) / 2, times = half / step.margin;
    step.questions_needed = std::max<int64_t>(step.n + 1, static_cast<int64_t>(std::ceil(static_cast<double>(step.n) * times * times)));
    step.needed = {"about " + counted(step.questions_needed, "answers") + " a side would tell an excess of " + points(step.margin) + " points from none", "每侧约 " + grouped(step.questions_needed) + " 个回答才能区分 " + points(step.margin) + " 个百分点的增加与没有增加"};
  }
  const ClusteredRate& broken = rows[0].rates.target;
  step.kind = 2 * broken.k < broken.n ? "catastrophic_bad_cases" : "broken_answers";
  step.data = rates_json(all);
  fill_table(rows, &step);
  step.section.lines.push_back({{"counted: a certain finding of the flag's own severity; four fifths of the level are for broken answers, the rest for the other rows under Holm",
                                 "只计该标记自身级别的确定发现；检验水平的五分之四用于损坏的回答，其余各行用 Holm 分享剩余部分"}, "", "", "", "faint"});
  return step;
}

}  // namespace

extern const Step kFlagsStep;
const Step kFlagsStep = {"flags", "flags", true, {"Broken answers and flags", "损坏的回答与标记"}, run};

}  // namespace vaa
