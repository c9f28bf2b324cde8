#include "quality/scripts.h"

#include <algorithm>
#include <cstring>

#include "quality/byte_lanes.h"
#include "text/unicode.h"
#include "text/utf8.h"

namespace vaa {
namespace {

constexpr size_t kShortStretch = 64;  // bytes of ASCII that are read one by one
constexpr size_t kMaxGuest = 8;       // letters of an intrusion
constexpr size_t kNewStretch = 20;    // letters

bool is_ascii_letter(char c) { return static_cast<unsigned char>((c | 0x20) - 'a') < 26; }
bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

// The first byte from `at` on that is not ASCII, or `end`.
size_t ascii_end(std::string_view text, size_t at, size_t end) {
  for (; at + kLanes <= end; at += kLanes) {
    uint64_t halves[2];
    std::memcpy(halves, text.data() + at, sizeof(halves));
    if ((halves[0] | halves[1]) & 0x8080808080808080U) break;
  }
  while (at < end && static_cast<unsigned char>(text[at]) < 0x80) ++at;
  return at;
}

size_t count_ascii_letters(std::string_view text) {
  const auto letters = [](const char* p) { return ((load_lanes(p) | 0x20) - 'a') < 26; };
  size_t count = count_lanes(text.data(), text.data() + text.size(), kLanes, letters);
  for (size_t at = text.size() / kLanes * kLanes; at < text.size(); ++at) count += is_ascii_letter(text[at]);
  return count;
}

// Whether characters that GBK makes of UTF-8 stand close together: a level that rises with each and falls with any other.
class WrongHan {
 public:
  void gbk(uint32_t code) {
    const uint32_t kinds = wrong_decoding_tables::entry(code) >> wrong_decoding_tables::shift(ReadAs::kGbk) & 63;
    level_ = std::max(level_ + kSteps[kinds], 0);
    seen_ |= level_ >= kLevel;
  }
  bool seen() const { return seen_; }

 private:
  static constexpr int kLevel = 30;
  // By the kinds of a character's two bytes, three bits each.
  static constexpr std::array<int8_t, 64> kSteps = [] {
    std::array<int8_t, 64> steps{};
    for (size_t kinds = 0; kinds < 64; ++kinds) {
      const auto first = static_cast<ByteKind>(kinds & 7), second = static_cast<ByteKind>(kinds >> 3);
      const bool begins = second == ByteKind::kContinuation && first > ByteKind::kContinuation;
      steps[kinds] = begins ? first == ByteKind::kLeadOfThree ? 8 : 3 : -1;
    }
    return steps;
  }();
  int level_ = 0;
  bool seen_ = false;
};

class ScriptReader {
 public:
  ScriptReader(std::string_view text, Scripts* out) : text_(text), out_(out) {}

  void read(size_t begin, size_t end, bool code, bool answer) {
    code_ = code;
    answer_ = answer;
    for (size_t at = begin; at < end;) at = static_cast<unsigned char>(text_[at]) < 0x80 ? ascii(at, end) : character(at);
    end_run();
  }
  // Han and its like that GBK makes of UTF-8 stood somewhere.
  bool wrong_han() const { return wrong_.seen(); }
  void line_end() {
    end_run();
    soup_.line_end();
    commit_guests();
    apart_ = false;
  }

 private:
  enum class Gap : uint8_t { kNone, kBlank, kOther };  // what stands between two letters
  struct Run {
    uint8_t group = script::kNone;
    size_t begin = 0, end = 0, letters = 0;
    bool apart = false;              // a separator stands before it
    Gap before = Gap::kOther;
    uint8_t host = script::kNone;    // the group before it
  };

  void end_run() {
    flush(Gap::kOther, script::kNone);
    last_.group = script::kNone;
    gap_ = Gap::kOther;
  }
  void other_character(uint32_t code) {
    if (code == '\n') return line_end();
    gap_ = code == ' ' && gap_ == Gap::kNone ? Gap::kBlank : Gap::kOther;
    apart_ = apart_ || script::is_separator(code);
  }

