// The merged config of an AISBench run, configs/*.py, read as literals (docs/formats.md), and what it says about the run.
#pragma once
#include <string>
#include <vector>

#include "records/json_tree.h"
#include "records/run_header.h"

namespace vaa {

class AisbenchConfig {
 public:
  AisbenchConfig() = default;
  // Of several configs of a folder the last one that inference ran with, else the last. What cannot be read goes to `problems`.
  AisbenchConfig(const std::string& folder, Problems* problems);

  bool found() const { return tree_.is(JsonKind::kObject); }
  bool opencompass() const { return opencompass_; }  // OpenCompass's own run, of the same layout
  const JsonTree& model(std::string_view abbr) const;  // its dict(); an empty tree where there is none
  // model, sampling defaults, concurrency, endpoint, tool and its arguments.
  void fill(std::string_view abbr, RunFacts* facts) const;
  // {"temperature": …, "max_tokens": …} of one model, as read_sampling takes it; "" : nothing recorded.
  std::string sampling_json(std::string_view abbr) const;
  int64_t repeats(std::string_view abbr) const;  // num_return_sequences, at least 1
  // The datasets of each summary group.
  struct Group {
    std::string name;
    std::vector<std::string> datasets;
  };
  std::vector<Group> groups() const;
  // The command that adds per-sample scores to the run in `folder`; needs no device.
  std::string eval_command(const std::string& folder) const;

 private:
  JsonTree tree_;
  bool opencompass_ = false;
};

}  // namespace vaa
