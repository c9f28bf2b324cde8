// Finding the format, and files that are not as they should be.
#include "catch.h"
#include "read_samples.h"
#include "reading.h"
#include "records/format.h"

using namespace vaa;
using reading::TempFolder;

namespace {

std::string record(int id, const std::string& text = "x") {
  return R"({"schema":"vaa.record/1","id":")" + std::to_string(id) + R"(","output":{"text":")" + text + "\"}}";
}

std::string prediction(int id, const std::string& text = "28", const std::string& dataset = "gsm8k") {
  return R"({"data_abbr":")" + dataset + R"(","id":)" + std::to_string(id) + R"(,"prediction":")" + text + "\"}";
}

}  // namespace

TEST_CASE("open: a document over several lines, several of them and an array are read", "[records]") {
  const TempFolder folder;
  const auto one = reading::read_all(folder.write("a.json", "{\n  \"schema\": \"vaa.record/1\",\n  \"id\": \"a\"\n}\n"));
  REQUIRE(one.samples.size() == 1);
  CHECK(one.samples[0].text(TextField::kId) == "a");
  const auto two = reading::read_all(folder.write("b.json", "{\n  \"schema\": \"vaa.record/1\"\n}\n{\n  \"schema\": \"vaa.record/1\"\n}\n"));
  REQUIRE(two.samples.size() == 2);
  CHECK(two.samples[1].integer(IntField::kSourceLine, 0) == 4);
  const auto array = reading::read_all(folder.write("c.json", "[" + record(1) + ",\n " + record(2) + "]"));
  REQUIRE(array.samples.size() == 2);
  CHECK(array.samples[1].text(TextField::kId) == "2");
  CHECK(array.problems.count == 0);
}

TEST_CASE("open: broken lines are counted with line and column, and the others are read", "[records]") {
  const TempFolder folder;
  std::string text;
  for (int i = 1; i <= 1000; ++i) text += (i % 100 == 50 ? prediction(i).substr(0, 30) : prediction(i)) + "\n";
  const auto read = reading::read_all(folder.write("a.jsonl", text));
  CHECK(read.samples.size() == 990);
  CHECK(read.problems.count == 10);
  CHECK(read.problems.first[0].line == 50);
  CHECK(read.problems.first[0].message.find("column 31: ") == 0);
}

TEST_CASE("open: a file may begin with broken lines", "[records]") {
  const TempFolder folder;
  const auto read = reading::read_all(folder.write("a.jsonl", "{\"data_ab\n" + prediction(1) + "\n" + prediction(2) + "\n"));
  CHECK(read.format == "aisbench");
  CHECK(read.samples.size() == 2);
  CHECK(read.problems.count == 1);
}

TEST_CASE("open: where every line is bad all are counted, a hundred are kept", "[records]") {
  const TempFolder folder;
  std::string text;
  for (int i = 0; i < 500; ++i) text += R"({"data_abbr":"gsm8k","id":1,"prediction":17})" "\n";
  const auto read = reading::read_all(folder.write("a.jsonl", text));
  CHECK(read.samples.empty());
  CHECK(read.problems.count == 500);
  CHECK(read.problems.first.size() == Problems::kKept);
  CHECK(read.problems.first[0].message == "prediction: is a number, must be text");
}

TEST_CASE("open: a file of no known format names what was seen and what to do", "[records]") {
  const TempFolder folder;
  std::string message;
  CHECK(reading::open_status(folder.write("a.jsonl", "{\"answer\":\"x\",\"q\":1}\n"), &message) == VAA_ERROR_FORMAT);
  for (const char* part : {"\"answer\"", "\"q\"", "vaa formats", "--text-field", "--id-field"}) CHECK(message.find(part) != std::string::npos);
  OpenOptions options;
  options.format = "aisbensh";
  CHECK(reading::open_status(folder / "a.jsonl", &message, options) == VAA_ERROR_OPTION);
  CHECK(message.find("\"aisbensh\" is unknown, allowed are ") != std::string::npos);
  CHECK(message.find("lm_eval") != std::string::npos);
  options.format.clear();
  options.text_field = "answer";
  const auto read = reading::read_all(folder / "a.jsonl", options);
  CHECK(read.format == "jsonl");
  CHECK(read.samples.size() == 1);
}

TEST_CASE("open: a line over max_line is a problem, the rest is read", "[records]") {
  const TempFolder folder;
  OpenOptions options;
  options.max_line = 5000;
  const std::string path = folder.write("a.jsonl", prediction(1) + "\n" + prediction(2, std::string(100000, 'x')) + "\n" + prediction(3) + "\n");
  const auto read = reading::read_all(path, options);
  CHECK(read.samples.size() == 2);
  REQUIRE(read.problems.count == 1);
  CHECK(read.problems.first[0].line == 2);
  CHECK(read.problems.first[0].message.find("max_line, 5000 bytes") != std::string::npos);
  CHECK(reading::read_all(path).samples.size() == 3);
}

