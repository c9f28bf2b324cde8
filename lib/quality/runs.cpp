#include "quality/runs.h"

#include <algorithm>
#include <cstring>

namespace vaa {
namespace {

constexpr uint64_t kMix1 = 0x9E3779B97F4A7C15, kMix2 = 0xC2B2AE3D27D4EB4F;

uint64_t load(const void* p) {
  uint64_t v;
  std::memcpy(&v, p, sizeof(v));
  return v;
}

struct Gram {
  uint64_t low, high;
  bool operator==(const Gram& other) const { return low == other.low && high == other.high; }
};
template <class Symbol>
Gram gram_at(const Symbol* p) {
  return {load(p), load(reinterpret_cast<const unsigned char*>(p) + 8)};
}
// No sum of what the halves alone make: a period of 8 bytes must not cancel out, nor two places of a short period come to the same.
uint64_t mixed(const Gram& gram) { return (gram.low ^ kMix1) * (gram.high ^ kMix2); }

template <class Symbol>
constexpr size_t kWord = 8 / sizeof(Symbol);

// The first i >= from with s[i] != s[i - period], n where there is none.
template <class Symbol>
size_t extend_right(std::span<const Symbol> s, size_t from, size_t period) {
  size_t i = from;
  while (i + kWord<Symbol> <= s.size() && load(&s[i]) == load(&s[i - period])) i += kWord<Symbol>;
  while (i < s.size() && s[i] == s[i - period]) ++i;
  return i;
}
// The smallest i <= from, i >= floor, such that s[i..from) == s[i + period..from + period).
template <class Symbol>
size_t extend_left(std::span<const Symbol> s, size_t from, size_t period, size_t floor) {
  size_t i = from;
  constexpr size_t kStep = kWord<Symbol>;
  while (i >= floor + kStep && load(&s[i - kStep]) == load(&s[i - kStep + period])) i -= kStep;
  while (i > floor && s[i - 1] == s[i - 1 + period]) --i;
  return i;
}

template <class Symbol>
bool wide_enough(const Run& run) {
  return run.cover() >= RunLimits<Symbol>::kMinCover && run.count() >= RunLimits<Symbol>::kMinCount;
}

template <class Symbol>
void keep(const Run& run, size_t first, std::vector<Run>* out) {
  if (out->size() - first < RunLimits<Symbol>::kMaxRuns) {
    out->push_back(run);
    return;
  }
  const auto narrowest = std::min_element(out->begin() + static_cast<ptrdiff_t>(first), out->end(),
                                          [](const Run& a, const Run& b) { return a.cover() < b.cover(); });
  if (narrowest->cover() >= run.cover()) return;
  out->erase(narrowest);
  out->push_back(run);
}

// Covers by the Z function of the reversed tail: the suffix with period p has p + Z[p] symbols. `best` holds the answer so far.
template <class Symbol>
void widest_by_z(std::span<const Symbol> tail, size_t max_period, std::vector<uint32_t>* memory, Run* best) {
  const size_t n = tail.size();
  if (memory->size() < n) memory->resize(RunLimits<Symbol>::kTail);
  uint32_t* z = memory->data();
  const auto back = [&](size_t i) { return tail[n - 1 - i]; };
  size_t left = 0, right = 0;
  for (size_t p = 1; p <= max_period && p < n; ++p) {
    size_t length = p < right ? std::min<size_t>(z[p - left], right - p) : 0;
    while (p + length < n && back(length) == back(p + length)) ++length;
    if (p + length > right) left = p, right = p + length;
    z[p] = static_cast<uint32_t>(length);
    const Run run{n - p - length, n, p};
    if (wide_enough<Symbol>(run) && run.cover() > best->cover()) *best = run;
  }
}

}  // namespace

RunScratch::Table RunScratch::table(size_t n) {
  int bits = kMinBits;
  while (bits < kMaxBits && (size_t{1} << bits) < n) ++bits;
  if (slots_.empty() || next_ > UINT32_MAX - n - 1) {
    slots_.assign(size_t{1} << kMaxBits, 0);
    next_ = 1;
  }
  const Table table{slots_.data(), next_, 64 - bits};
  next_ += static_cast<uint32_t>(n);
  return table;
}

// A stretch in which every gram came before may be a loop whose period the last places of its grams do not show, as its unit repeats pieces of itself: exact
// tests at a few places of it do. They look at the stretch and the first copy before it, so all of them are linear.
template <class Symbol>
void find_in_stretch(std::span<const Symbol> s, const Run& stretch, size_t first, RunScratch* scratch, std::vector<Run>* out) {
  constexpr size_t kParts = 16;
  const size_t from = stretch.begin - std::min(stretch.begin, stretch.cover() / 2);
  for (const size_t part : {kParts / 2, kParts - 2, kParts}) {
    const size_t anchor = stretch.begin + stretch.cover() * part / kParts;
    const Run tail = find_tail_run(s.subspan(from, anchor - from), scratch);
    if (tail.period == 0) continue;
    const Run run{extend_left(s, from + tail.begin, tail.period, 0), extend_right(s, anchor, tail.period), tail.period};
    keep<Symbol>(run, first, out);
    if (run.end + RunLimits<Symbol>::kStride >= stretch.end) return;
  }
}

// Every gram goes into the table, which holds the last place of each; only one place in kStride is looked up, and the place behind every mismatch, whose gram no
// shorter period explains. A run as wide as kMinCover holds several such places.
template <class Symbol>
void find_runs(std::span<const Symbol> s, RunScratch* scratch, std::vector<Run>* out) {
  using Limits = RunLimits<Symbol>;
  constexpr size_t kGram = Limits::kGram;
  if (s.size() < Limits::kMinCover) return;
  const size_t first = out->size();
  const RunScratch::Table table = scratch->table(s.size());
  size_t filled = 0, explained = 0;
  Run stretch;
  const auto end_stretch = [&] {
    if (stretch.cover() >= 2 * Limits::kMinCover && 2 * explained < stretch.cover()) find_in_stretch(s, stretch, first, scratch, out);
    stretch = {};
    explained = 0;
  };
  for (size_t at = kGram; at + kGram <= s.size();) {
    for (; filled < at; ++filled) table.slots[mixed(gram_at(&s[filled])) >> table.shift] = table.base + static_cast<uint32_t>(filled);
    const Gram gram = gram_at(&s[at]);
    const uint32_t slot = table.slots[mixed(gram) >> table.shift];
    const size_t before = slot - table.base;
    if (slot < table.base || at - before > Limits::kMaxPeriod || !(gram_at(&s[before]) == gram)) {
      end_stretch();
      at += Limits::kStride;
      continue;
    }
    if (stretch.end == 0) stretch.begin = at;
    Run run{before, extend_right(s, at + kGram, at - before), at - before};
    if (run.end - at >= run.period) {
      run.begin = extend_left(s, before, run.period, 0);
      if (wide_enough<Symbol>(run)) {
        keep<Symbol>(run, first, out);
        explained = std::max(explained, run.end - std::max(run.begin, stretch.begin));
      }
    }
    stretch.end = run.end;
    at = run.end - kGram / 2;
  }
  end_stretch();
}

// A suffix of period p repeats the last gram p symbols earlier, so the places of that gram are the candidates. Text has none or few; where there are many the Z
// function takes over.
template <class Symbol>
Run find_tail_run(std::span<const Symbol> s, RunScratch* scratch) {
  using Limits = RunLimits<Symbol>;
  constexpr size_t kGram = Limits::kGram, kMaxCandidates = 8;
  Run best;
  if (s.size() < Limits::kMinCover) return best;
  const std::span<const Symbol> tail = s.last(std::min(s.size(), Limits::kTail));
  const size_t n = tail.size(), last = n - kGram;
  const size_t max_period = std::min(Limits::kMaxPeriod, n / Limits::kMinCount);
  const Gram gram = gram_at(&tail[last]);
  size_t candidates = 0;
  for (size_t p = 1; p <= max_period && p <= last; ++p) {
    if (load(&tail[last - p]) != gram.low || !(gram_at(&tail[last - p]) == gram)) continue;
    if (++candidates > kMaxCandidates) {
      best = {};
      widest_by_z(tail, max_period, &scratch->z(), &best);
      break;
    }
    const Run run{extend_left(tail, last - p, p, 0), n, p};
    if (wide_enough<Symbol>(run) && run.cover() > best.cover()) best = run;
  }
  if (best.period == 0) return best;
  const size_t skipped = s.size() - n;
  return {extend_left(s, best.begin + skipped, best.period, 0), s.size(), best.period};
}

template void find_runs<uint8_t>(std::span<const uint8_t>, RunScratch*, std::vector<Run>*);
template void find_runs<int32_t>(std::span<const int32_t>, RunScratch*, std::vector<Run>*);
template Run find_tail_run<uint8_t>(std::span<const uint8_t>, RunScratch*);
template Run find_tail_run<int32_t>(std::span<const int32_t>, RunScratch*);

}  // namespace vaa
