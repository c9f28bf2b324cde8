// The run header vaa.run/1 (docs/formats.md): what a run leaves behind about itself, null where it leaves nothing.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "records/reader.h"

namespace vaa {

struct RunTask {
  std::string dataset;
  std::string version, hash;  // "" : not known
  int64_t questions = 0;      // 0: not known
  int64_t repeats = 0;        // 0: not known
  bool percent = false;       // scores count to 100
  std::vector<std::pair<std::string, double>> scores;
};

struct RunFacts {
  std::string model_name, model_label, model_path;
  int64_t model_max_length = 0;
  std::string chat_template_hash;
  std::string sampling_json;   // an object, "" : nothing known
  int64_t concurrency = 0;
  std::vector<std::string> endpoints;
  std::string tool_name, tool_version, tool_arguments_json;
  std::vector<RunTask> tasks;
  std::optional<double> start_s, end_s;
  std::string extra_json;      // an object, "" : none
};

std::string header_json(const RunFacts& facts);
// A header as it was written, with the scores of its tasks; the empty header where it is malformed.
RunHeader read_run_header(std::string_view json);
// Nothing known.
std::string empty_header();

}  // namespace vaa
