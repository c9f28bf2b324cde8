// A folder of lm-eval: results_<date>.json with the samples_*.jsonl of its date, in the folder itself or in folders of models in it.
#include <sys/stat.h>

#include <algorithm>
#include <map>

#include "records/file_input.h"
#include "records/folder_input.h"
#include "records/readers/lm_eval.h"
#include "records/readers/lm_eval_results.h"

namespace vaa {
namespace {

struct SamplesFile {
  std::string path;     // relative
  std::string folder;   // of it
  LmEvalName name;
  std::string results;  // relative
};

class LmEvalRun final : public Input {
 public:
  LmEvalRun(std::string folder, const OpenOptions& options) : folder_(std::move(folder)), options_(options) {
    options_.format.clear();
    list("");
    if (files_.empty())
      for (const FolderEntry& entry : list_folder(folder_))
        if (entry.folder && can_list(join_path(folder_, entry.name))) list(entry.name);
    std::sort(files_.begin(), files_.end(), [](const SamplesFile& a, const SamplesFile& b) { return a.path < b.path; });
    drop_older();
    describe();
  }
  std::unique_ptr<SampleStream> open() const override;
  int64_t bytes_total() const override { return bytes_; }
  std::string_view format() const override { return "lm_eval"; }

  // What is added to the samples of one results file.
  struct Facts {
    std::string model;
    Sample defaults;
  };
  const std::string& folder() const { return folder_; }
  const OpenOptions& options() const { return options_; }
  const std::vector<SamplesFile>& files() const { return files_; }
  const Facts& facts(const SamplesFile& file) const { return facts_.at(file.results); }

 private:
  void list(const std::string& below);
  void drop_older();
  void describe();
  std::string folder_;
  OpenOptions options_;
  std::vector<SamplesFile> files_;
  std::map<std::string, Facts> facts_;
  int64_t bytes_ = 0;
};

bool is_json(std::string_view name) { return ends_with(name, ".json"); }
bool is_samples(std::string_view name) { return starts_with(name, "samples_") && (ends_with(name, ".jsonl") || ends_with(name, ".jsonl.gz") || ends_with(name, ".jsonl.zst")); }

// The samples of one folder that a results file of their date stands beside.
void LmEvalRun::list(const std::string& below) {
  std::map<std::string, std::string> results;  // date to path
  std::vector<SamplesFile> found;
  for (const FolderEntry& entry : list_folder(join_path(folder_, below))) {
    if (entry.folder) continue;
    const std::string path = join_path(below, entry.name), stem = file_stem(entry.name);
    if (is_samples(entry.name)) found.push_back({path, below, lm_eval_name(stem), {}});
    else if (is_json(entry.name) && !lm_eval_date(stem).empty()) results.emplace(std::string(lm_eval_date(stem)), path);
  }
  for (SamplesFile& file : found) {
    const auto at = results.find(file.name.date);
    if (file.name.date.empty() || at == results.end() || !is_file(join_path(folder_, file.path))) {
      if (!results.empty()) problems_.add(file.path, 0, "left out: no results file of its date stands beside it");
      continue;
    }
    file.results = at->second;
    files_.push_back(std::move(file));
  }
}

// Of several runs of one task by one model the last is read.
void LmEvalRun::drop_older() {
  std::map<std::string, std::string> newest;  // folder and task to date
  for (const SamplesFile& file : files_) {
    std::string& date = newest[file.folder + "\n" + file.name.task];
    date = std::max(date, file.name.date);
  }
  const auto older = [&](const SamplesFile& file) {
    const bool is = newest[file.folder + "\n" + file.name.task] != file.name.date;
    if (is) problems_.add(file.path, 0, "left out: a later run of the same task stands beside it; give the file itself to read it");
    return is;
  };
  files_.erase(std::remove_if(files_.begin(), files_.end(), older), files_.end());
}

void LmEvalRun::describe() {
  RunFacts header;
  std::vector<std::string> models;
  for (const SamplesFile& file : files_) {
    struct stat info {};
    if (::stat(join_path(folder_, file.path).c_str(), &info) == 0) bytes_ += info.st_size;
    if (facts_.count(file.results)) continue;
    Facts& facts = facts_[file.results];
    LmEvalResults results;
    std::string why;
    if (!results.read(join_path(folder_, file.results), &why)) {
      problems_.add(file.results, 0, why);
      continue;
    }
    facts.model = results.model();
    const std::string sampling = results.sampling_json();
    JsonReader json(sampling);
    if (!sampling.empty() && !read_sampling(&json, &facts.defaults, true, &why)) problems_.add(file.results, 0, why);
    if (std::find(models.begin(), models.end(), facts.model) == models.end()) models.push_back(facts.model);
    RunFacts one;
    results.fill(&one, &header_.scores);
    if (models.size() == 1 && header.tool_name.empty()) header = std::move(one);
    else header.tasks.insert(header.tasks.end(), one.tasks.begin(), one.tasks.end());
  }
  if (models.size() > 1) problems_.note("the folder holds " + std::to_string(models.size()) + " models, the header is that of " + models[0] + "; give the folder of one to read it alone");
  header_.json = header_json(header);
}

class LmEvalStream final : public SampleStream {
 public:
  explicit LmEvalStream(const LmEvalRun& run) : run_(run) {}
  int64_t bytes_done() const override { return done_ + (file_ ? file_->bytes_done() : 0); }
  bool next(Sample* sample) override {
    for (;;) {
      if (file_) {
        if (file_->next(sample)) {
          problems_.take_new(&file_->problems(), &taken_);
          complete(sample);
          return true;
        }
        close_file();
      }
      if (next_ == run_.files().size()) {
        sample->clear();
        return false;
      }
      open_file(run_.files()[next_++]);
    }
  }

