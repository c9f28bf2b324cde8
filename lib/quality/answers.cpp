#include "quality/answers.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "base/json.h"

namespace vaa {
namespace {

constexpr size_t kLongest = 512;  // bytes of an answer that are compared

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }
bool starts(std::string_view text, size_t at, std::string_view with) { return text.compare(at, with.size(), with) == 0; }

constexpr std::string_view kMarks[] = {"**", "*", "`", "$", "\"", "'", "\\(", "\\)", "\\[", "\\]", ".", "。", ",", "，", "!", "！", ":", "：", ";", "；",
                                       "“", "”", "‘", "’", "（", "）", "\\!", "\\,", "\\;", "~", "_"};

// Without white space and marks at both ends, and without one pair of brackets or \text{…} around the whole.
std::string_view bare(std::string_view text) {
  constexpr std::string_view kWraps[] = {"\\text{", "\\textbf{", "\\mathrm{", "\\mathbf{", "\\mbox{", "\\boxed{", "("};
  for (bool changed = true; changed;) {
    changed = false;
    while (!text.empty() && static_cast<unsigned char>(text.front()) <= ' ') text.remove_prefix(1), changed = true;
    while (!text.empty() && static_cast<unsigned char>(text.back()) <= ' ') text.remove_suffix(1), changed = true;
    for (const std::string_view mark : kMarks) {
      if (starts(text, 0, mark) && text.size() > mark.size()) text.remove_prefix(mark.size()), changed = true;
      if (text.size() > mark.size() && starts(text, text.size() - mark.size(), mark)) text.remove_suffix(mark.size()), changed = true;
    }
    for (const std::string_view wrap : kWraps) {
      const char close = wrap == "(" ? ')' : '}';
      if (!starts(text, 0, wrap) || text.size() <= wrap.size() || text.back() != close || text.find(close) != text.size() - 1) continue;
      text = text.substr(wrap.size(), text.size() - wrap.size() - 1);
      changed = true;
    }
  }
  return text;
}

struct Number {
  double value = 0;
  char digits[64];  // with the sign, without leading zeros
  size_t size = 0;
  bool whole = true;
};

// A number that fills the text but for currency, % and a unit behind it. False: it is none.
bool number(std::string_view text, Number* out) {
  while (!text.empty() && (text.front() == '$' || text.front() == ' ' || text.front() == '+' || (text.front() == '\\' && starts(text, 1, "$"))))
    text.remove_prefix(1);
  for (const std::string_view currency : {"¥", "￥", "€", "£"})
    if (starts(text, 0, currency)) text.remove_prefix(currency.size());
  size_t size = 0, i = 0;
  bool any = false, point = false;
  char* const digits = out->digits;
  if (i < text.size() && text[i] == '-') digits[size++] = text[i++];
  const size_t sign = size;
  for (; i < text.size() && size + 1 < sizeof(out->digits); ++i) {
    if (is_digit(text[i])) {
      if (size == sign + 1 && digits[sign] == '0') --size;
      digits[size++] = text[i];
      any = true;
    } else if (text[i] == '.' && !point && i + 1 < text.size() && is_digit(text[i + 1])) {
      digits[size++] = '.';
      point = true;
    } else if (!(text[i] == ',' && any && !point && i + 3 < text.size() && is_digit(text[i + 1]) && is_digit(text[i + 2]) && is_digit(text[i + 3]))) {
      break;
    }
  }
  if (!any) return false;
  out->size = size;
  out->whole = !point;
  std::string_view rest = text.substr(i);
  if (starts(rest, 0, "\\%") || starts(rest, 0, "%")) rest = {};
  // A unit: words without digits and signs.
  for (const char c : rest)
    if (is_digit(c) || c == '/' || c == '+' || c == '-' || c == '^' || c == '=' || c == '*') return false;
  JsonReader reader(std::string_view(digits, size));
  return reader.real(&out->value);
}

// Whole numbers digit by digit: a tolerance would take 10000000001 for 10000000000.
bool equal(const Number& a, const Number& b) {
  if (a.whole && b.whole && (a.value != 0 || b.value != 0)) return std::string_view(a.digits, a.size) == std::string_view(b.digits, b.size);
  return std::fabs(a.value - b.value) <= 1e-9 * std::max(std::fabs(a.value), std::fabs(b.value));
}

// The one letter of "B", "B.", "B)", "B: Paris"; 0: it is none.
char letter(std::string_view text) {
  if (text.empty() || !is_letter(text[0])) return 0;
  if (text.size() == 1) return static_cast<char>(text[0] & ~0x20);
  const bool marked = text[1] == '.' || text[1] == ')' || text[1] == ':' || starts(text, 1, "、") || starts(text, 1, "．") || starts(text, 1, "：") || starts(text, 1, "）");
  return marked && text[0] >= 'A' && text[0] <= 'Z' && (text.size() == 2 || !is_digit(text[2])) ? text[0] : 0;
}

// Lower case without white space and a few spellings of LaTeX.
void squeeze(std::string_view text, std::string* out) {
  out->clear();
  for (size_t i = 0; i < text.size();) {
    if (static_cast<unsigned char>(text[i]) <= ' ') {
      ++i;
    } else if (starts(text, i, "\\dfrac") || starts(text, i, "\\tfrac")) {
      *out += "\\frac";
      i += 6;
    } else if (starts(text, i, "\\left") || starts(text, i, "\\right")) {
      i += starts(text, i, "\\left") ? 5 : 6;
    } else {
      *out += lower(text[i++]);
    }
  }
}

bool same(std::string_view left, std::string_view right, AnswerMemory* memory) {
  left = bare(left.substr(0, kLongest));
  right = bare(right.substr(0, kLongest));
  if (left.empty() || right.empty()) return false;
  Number a, b;
  if (number(left, &a) && number(right, &b)) return equal(a, b);
  const char one = letter(left), other = letter(right);
  if (one != 0 && other != 0) return one == other;
  squeeze(left, &memory->left);
  squeeze(right, &memory->right);
  return memory->left == memory->right;
}

// What stands behind the last "=" of "x = 5".
std::string_view value_of(std::string_view text) {
  const size_t at = text.rfind('=');
  return at == std::string_view::npos ? text : text.substr(at + 1);
}

// The last number of a line, with its sign and currency.
std::string_view last_number(std::string_view line) {
  size_t end = line.size();
  while (end > 0 && !is_digit(line[end - 1])) --end;
  size_t begin = end;
  while (begin > 0 && (is_digit(line[begin - 1]) || line[begin - 1] == ',' || line[begin - 1] == '.')) --begin;
  while (begin < end && !is_digit(line[begin])) ++begin;
  if (begin > 0 && line[begin - 1] == '-' && (begin == 1 || line[begin - 2] == ' ')) --begin;
  return line.substr(begin, end - begin);
}

// The last capital of a line that stands by itself.
std::string_view lone_letter(std::string_view line) {
  const auto is_word = [](char c) { return is_letter(c) || is_digit(c) || c == '_'; };
  for (size_t i = line.size(); i-- > 0;) {
    if (line[i] < 'A' || line[i] > 'Z') continue;
    if ((i > 0 && is_word(line[i - 1])) || (i + 1 < line.size() && (is_word(line[i + 1]) || line[i + 1] == '\''))) continue;
    if ((line[i] == 'A' || line[i] == 'I') && i + 2 < line.size() && line[i + 1] == ' ' && is_letter(line[i + 2])) continue;
    return line.substr(i, 1);
  }
  return {};
}

bool line_gives(std::string_view line, std::string_view gold, AnswerMemory* memory) {
  if (same(line, gold, memory)) return true;
  const std::string_view wanted = bare(gold.substr(0, kLongest));
  Number value;
  if (number(wanted, &value)) return same(last_number(line), wanted, memory);
  if (letter(wanted) != 0) return same(lone_letter(line), wanted.substr(0, 1), memory);
  // A text: the line ends in it, as a whole word.
  squeeze(wanted, &memory->right);
  squeeze(bare(line), &memory->left);
  if (memory->right.size() < 2 || memory->left.size() < memory->right.size()) return false;
  const std::string_view end = bare(line);
  if (end.size() < wanted.size()) return false;
  const size_t before = end.size() - wanted.size();
  if (before > 0 && is_letter(end[before - 1]) && is_letter(wanted[0])) return false;
  return memory->left.compare(memory->left.size() - memory->right.size(), memory->right.size(), memory->right) == 0;
}

// "It is not Paris", "不是巴黎", "Is it Paris?"
bool denies_or_asks(std::string_view line) {
  constexpr std::string_view kDenials[] = {"not ", "n't ", "never ", "neither ", "cannot ", "Not ", "不是", "并非", "不能", "不等于", "≠"};
  const size_t last = line.find_last_not_of(" \t\r\n*\"");
  if (last == std::string_view::npos || line[last] == '?' || line.substr(0, last + 1).rfind("？") + 3 == last + 1) return true;
  const auto denies = [&](std::string_view word) {
    const size_t at = line.find(word);
    return at != std::string_view::npos && (at == 0 || !is_letter(line[at - 1]) || word[1] == '\'');
  };
  return std::any_of(std::begin(kDenials), std::end(kDenials), denies);
}

// The closing brace of the one before `at`, npos: none.
size_t closing_brace(std::string_view text, size_t at) {
  int depth = 1;
  for (size_t i = at; i < text.size() && i - at < kLongest; ++i) {
    if (text[i] == '{') ++depth;
    if (text[i] == '}' && --depth == 0) return i;
  }
  return std::string_view::npos;
}

bool find_boxed(std::string_view answer, FinalAnswer* out) {
  constexpr std::string_view kBoxed = "\\boxed{";
  const size_t at = answer.rfind(kBoxed);
  if (at == std::string_view::npos) return false;
  const size_t begin = at + kBoxed.size(), end = closing_brace(answer, begin);
  if (end == std::string_view::npos) return false;
  *out = {FinalAnswer::Where::kBoxed, answer.substr(begin, end - begin), begin};
  return true;
}

// `cue` in lower case; the last place of it, npos: none.
size_t rfind_lowered(std::string_view text, std::string_view cue) {
  const auto equal = [](char a, char b) { return lower(a) == b; };
  const auto at = std::find_end(text.begin(), text.end(), cue.begin(), cue.end(), equal);
  return at == text.end() ? std::string_view::npos : static_cast<size_t>(at - text.begin());
}

bool find_after_cue(std::string_view answer, FinalAnswer* out) {
  constexpr std::string_view kCues[] = {"answer:", "answer is", "answer：", "答案：", "答案:", "答案是", "答案为", "####", "【答案】"};
  size_t best = std::string_view::npos;
  for (const std::string_view cue : kCues) {
    const size_t at = rfind_lowered(answer, cue);
    if (at != std::string_view::npos && (best == std::string_view::npos || at + cue.size() > best)) best = at + cue.size();
  }
  if (best == std::string_view::npos) return false;
  const size_t begin = answer.find_first_not_of(" \t\r\n*:：", best);
  if (begin == std::string_view::npos) return false;
  *out = {FinalAnswer::Where::kAfterCue, answer.substr(begin, std::min(answer.find('\n', begin), answer.size()) - begin), begin};
  return true;
}

bool find_last_line(std::string_view answer, FinalAnswer* out) {
  const size_t last = answer.find_last_not_of(" \t\r\n");
  if (last == std::string_view::npos) return false;
  const size_t before = answer.rfind('\n', last);
  const size_t begin = before == std::string_view::npos ? 0 : before + 1;
  *out = {FinalAnswer::Where::kLastLine, answer.substr(begin, last + 1 - begin), begin};
  return true;
}

// The number of a worked answer that ends in "#### 28".
std::string_view short_gold(std::string_view gold) {
  const size_t at = gold.rfind("####");
  return at == std::string_view::npos ? gold : gold.substr(at + 4);
}

}  // namespace

