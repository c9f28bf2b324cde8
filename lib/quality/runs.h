// Exact repetition in a sequence of symbols, bytes of a text or token ids, by one code. A run [begin, end) has period p where s[i] == s[i + p] all along; p is
// the primitive unit and end - begin the cover. Linear time but for the covers of runs, of which any place lies in few.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace vaa {

struct Run {
  size_t begin = 0, end = 0, period = 0;
  size_t cover() const { return end - begin; }
  size_t count() const { return cover() / period; }  // whole copies of the unit
};

// Runs shorter than the least of these interest no rule (docs/detectors.md).
template <class Symbol>
struct RunLimits {
  static constexpr size_t kGram = 16 / sizeof(Symbol);   // symbols that are compared at once
  static constexpr size_t kStride = 2 * kGram;           // distance of the places that are looked up
  static constexpr size_t kMinCover = sizeof(Symbol) == 1 ? 100 : 24;
  static constexpr size_t kMinCount = 4;
  static constexpr size_t kMaxPeriod = 1 << 14;
  static constexpr size_t kTail = 1 << 16;                // symbols before the end that the tail test compares
  static constexpr size_t kMaxRuns = 64;                  // kept; the widest
};

// Memory of the searches: grows to its bound once, then stays.
class RunScratch {
 public:
  struct Table {
    uint32_t* slots;
    uint32_t base;  // a slot below it is of an earlier search
    int shift;      // of a 64-bit product to its slot
  };
  // For one search over n symbols, n below 2^31.
  Table table(size_t n);
  std::vector<uint32_t>& z() { return z_; }
  // A text without its white space, and where each byte of it stood.
  std::vector<uint8_t>& squeezed() { return squeezed_; }
  std::vector<uint32_t>& places() { return places_; }

 private:
  static constexpr int kMinBits = 10, kMaxBits = 15;
  std::vector<uint32_t> slots_;
  uint32_t next_ = 1;
  std::vector<uint32_t> z_, places_;
  std::vector<uint8_t> squeezed_;
};

// Appends the runs with at least kMinCount copies and kMinCover symbols (the widest kMaxRuns), by their ends. Where a short period hides a longer one of the same
// place, one of the two is found.
template <class Symbol>
void find_runs(std::span<const Symbol> s, RunScratch* scratch, std::vector<Run>* out);

// The widest run of at least kMinCount copies and kMinCover symbols that ends exactly at the end of s, among periods up to kMaxPeriod, by its cover in the last kTail
// symbols; of equal ones the shortest period. period 0: none.
template <class Symbol>
Run find_tail_run(std::span<const Symbol> s, RunScratch* scratch);

extern template void find_runs<uint8_t>(std::span<const uint8_t>, RunScratch*, std::vector<Run>*);
extern template void find_runs<int32_t>(std::span<const int32_t>, RunScratch*, std::vector<Run>*);
extern template Run find_tail_run<uint8_t>(std::span<const uint8_t>, RunScratch*);
extern template Run find_tail_run<int32_t>(std::span<const int32_t>, RunScratch*);

}  // namespace vaa
