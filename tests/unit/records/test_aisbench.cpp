#include "catch.h"
#include "read_samples.h"
#include "reading.h"
#include "records/json_tree.h"
#include "records/readers/aisbench_lines.h"

using namespace vaa;
using reading::TempFolder;

namespace {

const std::string kModel = "vllm-api-general-chat";

std::string line(const std::string& id, const std::string& prediction, const std::string& more = "") {
  return "{\"data_abbr\": \"gsm8k\", \"id\": " + id + ", \"success\": true, \"uuid\": \"u" + id + "\", \"prediction\": " + prediction + more + "}\n";
}

// A run with a config and nothing else yet.
void make_run(const TempFolder& folder, const std::string& kwargs = "temperature=0.6") {
  folder.write("configs/20260101_000000_1.py", "cli_args = dict(models=['m one'], datasets=['gsm8k'], mode='all', work_dir='out put', config=None)\nmodels = [dict(abbr='" + kModel +
                                                   "', model='toy', type='ais_bench.x', batch_size=8, max_out_len=512, url='http://u:key@host:1/v1?k=s', generation_kwargs=dict(" + kwargs + "))]\n");
}

const Sample* find(const reading::Read& read, const std::string& id, int64_t repeat = 0) {
  for (const Sample& s : read.samples)
    if (s.text(TextField::kId) == id && s.integer(IntField::kRepeat, -1) == repeat) return &s;
  return nullptr;
}

}  // namespace

TEST_CASE("aisbench: the four shapes of reasoning", "[records]") {
  const TempFolder folder;
  const auto read = reading::read_all(folder.write("a.jsonl", line("0", R"("\n<think>why</think>\nso")") + line("1", R"("why</think>so")") + line("2", R"("<think>why")") + line("3", R"("so")")));
  REQUIRE(read.samples.size() == 4);
  CHECK(read.samples[0].text(TextField::kOutputReasoning) == "why");
  CHECK(read.samples[0].text(TextField::kOutputText) == "\nso");
  CHECK(read.samples[0].text(TextField::kExtra).find(R"(["\n<think>","</think>"])") != std::string_view::npos);
  CHECK(read.samples[1].text(TextField::kOutputReasoning) == "why");
  CHECK(read.samples[1].text(TextField::kOutputText) == "so");
  CHECK(read.samples[1].text(TextField::kExtra).find(R"(["","</think>"])") != std::string_view::npos);
  CHECK_FALSE(read.samples[2].has(TextField::kOutputReasoning));
  CHECK(read.samples[2].text(TextField::kOutputText) == "<think>why");
  CHECK_FALSE(read.samples[3].has(TextField::kOutputReasoning));
  CHECK_FALSE(read.samples[3].has(TextField::kExtra));
}

TEST_CASE("aisbench: roles become those of a chat, and a text prompt stays text", "[records]") {
  const TempFolder folder;
  const auto read = reading::read_all(folder.write(
      "a.jsonl", line("0", "\"x\"", R"(, "origin_prompt": [{"role": "SYSTEM", "prompt": "s\u00e9"}, {"prompt": "q", "role": "HUMAN"}, {"role": "BOT", "prompt": [1]}])") +
                     line("1", "\"x\"", R"(, "origin_prompt": "plain")") + line("2", "\"x\"", R"(, "origin_prompt": ["a", "b"], "ppl_list": [{"label": "A", "ppl": 1.5}])")));
  REQUIRE(read.samples.size() == 3);
  CHECK(read.samples[0].text(TextField::kPromptMessages) == R"([{"role":"system","content":"s\u00e9"},{"role":"user","content":"q"},{"role":"assistant","content":[1]}])");
  CHECK(read.samples[1].text(TextField::kPromptText) == "plain");
  CHECK_FALSE(read.samples[2].has(TextField::kPromptMessages));
  CHECK_FALSE(read.samples[2].has_output());  // a label that was likeliest is no generation
  CHECK(read.samples[2].text(TextField::kScoreExtracted) == "x");
}

