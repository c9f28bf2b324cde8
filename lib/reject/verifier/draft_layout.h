// Where the rows of a step stand in an engine's tensors, rows of ids back to what was emitted, and FlashInfer's counters.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace vaa {

// Of num_draft_tokens n_0, n_1, ...: vLLM's index arrays.
struct DraftLayout {
  std::vector<int64_t> cu_drafts;      // inclusive sums of n_i
  std::vector<int64_t> cu_sampled;     // of n_i + 1
  std::vector<int64_t> target_rows;    // rows of the logits that judge a draft; that draft is the input id one row later
  std::vector<int64_t> bonus_rows;
};
DraftLayout draft_layout(std::span<const int64_t> num_drafts);

// Rows of `columns` ids without -1 and without ids of the vocabulary's size and more, as vLLM parses them.
struct EmittedRows {
  std::vector<int32_t> ids;
  std::vector<int64_t> ends;  // of each row, in ids
};
EmittedRows emitted_rows(std::span<const int32_t> rows, size_t columns, int64_t vocabulary);

// What FlashInfer's two counters come to on average, where the tests of a row pass with these probabilities: emitted is the accepted prefix; accepted goes on from the rejected position, which
// is tested again.
struct FlashinferCounters {
  double emitted, accepted;
};
FlashinferCounters flashinfer_counters(std::span<const double> acceptance);

}  // namespace vaa
