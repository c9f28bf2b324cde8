#include "catch.h"
#include "read_samples.h"
#include "reading.h"
#include "records/json_tree.h"

using namespace vaa;
using reading::TempFolder;

namespace {

const std::string kName = "samples_gsm8k_2026-08-20T10-15-02.114233.jsonl";

std::string line(int doc, const std::string& filter, const std::string& resps, double score, const std::string& filtered = "[\"28\"]", const std::string& gen = R"({"temperature": 0.0, "seed": 7})") {
  return "{\"doc_id\": " + std::to_string(doc) + R"(, "doc": {"filter": "doc's own"}, "target": "28", "arguments": {"gen_args_0": {"arg_0": "Q", "arg_1": )" + gen + "}}, \"resps\": [" + resps +
         "], \"filtered_resps\": " + filtered + ", \"filter\": \"" + filter + "\", \"metrics\": [\"exact_match\"], \"doc_hash\": \"d\", \"exact_match\": " + std::to_string(score) + "}\n";
}

double other_score(const Sample& s, const char* name) {
  JsonTree extra;
  return parse_json_tree(s.text(TextField::kExtra), &extra) ? member(member(extra, "scores"), name).real() : -1;
}

}  // namespace

TEST_CASE("lm_eval: each text once, with the score of its first filter, the others' beside it", "[records]") {
  for (const bool blocks : {true, false}) {
    const TempFolder folder;
    std::string text;
    if (blocks) {
      for (const char* filter : {"strict", "flexible"})
        for (int i = 0; i < 50; ++i) text += line(i, filter, "[\"t" + std::to_string(i) + "\"]", filter[0] == 's' ? 0 : i % 2);
    } else {  // older releases
      for (int i = 0; i < 50; ++i) text += line(i, "strict", "[\"t" + std::to_string(i) + "\"]", 0) + line(i, "flexible", "[\"t" + std::to_string(i) + "\"]", i % 2);
    }
    for (const std::string& bytes : {text, vaa_test::gzip(text)}) {
      const auto read = reading::read_all(folder.write(kName, bytes));
      REQUIRE(read.samples.size() == 50);
      CHECK(read.problems.count == 0);
      for (int i = 0; i < 50; ++i) {
        const Sample& s = read.samples[static_cast<size_t>(i)];
        CHECK(s.text(TextField::kId) == std::to_string(i));
        CHECK(s.text(TextField::kOutputText) == "t" + std::to_string(i));
        CHECK(s.text(TextField::kScoreMetric) == "exact_match,strict");
        CHECK(s.real(RealField::kScoreValue, -1) == 0);
        CHECK(other_score(s, "exact_match,flexible") == i % 2);
      }
    }
  }
}

TEST_CASE("lm_eval: repeats are samples, only the first has the score", "[records]") {
  const auto read = reading::read_all(reading::golden("lm_eval_samples_chat_repeats_2026-08-20T11-02-45.900121.jsonl"));
  REQUIRE(read.samples.size() == 18);
  for (size_t i = 0; i < 18; ++i) {
    const Sample& s = read.samples[i];
    CHECK(s.integer(IntField::kRepeat, -1) == static_cast<int64_t>(i % 3));
    CHECK(s.has(IntField::kScoreCorrect) == (i % 3 == 0));
    CHECK(s.text(TextField::kOutputText) == read.samples[i - i % 3].text(TextField::kOutputText));  // the seed is fixed
    CHECK(s.integer(IntField::kMaxTokens, 0) == 32768);
    CHECK(s.has(TextField::kPromptMessages));
    CHECK_FALSE(s.has(TextField::kScoreExtracted));  // the text as it is: nothing was looked for in it
  }
}

TEST_CASE("lm_eval: messages as a JSON text in a list are messages", "[records]") {
  const auto read = reading::read_all(reading::golden("lm_eval_samples_chat_repeats_2026-08-20T11-02-45.900121.jsonl"));
  JsonTree messages;
  REQUIRE(parse_json_tree(read.samples[0].text(TextField::kPromptMessages), &messages));
  CHECK(member(messages.members.at(0).second, "role").string() == "user");
}