  // `count` letters of a group in text[begin, end); `whole`: nothing else stands between them.
  void letters(uint8_t group, size_t begin, size_t end, size_t count, bool whole) {
    if (group != last_.group) change(group, begin);
    last_.letters += count;
    last_.end = end;
    word_ = (gap_ == Gap::kNone ? word_ : 0) + count;
    mixed_ = mixed_ && gap_ == Gap::kNone && whole;
    if (mixed_ && out_->mixed_words == 1) out_->mixed.size = end - out_->mixed.at;
    gap_ = Gap::kNone;
    apart_ = false;
  }
  void change(uint8_t group, size_t begin) {
    const uint8_t before = last_.group;
    if (before != script::kNone && gap_ == Gap::kNone && !mixed_ && !begins_name(begin) && !script::may_touch(before, group, word_)) {
      mixed_ = true;
      if (out_->mixed_words++ == 0) out_->mixed = {begin, 1};
    }
    flush(gap_, group);
    last_ = {group, begin, begin, 0, apart_, gap_, before};
    word_ = 0;
  }
  // A capital at text[at]: a name or a key that was glued to what stands before it (SuperПробел, ДанныеB), unless that is a capital too.
  bool begins_name(size_t at) const {
    const auto is_upper = [&](size_t i) { return code_properties(utf8_step(text_, i).code).category == Category::kUpper; };
    return at > 0 && is_upper(at) && !is_upper(utf8_floor(text_, at - 1));
  }
  // The run is over; a letter of `next` follows behind `gap`.
  void flush(Gap gap, uint8_t next) {
    if (last_.letters == 0) return;
    soup_.add(last_.group, last_.letters, last_.apart, last_.begin, last_.end, &out_->soup);
    out_->letters += last_.letters;
    if (!code_) {
      out_->by_group[last_.group] += last_.letters;
      line_letters_ += last_.letters;
      if (last_.letters <= kMaxGuest) guest(gap, next);
      if (answer_) fill();
    }
    last_.letters = 0;
  }
  // A letter of the host stands before the run, or one that begins no name behind it; or blanks stand around the run.
  void guest(Gap gap, uint8_t next) {
    const bool left = last_.before == Gap::kNone && last_.host != script::kNone;
    const bool right = gap == Gap::kNone && next != script::kNone && !begins_name(last_.end);
    if (left || right) return intrude(left ? last_.host : next, true);
    const bool blanks = last_.before == Gap::kBlank && gap == Gap::kBlank && next != script::kNone && next == last_.host;
    if (blanks) intrude(next, false);
  }
  void intrude(uint8_t host, bool touching) {
    if (guests_ == line_guests_.size()) return;
    line_guests_[guests_++] = {host, last_.group, touching, last_.letters, {last_.begin, last_.end - last_.begin}};
  }
  // A line that is for a good part of the guest's script is no line of the host.
  void commit_guests() {
    constexpr size_t kPart = 4;
    size_t letters = 0;
    for (size_t i = 0; i < guests_; ++i) letters += line_guests_[i].count;
    if (letters * kPart <= line_letters_)
      for (size_t i = 0; i < guests_; ++i) commit(line_guests_[i]);
    guests_ = line_letters_ = 0;
  }
  void commit(const Intrusion& one) {
    for (Intrusion& seen : out_->intrusions) {
      if (seen.count == 0) seen = {one.host, one.guest, one.touching, 0, one.first};
      else if (seen.host != one.host || seen.guest != one.guest || seen.touching != one.touching) continue;
      ++seen.count;
      return;
    }
  }

