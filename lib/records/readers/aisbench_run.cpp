#include "records/readers/aisbench_run.h"

#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>

#include "base/json_writer.h"
#include "records/file_input.h"
#include "records/folder_input.h"
#include "records/lines.h"
#include "records/readers/aisbench_summary.h"

namespace vaa {
namespace {

constexpr std::string_view kFailed = "_failed";

bool is_prediction(std::string_view name) {
  for (const std::string_view end : {".jsonl", ".jsonl.gz", ".jsonl.zst", ".json", ".json.gz", ".json.zst"})
    if (ends_with(name, end)) return true;
  return false;
}

// "gsm8k_12": "gsm8k" and 12; false: no number at its end.
bool split_part(const std::string& stem, std::string* base, int64_t* number) {
  const size_t mark = stem.rfind('_');
  if (mark == std::string::npos || mark + 1 == stem.size() || stem.size() - mark > 8) return false;
  const std::string digits = stem.substr(mark + 1);
  if (digits.find_first_not_of("0123456789") != std::string::npos) return false;
  *base = stem.substr(0, mark);
  *number = std::strtoll(digits.c_str(), nullptr, 10);
  return std::to_string(*number) == digits;
}

bool is_run(const std::string& folder) {
  if (!is_folder(join_path(folder, "predictions")) || !is_folder(join_path(folder, "configs"))) return false;
  if (is_folder(join_path(folder, "reviews"))) return false;  // evalscope
  for (const FolderEntry& entry : list_folder(join_path(folder, "configs")))
    if (ends_with(entry.name, ".py")) return true;
  return is_folder(join_path(folder, "results"));
}

std::unique_ptr<Input> open_run(const std::string& folder, const OpenOptions& options) {
  if (!is_run(folder)) return nullptr;
  auto run = std::make_unique<AisbenchRun>(folder, options);
  if (run->files().empty()) return nullptr;
  return run;
}

}  // namespace

AisbenchRun::AisbenchRun(std::string folder, const OpenOptions& options) : folder_(std::move(folder)), options_(options) {
  options_.format.clear();
  list_files();
  if (files_.empty()) return;
  join_parts();
  config_ = AisbenchConfig(join_path(folder_, "configs"), &problems_);
  if (!config_.found()) problems_.add("configs", 0, "holds no config that could be read: model and sampling are not recorded");
  describe();
}

void AisbenchRun::list_files() {
  const std::string predictions = join_path(folder_, "predictions");
  for (const FolderEntry& model : list_folder(predictions)) {
    if (!model.folder) continue;
    for (const FolderEntry& entry : list_folder(join_path(predictions, model.name))) {
      const std::string path = "predictions/" + model.name + "/" + entry.name;
      if (entry.folder || !is_prediction(entry.name) || !is_file(join_path(folder_, path))) continue;
      std::string dataset = file_stem(entry.name);
      if (ends_with(dataset, kFailed)) dataset.resize(dataset.size() - kFailed.size());
      files_.push_back({model.name, path, dataset, false, false});
      struct stat info {};
      if (::stat(join_path(folder_, path).c_str(), &info) == 0) bytes_ += info.st_size;
    }
  }
  std::sort(files_.begin(), files_.end(), [](const AisbenchFile& a, const AisbenchFile& b) { return a.path < b.path; });
}

// <ds>_0.json, <ds>_1.json, … beside no <ds>.json are one dataset: in the order of their numbers, where the first one stands.
void AisbenchRun::join_parts() {
  const auto find = [&](const std::string& model, const std::string& stem) {
    return std::find_if(files_.begin(), files_.end(), [&](const AisbenchFile& f) { return f.model == model && !f.part && file_stem(f.path) == stem && f.path.find(".jsonl") == std::string::npos; });
  };
  for (size_t i = 0; i < files_.size(); ++i) {
    std::string base;
    int64_t number = 0;
    if (files_[i].part || files_[i].path.find(".jsonl") != std::string::npos || !split_part(file_stem(files_[i].path), &base, &number) || number != 0) continue;
    const std::string model = files_[i].model;
    if (find(model, base) != files_.end() || find(model, base + "_1") == files_.end()) continue;
    files_[i].part = files_[i].first_part = true;
    files_[i].dataset = base;
    for (int64_t n = 1;; ++n) {
      const auto part = find(model, base + "_" + std::to_string(n));
      if (part == files_.end()) break;
      AisbenchFile moved = *part;
      moved.part = true;
      moved.dataset = base;
      const auto from = static_cast<size_t>(part - files_.begin());
      files_.erase(part);
      if (from < i) --i;
      files_.insert(files_.begin() + static_cast<std::ptrdiff_t>(i + static_cast<size_t>(n)), std::move(moved));
    }
  }
}

std::string aisbench_results_path(const std::string& run_folder, const std::string& model, const std::string& dataset) {
  if (dataset.empty() || dataset.find('/') != std::string::npos) return {};
  for (const char* end : {".json", ".json.gz", ".json.zst"}) {
    std::string path = "results/" + model + "/" + dataset + end;
    if (is_file(join_path(run_folder, path))) return path;
  }
  return {};
}

// Questions by the lines of the answers and failures of a dataset: where there are no details to count.
int64_t AisbenchRun::count_questions(const std::string& model, const std::string& dataset) const {
  int64_t lines_seen = 0;
  for (const AisbenchFile& file : files_) {
    if (file.model != model || file.dataset != dataset || file.path.find(".jsonl") == std::string::npos) continue;
    ByteWindow window(std::make_unique<Source>(join_path(folder_, file.path)));
    bool open_line = false;
    while (window.more()) {
      const std::string_view bytes = window.bytes();
      lines_seen += std::count(bytes.begin(), bytes.end(), '\n');
      open_line = bytes.back() != '\n';
      window.take(bytes.size());
    }
    lines_seen += open_line;
  }
  return lines_seen / config_.repeats(model);
}

void AisbenchRun::add_scores(const std::string& model, const std::string& dataset, RunTask* task) {
  const std::string path = aisbench_results_path(folder_, model, dataset);
  if (path.empty()) {
    details_missing_ = details_missing_ || std::any_of(files_.begin(), files_.end(), [&](const AisbenchFile& f) { return f.model == model && f.dataset == dataset && f.path.find(kFailed) == std::string::npos; });
    return;
  }
  const AisbenchResults results(join_path(folder_, path), path, options_.max_line, &problems_);
  const int64_t questions = results.questions() > 0 ? results.questions() : count_questions(model, dataset);
  details_missing_ = details_missing_ || results.questions() == 0;
  task->questions = questions;
  for (const auto& [metric, value] : results.metrics()) {
    task->scores.emplace_back(metric, value);
    header_.scores.push_back({dataset, metric, value, questions, true, {}});
  }
}

// Rows of the summary that are no dataset with answers: means over subjects.
void AisbenchRun::add_groups(const std::string& model, RunFacts* facts) {
  const auto rows = read_aisbench_summary(folder_, model, &problems_);
  const auto groups = config_.groups();
  for (const SummaryRow& row : rows) {
    const auto task = std::find_if(facts->tasks.begin(), facts->tasks.end(), [&](const RunTask& t) { return t.dataset == row.dataset; });
    if (task != facts->tasks.end()) {
      if (row.version != "-") task->version = row.version;
      continue;
    }
    JsonReader number(row.value);
    double value = 0;
    if (number.peek() != JsonKind::kNumber || !number.real(&value)) continue;
    const bool again = row.metric == "naive_average" && std::any_of(rows.begin(), rows.end(), [&](const SummaryRow& r) { return r.dataset == row.dataset && r.metric == "accuracy"; });
    if (again) continue;
    int64_t questions = 0;
    for (const AisbenchConfig::Group& group : groups)
      for (const RunTask& t : facts->tasks)
        if (group.name == row.dataset && std::find(group.datasets.begin(), group.datasets.end(), t.dataset) != group.datasets.end()) questions += t.questions;
    header_.scores.push_back({row.dataset, row.metric, value, questions, true, row.dataset});
  }
}

void AisbenchRun::describe_model(const std::string& model, RunFacts* facts) {
  std::vector<std::string> datasets;
  for (const AisbenchFile& file : files_)
    if (file.model == model && std::find(datasets.begin(), datasets.end(), file.dataset) == datasets.end()) datasets.push_back(file.dataset);
  for (const std::string& dataset : datasets) {
    RunTask task;
    task.dataset = dataset;
    task.percent = true;
    task.repeats = config_.found() ? config_.repeats(model) : 0;
    add_scores(model, dataset, &task);
    facts->tasks.push_back(std::move(task));
  }
  add_groups(model, facts);
}

void AisbenchRun::describe() {
  std::vector<std::string> models;
  for (const AisbenchFile& file : files_)
    if (models.empty() || models.back() != file.model) models.push_back(file.model);
  RunFacts facts;
  config_.fill(models[0], &facts);
  for (const std::string& model : models) describe_model(model, &facts);
  if (models.size() > 1)
    problems_.note("the run holds " + std::to_string(models.size()) + " models, the header is that of " + models[0] + "; give predictions/<model> to read one alone");
  std::string stamp = folder_;
  while (ends_with(stamp, "/")) stamp.pop_back();
  stamp.erase(0, stamp.rfind('/') + 1);
  JsonWriter extra(&facts.extra_json);
  extra.begin_object().member("folder", stamp);
  extra.key("groups").begin_object();
  for (const AisbenchConfig::Group& group : config_.groups()) {
    extra.key(group.name).begin_array();
    for (const std::string& dataset : group.datasets) extra.string(dataset);
    extra.end_array();
  }
  extra.end_object();
  extra.end_object();
  header_.json = header_json(facts);
  if (details_missing_ && !config_.opencompass()) header_.add_scores_command = config_.eval_command(folder_);
}

std::unique_ptr<SampleStream> AisbenchRun::open() const { return std::make_unique<AisbenchStream>(*this); }

extern const FolderFormat kAisbenchFolder;
const FolderFormat kAisbenchFolder = {"aisbench", open_run};

}  // namespace vaa
