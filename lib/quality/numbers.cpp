// The numbers that a prompt names, to know a repetition that was asked for.
#include <algorithm>

#include "quality/prompt.h"
#include "text/utf8.h"

namespace vaa {
namespace {

constexpr int64_t kMaxNumber = 1000000;

struct NumberWord {
  std::string_view word;
  int32_t value;  // from 100 on, and 12 for dozen: multiplies what stands before it
};
constexpr NumberWord kEnglish[] = {
    {"one", 1},        {"two", 2},        {"three", 3},     {"four", 4},     {"five", 5},      {"six", 6},       {"seven", 7},    {"eight", 8},   {"nine", 9},
    {"ten", 10},       {"eleven", 11},    {"twelve", 12},   {"thirteen", 13}, {"fourteen", 14}, {"fifteen", 15},  {"sixteen", 16}, {"seventeen", 17},
    {"eighteen", 18},  {"nineteen", 19},  {"twenty", 20},   {"thirty", 30},  {"forty", 40},    {"fifty", 50},    {"sixty", 60},   {"seventy", 70},
    {"eighty", 80},    {"ninety", 90},    {"hundred", 100}, {"thousand", 1000}, {"dozen", -12}};

int32_t english(std::string_view word) {
  constexpr size_t kLongest = 9;
  if (word.size() > kLongest) return 0;
  char low[kLongest];
  for (size_t i = 0; i < word.size(); ++i) low[i] = static_cast<char>(word[i] | 0x20);
  const std::string_view lowered(low, word.size());
  for (const NumberWord& known : kEnglish)
    if (lowered == known.word) return known.value;
  return 0;
}

// Digits 0 to 9; ten, hundred, … as negative powers; -1: no numeral.
int32_t chinese(uint32_t code) {
  switch (code) {
    case 0x96F6: case 0x3007: return 0;            // 零 〇
    case 0x4E00: return 1;                         // 一
    case 0x4E8C: case 0x4E24: return 2;            // 二 两
    case 0x4E09: return 3;                         // 三
    case 0x56DB: return 4;                         // 四
    case 0x4E94: return 5;                         // 五
    case 0x516D: return 6;                         // 六
    case 0x4E03: return 7;                         // 七
    case 0x516B: return 8;                         // 八
    case 0x4E5D: return 9;                         // 九
    case 0x5341: return -10;                       // 十
    case 0x767E: return -100;                      // 百
    case 0x5343: return -1000;                     // 千
    case 0x4E07: return -10000;                    // 万
    default: return -1;
  }
}

bool is_letter_byte(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit_byte(char c) { return c >= '0' && c <= '9'; }

class NumberReader {
 public:
  NumberReader(std::string_view text, size_t max, std::vector<int32_t>* out) : text_(text), max_(max), out_(out) {}

  void run() {
    while (at_ < text_.size() && out_->size() < max_) {
      const char c = text_[at_];
      if (is_digit_byte(c)) {
        finish();
        digits();
      } else if (is_letter_byte(c)) {
        word();
      } else if (static_cast<unsigned char>(c) >= 0x80) {
        wide();
      } else {
        if (c != ' ' && c != '-') finish();
        ++at_;
      }
    }
    finish();
  }

 private:
  void put(int64_t value) {
    if (out_->size() < max_) out_->push_back(static_cast<int32_t>(std::min(value, kMaxNumber)));
  }
  // What English or Chinese words have added up to.
  void finish() {
    if (open_) put(total_ + current_);
    open_ = false;
    total_ = current_ = pending_ = 0;
  }
  void digits() {
    int64_t value = 0;
    for (; at_ < text_.size(); ++at_) {
      if (is_digit_byte(text_[at_])) {
        value = std::min(value * 10 + (text_[at_] - '0'), kMaxNumber);
      } else if (text_[at_] != ',' || at_ + 3 >= text_.size() || !is_digit_byte(text_[at_ + 1]) || !is_digit_byte(text_[at_ + 2]) || !is_digit_byte(text_[at_ + 3])) {
        break;
      }
    }
    put(value);
  }
  void word() {
    const size_t begin = at_;
    while (at_ < text_.size() && is_letter_byte(text_[at_])) ++at_;
    const std::string_view word = text_.substr(begin, at_ - begin);
    const int32_t value = english(word);
    if (value == 0) {
      if (!(open_ && word == "and")) finish();
    } else if (value == -12 || value >= 100) {
      const int64_t factor = value == -12 ? 12 : value;
      current_ = std::min(std::max<int64_t>(current_, 1) * factor, kMaxNumber);
      if (value == 1000) total_ += current_, current_ = 0;
      open_ = true;
    } else {
      // "two, three" are two numbers; "twenty five" and "hundred five" are one.
      if (open_ && (current_ % 10 != 0 || (value >= 10 && current_ % 100 != 0))) finish();
      current_ += value;
      open_ = true;
    }
  }
  void wide() {
    const Utf8Step step = utf8_step(text_, at_);
    at_ += step.size;
    if (step.code >= 0xFF10 && step.code <= 0xFF19) {  // full-width digits
      current_ = std::min<int64_t>(current_ * 10 + (step.code - 0xFF10), kMaxNumber);
      open_ = true;
      return;
    }
    const int32_t value = step.valid ? chinese(step.code) : -1;
    if (value == -1) {
      finish();
      return;
    }
    // current_ holds what is below 万; pending_, a part of it, the digits that wait for their power.
    if (value >= 0) {
      current_ += pending_ * 9 + value;
      pending_ = std::min(pending_ * 10 + value, kMaxNumber);
    } else {
      const int64_t power = -int64_t{value};
      if (power == 10000) {
        total_ = std::min((total_ + std::max<int64_t>(current_, 1)) * power, kMaxNumber);
        current_ = 0;
      } else {
        current_ += pending_ ? pending_ * (power - 1) : power;
      }
      pending_ = 0;
    }
    current_ = std::min(current_, kMaxNumber);
    open_ = true;
  }

  std::string_view text_;
  size_t max_;
  std::vector<int32_t>* out_;
  size_t at_ = 0;
  bool open_ = false;
  int64_t total_ = 0, current_ = 0, pending_ = 0;
};

}  // namespace

void find_numbers(std::string_view text, size_t max, std::vector<int32_t>* out) { NumberReader(text, max, out).run(); }

}  // namespace vaa
