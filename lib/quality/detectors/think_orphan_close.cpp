// A closing tag of reasoning that nothing opened: the template opened it and no parser took it out (docs/detectors.md).
#include "quality/features.h"

namespace vaa {
namespace {

State detect(const Features& features, std::vector<Finding>* findings) {
  const TextPart& text = features.text();
  if (!text.known) return State::kUnknown;
  int64_t count = text.markup.orphans;
  if (count > 0 && features.prompt_opens_thought()) --count;
  if (count == 0) return State::kNo;
  Finding finding = features.place(text, text.markup.orphan.at, text.markup.orphan.size);
  finding.severity = Severity::kWarn;
  finding.count = count;
  findings->push_back(finding);
  return State::kFound;
}

}  // namespace

// Every answer has it where a server runs without its reasoning parser; scorers that look behind the tag are right nevertheless. It is shown and fails no run.
extern const Detector kThinkOrphanClose = {
    "think_orphan_close", Severity::kWarn, 1.0, -1, detect,
    {"closing tag alone", "孤立的思考结束标签"},
    {"A closing reasoning tag stands in the text without an opening one: the reasoning was not taken out.", "文本中只有思考结束标签而没有开始标签：思考内容没有被剥离。"},
    {{"A closing reasoning tag in the text, outside code, that nothing opened; one is allowed where the prompt, as text, ends in the opening tag. In "
      "AISBench a lone closing tag is the tool's own glue and is taken out by the reader.",
      "正文里、代码之外出现没有开始标签对应的结束标签；提示词文本以开始标签收尾的允许一个。AISBench 里单独的结束标签是它自己拼接的，读取时已去掉。"},
     {"Published answers (alpaca_eval): 0 of 182,723; the Universal Declaration: 0. It is shown and fails no run, as every answer has it where a server runs "
      "without its parser, and most scorers look behind the tag.",
      "公开回答（alpaca_eval）182723 条：0；《世界人权宣言》：0。仅供参考，不影响结论：服务端没开解析器时条条都有，而多数评测框架本来就取标签之后的内容。"},
     {"All answers or nearly all: a setting, no damage. A few among many: the parser lost its place. Several tags in one answer: a loop on the tag. A scorer "
      "that does not cut there grades numbers of the thought.",
      "几乎条条都有：是配置问题，不是损坏。只有个别：解析器丢了状态。一条里有好几个：在标签上循环。评测框架若不从标签处切开，会拿思考里的数字去评分。"},
     {"The template puts the opening tag into the prompt (DeepSeek-R1 and after, Qwen thinking models) and the server runs without its reasoning parser, or "
      "with one of another model. The tag comes again and again: GLM-5.2 W4A8C8 with prefill and decode on separate nodes (vllm-ascend#13265).",
      "模板把开始标签放进了 prompt（DeepSeek-R1 及之后、Qwen 思考版），而服务端没开 reasoning 解析器，或用了别的模型的解析器。标签反复输出：GLM-5.2 W4A8C8 "
      "PD 分离（vllm-ascend#13265）。"},
     {"Start the server with the parser of the model (vLLM, SGLang: `--reasoning-parser NAME`) and ask one prompt again: the tag must be gone and "
      "`reasoning` filled. Where only a few have it, send those alone and compare streamed with not streamed.",
      "按模型加上解析器重启（vLLM、SGLang：`--reasoning-parser NAME`），重发一条：标签应消失，`reasoning` 应有内容。只有个别才有的，单独重发，比较流式与非流"
      "式。"}}};

}  // namespace vaa
