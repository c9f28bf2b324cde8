#include "capture/path_seen.h"

#include <algorithm>

namespace vaa::capture {
namespace {

double share(int64_t k, int64_t n) { return n == 0 ? 0 : static_cast<double>(k) / static_cast<double>(n); }

}  // namespace

PathSeen path_seen(int64_t lo, int64_t hi, std::span<const RungTrial> itself, std::span<const RungTrial> trials) {
  int64_t first_k = 0, first_n = 0, crossing_k = 0, crossing_n = 0, later_k = 0, later_n = 0, decode_tokens = 0;
  for (const RungTrial& t : trials) {
    if (t.compared == 0) continue;
    if (t.at >= hi) {
      ++first_n;
      first_k += t.parted == 0;
      if (t.parted == 0 || t.compared < 2) continue;
      ++later_n;
      later_k += t.parted > 0;
      decode_tokens += t.compared - 1;
    } else if (t.at <= lo) {
      const bool parted = t.parted > 0 && t.at + t.parted > lo;
      if (!parted && t.at + t.compared - 1 < hi) continue;  // it did not come as far
      ++crossing_n;
      crossing_k += parted;
      decode_tokens += t.at + t.compared - hi;
    }
  }
  int64_t first_itself = 0, later_itself = 0, all_itself = 0;
  for (const RungTrial& t : itself) {
    if (t.compared == 0) continue;
    ++all_itself;
    first_itself += t.parted == 0;
    later_itself += t.parted > 0;
  }
  PathSeen path;
  path.first = rate_of(first_k, first_n);
  path.crossing = rate_of(crossing_k, crossing_n);
  path.later = rate_of(later_k, later_n);
  // After a wrong prefill the KV cache is wrong too, so rungs past the edge speak of decode only where none crosses it.
  const Rate& decode = crossing_n > 0 ? path.crossing : path.later;
  if (path.first.low > rate_of(first_itself, all_itself).high) path.prefill = Shows::kYes;
  if (decode.low > rate_of(later_itself, all_itself).high) path.decode = Shows::kYes;
  if (path.decode == Shows::kYes && path.prefill != Shows::kYes && path.first.high < share(crossing_k + later_k, decode_tokens)) path.prefill = Shows::kNo;
  if (path.prefill == Shows::kYes && path.decode != Shows::kYes && decode.high < share(first_k, first_n)) path.decode = Shows::kNo;
  return path;
}

}  // namespace vaa::capture