TEST_CASE("aisbench: the gold of a worked answer is what follows its last line's mark", "[records]") {
  const auto gold = [](const std::string& text) {
    Sample s;
    s.set(TextField::kScoreGold, text);
    trim_worked_gold(&s);
    return std::string(s.text(TextField::kScoreGold));
  };
  CHECK(gold("14 + 9 = 23\n#### 28") == "28");
  CHECK(gold("#### 1,234 \n") == "1,234");
  CHECK(gold("#### heading\nand more") == "#### heading\nand more");
  CHECK(gold("28") == "28");
  CHECK(gold("") == "");
  CHECK(gold("####") == "####");
}

TEST_CASE("aisbench: several data sets in one file, and repeats of an id by their rank", "[records]") {
  const TempFolder folder;
  const std::string other = "{\"data_abbr\": \"aime\", \"id\": 0, \"prediction\": \"y\"}\n";
  const auto read = reading::read_all(folder.write("cevaldataset.jsonl", line("0", "\"a\"") + other + line("0", "\"b\"") + other));
  REQUIRE(read.samples.size() == 4);
  CHECK(read.samples[1].text(TextField::kDataset) == "aime");
  CHECK(read.samples[1].integer(IntField::kRepeat, -1) == 0);
  CHECK(read.samples[2].integer(IntField::kRepeat, -1) == 1);
  CHECK(read.samples[3].integer(IntField::kRepeat, -1) == 1);
}

TEST_CASE("aisbench: turns, agent tasks, failures and what is no answer", "[records]") {
  const TempFolder folder;
  const auto read = reading::read_all(folder.write("a.jsonl", line("0", R"(["one", "two"])") + line("1", R"({"action": "x"})") + line("2", "null") + line("3", "17") + line("4", R"([1])") +
                                                                  R"({"data_abbr": "gsm8k", "id": 5})" "\n" R"({"data_abbr": "g", "id": 6, "success": false, "prediction": ""})" "\n"));
  REQUIRE(read.samples.size() == 4);
  CHECK(read.samples[0].text(TextField::kOutputText) == "one\n\ntwo");
  CHECK_FALSE(read.samples[1].has(TextField::kOutputText));
  CHECK_FALSE(read.samples[2].has(TextField::kOutputText));
  CHECK(read.samples[3].failed());
  CHECK_FALSE(read.samples[3].has(TextField::kOutputText));
  REQUIRE(read.problems.count == 3);
  CHECK(read.problems.first[0].message == "prediction: is a number, must be text");
  CHECK(read.problems.first[2].message.find("prediction: is missing") == 0);
  CHECK(read.problems.notes.size() == 1);
}

TEST_CASE("aisbench: a run joins score, extraction, ids, top-k and msProbe's verdict", "[records]") {
  const auto read = reading::read_all(reading::golden("run_aisbench"));
  const Sample* zero = find(read, "0");
  REQUIRE(zero);
  CHECK(zero->text(TextField::kScoreGold) == "28");
  CHECK(zero->text(TextField::kScoreExtracted) == "28");
  CHECK(zero->integer(IntField::kScoreExtractionFailed, -1) == 0);
  CHECK(zero->text(TextField::kScoreMetric) == "accuracy");
  CHECK(zero->text(TextField::kModel) == "toy-8b");
  CHECK(zero->integer(IntField::kMaxTokens, 0) == 123);
  CHECK(zero->text(TextField::kSeed) == "1024");
  CHECK(zero->integer(IntField::kIgnoreEos, -1) == 0);
  const auto& ids = zero->ids.get(IdsField::kOutputTokenIds);
  const auto& ends = zero->int_lists.get(IntsField::kOutputTopEnds);
  const auto& top = zero->ids.get(IdsField::kOutputTopIds);
  const auto& top_logprobs = zero->real_lists.get(RealsField::kOutputTopLogprobs);
  REQUIRE(ends.size() == ids.size());
  CHECK(ids.back() == 2);
  CHECK(zero->integer(IntField::kIdsIncludeStop, 0) == 1);
  for (size_t i = 0, at = 0; i < ids.size(); at = static_cast<size_t>(ends[i++])) {
    CHECK(top[at] == ids[i]);  // the sampled token first, then the others by falling logprob
    CHECK(top_logprobs[at] == zero->real_lists.get(RealsField::kOutputLogprobs)[i]);
    for (size_t k = at + 2; k < static_cast<size_t>(ends[i]); ++k) CHECK(top_logprobs[k] <= top_logprobs[k - 1]);
  }
  CHECK(find(read, "6")->int_lists.get(IntsField::kOutputTopEnds)[0] == 20);
  const Sample* two = find(read, "2");
  CHECK_FALSE(two->has(IdsField::kOutputTokenIds));
  CHECK(two->text(TextField::kExtra).find("\"detection_status\": \"skipped\"") != std::string_view::npos);
  CHECK(two->integer(IntField::kScoreExtractionFailed, -1) == 1);
  CHECK_FALSE(two->has(TextField::kScoreExtracted));
  CHECK(find(read, "1")->text(TextField::kExtra).find("\"anomaly_type_name\": \"repetition\"") != std::string_view::npos);
  CHECK(find(read, "1")->ids.get(IdsField::kOutputTokenIds).size() == 123);
  CHECK(read.header.add_scores_command.empty());
  CHECK(read.opening.count == 0);
}

