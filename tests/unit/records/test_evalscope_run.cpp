// A run folder of evalscope: predictions joined with their reviews, scores of the reports.
#include <cJSON.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>

#include "catch.h"
#include "read_samples.h"

using namespace vaa;
using namespace vaa_test;

namespace {

class RunFolder {
 public:
  RunFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "vaa-run-XXXXXX").string();
    REQUIRE(mkdtemp(pattern.data()) != nullptr);
    path_ = pattern;
  }
  ~RunFolder() { std::filesystem::remove_all(path_); }
  RunFolder(const RunFolder&) = delete;
  RunFolder& operator=(const RunFolder&) = delete;
  void write(const std::string& name, const std::string& bytes) {
    const std::filesystem::path path = std::filesystem::path(path_) / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << bytes;
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

const char* kPredictions = "evalscope_predictions_gsm8k_main.jsonl";
const char* kReviews = "evalscope_reviews_gsm8k_main.jsonl";

std::string prediction(int index, const char* text = "x") {
  return R"({"index":)" + std::to_string(index) + R"(,"model_output":{"choices":[{"message":{"content":")" + text + R"("}}]}})" + "\n";
}
std::string review(int index, const std::string& score, int group) {
  return R"({"index":)" + std::to_string(index) + R"(,"target":"t","sample_score":{"score":)" + score + R"(,"group_id":)" + std::to_string(group) + "}}\n";
}

// The lines of a text in the opposite order.
std::string backwards(const std::string& text) {
  std::string out;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size() - 1) + 1;
    out.insert(0, text.substr(begin, end - begin));
    begin = end;
  }
  return out;
}

void check_scores(const Reading& reading) {
  const std::unique_ptr<cJSON, void (*)(cJSON*)> root(cJSON_Parse(file_bytes(golden_sample("expected.json")).c_str()), cJSON_Delete);
  const cJSON* file = cJSON_GetObjectItem(cJSON_GetObjectItem(root.get(), "files"), kReviews);
  const cJSON* accuracy = cJSON_GetArrayItem(cJSON_GetObjectItem(file, "accuracy"), 0);
  REQUIRE(static_cast<int>(reading.samples.size()) == cJSON_GetObjectItem(accuracy, "n")->valueint);
  double sum = 0;
  for (const Sample& sample : reading.samples) {
    const std::string id(sample.text(TextField::kId));
    INFO("id " << id);
    CHECK(sample.integer(IntField::kScoreCorrect, -1) == (cJSON_IsTrue(cJSON_GetObjectItem(cJSON_GetObjectItem(file, "correct"), id.c_str())) ? 1 : 0));
    CHECK(sample.text(TextField::kScoreMetric) == cJSON_GetObjectItem(accuracy, "metric")->valuestring);
    CHECK(sample.integer(IntField::kRepeat, -1) == 0);
    sum += sample.real(RealField::kScoreValue, 0);
  }
  CHECK(sum / static_cast<double>(reading.samples.size()) == cJSON_GetObjectItem(accuracy, "value")->valuedouble);
}

}  // namespace

TEST_CASE("evalscope run: predictions are joined with their reviews, in any order and compressed", "[records]") {
  const std::string predictions = file_bytes(golden_sample(kPredictions)), reviews = file_bytes(golden_sample(kReviews));
  for (const int form : {0, 1, 2, 3}) {
    INFO("form " << form);
    RunFolder run;
    run.write(std::string("predictions/toy-8b/gsm8k_main.jsonl") + (form == 2 ? ".zst" : ""), form == 2 ? zstd(predictions) : predictions);
    if (form == 0) run.write("reviews/toy-8b/gsm8k_main.jsonl", reviews);
    if (form == 1) run.write("reviews/toy-8b/gsm8k_main.jsonl", backwards(reviews));
    if (form == 2) run.write("reviews/toy-8b/gsm8k_main.jsonl.gz", gzip(reviews));
    if (form == 3) run.write("reviews/toy-8b/gsm8k_main.jsonl.zst", zstd(backwards(reviews)));
    const Reading reading = read_input(run.path());
    CHECK(reading.format == "evalscope");
    CHECK(reading.problems.count == 0);
    check_scores(reading);
    const Sample& sample = reading.samples[0];
    CHECK(sample.text(TextField::kDataset) == "gsm8k_main");
    CHECK(sample.text(TextField::kSourceFile).substr(0, 35) == "predictions/toy-8b/gsm8k_main.jsonl");
    CHECK(sample.text(TextField::kScoreGold) == "28");
    CHECK(sample.text(TextField::kScoreExtracted) == "28");
    CHECK(sample.integer(IntField::kScoreExtractionFailed, -1) == 0);
    const Sample& loop = reading.samples[1];
    CHECK_FALSE(loop.has(TextField::kScoreExtracted));
    CHECK(loop.integer(IntField::kScoreExtractionFailed, -1) == 1);
    const Sample& failed = reading.samples[7];
    CHECK(failed.failed());
    CHECK_FALSE(failed.has(IntField::kScoreExtractionFailed));
  }
}

