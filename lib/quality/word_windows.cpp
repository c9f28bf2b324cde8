#include "quality/word_windows.h"

#include <algorithm>

#include "quality/word_scan.h"

namespace vaa {
namespace {

struct Window {
  uint32_t start = 0;          // the place of its first unit
  size_t begin = 0;            // its byte
  size_t repeats = 0;          // units that came before in it
  size_t items = 0;            // units of the text before it that begin a line or stand behind a comma and the like
};

// The place where the unit was last, 0: not known; from now on it is `now`. Of the two units of a bucket the older is forgotten, which is seldom one of the last window.
// Without branches, which nothing would foretell.
uint32_t move_unit(FlatWindows* memory, uint32_t hash, uint32_t now) {
  std::array<uint64_t, 2>& bucket = memory->seen[hash % memory->seen.size()];
  const uint64_t first = bucket[0], second = bucket[1];
  const uint64_t change = (first ^ second) & (uint64_t{first >> 32 == hash} - 1);
  const uint64_t found = first ^ change;
  bucket = {uint64_t{hash} << 32 | now, second ^ change};
  return static_cast<uint32_t>(found) & (uint32_t{found >> 32 != hash} - 1);
}

constexpr std::array<bool, 256> kSeparators = [] {
  std::array<bool, 256> out{};
  for (const char c : std::string_view(",;:|/#*-+=<>[]{}\"\\")) out[static_cast<unsigned char>(c)] = true;
  return out;
}();
bool separates(std::string_view text, const ScannedWord& word) { return word.size > 1 || kSeparators[static_cast<unsigned char>(text[word.at])]; }

// `kWeight`: what an item counts; a line of verse has half as many words as characters.
template <FlatRule kRule, size_t kWeight>
class Reader {
 public:
  Reader(FlatWindows* out, size_t most) : out_(out) {
    static_assert(kRule.window == 2 * kRule.step && kRule.window <= std::tuple_size_v<decltype(out->newest)>);
    out->units = out->windows = 0;
    out->longest = out->last = {};
    if (out->start > UINT32_MAX - most - 1) out->seen = {}, out->start = 1;
    now_ = first_ = out->start;
  }
  void add(uint32_t hash, size_t at, size_t end, bool item) {
    if (left_ == 0) begin_window(at);
    const uint32_t before = move_unit(out_, hash, now_);
    newest(now_) = {before, at, items_};
    older_.repeats += before >= older_.start;
    newer_.repeats += before >= newer_.start;
    items_ += item ? kWeight : 0;
    end_ = end;
    ++now_;
    --left_;
  }
  // The window that ends with the last unit.
  void finish() {
    out_->start = now_;
    out_->units = now_ - first_;
    if (out_->units < kRule.window) return;
    if (left_ == 0) close(older_);
    const uint32_t start = now_ - static_cast<uint32_t>(kRule.window);
    Window window{start, newest(start).at, 0, newest(start).items};
    for (uint32_t place = start; place != now_; ++place) window.repeats += newest(place).before >= start;
    if (is_flat(window)) out_->last = {1, window.begin, end_, window.repeats};
    if (left_ > 0 && left_ <= kRule.step / 2) close(window);
  }

 private:
  FlatWindows::Newest& newest(uint32_t place) const { return out_->newest[place % out_->newest.size()]; }
  void begin_window(size_t at) {
    if (now_ - first_ >= kRule.window) close(older_);
    older_ = newer_;
    newer_ = {now_, at, 0, items_};
    left_ = kRule.step;
  }
  bool is_flat(const Window& window) const { return window.repeats <= kRule.repeats && WordWindows::kItems * (items_ - window.items) < kRule.window; }
  void close(const Window& window) {
    ++out_->windows;
    if (!is_flat(window)) {
      stretch_ = {};
      return;
    }
    if (stretch_.flat++ == 0) stretch_.begin = window.begin, stretch_.repeats = window.repeats;
    stretch_.repeats = std::min(stretch_.repeats, window.repeats);
    stretch_.end = end_;
    if (stretch_.flat > out_->longest.flat) out_->longest = stretch_;
  }
  FlatWindows* out_;
  uint32_t now_, first_;   // places of the next unit and of the first
  Window older_, newer_;   // a step apart
  size_t left_ = 0;        // units before the next one begins
  size_t items_ = 0;       // so far
  size_t end_ = 0;         // byte behind the last unit
  FlatWindows::Stretch stretch_;
};
using PairReader = Reader<WordWindows::kPairs, 2>;

struct Character {
  uint32_t hash = 0;
  size_t at = 0, end = 0;
};

// Adds the pairs that end in the character `now` and in the common Han characters directly behind it, and returns the last of them. `before`: the character before `now`.
Character add_pairs(std::string_view text, Character before, Character now, bool item, PairReader* pairs) {
  for (;; item = false) {
    if (before.end > 0) pairs->add(static_cast<uint32_t>(word_scan::mixed(before.hash, now.hash) >> 16), before.at, now.end, item);
    const uint32_t next = utf8_common_han(text, now.end);
    if (next == 0) return now;
    before = now;
    now = {word_scan::hash_of(next), now.end, now.end + 3};
  }
}

}  // namespace

void read_word_windows(std::string_view text, std::span<const Place> code, WordWindows* out) {
  Reader<WordWindows::kWords, 1> words(&out->words, text.size());
  PairReader pairs(&out->pairs, text.size());
  // Words of one length, one behind another, are blocks of data: DNA, keys.
  constexpr size_t kBlock = 8;
  size_t block = 0;
  bool item = true, name = false;  // name: between characters, as in a list of them
  ScannedWord word;
  Character before;
  for (size_t at = 0; next_word(text, &at, &word);) {
    while (!code.empty() && code.front().at + code.front().size <= word.at) code = code.subspan(1);
    if (!code.empty() && code.front().at <= word.at) {
      at = code.front().at + code.front().size;
      continue;
    }
    item |= word.starts_line;
    if (word.kind == ScannedWord::Kind::kLetters) {
      item |= word.size == block && block >= kBlock;
      block = word.size;
      words.add(word.hash, word.at, word.end(), item || name);
      item = name = false;
    } else if (word.kind == ScannedWord::Kind::kCharacter) {
      before = add_pairs(text.substr(0, code.empty() ? text.size() : code.front().at), before, {word.hash, word.at, word.end()}, item, &pairs);
      at = before.end;
      item = false;
      name = true;
    } else {
      item |= word.kind == ScannedWord::Kind::kSign && separates(text, word);
    }
  }
  words.finish();
  pairs.finish();
}

}  // namespace vaa
