#include "quality/near_loops.h"

#include <algorithm>
#include <span>

#include "text/utf8.h"

namespace vaa {
namespace {

constexpr size_t kLook = 4096;        // bytes at the end that tell whether there is anything
constexpr size_t kMost = 1 << 20;     // bytes that are looked at at most
constexpr uint32_t kLeastVotes = 4;
constexpr size_t kCandidates = 3;     // distances that are tried
constexpr size_t kSpan = 4;           // words that a change takes at most

bool same(const ScannedWord& a, const ScannedWord& b) { return a.kind == b.kind && (a.kind == ScannedWord::Kind::kNumber || a.hash == b.hash); }

// For each distance, how many pairs of words came last that far before.
void vote(std::span<const ScannedWord> words, NearLoopMemory* memory) {
  constexpr size_t kSlots = 4096;
  memory->last.assign(kSlots, 0);
  memory->votes.assign(words.size() / 2 + 1, 0);
  const auto code = [](const ScannedWord& word) { return word.kind == ScannedWord::Kind::kNumber ? 1 : word.hash; };
  for (size_t i = 0; i + 1 < words.size(); ++i) {
    uint32_t& last = memory->last[word_scan::mixed(code(words[i]), code(words[i + 1])) >> 40 & (kSlots - 1)];
    const size_t before = last;
    last = static_cast<uint32_t>(i + 1);
    if (before == 0) continue;
    const size_t distance = i + 1 - before;
    if (distance < memory->votes.size() && same(words[i], words[before - 1]) && same(words[i + 1], words[before])) ++memory->votes[distance];
  }
}

bool is_word(const ScannedWord& word) { return word.kind != ScannedWord::Kind::kSign && word.kind != ScannedWord::Kind::kNumber; }

// Two places, one copy apart, go back side by side. Where the words differ both step over the change, if the words before it are the same again. What is the same gains a point a
// word, what changed costs two: the repetition begins where the score was best, and is given up some way below that.
class Walker {
 public:
  Walker(std::span<const ScannedWord> words, size_t distance) : words_(words), distance_(distance), later_(words.size()), earlier_(words.size() - distance) {}

  NearLoops run() {
    const ptrdiff_t drop = static_cast<ptrdiff_t>(std::max<size_t>(distance_, 8));
    NearLoops out;
    while (earlier_ > 0 && score_ + drop > best_) {
      const ScannedWord &a = words_[later_ - 1], &b = words_[earlier_ - 1];
      if (same(a, b)) {
        keep(a, b);
      } else {
        if (now_.changes == 0) out.numbers = ended(now_, earlier_);
        if (!step_over()) break;
      }
      if (score_ > best_) best_ = score_, best_loop_ = now_, best_earlier_ = earlier_;
    }
    if (now_.changes == 0) out.numbers = ended(now_, earlier_);
    if (best_ > 0) out.words = ended(best_loop_, best_earlier_);
    return out;
  }

 private:
  NearLoop ended(NearLoop loop, size_t first) const {
    loop.count = (words_.size() - first) / distance_;
    loop.begin = words_[first].at;
    loop.end = words_.back().end();
    loop.last_copy = words_[words_.size() - distance_].at;
    return loop;
  }
  void pass(const ScannedWord& word) {
    now_.words += is_word(word);
    now_.others += !is_word(word);
  }
  void keep(const ScannedWord& a, const ScannedWord& b) {
    pass(a);
    now_.numbers += a.hash != b.hash;
    now_.kept += is_word(a);
    now_.letters += a.kind == ScannedWord::Kind::kUnspaced;
    --later_, --earlier_, ++score_;
  }
  bool agrees(size_t a, size_t b) const {
    constexpr size_t kSure = 2;
    if (later_ < a + kSure || earlier_ < b + kSure) return false;
    for (size_t i = 1; i <= kSure; ++i)
      if (!same(words_[later_ - a - i], words_[earlier_ - b - i])) return false;
    return true;
  }
  bool step_over() {
    for (size_t span = 1; span <= kSpan; ++span) {
      if (agrees(span, span)) return move(span, span);
      for (size_t less = 0; less < span; ++less) {
        if (agrees(span, less)) return move(span, less);
        if (agrees(less, span)) return move(less, span);
      }
    }
    return false;
  }
  bool move(size_t a, size_t b) {
    const size_t wider = a >= b ? later_ : earlier_;
    for (size_t i = 1; i <= std::max(a, b); ++i) pass(words_[wider - i]);
    later_ -= a, earlier_ -= b;
    score_ -= 2 * static_cast<ptrdiff_t>(std::max(a, b));
    ++now_.changes;
    return true;
  }
  std::span<const ScannedWord> words_;
  size_t distance_, later_, earlier_;  // behind the word that comes next
  ptrdiff_t score_ = 0, best_ = 0;
  size_t best_earlier_ = 0;
  NearLoop now_, best_loop_;
};

NearLoops widest(std::span<const ScannedWord> words, NearLoopMemory* memory) {
  NearLoops best;
  vote(words, memory);
  std::vector<uint32_t>& votes = memory->votes;
  for (size_t tried = 0; tried < kCandidates; ++tried) {
    const auto most = std::max_element(votes.begin(), votes.end());
    if (*most < kLeastVotes) break;
    const auto distance = static_cast<size_t>(most - votes.begin());
    *most = 0;
    const NearLoops found = Walker(words, distance).run();
    if (found.numbers.cover() > best.numbers.cover()) best.numbers = found.numbers;
    if (found.words.cover() > best.words.cover()) best.words = found.words;
  }
  return best;
}

}  // namespace

void read_last_words(std::string_view text, size_t bytes, std::vector<ScannedWord>* out) {
  out->clear();
  size_t at = text.size() - std::min(bytes, text.size());
  at = utf8_floor(text, at);
  ScannedWord word;
  // The first may be the end of a longer one.
  bool whole = at == 0;
  while (next_word(text, &at, &word)) {
    if (whole) out->push_back(word);
    whole = true;
  }
}

NearLoops find_near_loops(std::string_view text, NearLoopMemory* memory) {
  for (size_t look = kLook;; look *= 4) {
    read_last_words(text, look, &memory->words);
    const std::span<const ScannedWord> words = memory->words;
    if (words.size() < 2) return {};
    // The last word may be cut within.
    const NearLoops found = widest(words.first(words.size() - 1), memory);
    // It may begin before what was looked at.
    const size_t margin = words.front().at + look / 8;
    const bool more = found.words.count > 0 && found.words.begin < margin;
    if (!more || look >= text.size() || look >= kMost) return found;
  }
}

}  // namespace vaa
