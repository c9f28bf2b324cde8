#include "catch.h"
#include "reading.h"
#include "records/json_tree.h"

using namespace vaa;
using reading::TempFolder;

TEST_CASE("vaa: a run header gives header and scores and is no sample", "[records]") {
  const auto read = reading::read_all(reading::golden("vaa_records.jsonl"));
  CHECK(read.samples.size() == 10);
  REQUIRE(read.header.scores.size() == 1);
  CHECK(read.header.scores[0].dataset == "gsm8k");
  CHECK(read.header.scores[0].value == 0.6);
  JsonTree header;
  REQUIRE(parse_json_tree(read.header.json, &header));
  CHECK(member(member(member(header, "engine"), "plugins"), "vllm-ascend").string() == "0.25.1rc1");
}

TEST_CASE("vaa: without a header every fact of the run is null", "[records]") {
  const auto read = reading::read_all(reading::golden("vaa_token_diff_target.jsonl"));
  JsonTree header;
  REQUIRE(parse_json_tree(read.header.json, &header));
  CHECK(member(member(header, "model"), "name").is(JsonKind::kNull));
  CHECK(member(header, "concurrency").is(JsonKind::kNull));
  CHECK(read.header.scores.empty());
}

TEST_CASE("vaa: not recorded and empty stay apart", "[records]") {
  const auto read = reading::read_all(reading::golden("vaa_token_diff_target.jsonl"));
  bool found = false;
  for (const Sample& s : read.samples) {
    CHECK_FALSE(s.has(TextField::kOutputText));
    if (s.text(TextField::kId) != "8") continue;
    found = true;
    REQUIRE(s.has(IdsField::kOutputTokenIds));
    CHECK(s.ids.get(IdsField::kOutputTokenIds).empty());
  }
  CHECK(found);
}

TEST_CASE("vaa: a teacher-forced record is known as one", "[records]") {
  for (const Sample& s : reading::read_all(reading::golden("vaa_records_forced.jsonl")).samples) {
    CHECK(s.forced());
    CHECK_FALSE(s.has_output());
    CHECK(s.has(IntField::kForcedFrom));
  }
}

TEST_CASE("vaa: source is the file that was read; what the record says of its own is kept", "[records]") {
  const auto read = reading::read_all(reading::golden("vaa_records.jsonl"));
  const Sample& s = read.samples.at(0);
  CHECK(s.text(TextField::kSourceFormat) == "vaa");
  CHECK(s.integer(IntField::kSourceLine, 0) == 2);
  CHECK(s.text(TextField::kExtra).find("\"recorded_source\":{\"format\": \"openai\", \"file\": \"capture.jsonl\", \"line\": 1}") != std::string_view::npos);
  CHECK(s.text(TextField::kExtra).find("reasoning_tags") != std::string_view::npos);
}

TEST_CASE("vaa: a line of a wrong type is a bad line, unknown keys are not", "[records]") {
  const TempFolder folder;
  const auto read = reading::read_all(folder.write("a.jsonl",
                                                   "{\"schema\":\"vaa.record/1\",\"id\":\"1\",\"new\":{\"key\":[1]}}\n"
                                                   "{\"schema\":\"vaa.record/1\",\"id\":\"2\",\"output\":{\"text\":7}}\n"
                                                   "{\"schema\":\"vaa.record/1\",\"output\":{\"text\":\"x\"}}\n"));
  REQUIRE(read.samples.size() == 2);
  CHECK(read.samples[1].text(TextField::kId) == "3");  // the line number, where there is no id
  CHECK_FALSE(read.samples[1].has(TextField::kDataset));  // a file alone needs none
  REQUIRE(read.problems.count == 1);
  CHECK(read.problems.first[0].message == "output.text: is a number, must be text");
}

TEST_CASE("vaa: a folder with run.json is a run", "[records]") {
  const TempFolder folder;
  folder.write("run.json", "{\n \"schema\": \"vaa.run/1\",\n \"concurrency\": 4,\n \"tasks\": [{\"dataset\":\"g\",\"questions\":2,\"percent\":true,\"scores\":{\"accuracy\":50}}]\n}\n");
  folder.write("b.jsonl", "{\"schema\":\"vaa.record/1\",\"id\":\"2\"}\n");
  folder.write("a.jsonl", "{\"schema\":\"vaa.record/1\",\"id\":\"1\"}\nbroken\n");
  const auto read = reading::read_all(folder.path());
  REQUIRE(read.samples.size() == 2);
  CHECK(read.samples[0].text(TextField::kSourceFile) == "a.jsonl");
  REQUIRE(read.header.scores.size() == 1);
  CHECK(read.header.scores[0].percent);
  CHECK(read.header.scores[0].n == 2);
  CHECK(read.problems.count == 1);
}

TEST_CASE("vaa: of several files of a folder, each names the dataset of records that name none", "[records]") {
  const std::string bare = "{\"schema\":\"vaa.record/1\",\"id\":\"1\",\"output\":{\"text\":\"x\"}}\n", named = "{\"schema\":\"vaa.record/1\",\"id\":\"1\",\"dataset\":\"g\",\"output\":{\"text\":\"x\"}}\n";
  for (const bool run : {false, true}) {
    const TempFolder folder;
    if (run) folder.write("run.json", "{\"schema\": \"vaa.run/1\"}\n");
    folder.write("a.jsonl", bare);
    CHECK_FALSE(reading::read_all(folder.path()).samples.at(0).has(TextField::kDataset));
    folder.write("b.jsonl", bare + named);
    const auto read = reading::read_all(folder.path());
    REQUIRE(read.samples.size() == 3);
    CHECK(read.samples[0].text(TextField::kDataset) == "a");
    CHECK(read.samples[1].text(TextField::kDataset) == "b");
    CHECK(read.samples[2].text(TextField::kDataset) == "g");
  }
}

TEST_CASE("vaa: the header in the last line of a plain file is the run's, a torn one hides nothing", "[records]") {
  const std::string first = R"({"schema":"vaa.run/1","model":{"name":"first"}})", last = R"({"schema":"vaa.run/1","model":{"name":"last"}})";
  const std::string record = R"({"schema":"vaa.record/1","id":"1","output":{"text":"x"}})";
  const auto name_in = [](const std::string& path) {
    const auto read = reading::read_all(path);
    CHECK(read.samples.size() == 1);
    JsonTree header;
    REQUIRE(parse_json_tree(read.header.json, &header));
    return std::string(member(member(header, "model"), "name").string());
  };
  const TempFolder folder;
  const std::string body = first + "\n" + record + "\n";
  CHECK(name_in(folder.write("a.jsonl", body)) == "first");
  CHECK(name_in(folder.write("b.jsonl", body + last + "\n")) == "last");
  CHECK(name_in(folder.write("c.jsonl", "\xEF\xBB\xBF" + body + last)) == "last");
  CHECK(name_in(folder.write("d.jsonl", record + "\r\n" + last + "\r\n\n")) == "last");
  for (size_t n = 1; n < last.size(); ++n) {
    INFO("torn after " << n << " bytes");
    const auto path = folder.write("e.jsonl", body + last.substr(0, n));
    CHECK(name_in(path) == "first");
    CHECK(reading::read_all(path).problems.count == 1);
  }
  CHECK(name_in(folder.write("f.jsonl", body + last + "\n" + std::string(3 << 20, ' ') + "\n")) == "first");
  CHECK(name_in(folder.write("g.jsonl", body + std::string(3 << 20, ' ') + "\n" + last + "\n")) == "last");
}
