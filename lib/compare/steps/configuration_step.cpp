// What the files record of how the two runs were made, where they differ. Shown, never a gate.
#include <algorithm>
#include <map>
#include <set>

#include "base/figures.h"
#include "compare/step.h"
#include "quality/excerpt.h"
#include "quality/without_text.h"
#include "report/document.h"

namespace vaa {
namespace {

constexpr size_t kMostRows = 40, kMostBytes = 120;

// Members of a header that differ between any two runs, or are results.
bool of_the_run_alone(const std::string& name) {
  static const std::set<std::string> kNames = {"schema", "tasks", "time", "start", "end", "start_s", "end_s", "duration_s", "extra", "path", "arguments"};
  return kNames.count(name) > 0;
}

std::string number_text(double value) {
  std::string out;
  append_number(&out, value);
  return out;
}

void flatten(const Document& node, const std::string& path, std::map<std::string, std::string>* out) {
  switch (node.kind()) {
    case JsonKind::kObject:
      for (const auto& [name, value] : node.members()) {
        if (!of_the_run_alone(name)) flatten(value, path.empty() ? name : path + "." + name, out);
      }
      break;
    case JsonKind::kArray:
      for (size_t i = 0; i < node.items().size(); ++i) flatten(node.items()[i], path + "." + std::to_string(i), out);
      break;
    case JsonKind::kString: (*out)[path] = node.text(); break;
    case JsonKind::kNumber: (*out)[path] = number_text(node.number()); break;
    case JsonKind::kBool: (*out)[path] = node.truth() ? "true" : "false"; break;
    default: break;
  }
}

std::map<std::string, std::string> recorded(const RunSide& side, bool text) {
  std::map<std::string, std::string> out;
  const std::string header = text ? side.header : header_without_text(side.header);
  if (!header.empty()) flatten(Document::parse(header), "", &out);
  for (const auto& [name, values] : side.settings) {
    std::string all;
    for (const auto& [value, n] : values) all += (all.empty() ? "" : ", ") + value;
    out["samples." + name] = all;
  }
  return out;
}

StepResult run(const ComparisonView& view) {
  const auto a = recorded(view.reference, view.text), b = recorded(view.target, view.text);
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
  step.words = {counted(different, "recorded items") + " differ or stand on one side only, " + grouped(both) + " are recorded on both", grouped(different) + " 个记录项不同或仅一侧有记录，" + grouped(both) + " 项两侧都有记录"};
  return step;
}

}  // namespace

extern const Step kConfigurationStep;
const Step kConfigurationStep = {"configuration", "facts", false, {"Recorded configuration", "记录的配置"}, run};

}  // namespace vaa