size_t find_final_answers(std::string_view answer, FinalAnswer out[3]) {
  size_t count = 0;
  if (find_boxed(answer, &out[count])) ++count;
  if (find_after_cue(answer, &out[count])) ++count;
  if (find_last_line(answer, &out[count])) ++count;
  return count;
}

bool same_answer(std::string_view extracted, std::string_view gold, AnswerMemory* memory) {
  gold = short_gold(gold);
  return same(extracted, gold, memory) || same(value_of(extracted), gold, memory);
}

Gives gives_gold(const FinalAnswer& found, std::string_view gold, AnswerMemory* memory) {
  gold = short_gold(gold);
  if (found.where == FinalAnswer::Where::kBoxed) return same(found.text, gold, memory) || same(value_of(found.text), gold, memory) ? Gives::kSurely : Gives::kNo;
  const std::string_view text = found.text.substr(found.text.size() > 4 * kLongest ? found.text.size() - 4 * kLongest : 0);
  if (found.where == FinalAnswer::Where::kAfterCue) {
    if (same(text, gold, memory)) return Gives::kSurely;
    // "28. That is because …", "B, since …": the first word and a mark. "B or C" gives neither.
    const size_t end = text.find_first_of(" \t，。；");
    const bool first = end != std::string_view::npos && end > 0 && same(text.substr(0, end), gold, memory);
    const bool marked = first && ((text[end] != ' ' && text[end] != '\t') || std::string_view(".,;:)*").find(text[end - 1]) != std::string_view::npos);
    if (marked) return Gives::kSurely;
    if (first) return denies_or_asks(text) ? Gives::kNo : Gives::kPerhaps;
  }
  return line_gives(text, gold, memory) && !denies_or_asks(text) ? Gives::kPerhaps : Gives::kNo;
}

}  // namespace vaa
