#include <cmath>
#include <limits>
#include <set>

#include "base/failure.h"
#include "catch.h"
#include "reading.h"
#include "records/sample.h"
#include "vaa/sample.h"

using namespace vaa;

namespace {

std::string fault_of(const std::string& line) {
  Sample sample;
  std::string why;
  return read_record(line, &sample, &why) ? "" : why;
}

}  // namespace

TEST_CASE("record: what is written reads back the same", "[records]") {
  for (const char* file : {"vaa_records.jsonl", "vaa_records_forced.jsonl", "vaa_token_diff_reference.jsonl", "vaa_token_diff_target.jsonl"}) {
    for (const Sample& sample : reading::read_all(reading::golden(file)).samples) {
      std::string once, twice;
      append_record(&once, sample);
      Sample again;
      parse_record(once, &again);
      append_record(&twice, again);
      CHECK(once == twice);
      CHECK(again.ids.get(IdsField::kOutputTokenIds) == sample.ids.get(IdsField::kOutputTokenIds));
    }
  }
}

TEST_CASE("record: a sample line gives the fields that it names", "[records]") {
  const auto read = reading::read_all(reading::golden("vaa_records.jsonl"));
  const Sample& s = read.samples.at(0);
  CHECK(s.text(TextField::kModel) == "toy-8b");
  CHECK(s.text(TextField::kOutputReasoning) == "\nStart with 14 + 9 = 23. Five more blue ones give 28.\n");
  CHECK(s.text(TextField::kSeed) == "1024");
  CHECK(s.real(RealField::kTemperature, 0) == 0.6);
  CHECK(s.integer(IntField::kMaxTokens, 0) == 4096);
  CHECK(s.integer(IntField::kIdsIncludeStop, 0) == 1);
  REQUIRE(s.has(IntsField::kOutputTopEnds));
  CHECK(s.ids.get(IdsField::kOutputTopIds)[0] == s.ids.get(IdsField::kOutputTokenIds)[0]);  // the sampled token first
  CHECK(s.real_lists.get(RealsField::kOutputTopLogprobs)[0] == s.real_lists.get(RealsField::kOutputLogprobs)[0]);
  CHECK(s.int_lists.get(IntsField::kOutputTopEnds).size() == s.ids.get(IdsField::kOutputTokenIds).size());
  CHECK_FALSE(s.has(TextField::kStopReason));
  CHECK_FALSE(s.failed());
}

TEST_CASE("record: -9999 is minus infinity both ways, null is no number, seeds keep all digits", "[records]") {
  Sample s;
  parse_record(R"({"schema":"vaa.record/1","id":5,"output":{"text":"","logprobs":[null,-9999.0],"top_logprobs":[null,[[7,-9999.0],[8,-0.5]]]},"sampling":{"seed":18446744073709551615}})", &s);
  CHECK(s.text(TextField::kId) == "5");
  CHECK(s.text(TextField::kSeed) == "18446744073709551615");
  CHECK(std::isnan(s.real_lists.get(RealsField::kOutputLogprobs)[0]));
  CHECK(s.real_lists.get(RealsField::kOutputLogprobs)[1] == -std::numeric_limits<double>::infinity());
  CHECK(s.int_lists.get(IntsField::kOutputTopEnds) == std::vector<int64_t>{0, 2});
  std::string out;
  append_record(&out, s);
  CHECK(out.find("[null, [[7, -9999], [8, -0.5]]]") != std::string::npos);
  CHECK(out.find("\"seed\": 18446744073709551615") != std::string::npos);
  CHECK(s.has(TextField::kOutputText));
  CHECK_FALSE(s.has(TextField::kOutputReasoning));
}

TEST_CASE("record: a logprob that is no number among the alternatives is read as it was written", "[records]") {
  const std::string line = R"({"schema":"vaa.record/1","id":"1","output":{"token_ids":[7],"logprobs":[null],"top_logprobs":[[[7, null], [8, -0.5]]]}})";
  Sample s;
  parse_record(line, &s);
  CHECK(std::isnan(s.real_lists.get(RealsField::kOutputTopLogprobs)[0]));
  std::string out;
  append_record(&out, s);
  CHECK(out.find("[[[7, null], [8, -0.5]]]") != std::string::npos);
  CHECK_THROWS_AS(parse_record(R"({"schema":"vaa.record/1","id":"1","output":{"top_logprobs":[[[7, "x"]]]}})", &s), Failure);
}

