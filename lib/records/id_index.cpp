#include "records/id_index.h"

#include <algorithm>
#include <cstring>

namespace vaa {
namespace {

uint64_t mix(uint64_t x) {  // the finaliser of SplitMix64
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9U;
  x ^= x >> 27;
  x *= 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

constexpr uint64_t kOffsetBits = 40;
constexpr int64_t kUnit = 64;

}  // namespace

uint64_t hash_text(std::string_view text, uint64_t seed) {
  uint64_t hash = mix(seed + 0x9e3779b97f4a7c15U * (text.size() + 1));
  for (size_t i = 0; i < text.size(); i += 8) {
    uint64_t word = 0;
    std::memcpy(&word, text.data() + i, std::min<size_t>(8, text.size() - i));
    hash = mix(hash ^ word) + 0x9e3779b97f4a7c15U;
  }
  return mix(hash);
}

void IdIndex::build() {
  std::stable_sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) { return a.hash < b.hash; });
  const auto end = std::unique(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) { return a.hash == b.hash; });
  repeated_ = static_cast<size_t>(entries_.end() - end);
  entries_.erase(end, entries_.end());
  entries_.shrink_to_fit();
}

std::optional<uint64_t> IdIndex::find(uint64_t hash) const {
  const auto at = std::lower_bound(entries_.begin(), entries_.end(), hash, [](const Entry& e, uint64_t h) { return e.hash < h; });
  if (at == entries_.end() || at->hash != hash) return std::nullopt;
  return at->value;
}

bool place_fits(int64_t offset, int64_t length) { return offset < (int64_t{1} << kOffsetBits) && length < (int64_t{1} << 24) * kUnit; }

uint64_t pack_place(int64_t offset, int64_t length) {
  return static_cast<uint64_t>(offset) | static_cast<uint64_t>((length + kUnit - 1) / kUnit) << kOffsetBits;
}

int64_t place_offset(uint64_t place) { return static_cast<int64_t>(place & ((uint64_t{1} << kOffsetBits) - 1)); }

size_t place_length(uint64_t place) { return static_cast<size_t>(place >> kOffsetBits) * kUnit; }

IdCounts::IdCounts() : slots_(64), seed_(mix(reinterpret_cast<uintptr_t>(this))) {}

size_t IdCounts::slot(uint64_t hash) const {
  size_t at = mix(hash ^ seed_) & (slots_.size() - 1);
  while (slots_[at].count != 0 && slots_[at].hash != hash) at = (at + 1) & (slots_.size() - 1);
  return at;
}

void IdCounts::grow() {
  std::vector<Slot> old(slots_.size() * 2);
  old.swap(slots_);
  for (const Slot& s : old)
    if (s.count != 0) slots_[slot(s.hash)] = s;
}

uint32_t IdCounts::add(uint64_t hash) {
  if (used_ * 4 >= slots_.size() * 3) grow();
  Slot& s = slots_[slot(hash)];
  if (s.count == 0) {
    ++used_;
    s.hash = hash;
  }
  const uint32_t before = s.count;
  if (s.count != UINT32_MAX) ++s.count;
  return before;
}

}  // namespace vaa
