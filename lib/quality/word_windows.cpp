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
uint32_t move_unit(FlatWindows* memory, uint32_t hash, uint32_t now) {
  std::array<FlatWindows::Seen, 2>& bucket = memory->seen[hash % memory->seen.size()];
  if (bucket[0].hash != hash) std::swap(bucket[0], bucket[1]);
  const uint32_t before = bucket[0].hash == hash ? bucket[0].place : 0;
  bucket[0] = {hash, now};
  return before;
}

bool separates(std::string_view text, const Word& word) {
  if (word.size > 1) return true;
  constexpr std::string_view kSeparators = ",;:|/#*-+=<>[]{}\"\\";
  return kSeparators.find(text[word.at]) != std::string_view::npos;
}

class Reader {
 public:
  // `weight`: what an item counts; a line of verse has half as many words as characters.
  Reader(const FlatRule& rule, size_t weight, FlatWindows* out, size_t most) : rule_(rule), weight_(weight), out_(out) {
    out->units = out->windows = 0;
    out->longest = out->last = {};
    if (out->start > UINT32_MAX - most - 1) out->seen = {}, out->start = 1;
  }
  void add(uint32_t hash, size_t at, size_t end, bool item) {
    if (left_ == 0) begin_window(at);
    const uint32_t before = move_unit(out_, hash, out_->start);
    out_->newest[newest_] = {before, at, items_};
    newest_ = newest_ + 1 == rule_.window ? 0 : newest_ + 1;
    ++out_->start;
    older_.repeats += before >= older_.start;
    newer_.repeats += before >= newer_.start;
    items_ += item ? weight_ : 0;
    ++out_->units;
    end_ = end;
    if (--left_ == 0 && out_->units >= rule_.window) close(older_);
  }
  // The window that ends with the last unit.
  void finish() {
    if (out_->units < rule_.window) return;
    const FlatWindows::Newest& first = out_->newest[newest_];
    Window window{out_->start - static_cast<uint32_t>(rule_.window), first.at, 0, first.items};
    for (size_t i = 0; i < rule_.window; ++i) window.repeats += out_->newest[i].before >= window.start;
    if (is_flat(window)) out_->last = {1, window.begin, end_, window.repeats};
    if (left_ > 0 && left_ <= rule_.step / 2) close(window);
  }

 private:
  void begin_window(size_t at) {
    older_ = newer_;
    newer_ = {out_->start, at, 0, items_};
    left_ = rule_.step;
  }
  bool is_flat(const Window& window) const { return window.repeats <= rule_.repeats && WordWindows::kItems * (items_ - window.items) < rule_.window; }
  void close(const Window& window) {
    ++out_->windows;
    if (!is_flat(window)) {
      now_ = {};
      return;
    }
    if (now_.flat++ == 0) now_.begin = window.begin, now_.repeats = window.repeats;
    now_.repeats = std::min(now_.repeats, window.repeats);
    now_.end = end_;
    if (now_.flat > out_->longest.flat) out_->longest = now_;
  }
  const FlatRule rule_;
  const size_t weight_;
  FlatWindows* out_;
  Window older_, newer_;  // a step apart
  size_t left_ = 0;        // units before the next one begins
  size_t items_ = 0;       // so far
  size_t newest_ = 0;      // where the next unit is kept
  size_t end_ = 0;         // byte behind the last unit
  FlatWindows::Stretch now_;
};

}  // namespace

void read_word_windows(std::string_view text, std::span<const Place> code, WordWindows* out) {
  Reader words(WordWindows::kWords, 1, &out->words, text.size()), pairs(WordWindows::kPairs, 2, &out->pairs, text.size());
  // Words of one length, one behind another, are blocks of data: DNA, keys.
  constexpr size_t kBlock = 8;
  size_t block = 0;
  bool item = true, name = false;  // name: between characters, as in a list of them
  Word word, before;               // before: the character before
  for (size_t at = 0; next_word(text, &at, &word);) {
    while (!code.empty() && code.front().at + code.front().size <= word.at) code = code.subspan(1);
    if (!code.empty() && code.front().at <= word.at) {
      at = code.front().at + code.front().size;
      continue;
    }
    item |= word.starts_line;
    if (word.kind == Word::Kind::kLetters) {
      item |= word.size == block && block >= kBlock;
      block = word.size;
      words.add(word.hash, word.at, word.end(), item || name);
      item = name = false;
    } else if (word.kind == Word::Kind::kCharacter) {
      if (before.size > 0) pairs.add(static_cast<uint32_t>(word_scan::mixed(before.hash, word.hash) >> 16), before.at, word.end(), item);
      before = word;
      item = false;
      name = true;
    } else {
      item |= word.kind == Word::Kind::kSign && separates(text, word);
    }
  }
  words.finish();
  pairs.finish();
}

}  // namespace vaa