TEST_CASE("lm_eval: a ranking has choices and no output; numbers and booleans may be texts", "[records]") {
  const auto read = reading::read_all(reading::golden("lm_eval_samples_multiple_choice_2026-08-20T10-15-02.114233.jsonl"));
  const Sample& s = read.samples.at(0);
  CHECK_FALSE(s.has_output());
  CHECK(s.text(TextField::kScoreMetric) == "acc");
  CHECK(other_score(s, "acc_norm") == 1);
  JsonTree extra;
  REQUIRE(parse_json_tree(s.text(TextField::kExtra), &extra));
  const auto& choices = member(extra, "choices").members;
  REQUIRE(choices.size() == 4);
  CHECK(choices[1].second.members.at(0).second.string() == " 100 \xc2\xb0" "C");
  CHECK(choices[1].second.members.at(1).second.real() == -0.42);
  CHECK(choices[1].second.members.at(2).second.truth);
}

TEST_CASE("lm_eval: what the filter left, nothing, and what it could not find", "[records]") {
  const TempFolder folder;
  const auto read = reading::read_all(folder.write(kName, line(0, "f", "[\"the answer is 28\"]", 1) + line(1, "f", "[\"x\"]", 0, "[\"[invalid]\"]") + line(2, "f", "[\"x\"]", 0, "[null]") +
                                                              line(3, "f", "[\"5\"]", 0, "[5]") + line(4, "f", "[\"\"]", 0, "[\"\"]")));
  REQUIRE(read.samples.size() == 5);
  CHECK(read.samples[0].text(TextField::kScoreExtracted) == "28");
  CHECK(read.samples[0].integer(IntField::kScoreExtractionFailed, -1) == 0);
  CHECK(read.samples[0].text(TextField::kSeed) == "7");
  for (const size_t i : {1, 2}) {
    CHECK(read.samples[i].integer(IntField::kScoreExtractionFailed, -1) == 1);
    CHECK_FALSE(read.samples[i].has(TextField::kScoreExtracted));
  }
  CHECK_FALSE(read.samples[3].has(IntField::kScoreExtractionFailed));
}

TEST_CASE("lm_eval: lines of any key order, and of older releases", "[records]") {
  const TempFolder folder;
  const auto read = reading::read_all(folder.write(
      kName, R"({"resps": [["a", "b"]], "exact_match": true, "filter": "none", "doc_id": 3, "arguments": [["Q", {"temperature": 0.5}]], "metrics": ["exact_match"], "filtered_resps": ["a"], "target": 28})" "\n"
             R"({"doc_id": 4, "resps": [["c"]], "filter": "none", "acc": 0.25})" "\n"
             R"({"doc_id": 5, "resps": [[["-1.5", "False"]]], "filter": "none", "acc": 0})" "\n"
             R"({"doc_id": 6, "filter": "none"})" "\n"));
  REQUIRE(read.samples.size() == 4);
  CHECK(read.samples[0].text(TextField::kOutputText) == "a");
  CHECK(read.samples[0].text(TextField::kPromptText) == "Q");
  CHECK(read.samples[0].integer(IntField::kScoreCorrect, -1) == 1);
  CHECK(read.samples[0].text(TextField::kScoreGold) == "28");
  CHECK(read.samples[1].text(TextField::kOutputText) == "b");
  CHECK(read.samples[2].text(TextField::kScoreMetric) == "acc");
  CHECK_FALSE(read.samples[2].has(IntField::kScoreCorrect));  // a part of a point is neither
  CHECK_FALSE(read.samples[3].has_output());
  REQUIRE(read.problems.count == 1);
  CHECK(read.problems.first[0].message == "resps: is missing");
}

TEST_CASE("lm_eval: the task stands in the file's name", "[records]") {
  const TempFolder folder;
  const auto task = [&](const std::string& name) { return std::string(reading::read_all(folder.write(name, line(0, "f", "[\"x\"]", 1))).samples.at(0).text(TextField::kDataset)); };
  CHECK(task("samples_gpqa_main_cot_2026-08-20T10-15-02.114233.jsonl") == "gpqa_main_cot");
  CHECK(task("samples_x_2026-08-20T10-15-02.jsonl") == "x");
  CHECK(task("mine.jsonl") == "mine");
}

