// The file that answers are appended to: a vaa.run/1 header, one vaa.record/1 line a sample, and once more the header with what is known at the end. Append only: a kill at any byte leaves whole
// lines and at most one torn answer, which the next start cuts off.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "capture/owned.h"

namespace vaa::capture {

enum class Existing : uint8_t { kRefuse, kResume, kForce };

// What is read is not written to: answers would be taken for questions, or questions be lost. Throws Failure (VAA_ERROR_ARGUMENT) where `out_path` is the file `input` or lies in the folder `input`.
void keep_apart(const std::string& input, const std::string& out_path);

class RecordLog {
 public:
  // Throws Failure: VAA_ERROR_IO, also where another process writes to the file; VAA_ERROR_ARGUMENT where it exists, holds something and `existing` is kRefuse, with what may be done;
  // VAA_ERROR_FORMAT where a resumed file holds something else. A resumed file is read once: 16 bytes of memory an answer. A pipe or device is written as it is, and holds nothing before.
  // With kForce what the file holds goes with the first write.
  RecordLog(std::string path, Existing existing, const vaa_task* task = nullptr);
  ~RecordLog();  // syncs; leaves no file that nothing was written to
  RecordLog(const RecordLog&) = delete;
  RecordLog& operator=(const RecordLog&) = delete;
  // Answers that a resumed file holds: keys of `extra.ask.key`. A failed one counts as not there: it is asked again, and its line was taken out, so that a question stands once.
  bool has(std::string_view key) const;
  int64_t resumed() const;             // answers that were there
  int64_t taken_out() const;           // failed ones, to be asked again
  const std::string& header() const;   // the first header of a resumed file; "" : none
  void write_header(std::string_view run_json);  // a line {"schema": "vaa.run/1", …}
  // All samples of one answer in one write. Each has extra.ask.key; where there are several, also extra.ask.of, how many.
  void append(const std::vector<OwnedSample>& samples);
  void sync_if_due();                  // fdatasync where the last one is a second ago and something was written; call it while nothing is appended
  void flush();                        // now

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace vaa::capture
