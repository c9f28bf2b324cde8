// The same long answer to different questions.
#include <algorithm>

#include "quality/run/run_features.h"

namespace vaa {
namespace {

constexpr int32_t kLongAnswer = 300;  // characters: refusals and set phrases are shorter

RunFound look(const RunFeatures& run) {
  RunFound out;
  out.certain = true;
  out.of_en = "long answers";
  out.of_zh = "个长回答";
  std::vector<uint32_t> found;
  for (uint32_t i = 0; i < run.size(); ++i) {
    const bool whole = run.answered(i) && run.trace(i).prompt != KeptTrace::kNone && !run.sample(i).is(KeptSample::kBroken);
    if (whole && run.sample(i).chars >= kLongAnswer) found.push_back(i);
  }
  out.n = static_cast<int64_t>(found.size());
  std::sort(found.begin(), found.end(), [&](uint32_t i, uint32_t j) { return run.trace(i).answer < run.trace(j).answer; });
  for (size_t begin = 0, end = 0; begin < found.size(); begin = end) {
    bool several = false;
    for (; end < found.size() && run.trace(found[end]).answer == run.trace(found[begin]).answer; ++end) {
      several = several || run.trace(found[end]).prompt != run.trace(found[begin]).prompt;
    }
    if (!several) continue;
    out.k += static_cast<int64_t>(end - begin);
    const auto group = std::span(found).subspan(begin, end - begin);
    std::sort(group.begin(), group.end());
    for (size_t i = 0; i < group.size(); ++i) out.samples.push_back({group[i], group[i == 0 ? 1 : 0]});
  }
  if (out.n == 0) out.words = {"no answer of 300 characters and more with its prompt recorded", "没有 300 字符以上且记录了提示词的回答"};
  return out;
}

}  // namespace

extern const RunCheck kDuplicateAnswers;
const RunCheck kDuplicateAnswers = {
    "duplicate_answers", 0.01, false, look,
    {"one answer to several questions", "不同问题得到相同回答"},
    {"Different questions have the same long answer, byte by byte.", "不同的问题得到逐字节相同的长回答。"},
    {}};

}  // namespace vaa
