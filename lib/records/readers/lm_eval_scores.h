// The scores that the later filters of an lm-eval samples file give to the same texts: found in one cheap pass before the reading, since their lines come after.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "records/format.h"

namespace vaa {

// What stands at the end of a line: filter, and the metrics with their values.
struct LmEvalTail {
  std::string id, filter;
  std::vector<std::pair<std::string, double>> values;
};
// False: it is no line of samples.
bool read_lm_eval_tail(std::string_view line, LmEvalTail* tail);

class LmEvalScores {
 public:
  // Reads the file once where it has more than one filter, 24 bytes for each score of a later filter stay. A pipe and a file over kMaxSize are not read: a note says so.
  explicit LmEvalScores(const FileContext& context);
  static constexpr int64_t kMaxSize = int64_t{8} << 30;
  static constexpr size_t kMaxColumns = 64;

  // Appends "metric,filter":value of the id to a JSON object without its braces.
  void append(std::string_view id, std::string* members) const;

 private:
  bool one_filter(const FileContext& context) const;
  void read(const FileContext& context);
  struct Entry {
    uint64_t hash;
    double value;
    uint32_t column;
  };
  std::vector<std::string> columns_;  // "exact_match,flexible-extract"
  std::vector<Entry> entries_;        // by hash and column
};

}  // namespace vaa
