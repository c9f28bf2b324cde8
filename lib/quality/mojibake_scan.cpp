#include "quality/mojibake_scan.h"

#include <algorithm>
#include <cstring>

#include "text/utf8.h"

namespace vaa {
namespace {

constexpr size_t kLeast = 3;          // sequences, where they are 60 % of all bytes beyond ASCII in the text
constexpr double kLeastShare = 0.6;
constexpr size_t kLeastLocal = 6;     // sequences of one place, where they are 80 % of such bytes there
constexpr int64_t kCost = 4;          // of a byte of no sequence, against 1 for one of a sequence: a place below 80 % ends
constexpr size_t kLeastTwoByte = 5;   // sequences of two bytes of one script in a row, in encodings of two bytes a character
constexpr uint32_t kReplacement = 0xFFFD;

bool is_ascii_letter(char c) { return static_cast<unsigned char>((c | 0x20) - 'a') < 26; }

size_t next_beyond_ascii(std::string_view text, size_t at) {
  for (; at + 8 <= text.size(); at += 8) {
    uint64_t word;
    std::memcpy(&word, text.data() + at, sizeof(word));
    if (word & 0x8080808080808080U) break;
  }
  while (at < text.size() && static_cast<unsigned char>(text[at]) < 0x80) ++at;
  return at;
}

// Reads the bytes of one encoding. A sequence begins with a character, or directly behind another sequence.
class Scan {
 public:
  Scan(std::string_view text, ReadAs read_as) : text_(text), read_as_(read_as), wide_(read_as == ReadAs::kGbk || read_as == ReadAs::kShiftJis) {}

  void read(size_t begin, size_t end) {
    for (size_t at = begin; at < end;) {
      if (static_cast<unsigned char>(text_[at]) < 0x80) {
        interrupt();
        at = std::min(next_beyond_ascii(text_, at), end);
        continue;
      }
      if (idle()) at = wide_ ? skip_ordinary_han(at, end) : skip_ordinary_pairs(at, end);
      if (at >= end || static_cast<unsigned char>(text_[at]) < 0x80) continue;
      const Utf8Step step = utf8_step(text_, at);
      const size_t next = at + step.size;
      if (!step.valid || step.code == kReplacement) {
        lost();
      } else {
        const ByteKinds bytes = byte_kinds(read_as_, step.code);
        for (size_t i = 0; i < bytes.size; ++i) byte(bytes.kinds[i], i == 0, at, next);
      }
      at = next;
    }
    interrupt();
  }
  Mojibake result() const {
    Mojibake out;
    out.read_as = read_as_;
    const size_t all = covered_ + uncovered_;
    const double share = all == 0 ? 0 : static_cast<double>(covered_) / static_cast<double>(all);
    if (sequences_ >= kLeast && share >= kLeastShare) {
      out.found = true;
      out.sequences = sequences_;
      out.share = share;
      out.place = {first_, last_ - first_};
    } else if (best_.sequences >= kLeastLocal) {
      out.found = true;
      out.sequences = best_.sequences;
      out.share = static_cast<double>(best_.covered) / static_cast<double>(best_.covered + best_.uncovered);
      out.place = {best_.begin, best_.end - best_.begin};
    }
    return out;
  }

 private:
  struct Stretch {
    size_t begin = 0, end = 0, sequences = 0, covered = 0, uncovered = 0;
    int64_t score = 0;
  };

