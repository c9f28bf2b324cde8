#include "quality/subjects.h"

#include <array>
#include <string_view>

namespace vaa {
namespace {

constexpr std::array<std::string_view, 3> kSubjectGroups = {"ceval", "cmmlu", "lukaemon_mmlu"};

}  // namespace

std::string subject_group(const std::string& dataset, const std::vector<TaskScore>& scores) {
  for (const TaskScore& s : scores) {
    if (s.dataset == dataset && !s.mean_of_subjects.empty() && s.mean_of_subjects != dataset) return s.mean_of_subjects;
  }
  const auto begins = [&](std::string_view group) {
    return dataset.size() > group.size() + 1 && std::string_view(dataset).substr(0, group.size()) == group && (dataset[group.size()] == '-' || dataset[group.size()] == '_');
  };
  for (const TaskScore& s : scores) {
    if (!s.mean_of_subjects.empty() && s.mean_of_subjects == s.dataset && begins(s.dataset)) return s.dataset;
  }
  for (const std::string_view group : kSubjectGroups) {
    if (begins(group)) return std::string(group);
  }
  return "";
}

}  // namespace vaa
