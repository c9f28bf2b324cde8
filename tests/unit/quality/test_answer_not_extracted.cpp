#include "judging.h"
#include "quality/answers.h"

using namespace vaa;
using judging::Given;

namespace {

// The framework looked and found nothing, or what is given.
judging::Verdicts judge(const char* gold, const char* text, const char* extracted = nullptr) {
  Given given;
  given.text(text).set(TextField::kScoreGold, gold).finish("stop");
  if (extracted) given.set(TextField::kScoreExtracted, extracted);
  else given.set(IntField::kScoreExtractionFailed, 1);
  return given.judge();
}

}  // namespace

TEST_CASE("answer_not_extracted: in a box, behind a cue, in the last line", "[quality]") {
  for (const auto& [gold, text] : std::vector<std::pair<const char*, const char*>>{
           {"54", "It sells 54 cups.\n\nThe answer is \\boxed{54}."},
           {"90", "一共读了 90 页。\n\n答案是 \\boxed{90}。"},
           {"1234", "So \\boxed{1,234.0}"},
           {"0.5", "So \\boxed{50\\%} or\nAnswer: 0.50"},
           {"B", "The second one is right. \\boxed{\\text{(B)}}"},
           {"C", "Final Answer: (C)"},
           {"A", "答案：A。"},
           {"D", "It cannot be the others.\n**D**"},
           {"B", "So the right one is B."},
           {"28", "Step one.\nAnswer: 28. That is because five more were added."},
           {"17", "5 + 12 = 17"},
           {"$12", "She pays 12 dollars."},
           {"\\frac{1}{2}", "\\boxed{\\dfrac{1}{2}}"},
           {"Paris", "The capital of France is Paris."},
           {"#### 26", "\\boxed{26}"},
           {"-3", "The result is -3"},
           {"7", "The count is 007."},
           {"-0", "\\boxed{0}"},
           {"12345678901234567890", "\\boxed{12,345,678,901,234,567,890}"},
           {"0.3333333333333", "\\boxed{0.33333333333333}"},
       }) {
    INFO(gold << " in " << text);
    CHECK(judge(gold, text).alarm("answer_not_extracted"));
    CHECK(judge(gold, text, "[invalid]").alarm("answer_not_extracted"));
    CHECK(judge(gold, text, "999").alarm("answer_not_extracted"));
    CHECK_FALSE(judge(gold, text).failing("answer_not_extracted"));
  }
}

TEST_CASE("answer_not_extracted: a wrong answer is wrong", "[quality]") {
  for (const auto& [gold, text] : std::vector<std::pair<const char*, const char*>>{
           {"6", "It takes 5 hours.\n\nThe answer is \\boxed{5}."},
           {"6", "First \\boxed{6}, no: \\boxed{5}"},
           {"5", "There are 5 pears, so it is 11 in all."},
           {"5", "It is 55."},
           {"B", "Answer: C"},
           {"A", "A river runs here."},
           {"7", ""},
           {"1", "It is 1/2"},
           {"par", "The capital is Spar"},
           {"210", "\\boxed{2,10}"},
           {"1,23", "Answer: 123"},
           {"10000000000", "\\boxed{10000000001}"},
           {"12345678901234567890", "Answer: 12345678901234567891"},
       }) {
    INFO(gold << " in " << text);
    CHECK(judge(gold, text).clear("answer_not_extracted"));
  }
}

TEST_CASE("answer_not_extracted: what the framework took is right, or it counted the answer as right", "[quality]") {
  CHECK(judge("1234", "\\boxed{1234}", "1,234").clear("answer_not_extracted"));
  CHECK(judge("B", "\\boxed{B}", "(B)").clear("answer_not_extracted"));
  CHECK(Given().text("\\boxed{5}").set(TextField::kScoreGold, "5").set(IntField::kScoreExtractionFailed, 1).set(IntField::kScoreCorrect, 1).judge().clear("answer_not_extracted"));
}

TEST_CASE("answer_not_extracted: what is denied, asked or left open is no certain answer", "[quality]") {
  for (const char* text : {"The answer is not Paris.", "The answer is certainly not Paris", "It isn't Paris.", "答案不是 Paris", "Answer: could it be Paris?", "答案是 Paris 吗？"}) {
    INFO(text);
    CHECK(judge("Paris", text).clear("answer_not_extracted"));
  }
  CHECK(judge("B", "Answer: B or C").first("answer_not_extracted").confidence == Confidence::kSuspected);
  CHECK(judge("Paris", "Answer: the capital is Paris.").first("answer_not_extracted").confidence == Confidence::kSuspected);
  CHECK(judge("Paris", "Answer: Paris").first("answer_not_extracted").confidence == Confidence::kCertain);
  CHECK(judge("B", "Answer: B, since A is wrong").first("answer_not_extracted").confidence == Confidence::kCertain);
  CHECK(judge("Paris", "The answer I cannot say. The knot of it is Paris.").found("answer_not_extracted") == false);
  CHECK(judge("Paris", "The knot of it is Paris.").found("answer_not_extracted"));
}

TEST_CASE("answer_not_extracted: an open thought is no answer", "[quality]") {
  CHECK(judge("6", "<think>\n90 divided by 7 leaves 6").clear("answer_not_extracted"));
  CHECK(judge("6", "<think>\n90 divided by 7 leaves 6</think>I do not know.").clear("answer_not_extracted"));
}

TEST_CASE("answer_not_extracted: where it stands", "[quality]") {
  const auto said = judge("90", "<think>乘</think>答案是 \\boxed{90}。");
  const Finding& finding = said.first("answer_not_extracted");
  CHECK(finding.onset_byte == 18 + 9 + 1 + 7);
  CHECK(finding.length_bytes == 2);
  CHECK(finding.confidence == Confidence::kCertain);
  CHECK(judge("17", "5 + 12 = 17").first("answer_not_extracted").confidence == Confidence::kSuspected);
}

TEST_CASE("answer_not_extracted: unknown without gold, extraction or text", "[quality]") {
  CHECK(Given().text("5").judge().unknown("answer_not_extracted"));
  CHECK(Given().text("5").set(TextField::kScoreGold, "5").judge().unknown("answer_not_extracted"));
  CHECK(Given().text("5").set(TextField::kScoreExtracted, "4").judge().unknown("answer_not_extracted"));
  CHECK(Given().ids({5}).set(TextField::kScoreGold, "5").set(IntField::kScoreExtractionFailed, 1).judge().unknown("answer_not_extracted"));
}
