// lm-eval's results_<date>.json: the scores and what it says about the run (docs/formats.md, 2.4).
#pragma once
#include <string>

#include "records/json_tree.h"
#include "records/run_header.h"

namespace vaa {

class LmEvalResults {
 public:
  // False: it is no results file, or it is malformed; *why says so.
  bool read(const std::string& path, std::string* why);
  // Scores of every metric and filter, and the facts for the header.
  void fill(RunFacts* facts, std::vector<TaskScore>* scores) const;
  // {"temperature": …, "seed": …, "max_tokens": …}: what was in force where a request says nothing else; "" : nothing known.
  std::string sampling_json() const;
  const std::string& model() const { return model_; }

 private:
  void add_task(const std::string& task, const JsonTree& values, bool group, RunFacts* facts, std::vector<TaskScore>* scores) const;
  JsonTree tree_, arguments_;  // arguments_: model_args as an object
  std::string model_;
  bool api_ = false;           // a model behind an OpenAI-compatible server
};

}  // namespace vaa
