// Any JSON lines, by paths that the user gives.
#include "base/failure.h"
#include "catch.h"
#include "read_samples.h"

using namespace vaa;
using namespace vaa_test;

namespace {

OpenOptions fields(const char* text, const char* id = "") {
  OpenOptions options;
  options.format = "jsonl";
  options.text_field = text;
  options.id_field = id;
  return options;
}

std::string refused(const OpenOptions& options) {
  const TempFile file("x.jsonl", "{\"a\":\"b\"}\n");
  try {
    (void)read_input(file.path(), options);
  } catch (const Failure& failure) {
    CHECK(failure.status() == VAA_ERROR_OPTION);
    return failure.message();
  }
  return "";
}

}  // namespace

TEST_CASE("jsonl: paths through objects and lists", "[records]") {
  OpenOptions options = fields("a.0.b", "meta.key");
  options.prompt_field = "q";
  options.finish_reason_field = "a.0.why";
  options.gold_field = "gold";
  const Reading reading = read_bytes("{\"gold\":28,\"meta\":{\"key\":17},\"q\":\"p\",\"a\":[{\"b\":\"<think>r</think>x\",\"why\":\"max_tokens\"},{\"b\":\"other\"}]}\n\n{\"a\":[{\"b\":null}],\"meta\":{\"key\":\"k\"}}\n", "runs.jsonl", options);
  REQUIRE(reading.samples.size() == 2);
  CHECK(reading.format == "jsonl");
  const Sample& sample = reading.samples[0];
  CHECK(sample.text(TextField::kOutputText) == "x");
  CHECK(sample.text(TextField::kOutputReasoning) == "r");
  CHECK(sample.text(TextField::kId) == "17");
  CHECK(sample.text(TextField::kPromptText) == "p");
  CHECK(sample.text(TextField::kFinishReason) == "length");
  CHECK(sample.text(TextField::kScoreGold) == "28");
  CHECK_FALSE(sample.has(TextField::kDataset));  // so that runs in files of other names share their questions
  CHECK(sample.integer(IntField::kRepeat, -1) == 0);
  CHECK_FALSE(reading.samples[1].has(TextField::kOutputText));
  CHECK(reading.samples[1].text(TextField::kId) == "k");
  CHECK(reading.samples[1].integer(IntField::kSourceLine, 0) == 3);
}

TEST_CASE("jsonl: a line without the field, of a wrong kind or malformed is a finding with its line", "[records]") {
  const Reading reading = read_bytes("{\"t\":\"a\"}\n{\"u\":\"b\"}\n{\"t\":7}\n{\"t\":\n[1]\n{\"t\":\"\"}\n", "x.jsonl", fields("t"));
  REQUIRE(reading.samples.size() == 2);
  CHECK(reading.samples[0].text(TextField::kId) == "1");
  CHECK(reading.samples[1].text(TextField::kId) == "6");
  CHECK(reading.samples[1].has(TextField::kOutputText));
  REQUIRE(reading.problems.count == 4);
  CHECK(reading.problems.first[0].line == 2);
  CHECK(reading.problems.first[0].message == "text_field: \"t\" is not in the line");
  CHECK(reading.problems.first[1].message == "text_field: is a number, must be text");
  CHECK(reading.problems.first[2].line == 4);
  CHECK(reading.problems.first[3].line == 5);
}

TEST_CASE("jsonl: a number in a path is an index of a list and a key of an object", "[records]") {
  CHECK(read_bytes("{\"a\":{\"0\":\"x\"}}\n", "x.jsonl", fields("a.0")).samples.at(0).text(TextField::kOutputText) == "x");
  CHECK(read_bytes("{\"a\":[\"w\",\"x\"]}\n", "x.jsonl", fields("a.1")).samples.at(0).text(TextField::kOutputText) == "x");
  CHECK(read_bytes("{\"a\":\"x\"}\n", "x.jsonl", fields("a", "a")).samples.at(0).text(TextField::kId) == "x");
}

TEST_CASE("jsonl: paths that cannot be are refused before anything is read", "[records]") {
  CHECK(refused(fields("a..b")) == "text_field: \"a..b\" has an empty part, must be keys and indexes by dots such as choices.0.text");
  CHECK(refused(fields(".a")).find("has an empty part") != std::string::npos);
  CHECK(refused(fields("a.")).find("has an empty part") != std::string::npos);
  CHECK(refused(fields("a", ".")).substr(0, 9) == "id_field:");
  CHECK(refused(fields("")).substr(0, 11) == "text_field:");
  std::string deep = "a";
  for (int i = 0; i < 40; ++i) deep += ".a";
  CHECK(refused(fields(deep.c_str())) == "text_field: has 41 parts, at most 32 are allowed");
}
