// The file that answers are appended to: a vaa.run/1 header, one vaa.record/1 line a sample, and once more the header with what is known at the end. Append only: a kill at any byte leaves whole
// lines and at most one torn one, which the next start cuts off.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "capture/owned.h"

namespace vaa {

enum class Existing : uint8_t { kRefuse, kResume, kForce };

class RecordLog {
 public:
  // Throws Failure: VAA_ERROR_IO; VAA_ERROR_ARGUMENT where the file exists and `existing` is kRefuse, with what may be done; VAA_ERROR_FORMAT where a resumed file holds something else.
  RecordLog(std::string path, Existing existing);
  ~RecordLog();
  RecordLog(const RecordLog&) = delete;
  RecordLog& operator=(const RecordLog&) = delete;
  // Answers that a resumed file holds: keys of `extra.ask.key`. A failed one counts as not there: it is asked again, and its old line stays (the later line of a key counts).
  bool has(std::string_view key) const;
  int64_t resumed() const;             // answers that were there
  const std::string& header() const;   // the last header of a resumed file; "" : none
  void write_header(std::string_view run_json);  // "vaa.run/1" line
  // All samples of one answer in one write; durable within a second (fdatasync), and on flush().
  void append(const std::vector<OwnedSample>& samples);
  void flush();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace vaa