TEST_CASE("record: a line holds no line feed, whatever JSON it was given", "[records]") {
  Sample s;
  s.set(TextField::kPromptMessages, "[\n {\"content\":\t\"a\nb\\\"\x01\"}]");
  s.set(RealField::kTemperature, std::numeric_limits<double>::infinity());  // no JSON number
  s.set(IntField::kTopK, 20);
  std::string once, twice;
  append_record(&once, s);
  CHECK(once.find('\n') == std::string::npos);
  CHECK(once.find(R"([  {"content": "a\u000ab\"\u0001"}])") != std::string::npos);
  Sample again;
  parse_record(once, &again);
  append_record(&twice, again);
  CHECK(once == twice);
}

TEST_CASE("record: a value of a wrong type is named with its key and what it must be", "[records]") {
  CHECK(fault_of(R"({"output":{"text":5}})") == "output.text: is a number, must be text");
  CHECK(fault_of(R"({"repeat":"x"})").find("repeat: is text") == 0);
  CHECK(fault_of(R"({"repeat":-1})") == "repeat: is -1, must be at least 0");
  CHECK(fault_of(R"({"finish_reason":"done"})").find("finish_reason: is \"done\", allowed are stop|length") == 0);
  CHECK(fault_of(R"({"output":{"token_ids":[1,"a"]}})") == "output.token_ids[1]: is no token id");
  CHECK(fault_of(R"({"sampling":{"seed":1.5}})").find("sampling.seed: is 1.5") == 0);
  CHECK(fault_of(R"({"extra":[]})").find("extra: is") == 0);
  CHECK(fault_of(R"([1])").find("record: is") == 0);
  CHECK(fault_of(R"({"id":"a"} x)").find("column 12: ") == 0);
  CHECK(fault_of(R"({"id":01})").find("column ") == 0);
  CHECK(fault_of(R"({"id":"a","unknown":{"x":[1,2]},"output":null})").empty());
  Sample s;
  CHECK_THROWS_AS(parse_record("{", &s), Failure);
}

TEST_CASE("fields: the table names every field of the border once", "[records]") {
  std::set<std::string> names;
  std::set<int> numbers;
  for (const FieldInfo& info : field_table()) {
    CHECK(names.insert(info.name).second);
    CHECK(numbers.insert(info.field).second);
    CHECK(find_field(info.field) == &info);
    CHECK(find_field(std::string_view(info.name)) == &info);
  }
  const auto count = [](int first, int end) { return static_cast<size_t>(end - first); };
  CHECK(names.size() == count(100, static_cast<int>(TextField::kEnd)) + count(200, static_cast<int>(IntField::kEnd)) + count(300, static_cast<int>(RealField::kEnd)) +
                            count(400, static_cast<int>(IdsField::kEnd)) + count(500, static_cast<int>(RealsField::kEnd)) + count(600, static_cast<int>(IntsField::kEnd)));
  CHECK(static_cast<int>(TextField::kToolCalls) == VAA_FIELD_TOOL_CALLS);
  CHECK(static_cast<int>(IntField::kScoreExtractionFailed) == VAA_FIELD_SCORE_EXTRACTION_FAILED);
  CHECK(static_cast<int>(RealField::kE2eS) == VAA_FIELD_E2E_S);
  CHECK(static_cast<int>(IdsField::kOutputTopIds) == VAA_FIELD_OUTPUT_TOP_IDS);
  CHECK(static_cast<int>(RealsField::kOutputTopLogprobs) == VAA_FIELD_OUTPUT_TOP_LOGPROBS);
  CHECK(static_cast<int>(IntsField::kSpecAcceptedPerPosition) == VAA_FIELD_SPEC_ACCEPTED_PER_POSITION);
  CHECK(find_field(99) == nullptr);
  CHECK(find_field("nothing") == nullptr);
}

TEST_CASE("sample: clear forgets, release gives back, swap exchanges what is recorded", "[records]") {
  Sample a, b;
  a.set(TextField::kOutputText, std::string(1 << 20, 'x'));
  a.set(IntField::kRepeat, 3);
  b.set(TextField::kId, "b");
  a.swap(b);
  CHECK(a.text(TextField::kId) == "b");
  CHECK_FALSE(a.has(TextField::kOutputText));
  CHECK(b.text(TextField::kOutputText).size() == 1 << 20);
  CHECK(b.footprint() >= 1 << 20);
  CHECK(b.has_output());
  b.release();
  CHECK_FALSE(b.has(TextField::kOutputText));
  CHECK(b.texts.put(TextField::kOutputText).capacity() < 1 << 16);
  b.clear();
  b.set(TextField::kForcedOf, "6");
  b.set(TextField::kOutputText, "y");
  CHECK_FALSE(b.has_output());
}
