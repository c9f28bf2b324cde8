// The model stopped in the middle of a sentence or of a tool call (docs/detectors.md).
#include "quality/features.h"
#include "quality/json_faults.h"
#include "quality/unfinished.h"

namespace vaa {
namespace {

bool is_number(std::string_view text) { return text.find_first_not_of("0123456789") == std::string_view::npos; }

// The answer's own end: half a call, or half a sentence.
State find(const Features& features, Finding* finding) {
  const TextPart& text = features.text();
  const JsonFaults faults = find_json_faults(features);
  if (faults.cut && faults.where != JsonFaults::Where::kFence) {
    if (faults.where == JsonFaults::Where::kRecordedCall) finding->part = Part::kSample;
    else *finding = features.place(text, faults.at, faults.end - faults.at);
    finding->reason = "open_json";
    return State::kFound;
  }
  if (!text.known || features.has_tool_calls() || features.thought().unclosed == State::kFound) return text.known ? State::kNo : State::kUnknown;
  const size_t begin = text.markup.answer_begin;
  const Unfinished unfinished = find_unfinished(text.text, begin, begin + features.answer().size(), text.markup.code);
  if (!unfinished) return State::kNo;
  *finding = features.place(text, unfinished.at, unfinished.size);
  finding->confidence = unfinished.certain ? Confidence::kCertain : Confidence::kSuspected;
  finding->reason = unfinished.reason;
  return State::kFound;
}

State detect(const Features& features, std::vector<Finding>* findings) {
  const Ending& ending = features.ending();
  if (ending.cut == Ending::Cut::kCertain || (ending.cut == Ending::Cut::kNo && !ending.by_itself)) return State::kNo;
  Finding finding;
  const State state = find(features, &finding);
  if (state != State::kFound) return state;
  if (ending.cut == Ending::Cut::kUnknown) return State::kUnknown;  // the limit may have cut it
  finding.severity = Severity::kWarn;
  const std::string_view stop = features.sample().text(TextField::kStopReason);
  if (!stop.empty() && !is_number(stop)) {
    finding.confidence = Confidence::kSuspected;
    finding.reason = "stop_string";
  }
  findings->push_back(finding);
  return State::kFound;
}

}  // namespace

extern const Detector kPrematureStop = {
    "premature_stop", Severity::kWarn, 1.0, -1, detect,
    {"stopped too early", "提前停止"},
    {"The model ended its answer by itself in the middle of a sentence or of a tool call.", "模型在句子或工具调用的中途自行结束了回答。"},
    {{"Only where the answer ended by itself. Half a JSON value in a tool call or an answer: certain. Else the last line, where it is prose (50 characters "
      "and 8 words, or 30 Chinese or Japanese characters; no code, heading, table, verse of hashtags, address, equation): it ends in a comma or in a word "
      "such as `the`, `and`, `because`: certain; in a colon that asks for no input (`please paste it here:` does), or in a letter after an earlier full sentence of the line: suspected. Unknown where the finish "
      "reason is not recorded and the text stops so.",
      "只看自行结束的回答。工具调用或回答里的 JSON 只写了一半：确定。否则看最后一行，须是正文（至少 50 个字符、8 个词，或 30 个汉字、假名；代码、标题、表格、"
      "话题标签、网址、算式不算）：以逗号或 `the`、`and`、`because` 这类词结尾：确定；以冒号结尾（“请贴在这里：”这类请求输入的除外），或该行前面有完整句子而最后一句以字母、汉字结尾：疑似。没有"
      "记录结束原因而文本又这样停住的，记“未知”。"},
     {"Published answers (alpaca_eval, taken as stopped): 67 of 34,615 of strong models, all read: none is whole, some lack only their full stop; "
      "438 of 182,723 of all, about 130 read, about one in twenty whole but for its full stop. The Universal Declaration, texts that end as their "
      "source does: 0. It is shown and fails no run.",
      "公开回答（alpaca_eval，按自行结束处理）：强模型 34615 条中 67 条，逐条看过：没有一条是完整的，有些只少句号；全部 182723 条中 438 条"
      "，看了约 130 条，约二十分之一只是少了句号。《世界人权宣言》中按原文结尾的文本：0。只展示，不会使运行失败。"},
     {"Lists, titles, headings, signatures, hashtags, addresses, quotations with their author, code, languages without full stops (Thai, Lao, Khmer, "
      "Burmese) pass. `The answer is blue` passes. An answer whose only fault is the missing full stop is suspected. It misses what stops after a whole "
      "sentence, in a list, or in code.",
      "列表、标题、签名、话题标签、网址、带作者的引文、代码，以及不用句号的语言（泰、老挝、高棉、缅甸文）都不报。`The answer is blue` 这种收尾也不报。只少一"
      "个句号的记疑似。停在完整句子之后、列表里或代码里的，查不出来。"},
     {"The end token sampled inside an argument string (vllm#47761) or inside a number, far below the limit (vllm#1312). A stop string that fires inside the "
      "reasoning (vllm#14170): the reason is then `stop_string` where the record names it. Wrong logits near the end of a block, speculative decoding that "
      "accepts an end token, a client that drops the last event of a stream.",
      "参数字符串中间采到结束符（vllm#47761），或在数字中间、远未到上限就停（vllm#1312）。停止串在思考里命中（vllm#14170）：记录里写明的，原因记为 "
      "`stop_string`。块边界附近 logits 出错、投机解码误收结束符、客户端丢了流的最后一个事件，也会这样。"},
     {"Ask again without `stop` and with `ignore_eos: true` and the same seed: does the sentence go on? Then the end token was wrongly drawn: compare its "
      "log-probability at that place with a reference engine. Compare streamed with not streamed.",
      "去掉 `stop`，加 `ignore_eos: true`，同一个种子重发：句子接得下去，就是结束符采错了，再和参考引擎比较该位置结束符的对数概率。流式与非流式也各试一次。"}}};

}  // namespace vaa
