#include "quality/asks.h"

#include <algorithm>
#include <iterator>

namespace vaa {
namespace {

bool is_word(char c) {
  const auto u = static_cast<unsigned char>(c);
  return (u >= '0' && u <= '9') || (u >= 'A' && u <= 'Z') || (u >= 'a' && u <= 'z') || c == '_';
}
bool is_letter(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }
char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

// `needle` is in lower case.
size_t find_lowered(std::string_view text, std::string_view needle, size_t from = 0) {
  for (size_t at = from; at + needle.size() <= text.size(); ++at) {
    if ((text[at] | 0x20) != needle[0]) continue;
    size_t i = 0;
    while (i < needle.size() && lower(text[at + i]) == needle[i]) ++i;
    if (i == needle.size()) return at;
  }
  return std::string_view::npos;
}
// Not inside a longer word.
bool has_phrase(std::string_view text, std::string_view phrase) {
  for (size_t at = find_lowered(text, phrase); at != std::string_view::npos; at = find_lowered(text, phrase, at + 1)) {
    const size_t end = at + phrase.size();
    if ((at == 0 || !is_word(text[at - 1])) && (end == text.size() || !is_word(text[end]))) return true;
  }
  return false;
}

// The sentence around text[at]: at most `reach` bytes to each side.
std::string_view sentence_before(std::string_view text, size_t at, size_t reach) {
  const size_t least = at > reach ? at - reach : 0;
  size_t begin = at;
  while (begin > least) {
    const char c = text[begin - 1];
    if (c == '\n' || c == '!' || c == '?' || (c == '.' && text[begin] == ' ')) break;
    if (begin >= 3 && text.compare(begin - 3, 3, "。") == 0) break;
    --begin;
  }
  return text.substr(begin, at - begin);
}

// --- JSON ---

constexpr std::string_view kRequests[] = {"return",   "output", "respond", "reply",  "answer", "give",  "produce", "generate", "print", "emit",
                                          "provide",  "format", "as",      "in",     "using",  "write", "only"};
constexpr std::string_view kOthers[] = {"explain", "parse", "convert", "validate", "what", "from", "this", "following", "read", "between", "function",
                                        "program", "script", "code", "why", "how", "fix", "given", "these"};
constexpr std::string_view kChineseRequests[] = {"输出", "返回", "以", "用", "给出", "生成", "按", "转换为", "转成", "使用", "采用"};
constexpr std::string_view kChineseOthers[] = {"解析", "什么是", "这段", "以下", "下面", "读取", "函数", "代码", "程序"};

bool any_phrase(std::string_view text, const std::string_view* begin, const std::string_view* end) {
  return std::any_of(begin, end, [&](std::string_view phrase) { return has_phrase(text, phrase); });
}
bool any_piece(std::string_view text, const std::string_view* begin, const std::string_view* end) {
  return std::any_of(begin, end, [&](std::string_view piece) { return text.find(piece) != std::string_view::npos; });
}

bool asks_json(std::string_view prompt) {
  constexpr size_t kReach = 60;
  constexpr int kMaxMentions = 64;
  size_t at = find_lowered(prompt, "json");
  for (int mention = 0; at != std::string_view::npos && mention < kMaxMentions; ++mention, at = find_lowered(prompt, "json", at + 4)) {
    const size_t end = at + 4;
    if (end < prompt.size() && (is_word(prompt[end]) || (prompt[end] == '.' && end + 1 < prompt.size() && is_word(prompt[end + 1])))) continue;
    if (at > 0 && (is_word(prompt[at - 1]) || prompt[at - 1] == '.')) continue;
    const std::string_view before = sentence_before(prompt, at, kReach);
    const bool request = any_phrase(before, std::begin(kRequests), std::end(kRequests)) || any_piece(before, std::begin(kChineseRequests), std::end(kChineseRequests));
    const bool given = before.size() >= 4 && find_lowered(before.substr(before.size() - 4), "the ") == 0;
    const bool other = given || any_phrase(before, std::begin(kOthers), std::end(kOthers)) || any_piece(before, std::begin(kChineseOthers), std::end(kChineseOthers));
    if (request && !other) return true;
  }
  return false;
}

// --- letters ---

// "A, B, C or D", "A/B/C/D", "A、B、C、D", "ABCD": at least three letters one after another from A on, with little between. Returns behind it, 0: none at `at`.
size_t letter_series(std::string_view text, size_t at) {
  constexpr std::string_view kBetween[] = {", or ", ", ", "/", " or ", "、", "，", "或", "和", ",", " ", ""};
  if (at > 0 && is_word(text[at - 1])) return 0;
  size_t i = at;
  char letter = 'A';
  while (i < text.size() && text[i] == letter) {
    ++i;
    ++letter;
    const auto leads = [&](std::string_view between) {
      return text.compare(i, between.size(), between) == 0 && i + between.size() < text.size() && text[i + between.size()] == letter;
    };
    const auto found = std::find_if(std::begin(kBetween), std::end(kBetween), leads);
    if (found == std::end(kBetween)) break;
    i += found->size();
  }
  return letter >= 'D' && (i == text.size() || !is_word(text[i])) ? i : 0;
}

constexpr std::string_view kLetterPhrases[] = {"answer with the letter", "letter of the correct", "only the letter",      "just the letter", "option letter", "the correct letter",
                                               "$letter",                "single letter",         "letter of your choice", "choice letter", "answer letter", "letter of the answer"};
constexpr std::string_view kChineseLetter[] = {"选项字母", "正确选项", "正确的选项", "选出其中的正确答案", "选出正确答案", "选出正确的答案", "选择正确的答案", "选项的字母"};
constexpr std::string_view kChoose[] = {"choose", "answer", "select", "pick", "replying", "reply", "one of", "option", "respond", "output"};
constexpr std::string_view kChineseChoose[] = {"选", "回答", "答案"};

bool asks_letter(std::string_view prompt) {
  constexpr size_t kReach = 160, kAround = 24;
  constexpr std::string_view kLetter = "letter";
  for (size_t at = find_lowered(prompt, kLetter); at != std::string_view::npos; at = find_lowered(prompt, kLetter, at + 1)) {
    const std::string_view around = prompt.substr(at > kAround ? at - kAround : 0, 2 * kAround);
    for (const std::string_view phrase : kLetterPhrases)
      if (find_lowered(around, phrase) != std::string_view::npos) return true;
  }
  if (any_piece(prompt, std::begin(kChineseLetter), std::end(kChineseLetter))) return true;
  for (size_t at = prompt.find('A'); at != std::string_view::npos; at = prompt.find('A', at + 1)) {
    const size_t end = letter_series(prompt, at);
    if (end == 0) continue;
    const std::string_view before = sentence_before(prompt, at, kReach);
    if (any_phrase(before, std::begin(kChoose), std::end(kChoose)) || any_piece(before, std::begin(kChineseChoose), std::end(kChineseChoose))) return true;
  }
  return false;
}

}  // namespace

Asks read_asks(std::string_view prompt) {
  Asks asks;
  asks.boxed = prompt.find("\\boxed") != std::string_view::npos;
  asks.json = asks_json(prompt);
  asks.letter = asks_letter(prompt);
  return asks;
}

bool has_boxed(std::string_view answer) {
  for (size_t at = answer.find("boxed"); at != std::string_view::npos; at = answer.find("boxed", at + 1)) {
    const size_t open = answer.find_first_not_of(" \t", at + 5);
    if (open == std::string_view::npos) return false;
    const size_t inside = answer[open] == '{' ? answer.find_first_not_of(" \t\r\n", open + 1) : open;
    if (inside != std::string_view::npos && answer[inside] != '}') return true;
  }
  return false;
}

bool has_json(std::string_view answer) { return answer.find_first_of("{[") != std::string_view::npos; }

// A capital from A to J by itself, but for the article ("A river …").
bool has_letter_answer(std::string_view answer) {
  for (size_t i = 0; i < answer.size(); ++i) {
    const char c = answer[i];
    if (c < 'A' || c > 'J' || c == 'I') continue;
    if ((i > 0 && is_word(answer[i - 1])) || (i + 1 < answer.size() && (is_word(answer[i + 1]) || answer[i + 1] == '\''))) continue;
    const bool article = c == 'A' && i + 2 < answer.size() && answer[i + 1] == ' ' && is_letter(answer[i + 2]) && lower(answer[i + 2]) == answer[i + 2];
    if (!article) return true;
  }
  // "b" or "(c)" alone.
  const size_t first = answer.find_first_not_of(" \t\r\n(");
  if (first == std::string_view::npos || lower(answer[first]) < 'a' || lower(answer[first]) > 'j') return false;
  return answer.find_first_not_of(" \t\r\n).", first + 1) == std::string_view::npos;
}

}  // namespace vaa