  // Windows of the answer, one behind another; a long run of another group begins a new one.
  void fill() {
    if (last_.letters >= kNewStretch && most_group_ != last_.group) clear_window();
    size_t left = last_.letters;
    while (left > 0) {
      const size_t step = std::min(left, Scripts::kWindow - window_);
      if (in_window_[last_.group] == 0) {
        first_in_window_[last_.group] = last_.begin;
        groups_[group_count_++] = last_.group;
      }
      in_window_[last_.group] = static_cast<uint8_t>(in_window_[last_.group] + step);
      if (in_window_[last_.group] > most_) {
        most_ = in_window_[last_.group];
        most_group_ = last_.group;
      }
      window_ += step;
      left -= step;
      if (window_ < Scripts::kWindow) continue;
      ++out_->filled_windows;
      if (most_ >= Scripts::kWindowShare) filled(most_group_, first_in_window_[most_group_]);
      clear_window();
      // Whole windows of one group at once.
      if (const size_t whole = left / Scripts::kWindow) {
        out_->filled_windows += whole;
        filled(last_.group, last_.begin, whole);
        left -= whole * Scripts::kWindow;
      }
    }
  }
  void clear_window() {
    while (group_count_ > 0) in_window_[groups_[--group_count_]] = 0;
    window_ = most_ = 0;
  }
  void filled(uint8_t group, size_t begin, size_t windows = 1) {
    out_->last_filled = group;
    for (Filling& one : out_->filled) {
      if (one.windows != 0 && one.group != group) continue;
      if (one.windows == 0) one = {group, 0, begin};
      one.windows += windows;
      return;
    }
  }

  size_t ascii(size_t at, size_t end) {
    const size_t stop = ascii_end(text_, at, end);
    if (stop - at <= kShortStretch) {
      one_by_one(at, stop);
      return stop;
    }
    const std::string_view stretch = text_.substr(at, stop - at);
    const size_t first = stretch.find('\n');
    if (first == std::string_view::npos) {
      line_part(at, stop);
      return stop;
    }
    const size_t last = stretch.rfind('\n');
    line_part(at, at + first);
    line_end();
    if (first < last) {
      line_part(at + first + 1, at + last);
      line_end();
    }
    line_part(at + last + 1, stop);
    return stop;
  }
  void one_by_one(size_t at, size_t end) {
    for (; at < end; ++at) {
      const char c = text_[at];
      if (!is_ascii_letter(c)) {
        other_character(static_cast<unsigned char>(c));
      } else {
        letters(script::kLatin, at, at + 1, 1, true);
        if (escaped(at)) gap_ = Gap::kOther;
      }
    }
  }
  // The letter of \n or %s.
  bool escaped(size_t at) const { return at > 0 && (text_[at - 1] == '\\' || text_[at - 1] == '%'); }
  // ASCII of one line, or of whole lines: for what follows it only its first and its last letter matter.
  void line_part(size_t begin, size_t end) {
    size_t first = begin, last = end;
    while (first < end && !is_ascii_letter(text_[first])) ++first;
    if (first < end)
      while (!is_ascii_letter(text_[last - 1])) --last;
    else last = first;
    for (size_t at = begin; at < first; ++at) other_character(static_cast<unsigned char>(text_[at]));
    if (first < last) {
      const size_t count = count_ascii_letters(text_.substr(first, last - first));
      letters(script::kLatin, first, last, count, count == last - first);
      if (escaped(last - 1)) gap_ = Gap::kOther;
    }
    for (size_t at = last; at < end; ++at) other_character(static_cast<unsigned char>(text_[at]));
  }

  // Letters of one script that are known by their first bytes: most Hangul syllables (U+B000 to U+CFFF), most Cyrillic letters (U+0400 to U+047F).
  bool is_common_hangul(size_t at) const {
    return at + 3 <= text_.size() && (text_[at] == '\xEB' || text_[at] == '\xEC') && is_continuation(text_[at + 1]) && is_continuation(text_[at + 2]);
  }
  bool is_common_cyrillic(size_t at) const { return at + 2 <= text_.size() && (text_[at] == '\xD0' || text_[at] == '\xD1') && is_continuation(text_[at + 1]); }

