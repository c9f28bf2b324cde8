// The prompt asked for an answer of some form and none stands outside the reasoning, or the reasoning never ended (docs/detectors.md).
#include "quality/asks.h"
#include "quality/features.h"

namespace vaa {
namespace {

State found(const char* reason, Confidence confidence, std::vector<Finding>* findings) {
  Finding finding;
  finding.severity = Severity::kWarn;
  finding.confidence = confidence;
  finding.part = Part::kSample;
  finding.reason = reason;
  findings->push_back(finding);
  return State::kFound;
}

State detect(const Features& features, std::vector<Finding>* findings) {
  const Thought& thought = features.thought();
  if (thought.unclosed == State::kFound && thought.severity == Severity::kFail) return found("open_thought", thought.confidence, findings);
  if (features.has_tool_calls()) return State::kNo;
  if (!features.text().known || !features.prompt().recorded()) return State::kUnknown;
  const Asks asks = read_asks(features.prompt().text());
  const std::string_view answer = features.answer();
  if (asks.boxed && !has_boxed(answer)) return found("boxed", Confidence::kCertain, findings);
  if (asks.json && !has_json(answer)) return found("json", Confidence::kSuspected, findings);
  if (asks.letter && !asks.boxed && !asks.json && !has_letter_answer(answer)) return found("letter", Confidence::kSuspected, findings);
  return State::kNo;
}

}  // namespace

// A weak model does not keep to a form that it was asked for: this alone says nothing about the engine. It is shown and fails no run.
extern const Detector kNoFinalAnswer = {
    "no_final_answer", Severity::kWarn, 1.0, -1, detect,
    {"no final answer", "没有最终答案"},
    {"The prompt asks for an answer of a certain form and the visible text holds none.", "提示词要求按指定形式给出答案，可见文本中却没有。"},
    {{"The prompt asks for `\\boxed{}` and none with a content stands outside the reasoning: certain. It asks for JSON (\"answer as JSON\") and there is no `{` "
      "or `[`, or for one of a few letters (\"A, B, C or D\") and none stands alone: suspected. Or the thought never ends. Unknown where the prompt is not "
      "recorded; not where there are tool calls.",
      "提示词要求 `\\boxed{}`，思考之外却没有带内容的：确定。要求 JSON（“以 JSON 输出”）却没有 `{` 或 `[`，要求选字母（“从 A、B、C、D 中选”）却没有单独出现"
      "的字母：疑似。思考没有结束的也算。没记录提示词的为“未知”；有 tool_calls 的不算。"},
     {"Published answers to open questions (alpaca_eval): 0 of 182,723 prompts and answers, so no false alarm on what asks for no form. It fails no run: a "
      "weak model does not keep to a form, and that says nothing about the engine.",
      "公开的开放式问答（alpaca_eval）182723 条：0，没要求格式的不会误报。不影响结论：弱模型不守格式很常见，说明不了引擎有问题。"},
     {"\"Count the letters in …\" asks for no letter, \"explain this JSON\" for no JSON. An answer in words (\"the second option\") is none of the form. Whether "
      "the value is right is another matter: answer_not_extracted.",
      "“数一数有几个字母”不是要字母，“解释这段 JSON”不是要 JSON。用文字作答（“第二个选项”）不算给了格式。值对不对是另一回事，见 answer_not_extracted。"},
     {"The budget was spent on the thought (omlx#3772, lm-eval#3382), or a loop took its place: then think_unclosed, truncated or repetition_loop stand "
      "beside it. The parser drops the content (vllm-ascend#1954). Alone it is the model, the prompt, or a template that is not the model's: a base model "
      "served as chat, a system prompt that was lost.",
      "长度都花在思考上（omlx#3772、lm-eval#3382），或陷入循环：旁边会有 think_unclosed、truncated 或 repetition_loop。解析器丢了 content（vllm-ascend#1954）。"
      "单独出现，多半是模型、提示词措辞，或模板不对：拿 base 模型当 chat 用，system prompt 丢了。"},
     {"Take the flags beside it first. Alone: is the rate the same on a reference engine, `vaa check RUN --baseline REFERENCE`? The same: the model's habit. "
      "Higher here: print the prompt after the chat template on both sides and compare.",
      "先处理同一条上的其他标记。单独出现时，用 `vaa check RUN --baseline REFERENCE` 看参照引擎上比例是否相同：相同，是模型的习惯；这边更高，把两边套完 chat "
      "template 的 prompt 打印出来对比。"}}};

}  // namespace vaa
