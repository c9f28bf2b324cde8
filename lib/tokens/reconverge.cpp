#include "tokens/reconverge.h"

#include <bit>

#include "base/text_hash.h"

namespace vaa {
namespace {

constexpr uint64_t kBase = 0x9E3779B97F4A7C15;  // odd, of a polynomial modulo 2^64; equal hashes are compared id by id

// Calls take(place, hash) for each window of s, until it says no.
template <class Take>
void roll(Ids s, size_t window, Take&& take) {
  uint64_t hash = 0, power = 1;
  for (size_t i = 0; i < window; ++i) {
    hash = hash * kBase + static_cast<uint32_t>(s[i]) + 1;
    if (i > 0) power *= kBase;
  }
  for (size_t i = 0;; ++i) {
    if (!take(i, hash) || i + window == s.size()) return;
    hash = (hash - (static_cast<uint64_t>(static_cast<uint32_t>(s[i])) + 1) * power) * kBase + static_cast<uint32_t>(s[i + window]) + 1;
  }
}

}  // namespace

std::optional<std::pair<int64_t, int64_t>> Reconvergence::find(Ids a, Ids b, size_t from, size_t window) {
  a = a.subspan(std::min(from, a.size()));
  b = b.subspan(std::min(from, b.size()));
  // What lies within the first `reach` ids of both is the best there is where its sum is below `reach`.
  for (size_t reach = 8 * window;; reach *= 4) {
    const size_t most = reach + window;
    const auto found = within(a.first(std::min(a.size(), most)), b.first(std::min(b.size(), most)), window);
    const bool whole = most >= std::max(a.size(), b.size());
    if (found && (whole || static_cast<size_t>(found->first + found->second) <= reach)) return std::pair{found->first + static_cast<int64_t>(from), found->second + static_cast<int64_t>(from)};
    if (whole) return std::nullopt;
  }
}

std::optional<std::pair<int64_t, int64_t>> Reconvergence::within(Ids a, Ids b, size_t window) {
  if (window == 0 || a.size() < window || b.size() < window) return std::nullopt;
  const size_t slots = std::bit_ceil(2 * (a.size() - window + 1)), mask = slots - 1;
  hashes_.resize(slots);
  places_.assign(slots, -1);
  const auto slot_for = [&](const int32_t* ids, uint64_t hash) {
    size_t s = mixed(hash) & mask;
    while (places_[s] >= 0 && !(hashes_[s] == hash && agreeing(ids, a.data() + places_[s], window) == window)) s = (s + 1) & mask;
    return s;
  };
  roll(a, window, [&](size_t i, uint64_t hash) {
    const size_t s = slot_for(a.data() + i, hash);
    if (places_[s] < 0) {
      places_[s] = static_cast<int32_t>(i);
      hashes_[s] = hash;
    }
    return true;
  });
  std::optional<std::pair<int64_t, int64_t>> best;
  roll(b, window, [&](size_t j, uint64_t hash) {
    const int32_t i = places_[slot_for(b.data() + j, hash)];
    if (i >= 0 && (!best || i + static_cast<int64_t>(j) < best->first + best->second || (i + static_cast<int64_t>(j) == best->first + best->second && i < best->first))) best = {i, static_cast<int64_t>(j)};
    return !best || static_cast<int64_t>(j) <= best->first + best->second;
  });
  return best;
}

}  // namespace vaa