TEST_CASE("aisbench: a failed request is scored wrong, and its stand-in is no empty answer", "[records]") {
  const auto read = reading::read_all(reading::golden("run_aisbench"));
  const Sample* seven = find(read, "7");
  REQUIRE(seven);
  CHECK(seven->failed());
  CHECK(seven->text(TextField::kErrorMessage).find("After 2 retries") == 0);
  CHECK_FALSE(seven->has(TextField::kOutputText));
  CHECK(seven->integer(IntField::kScoreCorrect, -1) == 0);
  CHECK_FALSE(seven->has(IntField::kScoreExtractionFailed));
  CHECK(seven->text(TextField::kScoreGold) == "55");
}

TEST_CASE("aisbench: where there are no details the command that adds them is named", "[records]") {
  const TempFolder folder;
  make_run(folder);
  folder.write("predictions/" + kModel + "/gsm8k.jsonl", line("0", "\"a\"") + line("1", "\"b\""));
  folder.write("predictions/" + kModel + "/gsm8k_failed.jsonl", R"({"data_abbr": "gsm8k", "id": 2, "input": "q", "error_info": "e"})" "\n");
  folder.write("results/" + kModel + "/gsm8k.json", "{\n    \"accuracy\": 33.3\n}");
  const auto read = reading::read_all(folder.path());
  REQUIRE(read.samples.size() == 3);
  REQUIRE(read.header.scores.size() == 1);
  CHECK(read.header.scores[0].n == 3);
  CHECK(read.header.scores[0].percent);
  const std::string stamp = folder.path().substr(folder.path().rfind('/') + 1);
  CHECK(read.header.add_scores_command == "ais_bench --models 'm one' --datasets gsm8k --mode eval --reuse " + stamp + " --dump-eval-details --work-dir 'out put'");
  CHECK(read.header.json.find("\"http://host:1/v1\"") != std::string::npos);
  CHECK(read.header.json.find("key@") == std::string::npos);
}

