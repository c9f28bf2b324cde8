// How answers ended.
#include <algorithm>
#include <set>

#include "base/figures.h"
#include "compare/answer_rates.h"
#include "stats/multiplicity.h"

namespace vaa {
namespace {

// Index and 1 of a reason in the side's list, as rows have it; 0: none.
uint8_t number_of(const RunSide& side, const std::string& reason) {
  const auto at = std::find(side.finish_reasons.begin(), side.finish_reasons.end(), reason);
  return at == side.finish_reasons.end() ? 0 : static_cast<uint8_t>(at - side.finish_reasons.begin() + 1);
}

StepResult run(const ComparisonView& view) {
  if (view.reference.finish_reasons.empty() || view.target.finish_reasons.empty()) {
    return not_applicable({"finish reasons are not recorded on both sides", "两侧没有都记录结束原因"});
  }
  std::set<std::string> reasons(view.reference.finish_reasons.begin(), view.reference.finish_reasons.end());
  reasons.insert(view.target.finish_reasons.begin(), view.target.finish_reasons.end());
  StepResult step;
  step.unit = "share";
  step.n_unit = "answers";
  step.section.columns = {{"finish reason", "结束原因"}, {"reference", "参考"}, {"target", "目标"}, {"change in points, 95 % interval", "变化（百分点，95% 区间）"}};
  step.section.right = {false, true, true, true};
  std::vector<double> p;
  Effect most;
  std::string name;
  for (const std::string& reason : reasons) {
    const uint8_t a = number_of(view.reference, reason), b = number_of(view.target, reason);
    const AnswerRates rates = answer_rates(view, [](const RunRow& r) { return r.finish != 0; }, [&](const RunRow& r, bool target) { return r.finish == (target ? b : a) && r.finish != 0; });
    const Effect& e = rates.effect;
    if (!e.known()) continue;
    const auto text = [](const ClusteredRate& r) { return grouped(r.k) + " / " + grouped(r.n); };
    step.section.rows.push_back({{plain(reason), plain(text(rates.reference)), plain(text(rates.target)), plain(points(e.value) + " [" + points(e.lower) + ", " + points(e.upper) + "]")}, "plain"});
    p.push_back(e.p);
    if (!most.known() || e.p < most.p) {
      most = e;
      name = reason;
    }
  }
  if (p.empty()) return not_applicable({"finish reasons are not recorded on both sides", "两侧没有都记录结束原因"});
  take_effect(&step, most);
  const std::vector<double> adjusted = stats::holm(p);
  step.p = *std::min_element(adjusted.begin(), adjusted.end());
  const Both change = points_words(most.value, most.lower, most.upper);
  step.words = {"most changed: " + name + ", " + change.en, "变化最大：" + name + "，" + change.zh};
  return step;
}

}  // namespace

extern const Step kFinishStep;
const Step kFinishStep = {"finish_reasons", "facts", false, {"Finish reasons", "结束原因"}, run};

}  // namespace vaa
