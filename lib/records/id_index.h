// Indexes for joins: a hash of an id to a number, never the id itself. 16 bytes an entry (IdIndex), at most 32 (IdCounts).
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace vaa {

uint64_t hash_text(std::string_view text, uint64_t seed = 0);

// Built once, then asked.
class IdIndex {
 public:
  void add(uint64_t hash, uint64_t value) { entries_.push_back({hash, value}); }
  void build();  // sorts; the first of equal hashes wins; repeated() counts the others
  std::optional<uint64_t> find(uint64_t hash) const;
  size_t size() const { return entries_.size(); }
  size_t repeated() const { return repeated_; }

 private:
  struct Entry {
    uint64_t hash, value;
  };
  std::vector<Entry> entries_;
  size_t repeated_ = 0;
};

// Where a value lies in a file: 40 bits of offset, 24 of length in units of 64 bytes (rounded up).
uint64_t pack_place(int64_t offset, int64_t length);
int64_t place_offset(uint64_t place);
size_t place_length(uint64_t place);  // at least the length given
bool place_fits(int64_t offset, int64_t length);

// How often each hash was seen.
class IdCounts {
 public:
  IdCounts();
  uint32_t add(uint64_t hash);  // times it was seen before
  size_t distinct() const { return used_; }

 private:
  struct Slot {
    uint64_t hash = 0;
    uint32_t count = 0;
  };
  void grow();
  size_t slot(uint64_t hash) const;
  std::vector<Slot> slots_;
  size_t used_ = 0;
  uint64_t seed_;  // differs from object to object, so that no input is slow by design
};

}  // namespace vaa
