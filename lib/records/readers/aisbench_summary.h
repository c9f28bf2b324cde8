// AISBench's summary/summary_<time>.csv: the version of a dataset, and the scores of groups (C-Eval: means over subjects), which stand nowhere else.
#pragma once
#include <string>
#include <vector>

#include "records/reader.h"

namespace vaa {

struct SummaryRow {
  std::string dataset, version, metric, value;  // value of the model's column; "-" where there is none
};
// The rows of the newest summary of the run for one model; empty where there is none.
std::vector<SummaryRow> read_aisbench_summary(const std::string& run_folder, const std::string& model, Problems* problems);

}  // namespace vaa
