// A file of switches of any bytes: refused with one line that begins with "matrix: ", or a table in which every run says each switch.
#include <cstdint>
#include <string_view>

#include "base/failure.h"
#include "compare/switch_matrix.h"
#include "must.h"

using namespace vaa;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    const SwitchMatrix matrix = read_switch_matrix({reinterpret_cast<const char*>(data), size});
    VAA_MUST(!matrix.switches.empty() && matrix.switches.size() <= kMaxSwitches && matrix.runs.size() <= kMaxMatrixRuns);
    for (const auto& [run, values] : matrix.runs) VAA_MUST(values.size() == matrix.switches.size());
  } catch (const Failure& failure) {
    VAA_MUST(failure.status() == VAA_ERROR_OPTION && failure.message().substr(0, 8) == "matrix: " && failure.message().find('\n') == std::string::npos);
  }
  return 0;
}
