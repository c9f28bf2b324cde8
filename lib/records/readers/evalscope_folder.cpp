// A run folder of evalscope: predictions/<model>/*.jsonl, each joined with reviews/<model>/ of the same name; scores of reports/<model>/*.json. Its config is YAML, which is
// not read: sampling is not recorded.
#include <sys/stat.h>

#include <algorithm>

#include "base/json_writer.h"
#include "records/file_input.h"
#include "records/folder_input.h"
#include "records/json_tree.h"
#include "records/readers/evalscope_reviews.h"
#include "records/run_header.h"

namespace vaa {
namespace {

constexpr size_t kMaxReport = size_t{64} << 20;  // bytes

struct PredictionFile {
  std::string model;    // folder in predictions/
  std::string path;     // relative to the run
  std::string dataset;  // the file's name: <benchmark>_<subset>
};

bool is_lines(std::string_view name) { return ends_with(name, ".jsonl") || ends_with(name, ".jsonl.gz") || ends_with(name, ".jsonl.zst"); }

std::vector<PredictionFile> prediction_files(const std::string& folder) {
  std::vector<PredictionFile> files;
  const std::string predictions = join_path(folder, "predictions");
  for (const FolderEntry& model : list_folder(predictions)) {
    if (!model.folder) continue;
    for (const FolderEntry& entry : list_folder(join_path(predictions, model.name))) {
      const std::string path = "predictions/" + model.name + "/" + entry.name;
      if (!entry.folder && is_lines(entry.name) && is_file(join_path(folder, path))) files.push_back({model.name, path, file_stem(entry.name)});
    }
  }
  return files;
}

// The review of a predictions file; "" : there is none.
std::string review_path(const std::string& folder, const PredictionFile& file) {
  for (const char* end : {".jsonl", ".jsonl.gz", ".jsonl.zst"}) {
    std::string path = "reviews/" + file.model + "/" + file.dataset + end;
    if (is_file(join_path(folder, path))) return path;
  }
  return {};
}

class EvalscopeRun final : public Input {
 public:
  EvalscopeRun(std::string folder, std::vector<PredictionFile> files, const OpenOptions& options) : folder_(std::move(folder)), files_(std::move(files)), options_(options) {
    options_.format.clear();
    for (const PredictionFile& file : files_) {
      struct stat info {};
      if (::stat(join_path(folder_, file.path).c_str(), &info) == 0) bytes_ += info.st_size;
    }
    describe();
  }
  std::unique_ptr<SampleStream> open() const override;
  int64_t bytes_total() const override { return bytes_; }
  std::string_view format() const override { return "evalscope"; }
  const std::string& folder() const { return folder_; }
  const std::vector<PredictionFile>& files() const { return files_; }
  const OpenOptions& options() const { return options_; }