TEST_CASE("aisbench: details of repeats, a list by question and a list by rounds", "[records]") {
  // By rounds: the entries hold the first answers of all questions, then the second ones (release 3.1); by question: all answers of one.
  for (const bool rounds : {false, true}) {
    INFO(rounds);
    const TempFolder folder;
    make_run(folder, "num_return_sequences=2");
    folder.write("predictions/" + kModel + "/gsm8k.jsonl", line("0", "\"a\"") + line("2", "\"e\"") + line("1", "\"c\"") + line("0", "\"b\"") + line("1", "\"d\"") + line("2", "\"f\""));
    const auto entry = [](int i, const char* p, const char* q, const char* g, const char* h, const char* c) {
      return std::string("{\"example_abbr\": \"gsm8k_") + std::to_string(i) + "\", \"pred\": [\"" + p + "\", \"" + q + "\"], \"answer\": [\"" + g + "\", \"" + h + "\"], \"correct\": " + c + "}";
    };
    const std::string by_rounds = entry(0, "pa", "pc", "g0", "g1", "[true, false]") + "," + entry(1, "pe", "pb", "g2", "g0", "[true, false]") + "," + entry(2, "pd", "pf", "g1", "g2", "[true, true]");
    const std::string by_question = entry(0, "pa", "pb", "g0", "g0", "[true, false]") + "," + entry(1, "pc", "pd", "g1", "g1", "[false, true]") + "," + entry(2, "pe", "pf", "g2", "g2", "[true, true]");
    folder.write("results/" + kModel + "/gsm8k.json", "{\"accuracy (2 runs average)\": 66.7, \"pass@2\": 100.0, \"details\": [" + (rounds ? by_rounds : by_question) + "]}");
    const auto read = reading::read_all(folder.path());
    REQUIRE(read.samples.size() == 6);
    for (const Sample& s : read.samples) {
      CHECK(s.text(TextField::kScoreExtracted) == "p" + std::string(s.text(TextField::kOutputText)));
      CHECK(s.text(TextField::kScoreGold) == "g" + std::string(s.text(TextField::kId)));
      CHECK(s.text(TextField::kScoreMetric) == "accuracy (2 runs average)");
      const bool wrong = s.text(TextField::kOutputText) == "b" || s.text(TextField::kOutputText) == "c";
      CHECK(s.integer(IntField::kScoreCorrect, -1) == !wrong);
    }
    CHECK(read.header.scores.size() == 2);
    CHECK(read.header.scores[0].n == 3);
    CHECK(read.problems.notes.empty());
  }
}

TEST_CASE("aisbench: an evaluator that gives no details is followed where equality gives its accuracy", "[records]") {
  for (const bool same : {true, false}) {
    const TempFolder folder;
    make_run(folder);
    folder.write("predictions/" + kModel + "/gsm8k.jsonl", line("0", "\"a\"") + line("1", "\"b\""));
    folder.write("results/" + kModel + "/gsm8k.json", std::string("{\"accuracy\": ") + (same ? "50.0" : "100.0") +
                                                            R"(, "details": {"0": {"predictions": "B", "references": "B"}, "1": {"predictions": "", "references": "A"}}, "type": "GEN"})");
    const auto read = reading::read_all(folder.path());
    REQUIRE(read.samples.size() == 2);
    CHECK(read.samples[0].has(IntField::kScoreCorrect) == same);
    CHECK(read.samples[0].text(TextField::kScoreExtracted) == "B");
    CHECK(read.samples[1].integer(IntField::kScoreExtractionFailed, -1) == 1);
    CHECK(read.samples[1].text(TextField::kScoreGold) == "A");
    CHECK(read.opening.notes.size() == (same ? 0 : 1));
    if (same) CHECK(read.samples[1].integer(IntField::kScoreCorrect, -1) == 0);
  }
}

TEST_CASE("aisbench: a failure is one more repeat of its question", "[records]") {
  const TempFolder folder;
  make_run(folder, "num_return_sequences=2");
  folder.write("predictions/" + kModel + "/gsm8k.jsonl", line("0", "\"a\"") + line("1", "\"b\"") + line("1", "\"c\""));
  folder.write("predictions/" + kModel + "/gsm8k_failed.jsonl", R"({"data_abbr": "gsm8k", "id": 0, "input": "q", "error_info": "e"})" "\n");
  const auto read = reading::read_all(folder.path());
  REQUIRE(read.samples.size() == 4);
  const Sample* failed = find(read, "0", 1);
  REQUIRE(failed);
  CHECK(failed->failed());
  CHECK(failed->text(TextField::kPromptText) == "q");
}