  size_t han(size_t at) {
    size_t end = at, kana = 0;
    WrongHan wrong = wrong_;
    while (const uint32_t code = utf8_common_han(text_, end)) {
      end += 3;
      wrong.gbk(code);
      kana += code == 0x7E3A || code == 0x7E67 || code == 0x7E5D;  // 縺 繧 繝
    }
    wrong_ = wrong;
    out_->hints.halfwidth_kana += kana;
    letters(script::kHan, at, end, (end - at) / 3, true);
    return end;
  }
  size_t character(size_t at) {
    if (utf8_common_han(text_, at) != 0) return han(at);
    size_t end = at;
    while (is_common_cyrillic(end)) end += 2;
    if (end > at) {
      letters(script::kCyrillic, at, end, (end - at) / 2, true);
      return end;
    }
    while (is_common_hangul(end)) end += 3;
    if (end > at) {
      letters(script::kHangul, at, end, (end - at) / 3, true);
      return end;
    }
    const Utf8Step step = utf8_step(text_, at);
    if (!step.valid) {
      gap_ = Gap::kOther;
      return at + step.size;
    }
    const uint16_t entry = unicode_tables::entry(step.code);
    const auto category = static_cast<Category>(entry & 31);
    const uint8_t group = script::group_of_script(static_cast<uint8_t>(entry >> 8));
    if (is_letter(step.code) && group != script::kNone) letters(group, at, at + step.size, 1, true);
    else if (category < Category::kNonspacingMark || category > Category::kSpacingMark) other_character(step.code);
    look(step.code, category, at, step.size);
    return at + step.size;
  }
  void look(uint32_t code, Category category, size_t at, size_t size) {
    if (code >= 0x2500 && code < 0x2580) ++out_->hints.box_drawing;
    out_->hints.lead_letters += code >= 0xC2 && code <= 0xF4;
    out_->hints.halfwidth_kana += code >= 0xFF61 && code <= 0xFF9F;
    out_->token_marks += code == 0x120 || code == 0x10A || code == 0x2581;
    if (code_ || (category != Category::kUnassigned && category != Category::kPrivate)) return;
    const bool newer = category == Category::kUnassigned && ((code >= 0x1F000 && code < 0x40000) || (code >= 0x20C0 && code < 0x20D0));
    if (newer || code_properties(code).noncharacter) return;
    if (out_->odd_count++ == 0) out_->odd = {at, size};
    if (out_->odd.at + out_->odd.size == at) out_->odd.size += size;
    out_->odd_unassigned = out_->odd_unassigned || category == Category::kUnassigned;
  }

  std::string_view text_;
  Scripts* out_;
  SoupWindow soup_;
  WrongHan wrong_;
  Run last_;
  Gap gap_ = Gap::kOther;  // since the last letter
  bool apart_ = false;     // a separator stands there
  bool mixed_ = false;     // the word is counted as mixed
  size_t word_ = 0;        // letters of the last group in the word
  bool code_ = false, answer_ = false;
  std::array<Intrusion, 16> line_guests_{};  // of the line; their count is of letters
  size_t guests_ = 0, line_letters_ = 0;
  std::array<uint8_t, script::kGroups> in_window_{};
  std::array<size_t, script::kGroups> first_in_window_;  // of groups in the window
  std::array<uint8_t, Scripts::kWindow> groups_{};  // in the window
  size_t group_count_ = 0;
  size_t window_ = 0, most_ = 0;
  uint8_t most_group_ = script::kNone;
};

}  // namespace

void read_scripts(std::string_view text, const Markup& markup, Scripts* out) {
  *out = Scripts();
  ScriptReader reader(text, out);
  // Pieces between the ends of code and of the answer.
  const size_t answer_begin = std::min(markup.answer_begin, text.size()), answer_end = std::min(markup.open_at, text.size());
  const auto piece = [&](size_t begin, size_t end, bool code) {
    for (size_t at = begin; at < end;) {
      const bool answer = at >= answer_begin && at < answer_end;
      const size_t stop = at < answer_begin ? std::min(end, answer_begin) : answer ? std::min(end, answer_end) : end;
      reader.read(at, stop, code, answer);
      at = stop;
    }
  };
  size_t at = 0;
  for (const Place& place : markup.code) {
    if (place.at < at) continue;
    piece(at, place.at, false);
    piece(place.at, place.at + place.size, true);
    at = place.at + place.size;
  }
  piece(at, text.size(), false);
  reader.line_end();
  out->hints.cyrillic = out->by_group[script::kCyrillic];
  const size_t han = out->by_group[script::kHan];
  out->hints.han = reader.wrong_han() || han * 4 <= out->by_group[script::kLatin] || han < 100 ? han : 0;
  out->mojibake = find_mojibake(text, markup.code, out->hints);
}

}  // namespace vaa
