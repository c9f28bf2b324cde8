// The same long answer to different questions.
#include <algorithm>
#include <utility>

#include "base/figures.h"
#include "quality/run/run_features.h"

namespace vaa {
namespace {

constexpr int32_t kLongAnswer = 300;  // characters: refusals and set phrases are shorter
constexpr int kMostPrompts = 3;       // under one text; more: a refusal or another set phrase as likely as damage

RunFound look(const RunFeatures& run) {
  RunFound out, set_phrases;
  std::vector<uint32_t> found;
  for (uint32_t i = 0; i < run.size(); ++i) {
    const bool whole = run.answered(i) && run.trace(i).prompt != KeptTrace::kNone && !run.sample(i).is(KeptSample::kBroken);
    if (whole && run.sample(i).chars >= kLongAnswer) found.push_back(i);
  }
  const auto key = [&](uint32_t i) { return std::pair(run.trace(i).answer, run.trace(i).prompt); };
  std::sort(found.begin(), found.end(), [&](uint32_t i, uint32_t j) { return key(i) < key(j); });
  for (size_t begin = 0, end = 0; begin < found.size(); begin = end) {
    int prompts = 0;
    for (; end < found.size() && run.trace(found[end]).answer == run.trace(found[begin]).answer; ++end) prompts += end == begin || key(found[end]) != key(found[end - 1]);
    if (prompts < 2) continue;
    RunFound& kind = prompts > kMostPrompts ? set_phrases : out;
    kind.k += static_cast<int64_t>(end - begin);
    const auto group = std::span(found).subspan(begin, end - begin);
    std::sort(group.begin(), group.end());
    for (size_t i = 0; i < group.size(); ++i) kind.samples.push_back({group[i], group[i == 0 ? 1 : 0]});
  }
  const std::string many = grouped(set_phrases.k);
  if (set_phrases.k > 0) set_phrases.words = {many + " share a text with 4 prompts and more: a set phrase, or a prompt that never arrived", many + " 个的文本出现在 4 条以上提示词下：套话，或提示词没有送达"};
  out.certain = out.k > 0 || set_phrases.k == 0;
  if (!out.certain) out = std::move(set_phrases);
  else out.words = std::move(set_phrases.words);
  out.n = static_cast<int64_t>(found.size());
  out.of_en = "long answers";
  out.of_zh = "个长回答";
  if (out.n == 0) out.words = {"no answer of 300 characters and more with its prompt recorded", "没有 300 字符以上且记录了提示词的回答"};
  return out;
}

}  // namespace

extern const RunCheck kDuplicateAnswers;
const RunCheck kDuplicateAnswers = {
    "duplicate_answers", 0.01, false, look,
    {"one answer to several questions", "不同问题得到相同回答"},
    {"Different questions have the same long answer, byte by byte.", "不同的问题得到逐字节相同的长回答。"},
    {{"Answers of 300 characters and more whose prompt is recorded and which have no other damage: those that stand, byte by byte, under two or three different prompts. The run fails above 1 %. A text under four prompts and more is suspected, and shown.",
      "300 字符以上、记录了提示词且没有其他损坏的回答中，逐字节出现在两到三条不同提示词下的。超过 1% 则不通过。同一文本出现在四条以上提示词下的为疑似，仅列出。"},
     {"None in 34,615 answers of 43 strong chat models; of 182,723 answers of 227 models only the 805 of one set that gives the same text to every prompt on purpose.",
      "43 个强模型的 34,615 个回答中没有；227 个模型的 182,723 个回答中只有故意对所有提示词给出同一文本的一组（805 个）。"},
     {"A long set phrase of refusal stands under many prompts and is suspected only; under two or three it counts, therefore 1 % and not none. A constant prompt looks like it: look at the answers. The same question twice in a dataset has one prompt and does not count.",
      "较长的拒答套话出现在很多提示词下，只记疑似；只在两三条下出现的仍计入，因此上限是 1% 而不是 0。提示词被固定时看起来一样，请看回答内容。数据集中重复的同一题提示词相同，不计。"},
     {"A response cache keyed too coarsely, results written to the wrong ids by a client, one request's output streamed to several, or input that never reached the model (an empty or constant prompt).",
      "响应缓存的键过粗、客户端把结果写到错误的 id、一个请求的输出被发给多个请求，或输入没有到达模型（空或固定的提示词）。"},
     {"Send two of the named prompts again, alone. If the answers differ, look at caches and ids between client and engine; if not, look at what the server makes of the prompt (echo it, or count prompt tokens).",
      "把点名的两条提示词单独重发。若回答不同，检查客户端与引擎之间的缓存与 id；若仍相同，检查服务端收到的提示词（回显或核对 prompt 词元数）。"}}};

}  // namespace vaa