TEST_CASE("open: deep, wide and odd lines are bad lines or read, never a crash", "[records]") {
  const TempFolder folder;
  std::string wide = R"({"data_abbr":"g","id":1,)";
  for (int i = 0; i < 1000000; ++i) wide += "\"k" + std::to_string(i) + "\":0,";
  wide += "\"prediction\":\"x\"}";
  const std::string deep = R"({"data_abbr":"g","id":2,"x":)" + std::string(10000, '[') + std::string(10000, ']') + R"(,"prediction":"x"})";
  const std::string odd = "{\"data_abbr\":\"g\",\"id\":3,\"prediction\":\"a\\u0000b\xff\xfe\\ud83d\"}";
  const auto read = reading::read_all(folder.write("a.jsonl", prediction(0) + "\n" + wide + "\n" + deep + "\n" + odd + "\n"));
  CHECK(read.samples.size() == 3);
  REQUIRE(read.problems.count == 1);
  CHECK(read.problems.first[0].line == 3);
  CHECK(read.samples.back().text(TextField::kOutputText) == std::string_view("a\0b\xff\xfe\xed\xa0\xbd", 8));
}

TEST_CASE("open: every prefix of every sample is read or refused, never a crash", "[records]") {
  const TempFolder folder;
  for (const char* name : {"aisbench_predictions.jsonl", "lm_eval_samples_multiple_choice_2026-08-20T10-15-02.114233.jsonl", "vaa_records_forced.jsonl", "aisbench_results_details.json"}) {
    const std::string bytes = reading::file_bytes(reading::golden(name));
    for (size_t cut = 1; cut < bytes.size(); cut += bytes.size() / 60 + 1) {
      const std::string path = folder.write("cut.json", bytes.substr(0, cut));
      if (reading::open_status(path) == VAA_OK) reading::read_all(path);
    }
  }
}

TEST_CASE("folder: files of every known format in it are read in byte order, others are said", "[records]") {
  const TempFolder folder;
  folder.write("b/one.jsonl", record(1) + "\n");
  folder.write("a.jsonl", prediction(2) + "\n");
  folder.write("b.jsonl", record(3) + "\nbroken\n");
  folder.write("notes.txt", "nothing\n");
  folder.write("tmp/tmp_1.jsonl", prediction(2) + "\n");
  const auto read = reading::read_all(folder.path());
  REQUIRE(read.samples.size() == 3);
  CHECK(read.samples[0].text(TextField::kSourceFile) == "a.jsonl");
  CHECK(read.samples[0].text(TextField::kSourceFormat) == "aisbench");
  CHECK(read.samples[1].text(TextField::kSourceFile) == "b.jsonl");
  CHECK(read.samples[2].text(TextField::kSourceFile) == "b/one.jsonl");
  CHECK(read.opening.count == 2);
  REQUIRE(read.opening.notes.size() == 1);
  CHECK(read.opening.notes[0].find("several formats") != std::string::npos);
  REQUIRE(read.problems.count == 1);
  CHECK(read.problems.first[0].file == "b.jsonl");
  CHECK(read.problems.first[0].line == 2);
}

TEST_CASE("folder: one that holds nothing readable says what was looked for", "[records]") {
  const TempFolder folder;
  std::string message;
  CHECK(reading::open_status(folder.path(), &message) == VAA_ERROR_FORMAT);
  CHECK(message.find("no run and no file of a known format; looked for") != std::string::npos);
  CHECK(message.find("empty") != std::string::npos);
  folder.write("x.txt", "text\n");
  CHECK(reading::open_status(folder.path(), &message) == VAA_ERROR_FORMAT);
  CHECK(message.find("x.txt") != std::string::npos);
}

TEST_CASE("folder: thousands of files are read one at a time", "[records]") {
  const TempFolder folder;
  for (int i = 0; i < 3000; ++i) folder.write("f" + std::to_string(i) + ".jsonl", record(i) + "\n");
  CHECK(reading::read_all(folder.path()).samples.size() == 3000);
}

TEST_CASE("folder: one that holds runs gives each as a whole, and says that there are several", "[records]") {
  const auto read = reading::read_all(std::string(VAA_GOLDEN) + "/samples");
  size_t scored = 0;
  for (const Sample& s : read.samples)
    scored += s.text(TextField::kSourceFile) == "run_aisbench/predictions/vllm-api-general-chat/gsm8k.jsonl" && s.has(IntField::kScoreCorrect);
  CHECK(scored == 9);
  bool said = false;
  for (const std::string& note : read.opening.notes) said = said || note.find("2 runs") != std::string::npos;
  CHECK(said);
}

TEST_CASE("formats: each has a name, files and what it is found by", "[records]") {
  for (const FormatInfo& info : known_formats()) {
    INFO(info.name);
    CHECK(std::string(info.title).size() > 0);
    CHECK(std::string(info.files).size() > 0);
    CHECK(std::string(info.found_by).size() > 0);
  }
  CHECK(known_formats().size() == 12);
}
