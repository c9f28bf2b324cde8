// Questions with fewer repeats than the others.
#include <algorithm>
#include <map>

#include "quality/run/run_features.h"
#include "report/figures.h"

namespace vaa {
namespace {

// How many answers most questions of the dataset have; of two that are as common, the more.
int64_t usual_repeats(const RunFeatures& run, std::span<const uint32_t> samples) {
  std::map<int64_t, int64_t> questions;
  run.view().questions(samples, [&](std::span<const uint32_t> one) { questions[static_cast<int64_t>(one.size())] += 1; });
  int64_t usual = 0, most = 0;
  for (const auto& [size, count] : questions) {
    if (count >= most) usual = size, most = count;
  }
  return usual;
}

RunFound look(const RunFeatures& run) {
  RunFound out;
  out.certain = true;
  out.of_zh = "个应有的回答";
  int64_t short_questions = 0;
  for (size_t d = 0; d < run.datasets(); ++d) {
    const int64_t usual = usual_repeats(run, run.of_dataset(d));
    if (usual < 2) continue;
    run.view().questions(run.of_dataset(d), [&](std::span<const uint32_t> one) {
      if (run.sample(one[0]).is(KeptSample::kNoId)) return;
      const int64_t missing = std::max<int64_t>(0, usual - static_cast<int64_t>(one.size()));
      out.n += usual;
      out.k += missing;
      short_questions += missing > 0;
      if (missing > 0) out.samples.push_back({one[0]});
    });
  }
  if (out.k > 0) out.words = {"of " + counted(short_questions, "questions"), "涉及 " + grouped(short_questions) + " 道题"};
  if (out.n == 0) out.words = {"no dataset has repeats", "没有数据集重复作答"};
  return out;
}

}  // namespace

extern const RunCheck kMissingRepeats;
const RunCheck kMissingRepeats = {
    "missing_repeats", 0.01, true, look,
    {"missing repeats", "缺失的重复"},
    {"Questions have fewer answers than most of their dataset: repeats were lost.", "有些题目的回答数少于同一数据集的多数题目：部分重复丢失了。"},
    {}};

}  // namespace vaa