TEST_CASE("lm_eval: a run names metrics as its results do, and fills sampling and header", "[records]") {
  for (const char* path : {"run_lm_eval", "run_lm_eval/toy__Model-8B"}) {
    const auto read = reading::read_all(reading::golden(path));
    REQUIRE(read.samples.size() == 15);
    CHECK(read.samples[0].text(TextField::kModel) == "toy/Model-8B");
    CHECK(read.samples[0].text(TextField::kSeed) == "1234");
    CHECK(read.samples[0].real(RealField::kTemperature, -1) == 0);
    CHECK(read.samples[0].integer(IntField::kMaxTokens, 0) == 256);
    CHECK(read.samples[14].text(TextField::kScoreMetric) == "acc,none");
    CHECK_FALSE(read.samples[14].has(TextField::kSeed));
    CHECK(read.header.scores.size() == 4);
    JsonTree header;
    REQUIRE(parse_json_tree(read.header.json, &header));
    CHECK(member(header, "start_s").real() == 1787220902.114233);
    CHECK(member(header, "end_s").real() == Approx(1787220902.114233 + 41.7));
    CHECK(member(member(header, "model"), "max_length").integer() == 2048);
    CHECK(member(header, "tasks").members.size() == 2);
  }
}

TEST_CASE("lm_eval: of two runs of one task the later is read; keys never reach the header", "[records]") {
  const TempFolder folder;
  const std::string results = R"({"results": {"g": {"acc,none": 0.5, "acc_stderr,none": 0.1, "alias": "g"}}, "configs": {}, "n-samples": {"g": {"original": 9, "effective": 2}},
    "config": {"model": "local-completions", "model_args": "model=m,base_url=http://h/v1,api_key=SECRET,num_concurrent=4,seed=5"}, "date": 1})";
  for (const char* date : {"2026-08-20T10-15-02.1", "2026-08-21T10-15-02.1"}) {
    folder.write(std::string("results_") + date + ".json", results);
    folder.write(std::string("samples_g_") + date + ".jsonl", line(0, "none", "[\"" + std::string(date, 10) + "\"]", 1));
  }
  folder.write("samples_h_2026-08-22T10-15-02.1.jsonl", line(0, "none", "[\"x\"]", 1));
  const auto read = reading::read_all(folder.path());
  REQUIRE(read.samples.size() == 1);
  CHECK(read.samples[0].text(TextField::kOutputText) == "2026-08-21");
  CHECK(read.opening.count == 2);
  CHECK(read.header.scores.size() == 1);
  CHECK(read.header.scores[0].n == 2);
  CHECK(read.header.json.find("SECRET") == std::string::npos);
  CHECK(read.header.json.find("\"seed\": 5") != std::string::npos);
  CHECK(read.header.json.find("\"concurrency\": 4") != std::string::npos);
}

TEST_CASE("lm_eval: results alone, broken results and an empty samples file", "[records]") {
  const TempFolder folder;
  folder.write("results_2026-08-20T10-15-02.1.json", "{\"results\": {");
  folder.write("samples_g_2026-08-20T10-15-02.1.jsonl", "");
  const auto read = reading::read_all(folder.path());
  CHECK(read.samples.empty());
  CHECK(read.opening.count == 1);
  REQUIRE(read.problems.count == 1);
  CHECK(read.problems.first[0].message.find("is empty") == 0);
  std::string message;
  CHECK(reading::open_status(reading::golden("lm_eval_results_2026-08-20T10-15-02.114233.json"), &message) == VAA_ERROR_UNSUPPORTED);
  CHECK(message.find("--log_samples") != std::string::npos);
}

TEST_CASE("lm_eval: the prompt of very many repeats is not copied without bound", "[records]") {
  const TempFolder folder;
  std::string resps = "[\"t\"";
  for (int i = 1; i < 5000; ++i) resps += ",\"t\"";
  const std::string prompt(100000, 'q');
  std::string text = line(0, "f", resps + "]", 1);
  text.replace(text.find("\"Q\""), 3, "\"" + prompt + "\"");
  const auto read = reading::read_all(folder.write(kName, text));
  REQUIRE(read.samples.size() == 5000);
  CHECK(read.samples[0].text(TextField::kPromptText).size() == 100000);
  CHECK_FALSE(read.samples[4999].has(TextField::kPromptText));
  CHECK(read.problems.notes.size() == 1);
}
