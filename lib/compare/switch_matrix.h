// Which switches were on in which run, as a file says it.
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace vaa {

struct SwitchMatrix {
  std::vector<std::string> switches;
  std::vector<std::pair<std::string, std::vector<bool>>> runs;  // one value a switch
};
constexpr size_t kMaxSwitches = 64, kMaxMatrixRuns = 1024;

// JSON, {"run": {"switch": true, …}, …}, or a table of comma- or tab-separated values: a first line of "run" and the names of the switches, then one line a run. Values: 1, 0, on, off, true, false,
// yes, no. Every run says each switch. Throws Failure (VAA_ERROR_OPTION) that names line, run and switch.
SwitchMatrix read_switch_matrix(std::string_view text);

}  // namespace vaa