 private:
  void describe();
  void read_reports(const std::string& model, RunFacts* facts);
  void read_report(const JsonTree& report, const std::string& model, RunFacts* facts);
  std::string folder_;
  std::vector<PredictionFile> files_;
  OpenOptions options_;
  int64_t bytes_ = 0;
};

// Scores of the subsets that have predictions; the mean of "acc" is called "mean_acc" there.
void EvalscopeRun::read_report(const JsonTree& report, const std::string& model, RunFacts* facts) {
  const std::string benchmark(member(report, "dataset_name").string());
  for (const auto& metric : member(report, "metrics").members) {
    const std::string name(member(metric.second, "name").string());
    for (const auto& category : member(metric.second, "categories").members) {
      for (const auto& subset : member(category.second, "subsets").members) {
        const std::string dataset = benchmark + "_" + std::string(member(subset.second, "name").string());
        const auto has_file = [&](const PredictionFile& file) { return file.model == model && file.dataset == dataset; };
        if (!member(subset.second, "score").is(JsonKind::kNumber) || std::none_of(files_.begin(), files_.end(), has_file)) continue;
        const double score = member(subset.second, "score").real();
        const int64_t questions = member(subset.second, "num").integer();
        auto task = std::find_if(facts->tasks.begin(), facts->tasks.end(), [&](const RunTask& t) { return t.dataset == dataset; });
        if (task == facts->tasks.end()) {
          facts->tasks.emplace_back();
          task = facts->tasks.end() - 1;
          task->dataset = dataset;
          task->questions = questions;
        }
        task->scores.emplace_back(name, score);
        header_.scores.push_back({dataset, starts_with(name, "mean_") ? name.substr(5) : name, score, questions, false, {}});
      }
    }
  }
}

void EvalscopeRun::read_reports(const std::string& model, RunFacts* facts) {
  const std::string below = "reports/" + model;
  if (!is_folder(join_path(folder_, below))) return;
  for (const FolderEntry& entry : list_folder(join_path(folder_, below))) {
    const std::string path = join_path(below, entry.name);
    if (entry.folder || !ends_with(entry.name, ".json") || !is_file(join_path(folder_, path))) continue;
    const std::unique_ptr<ByteWindow> window = open_window(join_path(folder_, path));
    while (window->bytes().size() < kMaxReport && window->more()) {
    }
    JsonTree report;
    if (parse_json_tree(window->bytes(), &report)) read_report(report, model, facts);
    else problems_.add(path, 0, "is no JSON document: the scores of the report are not recorded");
  }
}

void EvalscopeRun::describe() {
  RunFacts facts;
  facts.tool_name = "evalscope";
  facts.model_name = files_.front().model;
  std::string model;
  size_t models = 0;
  for (const PredictionFile& file : files_) {
    if (review_path(folder_, file).empty()) problems_.add(file.path, 0, "has no reviews/" + file.model + "/" + file.dataset + ".jsonl beside it: its scores are not recorded");
    if (file.model == model) continue;
    model = file.model;
    ++models;
    read_reports(model, &facts);
  }
  if (models > 1) problems_.note("the run holds " + std::to_string(models) + " models, the header is that of " + facts.model_name);
  if (is_folder(join_path(folder_, "configs"))) problems_.note("the config of evalscope is YAML, which is not read: sampling parameters are not recorded");
  std::string stamp = folder_;
  while (ends_with(stamp, "/")) stamp.pop_back();
  JsonWriter extra(&facts.extra_json);
  extra.begin_object().member("folder", stamp.substr(stamp.rfind('/') + 1)).end_object();
  header_.json = header_json(facts);
}

class EvalscopeRunStream final : public SampleStream {
 public:
  explicit EvalscopeRunStream(const EvalscopeRun& run) : run_(run) {}
  int64_t bytes_done() const override { return done_ + (stream_ ? stream_->bytes_done() : 0); }

  bool next(Sample* sample) override {
    for (;;) {
      if (stream_) {
        const bool more = stream_->next(sample);
        problems_.take_new(&stream_->problems(), &carried_);
        if (more) {
          if (reviews_ && !reviews_->join(sample)) ++without_;
          return true;
        }
        close();
      }
      if (at_ == run_.files().size()) {
        sample->clear();
        return false;
      }
      open(run_.files()[at_++]);
    }
  }

 private:
  void open(const PredictionFile& file) {
    std::optional<Failure> fault;
    input_ = FileInput::open_file(join_path(run_.folder(), file.path), file.path, run_.options(), &fault);
    if (!input_) return problems_.add(file.path, 0, "left out: " + fault->message());
    const std::string path = review_path(run_.folder(), file);
    reviews_.reset();
    without_ = 0;
    if (!path.empty()) reviews_ = std::make_unique<EvalscopeReviews>(join_path(run_.folder(), path), path, run_.options().max_line, &problems_);
    carried_ = 0;
    stream_ = input_->open();
  }

  void close() {
    if (without_ > 0) problems_.note(run_.files()[at_ - 1].path + ": " + std::to_string(without_) + " answers have no review");
    done_ += stream_->bytes_done();
    stream_.reset();
  }

  const EvalscopeRun& run_;
  std::unique_ptr<Input> input_;
  std::unique_ptr<SampleStream> stream_;
  std::unique_ptr<EvalscopeReviews> reviews_;
  size_t at_ = 0;
  int64_t carried_ = 0, done_ = 0, without_ = 0;
};

std::unique_ptr<SampleStream> EvalscopeRun::open() const { return std::make_unique<EvalscopeRunStream>(*this); }

// The first predictions file that is of any format says whose run it is.
std::unique_ptr<Input> open_run(const std::string& folder, const OpenOptions& options) {
  if (!is_folder(join_path(folder, "predictions"))) return nullptr;
  std::vector<PredictionFile> files = prediction_files(folder);
  OpenOptions any = options;
  any.format.clear();
  for (const PredictionFile& file : files) {
    std::optional<Failure> fault;
    const auto input = FileInput::open_file(join_path(folder, file.path), file.path, any, &fault);
    if (!input) continue;
    if (input->format() != "evalscope") return nullptr;
    return std::make_unique<EvalscopeRun>(folder, std::move(files), options);
  }
  return nullptr;
}

}  // namespace

extern const FolderFormat kEvalscopeFolder;
const FolderFormat kEvalscopeFolder = {"evalscope", open_run};

}  // namespace vaa
