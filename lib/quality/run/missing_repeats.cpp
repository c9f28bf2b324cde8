// Questions with fewer repeats than the others.
#include <algorithm>
#include <map>

#include "base/figures.h"
#include "quality/run/run_features.h"

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
    {"Questions have fewer answers than most of their dataset: repeats were lost.", "有些提示词的回答数少于同一数据集的多数提示词：部分重复丢失了。"},
    {{"In a dataset whose questions mostly have 2 and more samples: what the questions with fewer lack, of all that there should be. Failed requests count as there. The run fails above 1 %, like missing answers.",
      "在多数提示词有 2 个以上样本的数据集中，样本较少的提示词所缺的数量，占应有总数的比例。失败的请求算作存在。与缺失的回答相同，超过 1% 不通过。"},
     {"A count, not an estimate: healthy runs lack none.",
      "这是计数而非估计：正常的运行不会缺少。"},
     {"Datasets that ask some questions more often on purpose. A run that is still going on.",
      "有意对部分提示词多次提问的数据集；尚未结束的运行。"},
     {"Clients that drop a request after its last retry, workers that died with their part of the results, files of a run that were not all copied.",
      "客户端在最后一次重试后丢弃请求、工作进程带着结果退出、运行文件没有复制完整。"},
     {"Resume the run for the named questions; the frameworks' own reuse options do so (ais_bench --reuse, lm_eval --use_cache).",
      "对点名的提示词续跑；评测框架自带续跑选项（ais_bench --reuse、lm_eval --use_cache）。"}}};

}  // namespace vaa
