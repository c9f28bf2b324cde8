// AISBench's response_anomaly/<model>: msProbe's verdicts, and the payload with ids and top-k, joined to answers by uuid (docs/formats.md).
#pragma once
#include <string>
#include <vector>

#include "records/id_index.h"
#include "records/random_file.h"
#include "records/reader.h"

namespace vaa {

class AisbenchAnomalies {
 public:
  // folder: response_anomaly/<model>; shown: the same, for messages. What is missing there adds nothing.
  AisbenchAnomalies(const std::string& folder, const std::string& shown, const std::string& dataset, int64_t max_line, Problems* problems);
  // Adds ids, logprobs, alternatives and extra.msprobe. False with *why set where the payload of this sample cannot be read.
  bool join(Sample* sample, std::string* why);
  bool empty() const { return verdicts_.size() == 0 && payload_.size() == 0; }

 private:
  void read_verdicts(const std::string& path, const std::string& shown, int64_t max_line, Problems* problems);
  void read_shard(const std::string& path, const std::string& shown, int64_t max_line, Problems* problems);
  IdIndex verdicts_;                // uuid to a place in words_
  std::vector<std::string> words_;  // the different verdicts, as JSON
  IdIndex payload_;                 // uuid to a place in text_
  RandomFile text_;                 // the lines of all shards
  std::string line_;
};

}  // namespace vaa
