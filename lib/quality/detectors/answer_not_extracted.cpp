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
    if (!gives_gold(places[i], gold, &memory)) continue;
    const bool line = places[i].where == FinalAnswer::Where::kLastLine;
    Finding finding = features.place(features.text(), features.text().markup.answer_begin + places[i].at, places[i].text.size());
    finding.severity = Severity::kWarn;
    finding.confidence = line ? Confidence::kSuspected : Confidence::kCertain;
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
    {"The right answer stands in the text, and the framework extracted nothing or something else.", "文本中有正确答案，但评测框架没有提取到或提取了别的内容。"}};

}  // namespace vaa