 private:
  void open_file(const SamplesFile& file) {
    facts_ = &run_.facts(file);
    taken_ = 0;
    std::unique_ptr<ByteWindow> window = open_window(join_path(run_.folder(), file.path));
    if (window->bytes().empty() && !window->more()) problems_.add(file.path, 0, "is empty: no answer of this task was written");
    // Lines of something else are bad lines.
    file_ = std::make_unique<FileStream>(std::move(window), kLmEvalInRun, Layout::kLines, file.path, run_.options());
  }
  void close_file() {
    problems_.take_new(&file_->problems(), &taken_);
    done_ += file_->bytes_done();
    file_.reset();
  }
  void complete(Sample* sample) {
    if (!facts_->model.empty()) sample->set(TextField::kModel, facts_->model);
    if (!sample->has(TextField::kOutputText) && !sample->has(TextField::kOutputReasoning)) return;  // a ranking has no sampling
    const Sample& from = facts_->defaults;
    for (const RealField f : {RealField::kTemperature, RealField::kTopP, RealField::kMinP, RealField::kRepetitionPenalty, RealField::kPresencePenalty, RealField::kFrequencyPenalty})
      if (from.has(f) && !sample->has(f)) sample->set(f, from.reals.get(f));
    for (const IntField f : {IntField::kTopK, IntField::kMaxTokens, IntField::kIgnoreEos})
      if (from.has(f) && !sample->has(f)) sample->set(f, from.ints.get(f));
    if (from.has(TextField::kSeed) && !sample->has(TextField::kSeed)) sample->set(TextField::kSeed, from.text(TextField::kSeed));
  }
  const LmEvalRun& run_;
  const LmEvalRun::Facts* facts_ = nullptr;
  std::unique_ptr<SampleStream> file_;
  size_t next_ = 0;
  int64_t done_ = 0, taken_ = 0;
};

std::unique_ptr<SampleStream> LmEvalRun::open() const { return std::make_unique<LmEvalStream>(*this); }

std::unique_ptr<Input> open_run(const std::string& folder, const OpenOptions& options) {
  auto run = std::make_unique<LmEvalRun>(folder, options);
  if (run->files().empty()) return nullptr;
  return run;
}

}  // namespace

extern const FolderFormat kLmEvalFolder;
const FolderFormat kLmEvalFolder = {"lm_eval", open_run};

}  // namespace vaa
