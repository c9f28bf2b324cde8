// vaa's handles as values, and its errors as Failure: how this library uses the public API.
#pragma once
#include <memory>
#include <string>
#include <string_view>

#include "base/failure.h"
#include "base/views.h"
#include "vaa/check.h"
#include "vaa/metrics.h"
#include "vaa/records.h"
#include "vaa/reply.h"

namespace vaa::capture {

template <auto kFree>
struct Freed {
  template <class T>
  void operator()(T* handle) const { kFree(handle); }
};
using OwnedSample = std::unique_ptr<vaa_sample, Freed<vaa_sample_free>>;
using OwnedText = std::unique_ptr<vaa_text, Freed<vaa_text_free>>;
using OwnedRecords = std::unique_ptr<vaa_records, Freed<vaa_records_free>>;
using OwnedCursor = std::unique_ptr<vaa_cursor, Freed<vaa_cursor_free>>;
using OwnedReply = std::unique_ptr<vaa_reply, Freed<vaa_reply_free>>;
using OwnedMetrics = std::unique_ptr<vaa_metrics, Freed<vaa_metrics_free>>;
using OwnedChecker = std::unique_ptr<vaa_checker, Freed<vaa_checker_free>>;
using OwnedTally = std::unique_ptr<vaa_tally, Freed<vaa_tally_free>>;

// Runs a call of the public API, `call(vaa_error**)`; what it refuses is thrown as the same Failure.
template <class Call>
void must(Call&& call) {
  vaa_error* error = nullptr;
  const vaa_status status = call(&error);
  if (status == VAA_OK) return;
  const vaa_str said = vaa_error_message(error);
  const std::string message(said.data ? said.data : "", said.size);
  vaa_error_free(error);
  fail(status, message);
}

inline OwnedSample new_sample() {
  vaa_sample* sample = nullptr;
  must([&](vaa_error** err) { return vaa_sample_new(&sample, err); });
  return OwnedSample(sample);
}

}  // namespace vaa::capture
