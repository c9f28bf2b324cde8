// A tool call or a JSON answer was begun and does not parse (docs/detectors.md).
#include "quality/features.h"
#include "quality/json_faults.h"

namespace vaa {
namespace {

// A cut by the limit is the limit's; a habit of the writer outside calls is no damage.
void weigh(const JsonFaults& faults, const Ending& ending, Finding* finding) {
  const bool call = faults.where == JsonFaults::Where::kRecordedCall || faults.where == JsonFaults::Where::kCall;
  if (!faults.required || faults.other_valid) finding->confidence = Confidence::kSuspected;
  if (faults.cut && ending.cut == Ending::Cut::kCertain) {
    finding->severity = Severity::kInfo;
  } else if (faults.cut && ending.cut == Ending::Cut::kUnknown) {
    finding->severity = Severity::kWarn;
    finding->confidence = Confidence::kSuspected;
  } else if (finding->reason == std::string_view("no_arguments") || (!call && (faults.habit || faults.other_valid))) {
    finding->severity = Severity::kWarn;
  }
}

State detect(const Features& features, std::vector<Finding>* findings) {
  const TextPart& text = features.text();
  if (!text.known && !features.has_tool_calls()) return State::kUnknown;
  const JsonFaults faults = find_json_faults(features);
  // Not asked for JSON: a dictionary of Python or an object of JavaScript.
  if (faults.count == 0 || (faults.habit && !faults.required)) return State::kNo;
  Finding finding;
  if (faults.where == JsonFaults::Where::kRecordedCall) finding.part = Part::kSample;
  else finding = features.place(text, faults.at, faults.end - faults.at);
  finding.count = faults.count;
  finding.reason = faults.reason;
  weigh(faults, features.ending(), &finding);
  findings->push_back(finding);
  return State::kFound;
}

}  // namespace

extern const Detector kJsonInvalid = {
    "json_invalid", Severity::kFail, 0.01, -1, detect,
    {"invalid JSON", "无效 JSON"},
    {"A tool call or a JSON answer was begun and does not parse.", "工具调用或 JSON 回答已开始输出，但无法解析。"},
    {{"Read strictly (RFC 8259): the arguments of recorded tool calls; `<tool_call>` and `<function=…>` in the text, outside code and quotation marks; an "
      "answer that begins with `{\"key\":`; where the prompt asks for JSON, an answer that begins with a bracket and code fences marked json. The reason "
      "names what is wrong: cut, incomplete, trailing, syntax, escape, control_character, … Comments, trailing commas, single quotes, NaN, bare words and "
      "`...` outside calls are habits of the writer: warn. A cut by the limit is info.",
      "按 RFC 8259 严格解析：记录下来的工具调用参数；文本中（代码和引号之外）的 `<tool_call>` 和 `<function=…>`；以 `{\"key\":` 开头的回答；提示词要求 JSON 时"
      "，还有以括号开头的回答和标了 json 的代码块。原因里写明错在哪：cut、incomplete、trailing、syntax、escape、control_character 等。工具调用之外的注释、多"
      "余逗号、单引号、NaN、裸词、`...` 属于书写习惯，只判警告。到上限被截断的只提示。"},
     {"Published answers (alpaca_eval): 0 of 182,723, where few prompts ask for JSON; on the labelled cases every broken call and answer is found. The "
      "ceiling of 1 % leaves room for models that are weak at calling tools.",
      "公开回答（alpaca_eval）：182723 条中 0 条，其中要求 JSON 的题很少；标注用例里坏掉的调用和回答全部查出。上限 1% 留给本来就不擅长调用工具的模型。"},
     {"A dictionary of Python, a set, a template and `[Verse 1]` are no JSON where none was asked for. Text behind a whole value passes, JSON lines in a "
      "fence too. Calls that write `<arg_key>` behind a name are well-formed. Of two fences one of which is right, the other is an example: suspected. "
      "Requested and never begun is no_final_answer. Keys and types are not held against a schema.",
      "没要求 JSON 时，Python 字典、集合、模板、`[Verse 1]` 都不算 JSON。完整的值后面再跟文字不算错，代码块里一行一个 JSON 也行。名字后面写 `<arg_key>` 的调"
      "用格式是合法的。两个代码块里有一个正确，另一个多半是示例：记疑似。要求了却根本没写的归 no_final_answer。不按 schema 检查键和类型。"},
     {"The end token inside an argument string (vllm#47761). Tool parsers that write a closing tag into the arguments (vllm#55495) or break on a split "
      "delta. Doubled tokens and closing tags for ever with quantised KV and speculation (vllm#40831). A right beginning, then `!` to the limit: NaN logits "
      "under load (vllm-ascend#9666). Guided decoding that is off, or looser than the schema.",
      "参数字符串中间采到结束符（vllm#47761）。工具解析器把结束标签写进参数（vllm#55495），或在增量切开处出错。KV 量化加投机解码时词元重复、结束标签没完没"
      "了（vllm#40831）。开头正确，随后一路 `!` 到上限：高负载下 logits 为 NaN（vllm-ascend#9666）。也可能是约束解码没开，或比 schema 宽松。"},
     {"Send one such prompt without streaming and without the tool parser and look at the raw text: is it whole there? Then the parser broke it. If not, "
      "repeat alone, without speculation, and with the JSON schema as `response_format`.",
      "取一条，非流式、去掉工具解析器重发，看原始文本：那里是完整的，就是解析器弄坏的；若也不完整，再单独发、关掉投机解码、用 `response_format` 带上 JSON "
      "schema 各试一次。"}}};

}  // namespace vaa
