// The reasoning never ended, so that there is no answer or the thought was taken for one (docs/detectors.md, docs/records.md).
#include "quality/features.h"

namespace vaa {
namespace {

State detect(const Features& features, std::vector<Finding>* findings) {
  const Thought& thought = features.thought();
  if (thought.unclosed != State::kFound) return thought.unclosed;
  Finding finding = features.place(features.parts()[thought.part == Part::kReasoning ? 1 : 0], thought.onset, thought.length);
  finding.severity = thought.severity;
  finding.confidence = thought.confidence;
  finding.reason = thought.reason;
  findings->push_back(finding);
  return State::kFound;
}

}  // namespace

extern const Detector kThinkUnclosed = {
    "think_unclosed", Severity::kFail, 0.01, 4, detect,
    {"unclosed thought", "思考未结束"},
    {"The reasoning was begun and never closed; what follows is no answer.", "思考过程开始后没有结束标签，其后的内容不是回答。"},
    {{"An opening tag outside code that nothing closes: certain at the very beginning, suspected at the start of a line, a suspected warning inside a line. "
      "A prompt that ends in an opening tag and an answer without a closing one. Reasoning recorded but no text and no tool calls: where ids hold the tags "
      "they decide, else it is an answer that was cut. AISBench text without any tag is unknown: its glue leaves none where the answer is missing. Ten "
      "families of tags, such as `<think>`, `[THINK]`, Harmony's analysis channel.",
      "代码之外有开始标签而没有结束标签：在最开头为确定，在行首为疑似，在行中为疑似警告。提示词以开始标签收尾，回答里却没有结束标签。记录了思考，但没有正文也没"
      "有 tool_calls：词元 id 里有标签就以它为准，否则看回答是否被截断。AISBench 里一个标签都没有的记“未知”：缺正文时它拼接出来就没有标签。认十类标签，如"
      " `<think>`、`[THINK]`、Harmony 的 analysis 通道。"},
     {"Tags are exact strings, nothing is estimated. Published answers (alpaca_eval, models without reasoning): 0 of 182,723, so no false alarm; the "
      "Universal Declaration: 0. The labelled cases of real engines are all found. The ceiling of 1 % is a choice, below what a budget that is too small "
      "gives.",
      "标签是固定字符串，没有要估计的量。公开回答（alpaca_eval，都不是思考模型）182723 条：0，即没有误报；《世界人权宣言》：0。取自真实引擎的标注用例全部命中。"
      "上限 1% 是人定的，长度预算不够时的比例远高于此。"},
     {"A text that speaks of the tag, in back ticks or as the prompt does, passes. Many templates put the opening tag into the prompt: a lone closing tag is "
      "think_orphan_close. Scorers do not notice: AISBench keeps the whole text of an open thought, so the last number of half a thought may be graded right.",
      "谈论标签本身的（写在反引号里，或提示词里就有）不算。很多模板把开始标签放进 prompt：只剩结束标签的归 think_orphan_close。评测框架不会察觉：思考没结束时"
      " AISBench 保留全文，想到一半的最后一个数字也可能被判对。"},
     {"The budget ends within the thought: answer empty, scored as wrong, at a thinking budget of 8,192 tokens (omlx#3772); the thought graded as the answer "
      "(lm-eval#3382, lighteval#869). The thought loops to the cap after right reasoning (vllm-ascend#15166). A stop string of the user fires inside the "
      "reasoning (vllm#14170). The parser: a marker in the prompt confuses it (vllm#46042), answer and end token stay in the reasoning (vllm#48748).",
      "长度在思考里就用完：思考预算 8192 词元，回答为空、按错计（omlx#3772）；思考被当成回答评分（lm-eval#3382、lighteval#869）。推理本来是对的，之后思考一"
      "路循环到上限（vllm-ascend#15166）。用户的停止串在思考里命中（vllm#14170）。解析器：被 prompt 里的标记弄乱（vllm#46042），回答和结束符留在思考里（"
      "vllm#48748）。"},
     {"See what stands beside it. With repetition_loop: a loop, see there. With truncated alone: repeat those prompts with twice the max_tokens (`vaa check "
      "RUN --export think_unclosed --export-out again.jsonl`). With neither: the parser or a stop string; ask once without the reasoning parser and without "
      "`stop`.",
      "看同一条还有什么标记。有 repetition_loop：是循环，见该条。只有 truncated：max_tokens 加倍重跑这些题（`vaa check RUN --export think_unclosed "
      "--export-out again.jsonl`）。都没有：查解析器和停止串，去掉 reasoning 解析器和 `stop` 各试一次。"}}};

}  // namespace vaa
