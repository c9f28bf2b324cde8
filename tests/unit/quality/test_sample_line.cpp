#include "catch.h"
#include "tallied.h"

using namespace vaa;
using namespace vaa::tests;

namespace {
Document line_of(const Answer& answer, bool text = true) {
  std::string line;
  append_sample_line(&line, answer.sample, answer.judgement, all_flags(), text);
  CHECK(line.find('\n') == std::string::npos);
  return Document::parse(line);
}
}  // namespace

TEST_CASE("sample line: names, flags of severity fail and warn, findings of all, what is unknown", "[quality]") {
  Answer answer("17", "aime", 2);
  answer.sample.set(TextField::kOutputText, "ab ab ab ab ab");
  answer.sample.set(TextField::kSourceFile, "predictions/m/aime.jsonl");
  answer.sample.set(IntField::kSourceLine, 41);
  answer.correct(false).found("repetition_loop").found("truncated").found("no_final_answer").unknown("think_unclosed");
  Finding& loop = answer.judgement.findings[0];
  loop.onset_byte = loop.onset_char = 3;
  loop.length_bytes = loop.length_chars = 11;
  loop.period_bytes = loop.period_chars = 3;
  loop.count = 4;
  const Document line = line_of(answer);
  CHECK(line["id"].text() == "17");
  CHECK(line["repeat"].integer() == 2);
  CHECK(line["dataset"].text() == "aime");
  REQUIRE(line["flags"].items().size() == 2);
  CHECK(line["flags"].items()[0].text() == "repetition_loop");
  CHECK(line["flags"].items()[1].text() == "no_final_answer");
  REQUIRE(line["findings"].items().size() == 3);
  const Document& found = line["findings"].items()[0];
  CHECK(found["severity"].text() == "fail");
  CHECK(found["confidence"].text() == "certain");
  CHECK(found["part"].text() == "text");
  CHECK(found["onset_byte"].integer() == 3);
  CHECK(found["length_chars"].integer() == 11);
  CHECK(found["period_bytes"].integer() == 3);
  CHECK(found["count"].integer() == 4);
  CHECK_FALSE(found["onset_token"].there());
  CHECK(found["excerpt"].text() == "ab ab ab ab ab");
  REQUIRE(line["unknown"].items().size() == 1);
  CHECK(line["unknown"].items()[0].text() == "think_unclosed");
  CHECK(line["request_failed"].kind() == JsonKind::kBool);
  CHECK_FALSE(line["correct"].truth());
  CHECK(line["source"]["line"].integer() == 41);
}

TEST_CASE("sample line: an excerpt is cut at character borders, a little before the onset", "[quality]") {
  Answer answer("1");
  std::string text;
  for (int i = 0; i < 200; ++i) text += "汉";
  answer.sample.set(TextField::kOutputText, text);
  answer.found("control_char");
  answer.judgement.findings[0].onset_byte = 301;
  const Document line = line_of(answer);
  const std::string& excerpt = line["findings"].items()[0]["excerpt"].text();
  CHECK(excerpt.size() <= all_flags().max_excerpt());
  CHECK(excerpt.size() % 3 == 0);
  CHECK(excerpt.size() > 100);
  CHECK_FALSE(line_of(answer, false)["findings"].items()[0]["excerpt"].there());
}

TEST_CASE("sample line: what is not recorded is null, NUL and invalid bytes survive as escapes", "[quality]") {
  Answer answer("x");
  answer.sample.texts.unset(TextField::kId);
  answer.sample.texts.unset(TextField::kDataset);
  answer.sample.set(TextField::kOutputText, std::string_view("a\0\xff\x1b[31mb", 9));
  answer.found("control_char");
  std::string line;
  append_sample_line(&line, answer.sample, answer.judgement, all_flags(), true);
  for (const char c : line) CHECK(static_cast<unsigned char>(c) >= 0x20);
  const Document parsed = Document::parse(line);
  CHECK(parsed["id"].kind() == JsonKind::kNull);
  CHECK(parsed["dataset"].kind() == JsonKind::kNull);
  CHECK(parsed["correct"].kind() == JsonKind::kNull);
  CHECK(parsed["findings"].items()[0]["excerpt"].text().substr(0, 2) == std::string_view("a\0", 2));
}
