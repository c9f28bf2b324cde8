// What the newly wrong answers died of, beside what the newly right ones had died of.
#include <algorithm>
#include <array>

#include "base/figures.h"
#include "compare/answer_rates.h"
#include "stats/multiplicity.h"

namespace vaa {
namespace {

// p of a place that is named: by itself beside a gate that fails, else under Holm over all places.
constexpr double kStandsOut = 0.05;

struct Turned {
  std::array<int64_t, kPlaceCount> wrong_before{}, wrong_now{}, newly_wrong{}, newly_right{};
  int64_t right_before = 0, right_now = 0;
};

Turned count_turned(const ComparisonView& view) {
  Turned t;
  for (const SharedQuestion& q : view.shared()) {
    const auto &a = view.reference_rows(q), &b = view.target_rows(q);
    for (const int32_t r : a) {
      if (view.reference.row(r).right == 0) t.wrong_before[view.reference.row(r).place] += 1;
      t.right_before += view.reference.row(r).right == 1;
    }
    for (const int32_t r : b) {
      if (view.target.row(r).right == 0) t.wrong_now[view.target.row(r).place] += 1;
      t.right_now += view.target.row(r).right == 1;
    }
    if (a.size() != 1 || b.size() != 1) continue;
    const RunRow &before = view.reference.row(a[0]), &now = view.target.row(b[0]);
    if (before.right == 1 && now.right == 0) t.newly_wrong[now.place] += 1;
    if (before.right == 0 && now.right == 1) t.newly_right[before.place] += 1;
  }
  return t;
}

// The symptom of more wrong answers of one kind (symptom_table).
constexpr const char* kSymptoms[kPlaceCount] = {"more_failed", "more_empty", "more_cut", "more_looping", "more_unclosed", "more_garbled", "more_not_extracted", "more_plain_wrong", ""};

int64_t total(const std::array<int64_t, kPlaceCount>& places) {
  int64_t sum = 0;
  for (const int64_t n : places) sum += n;
  return sum;
}

StepResult run(const ComparisonView& view) {
  const Turned t = count_turned(view);
  if (total(t.wrong_before) + t.right_before == 0 || total(t.wrong_now) + t.right_now == 0) {
    return not_applicable({"right and wrong are not recorded on both sides", "两侧没有都记录对错"});
  }
  StepResult step;
  step.applies = true;
  step.unit = "share";
  step.n_unit = "answers";
  const bool pairs = view.pairing.one_each;
  step.section.columns = {{"what it died of", "原因"}, {"wrong, reference", "参考：答错"}, {"wrong, target", "目标：答错"}};
  if (pairs) step.section.columns.insert(step.section.columns.end(), {{"newly wrong", "新答错"}, {"newly right", "新答对"}});
  step.section.columns.push_back({"change in points, 95 % interval", "变化（百分点，95% 区间）"});
  step.section.right.assign(step.section.columns.size(), true);
  step.section.right[0] = false;
  NumberTable numbers{"account", {{"wrong_reference", {}}, {"wrong_target", {}}, {"newly_wrong", {}}, {"newly_right", {}}, {"effect", {}}, {"lower", {}}, {"upper", {}}, {"p", {}}}};
  std::vector<double> rising;  // p of each place that more answers died of
  std::vector<const char*> symptoms;
  for (int place = 0; place < kPlaceCount; ++place) {
    const auto p = static_cast<size_t>(place);
    const AnswerRates rates = answer_rates(view, [](const RunRow& r) { return r.right >= 0; }, [&](const RunRow& r, bool) { return r.right == 0 && r.place == place; });
    const Effect& e = rates.effect;
    const double values[] = {static_cast<double>(t.wrong_before[p]), static_cast<double>(t.wrong_now[p]), static_cast<double>(t.newly_wrong[p]), static_cast<double>(t.newly_right[p]), e.value, e.lower, e.upper, e.p};
    for (size_t i = 0; i < numbers.columns.size(); ++i) numbers.columns[i].second.push_back(values[i]);
    if (t.wrong_before[p] + t.wrong_now[p] == 0) continue;
    const Words& title = place_info(place).title;
    SectionRow row{{place == kPlaceWellFormed ? Both{"well formed, plainly wrong", "格式完好，答案错误"} : Both{title.en, title.zh}, plain(grouped(t.wrong_before[p])), plain(grouped(t.wrong_now[p]))}, "plain"};
    if (pairs) row.cells.insert(row.cells.end(), {plain(grouped(t.newly_wrong[p])), plain(grouped(t.newly_right[p]))});
    row.cells.push_back(plain(e.known() ? points(e.value) + " [" + points(e.lower) + ", " + points(e.upper) + "]" : "–"));
    rising.push_back(e.known() && e.value > 0 ? e.p : 1);
    symptoms.push_back(kSymptoms[p]);
    row.tone = e.value > 0 && e.p < kStandsOut ? "bad" : "plain";
    step.section.rows.push_back(std::move(row));
  }
  const auto most = std::min_element(rising.begin(), rising.end());
  if (most != rising.end() && *most < kStandsOut) {
    const auto place = static_cast<size_t>(most - rising.begin());
    step.symptom = symptoms[place];
    if (!(stats::holm(rising)[place] < kStandsOut)) step.symptom_rule = SymptomRule::kBesideFailure;
  }
  SectionRow sum{{{"all wrong answers", "全部答错"}, plain(grouped(total(t.wrong_before))), plain(grouped(total(t.wrong_now)))}, "plain"};
  if (pairs) sum.cells.insert(sum.cells.end(), {plain(grouped(total(t.newly_wrong))), plain(grouped(total(t.newly_right)))});
  sum.cells.push_back(plain(""));
  step.section.rows.push_back(std::move(sum));
  step.n = total(t.wrong_now) + t.right_now;
  const int64_t broken_now = total(t.wrong_now) - t.wrong_now[kPlaceWellFormed] - t.wrong_now[kPlaceNoOutput], broken_before = total(t.wrong_before) - t.wrong_before[kPlaceWellFormed] - t.wrong_before[kPlaceNoOutput];
  if (pairs) {
    const int64_t broken = total(t.newly_wrong) - t.newly_wrong[kPlaceWellFormed] - t.newly_wrong[kPlaceNoOutput];
    step.words = {counted(total(t.newly_wrong), "answers") + " newly wrong, " + grouped(broken) + " of them broken; " + grouped(total(t.newly_right)) + " newly right",
                  grouped(total(t.newly_wrong)) + " 个新答错，其中 " + grouped(broken) + " 个损坏；" + grouped(total(t.newly_right)) + " 个新答对"};
  } else {
    step.words = {"of the wrong answers " + grouped(broken_before) + " are broken in the reference, " + grouped(broken_now) + " in the target", "答错的回答中，参考侧 " + grouped(broken_before) + " 个损坏，目标侧 " + grouped(broken_now) + " 个"};
    step.section.lines.push_back({{"repeats have no order, so no answer has a partner: shares of all answers are compared, the questions their clusters", "重复回答没有次序，无法一一配对：比较的是占全部回答的比例，以题为聚类"}, "", "", "", "faint"});
  }
  step.numbers.push_back(std::move(numbers));
  return step;
}

}  // namespace

extern const Step kAccountStep;
const Step kAccountStep = {"account", "facts", false, {"What wrong answers died of", "答错的原因"}, run};

}  // namespace vaa
