// What the files record of how the two runs were made, where they differ. Shown, never a gate.
#include <set>

#include "base/figures.h"
#include "compare/recorded_settings.h"
#include "compare/step.h"
#include "quality/excerpt.h"

namespace vaa {
namespace {

constexpr size_t kMostRows = 40, kMostBytes = 120;

StepResult run(const ComparisonView& view) {
  const auto a = recorded_settings(view.reference, view.text), b = recorded_settings(view.target, view.text);
  std::set<std::string> names;
  for (const auto& [name, value] : a) names.insert(name);
  for (const auto& [name, value] : b) names.insert(name);
  StepResult step;
  step.section.columns = {{"recorded", "记录项"}, {"reference", "参考"}, {"target", "目标"}};
  step.section.right = {false, false, false};
  int64_t both = 0, different = 0;
  for (const std::string& name : names) {
    const auto left = a.find(name), right = b.find(name);
    both += left != a.end() && right != b.end();
    if (left != a.end() && right != b.end() && left->second == right->second) continue;
    different += 1;
    const auto cell = [&](const auto& found, const auto& all) { return found == all.end() ? Both{"not recorded", "未记录"} : plain(bounded(found->second, kMostBytes)); };
    const bool sampling = name == "samples.max_tokens" || name == "samples.temperature" || name.find("max_out_len") != std::string::npos;
    if (step.section.rows.size() < kMostRows) step.section.rows.push_back({{plain(bounded(name, kMostBytes)), cell(left, a), cell(right, b)}, sampling ? "unsure" : "plain"});
    if (name == "samples.max_tokens" && left != a.end() && right != b.end()) step.symptom = "other_limit";
  }
  if (names.empty()) return not_applicable({"neither run records how it was made", "两次运行都没有记录其配置"});
  step.applies = true;
  step.n = both;
  step.n_unit = "items";
  if (different > static_cast<int64_t>(step.section.rows.size())) step.section.lines.push_back({{grouped(different - static_cast<int64_t>(kMostRows)) + " more differ", "另有 " + grouped(different - static_cast<int64_t>(kMostRows)) + " 项不同"}, "", "", "", "faint"});
  if (different == 0) step.section.columns.clear();
  step.section.lines.push_back({{"only what can change answers; URLs, ports, paths, times and counters differ in every pair and are left out; vaa align says what the rest means", "只列会改变回答的项；URL、端口、路径、时间与计数器每次都不同，未列出；各项含义见 vaa align"}, "", "", "", "faint"});
  step.words = {"recorded settings that differ, or stand on one side only: " + grouped(different) + "; recorded on both sides: " + grouped(both), "不同或仅一侧有记录的设置：" + grouped(different) + "；两侧都有记录的：" + grouped(both)};
  return step;
}

}  // namespace

extern const Step kConfigurationStep;
const Step kConfigurationStep = {"configuration", "facts", false, {"Recorded configuration", "记录的配置"}, run};

}  // namespace vaa
