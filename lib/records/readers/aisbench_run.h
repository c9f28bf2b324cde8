// A run folder of AISBench (and OpenCompass, which has the same layout) as one input: what it holds, and the pass over it.
#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "records/readers/aisbench_anomalies.h"
#include "records/readers/aisbench_config.h"
#include "records/readers/aisbench_results.h"

namespace vaa {

struct AisbenchFile {
  std::string model;    // folder in predictions/
  std::string path;     // relative to the run
  std::string dataset;  // by its name; a line's data_abbr goes before it
  bool part = false;    // <ds>_0.json, <ds>_1.json, …: ids go on from the part before
  bool first_part = false;
};

class AisbenchRun final : public Input {
 public:
  AisbenchRun(std::string folder, const OpenOptions& options);
  std::unique_ptr<SampleStream> open() const override;
  int64_t bytes_total() const override { return bytes_; }
  std::string_view format() const override { return "aisbench"; }

  const std::string& folder() const { return folder_; }
  const OpenOptions& options() const { return options_; }
  const std::vector<AisbenchFile>& files() const { return files_; }
  const AisbenchConfig& config() const { return config_; }

 private:
  void list_files();
  void join_parts();
  void describe();
  void describe_model(const std::string& model, RunFacts* facts);
  void add_scores(const std::string& model, const std::string& dataset, RunTask* task);
  void add_groups(const std::string& model, RunFacts* facts);
  int64_t count_questions(const std::string& model, const std::string& dataset) const;
  std::string folder_;
  OpenOptions options_;
  std::vector<AisbenchFile> files_;
  AisbenchConfig config_;
  int64_t bytes_ = 0;
  bool details_missing_ = false;
};

// results/<model>/<dataset>.json of a run, as opened; "" where there is none.
std::string aisbench_results_path(const std::string& run_folder, const std::string& model, const std::string& dataset);

class AisbenchStream final : public SampleStream {
 public:
  explicit AisbenchStream(const AisbenchRun& run) : run_(run) {}
  bool next(Sample* sample) override;
  int64_t bytes_done() const override { return done_ + (file_ ? file_->bytes_done() : 0); }

 private:
  // What is joined to the answers of one dataset of one model.
  struct Joins {
    std::unique_ptr<AisbenchResults> results;
    std::unique_ptr<AisbenchAnomalies> anomalies;
    int64_t joined = 0;
  };
  void open_file(const AisbenchFile& file);
  void close_file();
  void set_defaults(const std::string& model);
  Joins& joins(const std::string& dataset);
  void finish_model();
  void complete(Sample* sample);
  const AisbenchRun& run_;
  std::unique_ptr<Input> input_;
  std::unique_ptr<SampleStream> file_;
  const AisbenchFile* at_ = nullptr;
  size_t next_ = 0;
  int64_t done_ = 0, carried_ = 0;
  int64_t part_offset_ = 0, part_samples_ = 0;
  std::string model_name_;
  Sample defaults_;
  IdCounts names_;  // of the model at hand: a failure is one more repeat of its question
  std::map<std::string, Joins> joins_;  // by dataset, of the model at hand
};

}  // namespace vaa