TEST_CASE("aisbench: legacy predictions in parts are one data set, in the order of their numbers", "[records]") {
  const TempFolder folder;
  make_run(folder);
  std::string details = "{\"accuracy\": 100.0, \"details\": {";
  for (int part = 0; part < 11; ++part) {
    const auto entry = [&](int k) { return "\"" + std::to_string(k) + "\": {\"origin_prompt\": \"q\", \"prediction\": \"t" + std::to_string(part * 2 + k) + "\"}"; };
    folder.write("predictions/" + kModel + "/gsm8k_" + std::to_string(part) + ".json", "{" + entry(0) + ", " + entry(1) + "}");
  }
  for (int i = 0; i < 22; ++i)
    details += std::string(i ? "," : "") + "\"" + std::to_string(i) + "\": {\"predictions\": [\"" + std::to_string(i) + "\"], \"references\": [\"1\"], \"correct\": [true]}";
  folder.write("results/" + kModel + "/gsm8k.json", details + "}}");
  const auto read = reading::read_all(folder.path());
  REQUIRE(read.samples.size() == 22);
  for (size_t i = 0; i < 22; ++i) {
    CHECK(read.samples[i].text(TextField::kId) == std::to_string(i));
    CHECK(read.samples[i].text(TextField::kOutputText) == "t" + std::to_string(i));
    CHECK(read.samples[i].text(TextField::kDataset) == "gsm8k");
    CHECK(read.samples[i].text(TextField::kScoreExtracted) == std::to_string(i));
  }
}

TEST_CASE("aisbench: what is missing or broken in a run is said, and the rest is read", "[records]") {
  const TempFolder folder;
  make_run(folder);
  folder.write("predictions/" + kModel + "/gsm8k.jsonl", line("0", "\"a\"") + "broken\n");
  folder.write("predictions/" + kModel + "/aime.jsonl", "");
  folder.write("results/" + kModel + "/gsm8k.json", R"({"accuracy": 50.0, "details": {"0": {"correct": [true]}, "1": {"correct": [false]}, "2": {"cor)");
  folder.write("response_anomaly/" + kModel + "/gsm8k.jsonl", "{\"uuid\": \"u0\"}\n");
  folder.write("response_anomaly/" + kModel + "/payload/gsm8k/part-0.jsonl.zst", vaa_test::zstd(R"({"uuid":"u0","response_anomaly_payload":{"tokens":[1,"x"]}})").substr(0, 40));
  const auto read = reading::read_all(folder.path());
  REQUIRE(read.samples.size() == 1);
  CHECK(read.samples[0].integer(IntField::kScoreCorrect, -1) == 1);
  REQUIRE(read.opening.count == 1);
  CHECK(read.opening.first[0].message.find("truncated") != std::string::npos);
  std::string all;
  for (const Problem& p : read.problems.first) all += p.file + ": " + p.message + "\n";
  CHECK(all.find("aime.jsonl: is empty") != std::string::npos);
  CHECK(all.find("gsm8k.jsonl: column 1") != std::string::npos);
  CHECK(all.find("is no verdict") != std::string::npos);
  CHECK(all.find("part-0.jsonl.zst: ") != std::string::npos);
  REQUIRE(read.problems.notes.size() == 1);
  CHECK(read.problems.notes[0].find("1 of 2 questions") != std::string::npos);
}

TEST_CASE("aisbench: a name in a line never leads out of the run", "[records]") {
  const TempFolder folder;
  make_run(folder);
  folder.write("secret.json", R"({"accuracy": 1.0, "details": {"0": {"correct": [true]}}})");
  folder.write("results/" + kModel + "/x.json", "{}");
  folder.write("predictions/" + kModel + "/x.jsonl", R"({"data_abbr": "../../secret", "id": 0, "prediction": "y"})" "\n");
  const auto read = reading::read_all(folder.path());
  REQUIRE(read.samples.size() == 1);
  CHECK_FALSE(read.samples[0].has(IntField::kScoreCorrect));
}

TEST_CASE("aisbench: a folder or a file of a run works as itself", "[records]") {
  CHECK(reading::read_all(reading::golden("run_aisbench/predictions/vllm-api-general-chat/gsm8k.jsonl")).samples.size() == 9);
  const auto read = reading::read_all(reading::golden("run_aisbench/predictions"));
  CHECK(read.samples.size() == 14);  // tmp/ holds every line once more
  CHECK(reading::read_all(reading::golden("run_aisbench/")).samples.size() == 14);
}
