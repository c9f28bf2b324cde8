#include "quality/word_windows.h"

#include <algorithm>

#include "quality/word_scan.h"

namespace vaa {
namespace {

struct Window {
  uint32_t start = 0;          // the place of its first word
  size_t begin = 0;            // its byte
  size_t repeats = 0;          // words that came before in it
  size_t items = 0;            // words of the text before it that begin a line or stand behind a comma and the like
};

// The place where the word was last, 0: not known; from now on it is `now`. Of the two words of a bucket the older is forgotten, which is seldom one of the last kWindow.
uint32_t move_word(WordWindows* memory, uint32_t hash, uint32_t now) {
  std::array<WordWindows::Seen, 2>& bucket = memory->last[hash % memory->last.size()];
  if (bucket[0].hash != hash) std::swap(bucket[0], bucket[1]);
  const uint32_t before = bucket[0].hash == hash ? bucket[0].place : 0;
  bucket[0] = {hash, now};
  return before;
}

bool separates(std::string_view text, const Word& word) {
  if (word.size > 1) return true;
  constexpr std::string_view kSeparators = ",;:|/#*-+=<>[]{}\"";
  return kSeparators.find(text[word.at]) != std::string_view::npos;
}

class Reader {
 public:
  explicit Reader(WordWindows* out) : out_(out) {}
  void add(const Word& word, bool item) {
    if (left_ == 0) begin_window(word);
    const uint32_t before = move_word(out_, word.hash, out_->start++);
    older_.repeats += before >= older_.start;
    newer_.repeats += before >= newer_.start;
    items_ += !item ? 0 : word.kind == Word::Kind::kCharacter ? 2 : 1;  // a line of verse has half as many words as characters
    ++out_->words;
    if (--left_ == 0 && out_->words >= WordWindows::kWindow) close(older_, word.end());
  }

 private:
  void begin_window(const Word& word) {
    older_ = newer_;
    newer_ = {out_->start, word.at, 0, items_};
    left_ = WordWindows::kStep;
  }
  void close(const Window& window, size_t end) {
    ++out_->windows;
    const bool list = WordWindows::kItems * (items_ - window.items) >= WordWindows::kWindow;
    if (window.repeats > WordWindows::kRepeats || list) {
      flat_ = 0;
      return;
    }
    if (flat_++ == 0) begin_ = window.begin, repeats_ = window.repeats;
    repeats_ = std::min(repeats_, window.repeats);
    if (flat_ > out_->flat) out_->flat = flat_, out_->begin = begin_, out_->end = end, out_->repeats = repeats_;
  }
  WordWindows* out_;
  Window older_, newer_;  // kStep words apart
  size_t left_ = 0;        // words before the next one begins
  size_t items_ = 0;       // so far
  size_t flat_ = 0, begin_ = 0, repeats_ = 0;
};

}  // namespace

void read_word_windows(std::string_view text, std::span<const Place> code, WordWindows* out) {
  out->words = out->windows = out->flat = out->begin = out->end = out->repeats = 0;
  if (out->start > UINT32_MAX - text.size() - 1) out->last = {}, out->start = 1;
  Reader reader(out);
  // Words of one length, one behind another, are blocks of data: DNA, keys.
  constexpr size_t kBlock = 8;
  size_t block = 0;
  bool item = true;
  Word word;
  for (size_t at = 0; next_word(text, &at, &word);) {
    while (!code.empty() && code.front().at + code.front().size <= word.at) code = code.subspan(1);
    if (!code.empty() && code.front().at <= word.at) {
      at = code.front().at + code.front().size;
      continue;
    }
    item |= word.starts_line;
    if (word.kind == Word::Kind::kLetters || word.kind == Word::Kind::kCharacter) {
      item |= word.size == block && block >= kBlock;
      block = word.size;
      reader.add(word, item);
      item = false;
    } else {
      item |= word.kind == Word::Kind::kSign && separates(text, word);
    }
  }
}

}  // namespace vaa