  bool idle() const { return missing_ == 0 && !behind_ && row_ == 0 && !lost_ && now_.sequences == 0; }
  // Characters from U+4000 to U+9FFF whose bytes begin no sequence: most of a healthy text.
  size_t skip_ordinary_han(size_t at, size_t end) {
    const int shift = wrong_decoding_tables::shift(read_as_);
    const auto byte_at = [&](size_t i) { return static_cast<uint32_t>(static_cast<unsigned char>(text_[i])); };
    for (; at + 3 <= end; at += 3, uncovered_ += 2) {
      const uint32_t lead = byte_at(at), second = byte_at(at + 1), third = byte_at(at + 2);
      if (lead < 0xE4 || lead > 0xE9 || (second & 0xC0) != 0x80 || (third & 0xC0) != 0x80) break;
      const uint32_t kinds = wrong_decoding_tables::entry((lead & 0x0F) << 12 | (second & 0x3F) << 6 | (third & 0x3F)) >> shift & 63;
      const auto first = static_cast<ByteKind>(kinds & 7), next = static_cast<ByteKind>(kinds >> 3);
      const size_t size = length(first);
      if (size > 2 || (size == 2 && next == ByteKind::kContinuation)) break;
    }
    return at;
  }
  // Characters from U+0080 to U+07FF that begin no sequence, for encodings of one byte a character.
  size_t skip_ordinary_pairs(size_t at, size_t end) {
    const int shift = wrong_decoding_tables::shift(read_as_);
    const auto byte_at = [&](size_t i) { return static_cast<uint32_t>(static_cast<unsigned char>(text_[i])); };
    for (; at + 2 <= end; at += 2, ++uncovered_) {
      const uint32_t lead = byte_at(at), second = byte_at(at + 1);
      if (lead < 0xC2 || lead > 0xDF || (second & 0xC0) != 0x80) break;
      const auto kind = static_cast<ByteKind>(wrong_decoding_tables::entry((lead & 0x1F) << 6 | (second & 0x3F)) >> shift & 7);
      if (length(kind) != 0 && at + 2 < end && byte_at(at + 2) >= 0x80 && !is_ordinary_behind(at + 2, end)) break;
    }
    return at;
  }
  // The character at `at` is one of two bytes and no continuation.
  bool is_ordinary_behind(size_t at, size_t end) const {
    const auto byte_at = [&](size_t i) { return static_cast<uint32_t>(static_cast<unsigned char>(text_[i])); };
    if (at + 2 > end || byte_at(at) < 0xC2 || byte_at(at) > 0xDF || (byte_at(at + 1) & 0xC0) != 0x80) return false;
    return byte_kinds(read_as_, (byte_at(at) & 0x1F) << 6 | (byte_at(at + 1) & 0x3F)).kinds[0] != ByteKind::kContinuation;
  }
  static size_t length(ByteKind kind) {
    if (kind == ByteKind::kOther || kind == ByteKind::kContinuation) return 0;
    return kind == ByteKind::kLeadOfThree ? 3 : kind == ByteKind::kLeadOfFour ? 4 : 2;
  }
  void byte(ByteKind kind, bool begins_character, size_t at, size_t next) {
    if (missing_ > 0 && kind == ByteKind::kContinuation) {
      ++taken_;
      if (--missing_ == 0) complete(next);
      return;
    }
    if (missing_ > 0) drop();
    const size_t size = begins_character || behind_ ? length(kind) : 0;
    behind_ = false;
    if (size == 0) {
      settle();
      if (!lost_ || kind != ByteKind::kContinuation) miss(1);
      return;
    }
    lost_ = false;
    lead_ = kind;
    begin_ = at;
    taken_ = 1;
    missing_ = size - 1;
  }
  void drop() {
    settle();
    if (!lost_) miss(taken_);
    missing_ = 0;
  }
  void complete(size_t next) {
    behind_ = true;
    if (!wide_ || taken_ > 2) {
      settle();
      return cover(1, taken_, begin_, next);
    }
    if (row_ != 0 && row_lead_ != lead_) settle();
    row_lead_ = lead_;
    if (row_++ == 0) row_begin_ = begin_;
    row_end_ = next;
  }
  // The row of two-byte sequences is over.
  void settle() {
    if (row_ == 0) return;
    const bool inside_latin = row_lead_ == ByteKind::kLatin && row_begin_ > 0 && is_ascii_letter(text_[row_begin_ - 1]);
    if (row_ >= kLeastTwoByte || inside_latin) cover(row_, 2 * row_, row_begin_, row_end_);
    else miss(2 * row_);
    row_ = 0;
  }
  void interrupt() {
    if (missing_ > 0) drop();
    settle();
    behind_ = lost_ = false;
  }
  // What U+FFFD took away is counted neither way.
  void lost() {
    settle();
    missing_ = 0;
    behind_ = false;
    lost_ = true;
  }

  void cover(size_t sequences, size_t bytes, size_t begin, size_t end) {
    if (sequences_ == 0) first_ = begin;
    last_ = end;
    sequences_ += sequences;
    covered_ += bytes;
    if (now_.sequences == 0) now_ = {begin, end, 0, 0, 0, 0};
    now_.end = end;
    now_.sequences += sequences;
    now_.covered += bytes;
    now_.score += static_cast<int64_t>(bytes);
    if (now_.score > best_.score) best_ = now_;
  }
  void miss(size_t bytes) {
    uncovered_ += bytes;
    if (now_.sequences == 0) return;
    now_.uncovered += bytes;
    now_.score -= kCost * static_cast<int64_t>(bytes);
    if (now_.score <= 0) now_ = Stretch();
  }

  std::string_view text_;
  ReadAs read_as_;
  bool wide_;
  ByteKind lead_ = ByteKind::kOther, row_lead_ = ByteKind::kOther;
  bool behind_ = false, lost_ = false;
  size_t begin_ = 0, taken_ = 0, missing_ = 0;
  size_t row_ = 0, row_begin_ = 0, row_end_ = 0;
  size_t sequences_ = 0, covered_ = 0, uncovered_ = 0, first_ = 0, last_ = 0;
  Stretch now_, best_;
};

}  // namespace

Mojibake find_mojibake(std::string_view text, std::span<const Place> code, const MojibakeHints& hints) {
  Mojibake best;
  const auto attempt = [&](ReadAs read_as) {
    Scan scan(text, read_as);
    size_t at = 0;
    for (const Place& place : code) {
      if (place.at > at) scan.read(at, place.at);
      at = std::max(at, place.at + place.size);
    }
    scan.read(std::min(at, text.size()), text.size());
    const Mojibake one = scan.result();
    if (one.found && one.share * static_cast<double>(one.sequences) > best.share * static_cast<double>(best.sequences)) best = one;
  };
  if (hints.lead_letters >= kLeast) {
    attempt(ReadAs::kWindows1252);
    attempt(ReadAs::kByteLevel);
  }
  if (hints.cyrillic >= kLeast) {
    attempt(ReadAs::kWindows1251);
    if (hints.box_drawing >= kLeast) attempt(ReadAs::kKoi8);
  }
  if (hints.han >= kLeast) attempt(ReadAs::kGbk);
  if (hints.halfwidth_kana >= kLeast) attempt(ReadAs::kShiftJis);
  return best;
}

}  // namespace vaa
