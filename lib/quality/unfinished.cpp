#include "quality/unfinished.h"

#include <algorithm>
#include <iterator>

#include "text/special_tokens.h"
#include "text/unicode.h"
#include "text/utf8.h"

namespace vaa {
namespace {

constexpr size_t kFurthest = 4096;                    // bytes of the line that are read
constexpr int64_t kProse = 50, kIdeographs = 30, kWords = 8;  // characters of a line of prose, of Chinese or Japanese; words where they are spaced

// Words that no English sentence ends in.
constexpr std::string_view kFunctionWords[] = {"the", "a", "an", "and", "or", "their", "its", "your", "our", "my", "which", "because", "whose", "than", "into", "from", "nor"};

bool is_one_of(uint32_t code, std::u32string_view codes) { return codes.find(static_cast<char32_t>(code)) != std::u32string_view::npos; }
bool is_wide_end(uint32_t code) { return is_one_of(code, U"。！？"); }
bool is_end(uint32_t code) { return is_one_of(code, U".!?।॥؟۔։።…"); }
bool is_closing(uint32_t code) { return is_one_of(code, U"\"')]*_”’»」』）】"); }
bool is_comma(uint32_t code) { return is_one_of(code, U",，、،"); }
bool is_colon(uint32_t code) { return code == ':' || code == 0xFF1A; }
bool is_ideograph(uint32_t code) { return (code >= 0x3040 && code <= 0x30FF) || (code >= 0x3400 && code <= 0x9FFF); }
// Thai to Tibetan, Burmese, Khmer: sentences without end marks.
bool is_unmarked(uint32_t code) { return (code >= 0xE00 && code <= 0x109F) || (code >= 0x1780 && code <= 0x17FF); }

// What a line of text holds, from its first character to its last.
struct Line {
  int64_t characters = 0, letters = 0, ideographs = 0, words = 0, ends = 0;
  size_t sentence = 0;      // byte at which the last sentence begins
  size_t word = 0;          // byte at which the last piece between white space begins
  uint32_t word_begin = 0;  // its first character
  uint32_t last = 0;        // the last character
  bool marked = false;      // a hash tag, an address, an equation, a key of JSON or a cell of a table is in it
};

Line read_line(std::string_view text, size_t begin, size_t end) {
  Line line;
  line.sentence = begin;
  uint32_t before = 0, waiting = 0;  // the character before; 1 behind an end mark, 2 where a letter now begins a sentence
  int64_t word = 0;                  // letters of the word before an end mark: "A. A. Milne" ends nothing
  for (size_t at = begin; at < end;) {
    const Utf8Step step = utf8_step(text, at);
    const uint32_t code = step.code;
    const bool space = is_white_space(code), letter = step.valid && is_letter(code);
    if (!space) {
      ++line.characters;
      const bool starts = line.last == 0 || is_white_space(before);
      if (starts) {
        ++line.words;
        line.word = at;
        line.word_begin = code;
        line.marked |= code == '#' || code == '@';
      }
      if (letter) {
        if (waiting == 2) {
          ++line.ends;
          line.sentence = at;
        }
        waiting = 0;
        ++line.letters;
        ++word;
      } else {
        line.marked |= code == '|' || code == '=' || (code == '/' && before == '/') || (code == ':' && before == '"');
        const bool end_mark = is_end(code);
        if (is_wide_end(code)) waiting = 2;
        else if (end_mark) waiting = word >= 2 || code != '.' ? 1 : 0;
        else if (waiting == 2 && !is_closing(code)) waiting = 0;
        if (!end_mark) word = 0;
      }
      line.ideographs += is_ideograph(code);
      line.last = code;
    } else {
      waiting = waiting != 0 ? 2 : 0;
      word = 0;
    }
    before = code;
    at += step.size;
  }
  return line;
}

// The line begins as a heading, a quotation, a table or code does.
bool is_block(std::string_view line) {
  constexpr std::string_view kMarks = "#>|{}<\\$`=@;/";
  return line.empty() || kMarks.find(line[0]) != std::string_view::npos;
}
// … or as an item of a list: "- ", "* ", "• ", "1.", "a)".
bool is_item(std::string_view line) {
  constexpr std::string_view kBullets[] = {"- ", "* ", "+ ", "•", "–", "—", "·", "▪", "●", "◦", "("};
  const auto leads = [&](std::string_view mark) { return line.substr(0, mark.size()) == mark; };
  if (std::any_of(std::begin(kBullets), std::end(kBullets), leads)) return true;
  size_t i = 0;
  while (i < line.size() && i < 3 && line[i] >= '0' && line[i] <= '9') ++i;
  if (i == 0 && line.size() > 1 && ((line[0] | 0x20) >= 'a' && (line[0] | 0x20) <= 'z')) i = 1;
  return i > 0 && i < line.size() && (line[i] == '.' || line[i] == ')' || line.substr(i, 2) == " ." || line.substr(i, 3) == "、");
}

bool is_function_word(std::string_view word) { return std::find(std::begin(kFunctionWords), std::end(kFunctionWords), word) != std::end(kFunctionWords); }
bool is_plain_word(std::string_view word) { return word.find_first_of("/.@#\\=_<>{}[]()\"0123456789") == std::string_view::npos; }

// "Please paste the text here:", not "please type the following:".
bool asks_for_input(std::string_view sentence) {
  const auto holds = [&](std::string_view word) { return sentence.find(word) != std::string_view::npos; };
  constexpr std::string_view kGive[] = {"paste", "provide", "share", "enter", "type", "send", "upload", "贴", "输入", "提供", "发送", "发给", "上传", "填写"};
  constexpr std::string_view kAsk[] = {"Please", "please", " here:", " below:", "请", "这里：", "此处：", "下面：", "下方："};
  return std::any_of(std::begin(kGive), std::end(kGive), holds) && std::any_of(std::begin(kAsk), std::end(kAsk), holds) && !holds("following") && !holds("以下") && !holds("如下");
}

struct Reason {
  const char* name;
  bool certain;
};

Reason reason_of(const Line& line, bool item, std::string_view sentence, std::string_view last_word) {
  const bool wide = 2 * line.ideographs > line.letters;
  const bool prose = !line.marked && 4 * line.letters >= 3 * line.characters - 8 &&
                     (wide ? line.ideographs >= kIdeographs : line.characters >= kProse && line.words >= kWords);
  if (!prose) return {"", false};
  if (is_comma(line.last)) return {"comma", true};
  if (!item && is_colon(line.last)) return {asks_for_input(sentence) ? "" : "colon", false};
  if (!is_letter(line.last) || is_unmarked(line.last)) return {"", false};
  if (is_function_word(last_word)) return {"function_word", true};
  const Category first = code_properties(line.word_begin).category;
  // "The answer is yes" is whole.
  if (line.ends == 0 || item || !is_plain_word(last_word) || sentence.find("answer") != std::string_view::npos) return {"", false};
  if (wide) return {"cjk_sentence", false};
  return first == Category::kUpper || first == Category::kTitle ? Reason{"", false} : Reason{"sentence", false};
}

}  // namespace

Unfinished find_unfinished(std::string_view text, size_t begin, size_t end, std::span<const Place> code) {
  end = stripped_size(text.substr(0, end), begin);
  if (end <= begin || (!code.empty() && code.back().at + code.back().size >= end)) return {};
  const uint32_t last = utf8_step(text, utf8_floor(text, end - 1)).code;
  if (!is_comma(last) && !is_colon(last) && !is_letter(last)) return {};  // most answers
  const size_t feed = text.substr(0, end).find_last_of("\r\n");
  const size_t line_begin = std::max(feed == std::string_view::npos ? 0 : feed + 1, begin);
  size_t from = text.find_first_not_of(" \t", line_begin);
  if (from >= end) return {};
  const std::string_view whole = text.substr(from, end - from);
  if (is_block(whole)) return {};
  if (whole.size() > kFurthest) from = utf8_floor(text, end - kFurthest);
  const Line line = read_line(text, from, end);
  const Reason reason = reason_of(line, is_item(whole), text.substr(line.sentence, end - line.sentence), text.substr(line.word, end - line.word));
  if (*reason.name == 0) return {};
  return {reason.name, reason.certain, line.sentence, end - line.sentence};
}

}  // namespace vaa
