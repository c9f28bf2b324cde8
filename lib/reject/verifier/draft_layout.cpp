#include "reject/verifier/draft_layout.h"

#include <cmath>
#include <string>

#include "base/failure.h"

namespace vaa {

DraftLayout draft_layout(std::span<const int64_t> num_drafts) {
  constexpr int64_t kMost = int64_t{1} << 31;
  DraftLayout out;
  int64_t drafts = 0, row = 0;
  for (size_t i = 0; i < num_drafts.size(); ++i) {
    const int64_t n = num_drafts[i];
    if (n < 0 || n > kMost - row) fail(VAA_ERROR_ARGUMENT, "num_drafts[" + std::to_string(i) + "]: is " + std::to_string(n) + ", must be at least 0 and leave at most 2^31 rows");
    for (int64_t j = 0; j < n; ++j) out.target_rows.push_back(row + j);
    out.bonus_rows.push_back(row + n);
    drafts += n;
    row += n + 1;
    out.cu_drafts.push_back(drafts);
    out.cu_sampled.push_back(row);
  }
  return out;
}

EmittedRows emitted_rows(std::span<const int32_t> rows, size_t columns, int64_t vocabulary) {
  if (columns == 0 ? !rows.empty() : rows.size() % columns != 0) fail(VAA_ERROR_ARGUMENT, "rows: has " + std::to_string(rows.size()) + " ids, must be rows of " + std::to_string(columns));
  if (vocabulary < 1) fail(VAA_ERROR_ARGUMENT, "vocabulary: is " + std::to_string(vocabulary) + ", must be at least 1");
  EmittedRows out;
  for (size_t i = 0; i < rows.size(); ++i) {
    if (rows[i] < -1) fail(VAA_ERROR_ARGUMENT, "row " + std::to_string(i / columns) + ", position " + std::to_string(i % columns) + ": id " + std::to_string(rows[i]) + " is neither a token nor -1");
    if (rows[i] >= 0 && rows[i] < vocabulary) out.ids.push_back(rows[i]);
    if ((i + 1) % columns == 0) out.ends.push_back(static_cast<int64_t>(out.ids.size()));
  }
  return out;
}

FlashinferCounters flashinfer_counters(std::span<const double> acceptance) {
  FlashinferCounters out{0, 0};
  double reached = 1;
  for (size_t i = 0; i < acceptance.size(); ++i) {
    const double a = acceptance[i];
    if (!(a >= 0 && a <= 1)) fail(VAA_ERROR_ARGUMENT, "acceptance[" + std::to_string(i) + "]: must be 0 to 1");
    out.accepted += a + reached * a * (1 - a);  // reached and rejected: a second look
    reached *= a;
    out.emitted += reached;
  }
  return out;
}

}  // namespace vaa
