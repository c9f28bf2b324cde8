// evalscope's reviews/<model>/<file>.jsonl: the scores of the answers in the predictions file of that name (docs/formats.md).
#pragma once
#include <cstdint>
#include <string>

#include "records/id_index.h"
#include "records/random_file.h"
#include "records/reader.h"

namespace vaa {

class EvalscopeReviews {
 public:
  // Reads the file once; 16 bytes a review stay. Lines that are no review go to `problems` under the name `shown`. Throws Failure (VAA_ERROR_IO).
  EvalscopeReviews(const std::string& path, const std::string& shown, int64_t max_line, Problems* problems);

  size_t size() const { return index_.size(); }
  // Adds score to the sample with the review's index: gold, extracted, the main metric; other metrics go to extra.scores; repeat is the place in its group. False: there is
  // no review of it.
  bool join(Sample* sample);

 private:
  RandomFile file_;
  IdIndex index_;
  IdCounts groups_;
  std::string line_;
};

}  // namespace vaa