TEST_CASE("evalscope run: repeats by group, several metrics, a share, missing and odd reviews", "[records]") {
  RunFolder run;
  run.write("predictions/m/ds_a.jsonl", prediction(0) + prediction(1) + prediction(2) + prediction(3) + prediction(4));
  run.write("reviews/m/ds_a.jsonl", review(0, R"({"value":{"acc":true,"f1":0.5}})", 0) + review(1, R"({"value":{"acc":0.0},"extracted_prediction":7})", 0) + "{\n" +
                                        review(2, R"({"value":{"f1":0.25,"acc":1},"main_score_name":"acc","extracted_prediction":"NULL"})", 1) + review(4, R"({"value":{"f1":0.25}})", 1));
  const Reading reading = read_input(run.path());
  REQUIRE(reading.samples.size() == 5);
  CHECK(reading.samples[0].text(TextField::kScoreMetric) == "acc");
  CHECK(reading.samples[0].integer(IntField::kScoreCorrect, -1) == 1);
  CHECK(reading.samples[0].text(TextField::kExtra).find("\"f1\"") != std::string::npos);
  CHECK(reading.samples[1].integer(IntField::kRepeat, -1) == 1);
  CHECK(reading.samples[1].text(TextField::kScoreExtracted) == "7");
  CHECK(reading.samples[1].text(TextField::kExtra) == R"({"group_id":0})");
  CHECK(reading.samples[2].text(TextField::kScoreMetric) == "acc");
  CHECK(reading.samples[2].integer(IntField::kScoreExtractionFailed, -1) == 1);
  CHECK(reading.samples[2].integer(IntField::kRepeat, -1) == 0);
  CHECK_FALSE(reading.samples[3].has(RealField::kScoreValue));
  CHECK(reading.samples[4].integer(IntField::kRepeat, -1) == 1);
  CHECK(reading.samples[4].real(RealField::kScoreValue, 0) == 0.25);
  CHECK_FALSE(reading.samples[4].has(IntField::kScoreCorrect));
  REQUIRE(reading.problems.count == 1);
  CHECK(reading.problems.first[0].file == "reviews/m/ds_a.jsonl");
  CHECK(reading.problems.first[0].line == 3);
  REQUIRE(reading.problems.notes.size() == 1);
  CHECK(reading.problems.notes[0] == "predictions/m/ds_a.jsonl: 1 answers have no review");
}

TEST_CASE("evalscope run: the scores of the reports, by predictions file", "[records]") {
  RunFolder run;
  run.write("predictions/m/ds_a.jsonl", prediction(0));
  run.write("predictions/m/ds_b.jsonl", prediction(0));
  run.write("reports/m/ds.json", R"({"name":"m@ds","dataset_name":"ds","model_name":"m","score":0.6,"metrics":[{"name":"mean_acc","num":5,"score":0.6,"categories":[{"name":["default"],"subsets":[)"
                                 R"({"name":"a","score":0.5,"num":4},{"name":"b","score":1.0,"num":1},{"name":"OVERALL","score":0.6,"num":5,"is_aggregate":true}]}]}]})");
  run.write("reports/m/other.json", "{");
  run.write("configs/task_config.yaml", "model: m\n");
  const std::unique_ptr<const Input> input = open_input(run.path(), {});
  CHECK(input->format() == "evalscope");
  const std::vector<TaskScore>& scores = input->header().scores;
  REQUIRE(scores.size() == 2);
  CHECK(scores[0].dataset == "ds_a");
  CHECK(scores[0].metric == "acc");
  CHECK(scores[0].value == 0.5);
  CHECK(scores[0].n == 4);
  CHECK_FALSE(scores[0].percent);
  CHECK(scores[1].dataset == "ds_b");
  CHECK(input->header().json.find("\"evalscope\"") != std::string::npos);
  CHECK(input->problems().count == 3);  // two files without reviews, one report that is none
  CHECK(input->problems().notes.size() == 1);
}
