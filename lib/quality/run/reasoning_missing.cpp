// Answers without a thought where the others have one.
#include <algorithm>
#include <cstddef>

#include "base/figures.h"
#include "quality/run/run_features.h"

namespace vaa {
namespace {

constexpr int64_t kFewest = 20;           // answers of a dataset
constexpr double kNearlyAll = 0.8;        // of them have reasoning

// The median length of the answers with reasoning.
int32_t median_length(const RunFeatures& run, const std::vector<uint32_t>& answers) {
  std::vector<int32_t> lengths;
  for (const uint32_t i : answers) lengths.push_back(run.sample(i).chars);
  const auto middle = lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2);
  std::nth_element(lengths.begin(), middle, lengths.end());
  return *middle;
}

RunFound look(const RunFeatures& run) {
  RunFound out;
  int64_t longer = 0, answers = 0;
  for (size_t d = 0; d < run.datasets(); ++d) {
    std::vector<uint32_t> with, without;
    for (const uint32_t i : run.of_dataset(d)) {
      if (run.answered(i)) (run.trace(i).is(Trace::kThought) ? with : without).push_back(i);
    }
    const auto all = static_cast<int64_t>(with.size() + without.size());
    answers += all;
    if (all < kFewest || static_cast<double>(with.size()) < kNearlyAll * static_cast<double>(all)) continue;
    out.n += all;
    out.k += static_cast<int64_t>(without.size());
    const int32_t median = median_length(run, with);
    for (const uint32_t i : without) longer += run.sample(i).chars >= median;
    for (const uint32_t i : without) out.samples.push_back({i});
  }
  if (out.k > 0) {
    out.words = {grouped(longer) + (longer == 1 ? " of them is" : " of them are") + " as long as half of the answers with reasoning: most likely cut thoughts that stand as answers",
                 "其中 " + grouped(longer) + " 个不短于有思考的回答的中位数：很可能是被截断的思考被当成了回答"};
  } else if (out.n == 0) {
    out.words = {"no dataset of 20 and more answers has reasoning in 80 % of them", "没有 20 个以上回答且 80% 以上带思考的数据集"};
  }
  return out;
}

}  // namespace

extern const RunCheck kReasoningMissing;
const RunCheck kReasoningMissing = {
    "reasoning_missing", 1.0, true, look,
    {"answers without the reasoning that the others have", "缺少思考部分的回答"},
    {"Nearly all answers of the dataset have reasoning and these have none: a reasoning parser kept a cut thought as the answer, or thinking was off for them.", "该数据集几乎所有回答都有思考部分，而这些没有：reasoning 解析器把被截断的思考当成了回答，或这些请求没有开启思考。"},
    {{"In a dataset with 20 answers of which 80 % have reasoning (a field of its own, or tags): the answers that have none. Beside it stands how many of these are at least as long as half of the answers with reasoning. Shown only.",
      "数据集中有 20 个以上回答且 80% 以上带思考（独立字段或标签）时，没有思考的回答。同时给出其中不短于“有思考回答”中位长度的个数。仅列出。"},
     {"Chat models without reasoning are not looked at. No genuine run at hand mixes both ways beyond 80 %; therefore it is suspected and fails no run.",
      "没有思考的对话模型不参与。手头没有混合两种方式且超过 80% 的真实运行，因此仅为疑似，不会使运行不通过。"},
     {"Models that decide by themselves whether to think; questions answered with thinking switched off on purpose.",
      "自行决定是否思考的模型；有意关闭思考的提示词。"},
     {"A reasoning parser that found no closing tag in a cut thought and gives all of it as the answer; a tag lost at a chunk border; replicas started without the parser; a chat template that drops the opening tag.",
      "reasoning 解析器在被截断的思考中找不到结束标签，于是全部当作回答；标签在分块边界丢失；部分副本没有启用解析器；对话模板丢掉了起始标签。"},
     {"Look at the end of the named answers. Run them again with twice max_tokens; then with the reasoning parser off, so that the tags can be seen.",
      "查看点名回答的结尾。把 max_tokens 加倍重跑，再关闭 reasoning 解析器以便看到标签。"}}};

}  // namespace vaa
