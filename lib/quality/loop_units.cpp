#include "quality/loop_units.h"

#include <cstdint>
#include <utility>

#include "text/unicode.h"
#include "text/utf8.h"

namespace vaa {
namespace {

bool is_name_byte(char c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' || c == ':' || c == '.'; }

// "NUMBER_ERROR, NUMBER_ERROR,", "ge::FORMAT_ND, ", "T_INPUT | T_LABEL,": constants of a program and commas. Like the others reads the unit as a ring, for a run may begin anywhere in it.
bool lists_constant(std::string_view unit) {
  size_t from = 0;
  while (from < unit.size() && is_name_byte(unit[from])) ++from;
  uint64_t word = 0, constant = 0;  // hashes
  bool comma = false, named = false, capitals = true, several = false;
  for (size_t i = 0; i <= unit.size(); ++i) {
    const char c = i < unit.size() ? unit[(from + i) % unit.size()] : ' ';
    if (is_name_byte(c)) {
      word = (word + static_cast<uint64_t>(c)) * 0x9E3779B97F4A7C15;
      named |= c == '_' || c == ':';
      capitals &= !(c >= 'a' && c <= 'z');
      continue;
    }
    if (c != ',' && c != '|' && static_cast<unsigned char>(c) > ' ') return false;
    comma |= c == ',';
    several |= word != 0 && constant != 0 && word != constant;
    if (word != 0) constant = std::exchange(word, 0);
  }
  return comma && (several ? named && capitals : named || capitals);
}

bool is_letter_byte(char c) { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; }

bool is_record(std::string_view unit) {
  size_t signs = 0, all = 0, separators = 0, blanks = 0, braces = 0, quotes = 0;
  for (const char c : unit) {
    blanks += c == ' ';
    all += c > ' ' || c < 0;
    signs += c > ' ' && !is_letter_byte(c) && !(c >= '0' && c <= '9');
    separators += c == ',' || c == ';' || c == '|' || c == '\t';
    braces += c == '{' || c == '}' || c == '[' || c == ']';
    quotes += c == '"';
  }
  return (braces >= 2 && quotes >= 2 && 4 * signs >= all) || (separators > 0 && blanks == 0 && signs == separators && unit.find('\n') != std::string_view::npos);
}

// One word of at most three letters.
bool is_brief(std::string_view unit) {
  size_t from = 0;
  while (from < unit.size() && is_letter_byte(unit[from])) ++from;
  uint32_t word = 0, one = 0;
  for (size_t i = 0; i <= unit.size(); ++i) {
    const char c = i < unit.size() ? unit[(from + i) % unit.size()] : ' ';
    if (c < 0 || (is_letter_byte(c) && word > 0xFFFF)) return false;
    if (is_letter_byte(c)) {
      word = word << 8 | static_cast<uint32_t>(c);
      continue;
    }
    if (word != 0 && one != 0 && word != one) return false;
    if (word != 0) one = std::exchange(word, 0);
  }
  return true;
}

// Lines of a program or of data: no three words side by side; a fifth of it digits and signs that prose has few of, or indented without a small letter (mnemonics).
bool is_code(std::string_view unit) {
  size_t all = 0, signs = 0, small = 0, words = 0;
  bool line = false, indented = false, blank = false, letter = false;
  char before = 0;
  // Twice round: the unit may begin within a word.
  for (size_t i = 0; i < 2 * unit.size(); ++i) {
    const char c = unit[i % unit.size()];
    if (c < 0) return false;
    const bool is_letter = is_letter_byte(c), digit = c >= '0' && c <= '9';
    if (is_letter && !letter) words = blank ? words + 1 : 1;
    if (words == 3) return false;
    if (!is_letter && c != ' ') words = 0;
    constexpr std::string_view kSigns = "%$()[]{}<>/=;&_@\\+^~";
    line |= c == '\n';
    indented |= before == '\n' && (c == '\t' || c == ' ');
    small += c >= 'a' && c <= 'z';
    signs += digit || kSigns.find(c) != std::string_view::npos;
    all += c > ' ';
    blank = c == ' ' && letter;
    letter = is_letter;
    before = c;
  }
  return line && ((small == 0 && indented) || 5 * signs >= all);
}

// White space, or one of the signs that lines are drawn with.
bool is_rule(std::string_view unit) {
  size_t at = 0;
  while (at < unit.size() && unit[at] != 0 && static_cast<unsigned char>(unit[at]) <= ' ') ++at;
  if (at == unit.size()) return true;
  const Utf8Step step = utf8_step(unit, at);
  constexpr std::string_view kDrawn = "-_=*~#.+";
  const bool drawn = step.code < 0x80 ? kDrawn.find(unit[at]) != std::string_view::npos : (step.code >= 0x2010 && step.code <= 0x2015) || (step.code >= 0x2500 && step.code < 0x25A0);
  return step.valid && drawn && at + step.size == unit.size();
}

}  // namespace

LoopUnit read_unit(std::string_view unit) {
  LoopUnit out;
  size_t characters = 0, letters = 0, digits = 0;
  char letter = 0;
  bool several = false, blank = false, pictures = false, beyond_hex = false, control = false;
  for (size_t at = 0; at < unit.size();) {
    const Utf8Step step = utf8_step(unit, at);
    const CodeProperties properties = code_properties(step.code);
    at += step.size;
    const bool was_blank = blank;
    blank = step.valid && properties.white_space;
    if (blank && was_blank) continue;
    ++characters;
    out.squeezed += blank ? 1 : step.size;
    if (!step.valid) continue;
    const bool mark = properties.category >= Category::kNonspacingMark && properties.category <= Category::kSpacingMark;
    if (is_letter(step.code) || mark) {
      ++letters;
      const char low = step.code < 0x80 ? static_cast<char>(step.code | 0x20) : 0;
      several |= low == 0 || (letter != 0 && letter != low);
      beyond_hex |= low == 0 || (low > 'f' && low != 'x' && low != 'u' && low != 'l');
      letter = low;
    } else if (step.code == 0xFFFD || (properties.emoji && step.code >= 0x80)) {
      pictures = true;
    } else if (properties.category == Category::kDecimalDigit) {
      ++digits;
    }
    control |= properties.category == Category::kControl && !properties.white_space;
  }
  // "0xff, 0x00, ": numbers, whatever letters they are written with.
  const bool hexadecimal = digits > 0 && !beyond_hex;
  out.words = pictures || (letters > 0 && letters * 5 >= characters && !hexadecimal && !control);
  out.data = out.words && !pictures && is_record(unit);
  out.brief = out.words && !pictures && is_brief(unit);
  const bool constant = !pictures && lists_constant(unit);
  out.weak = constant || (!pictures && !several);
  out.code = out.words && (constant || (!pictures && is_code(unit)));
  out.pattern = !out.words && (digits > 0 || is_rule(unit));
  return out;
}

}  // namespace vaa
