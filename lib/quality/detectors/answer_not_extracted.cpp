// The right answer stands in the text and the framework did not take it: a fault of the extraction, not of the model.
#include "quality/answers.h"
#include "quality/features.h"

namespace vaa {
namespace {

constexpr std::string_view kInvalid = "[invalid]";  // what lm-eval writes for no match

State detect(const Features& features, std::vector<Finding>* findings) {
  const Sample& sample = features.sample();
  const bool failed = sample.integer(IntField::kScoreExtractionFailed, 0) == 1;
  if (!features.text().known || !sample.has(TextField::kScoreGold) || !(failed || sample.has(TextField::kScoreExtracted))) return State::kUnknown;
  if (sample.integer(IntField::kScoreCorrect, 0) == 1) return State::kNo;
  const std::string_view gold = sample.text(TextField::kScoreGold), extracted = sample.text(TextField::kScoreExtracted);
  AnswerMemory& memory = features.answers();
  if (!failed && extracted != kInvalid && same_answer(extracted, gold, &memory)) return State::kNo;
  const std::string_view answer = features.answer();
  FinalAnswer places[3];
  const size_t count = find_final_answers(answer, places);
  for (size_t i = 0; i < count; ++i) {
    const Gives gives = gives_gold(places[i], gold, &memory);
    if (gives == Gives::kNo) continue;
    const bool line = places[i].where == FinalAnswer::Where::kLastLine;
    Finding finding = features.place(features.text(), features.text().markup.answer_begin + places[i].at, places[i].text.size());
    finding.severity = Severity::kWarn;
    finding.confidence = gives == Gives::kSurely ? Confidence::kCertain : Confidence::kSuspected;
    finding.reason = line ? "last_line" : places[i].where == FinalAnswer::Where::kBoxed ? "boxed" : "answer_cue";
    findings->push_back(finding);
    return State::kFound;
  }
  return State::kNo;
}

}  // namespace

// It tells of the scorer, not of model or engine. It is shown and fails no run.
extern const Detector kAnswerNotExtracted = {
    "answer_not_extracted", Severity::kWarn, 1.0, 6, detect,
    {"right answer not extracted", "正确答案未被提取"},
    {"The right answer stands in the text, and the framework extracted nothing or something else.", "文本中有正确答案，但评测框架没有提取到或提取了别的内容。"},
    {{"The framework's extraction failed, is `[invalid]` or another value than the gold answer, and the text holds it as its final answer. Certain: in "
      "`\\boxed{}`, or right behind a cue (\"Answer:\", 答案：, ####), alone or followed by a mark (\"28. That is …\"). Suspected: elsewhere in the sentence "
      "behind the cue, or at the end of the last line, where nothing is denied or asked. Numbers are compared by value (`1,234.0` is `1234`), letters by "
      "themselves (`(A)` is `A`). Unknown where gold or extraction is not recorded.",
      "框架提取失败、提取出 `[invalid]` 或与标准答案不同的值，而文本最终给出的正是标准答案。确定：在 `\\boxed{}` 里，或紧跟在答案提示（“答案：”、Answer:、"
      "####）之后，单独出现或后接标点（“28。因为……”）。疑似：在提示之后那句话的别处，或在最后一行末尾，且那句话不是否定也不是提问。数字按值比较（"
      "`1,234.0` 即 `1234`），字母单独比较（`(A)` 即 `A`）。没记录标准答案或提取结果的为“未知”。"},
     {"Genuine AISBench and lm-eval runs with planted answers (docs/real-runs.md): all found, no other. There is no rate of healthy engines to hold it "
      "against: it tells of the scorer. Shown, fails no run.",
      "在真实的 AISBench、lm-eval 运行中埋入此类回答（docs/real-runs.md）：全部找到，没有多报。它说的是评分器，没有“正常引擎的比例”可比，仅供参考，不影响结"
      "论。"},
     {"A thought that weighs several values: only what stands as the final answer counts. A framework that is strict on purpose (strict-match beside "
      "flexible-extract) is right by its own rule. Units, sets and formulas are compared as text, so an equal answer in another form is missed.",
      "思考里权衡过多个值的，只看最终给出的那个。有意从严的框架（strict-match 与 flexible-extract 并存）按自己的规则没有错。单位、集合、公式按文本比较，写法"
      "不同的等价答案会漏。"},
     {"A pattern for another form of answer: strict and flexible matching of lm-eval differ by 11 points for one model (0.21 and 0.32, Qwen2.5-0.5B on "
      "GSM8K). A thought that is not cut off before the pattern runs, or cut at the wrong tag. The engine only where the form itself changed: another "
      "template, or few-shot examples that were lost.",
      "提取规则是为另一种写法写的：同一模型用 lm-eval 严格与宽松匹配相差 11 分（Qwen2.5-0.5B，GSM8K，0.21 与 0.32）。提取前没切掉思考，或切错了标签。只有写法"
      "本身变了才与引擎有关：模板变了，或 few-shot 示例丢了。"},
     {"Score those answers by hand and correct the score by them: the account says how many they are. Then mend the pattern and evaluate the stored answers "
      "again, without a new run: AISBench `--mode eval --reuse TIMESTAMP`; lm-eval: a second filter in the task.",
      "先人工判这几条，把得分补上：“错误回答的原因”里写了有多少。再改提取规则，对已有回答重新评分，不必重跑推理：AISBench 用 `--mode eval --reuse 时间戳`，"
      "lm-eval 在任务里加一个 filter。"}}};

}  // namespace vaa
