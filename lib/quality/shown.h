// The findings that a report shows: of each flag the worst few, by severity, confidence, then input order. Bounded, whatever comes.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "quality/finding.h"
#include "records/sample.h"

namespace vaa {

struct ShownFinding {
  int64_t order = 0;  // place of the sample in the input, from 0
  std::string id, dataset, file, excerpt;
  bool has_id = false, has_dataset = false, has_excerpt = false;
  int64_t repeat = 0, line = -1;
  Finding finding;
};

class Shown {
 public:
  static constexpr size_t kOfOneFlag = 20;
  static constexpr size_t kAll = 200;
  // max_excerpt 0: no text of the sample is kept.
  void offer(const Sample& sample, const Finding& finding, int64_t order, size_t max_excerpt, bool with_text);
  // At most kAll: the worst of every flag, then the second worst of every flag, …; sorted by severity, confidence, input order.
  std::vector<const ShownFinding*> worst() const;

 private:
  std::vector<std::vector<ShownFinding>> by_flag_;  // each sorted, worst first
};

}  // namespace vaa
