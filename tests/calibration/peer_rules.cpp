// The rules that people use against repetition today, each in its published form, for the comparison of false alarms: frames on the standard input (8 bytes of length, least first, then the text),
// a line of 0 and 1 a text on the standard output, in the order of kRules; `peer_rules --names` prints the names. Not part of the library.
//   c++ -std=c++20 -O2 peer_rules.cpp -lz -o peer_rules
#include <zlib.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

namespace {

using Symbols = std::vector<uint32_t>;

// Invalid bytes become one symbol each.
Symbols characters(std::string_view text) {
  Symbols out;
  for (size_t i = 0; i < text.size();) {
    const auto lead = static_cast<uint8_t>(text[i]);
    const size_t size = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    uint32_t code = size == 1 ? lead : lead & (0x7Fu >> size);
    for (size_t k = 1; k < size && i + k < text.size(); ++k) code = code << 6 | (static_cast<uint8_t>(text[i + k]) & 0x3F);
    out.push_back(code);
    i += size;
  }
  return out;
}

uint64_t mixed(uint64_t hash, uint64_t symbol) {
  hash = (hash ^ symbol) * 0x9E3779B97F4A7C15u;
  return hash ^ hash >> 29;
}

// Pieces of text by a hash of 64 bits: two that differ meet once in billions of texts.
struct Counts {
  explicit Counts(size_t most) : slots(std::bit_ceil(2 * most + 2)) {}
  uint32_t add(uint64_t hash) {
    hash |= 1;
    size_t i = hash >> 7 & (slots.size() - 1);
    while (slots[i].first && slots[i].first != hash) i = (i + 1) & (slots.size() - 1);
    slots[i].first = hash;
    return ++slots[i].second;
  }
  std::vector<std::pair<uint64_t, uint32_t>> slots;
};

enum class Kind { kSpace, kLetter, kDigit, kMark, kIdeograph };

Kind kind_of(uint32_t c) {
  if (c == ' ' || (c >= 9 && c <= 13) || c == 0xA0 || c == 0x3000) return Kind::kSpace;
  if (c >= '0' && c <= '9') return Kind::kDigit;
  if ((c | 32) >= 'a' && (c | 32) <= 'z') return Kind::kLetter;
  if (c < 0xAA || (c >= 0x2000 && c < 0x2C00) || (c >= 0x3001 && c < 0x3005) || (c >= 0x3008 && c < 0x3021) || (c >= 0xFF00 && c < 0xFF10) || c == 0xFFFD || c >= 0x1F000) return c >= 0x20000 && c < 0x40000 ? Kind::kIdeograph : Kind::kMark;
  if ((c >= 0x0E00 && c < 0x0F00) || (c >= 0x1000 && c < 0x10A0) || (c >= 0x1780 && c < 0x1800) || (c >= 0x3000 && c < 0xD800) || (c >= 0xF900 && c < 0xFB00)) return Kind::kIdeograph;
  return Kind::kLetter;
}

struct Token {
  size_t at, size;  // in characters
  Kind kind;
};

// Runs of one kind; with `merged`, as the tokenizers of GPT have them: a blank belongs to the word after it, three digits a token, at most 12 letters, 16 marks or blanks; else words of letters and digits, single marks, no white space.
std::vector<Token> tokens_of(const Symbols& text, bool merged) {
  std::vector<Token> out;
  for (size_t i = 0; i < text.size();) {
    size_t from = i;
    Kind kind = kind_of(text[i]);
    if (merged && text[i] == ' ' && i + 1 < text.size() && kind_of(text[i + 1]) != Kind::kSpace) kind = kind_of(text[++i]);
    const size_t first = i++;
    const bool single = kind == Kind::kIdeograph || (kind == Kind::kMark && !merged);
    while (!single && i < text.size() && (kind_of(text[i]) == kind || (!merged && kind == Kind::kLetter && kind_of(text[i]) == Kind::kDigit))) {
      if (merged && i - first == (kind == Kind::kDigit ? 3 : kind == Kind::kLetter ? 12 : 16)) break;
      if (merged && kind == Kind::kSpace && text[i] == ' ' && i + 1 < text.size() && kind_of(text[i + 1]) != Kind::kSpace) break;
      ++i;
    }
    if (merged || kind != Kind::kSpace) out.push_back({from, i - from, kind});
  }
  return out;
}

// A number a token, equal where the tokens are (a hash of 32 bits).
Symbols numbered(const Symbols& text, const std::vector<Token>& tokens) {
  Symbols out;
  for (const Token& token : tokens) {
    uint64_t hash = 7;
    for (size_t k = 0; k < token.size; ++k) hash = mixed(hash, text[token.at + k]);
    out.push_back(static_cast<uint32_t>(hash >> 32));
  }
  return out;
}

bool primitive(const uint32_t* unit, size_t size) {
  std::vector<size_t> border(size, 0);
  for (size_t i = 1, k = 0; i < size; border[i++] = k) {
    while (k && unit[i] != unit[k]) k = border[k - 1];
    if (unit[i] == unit[k]) ++k;
  }
  const size_t period = size - border[size - 1];
  return period == size || size % period;
}

// Whether somewhere `copies` units of a length in [low, high] stand one after the other and cover `cover` symbols: what a rule that looks at the tail after every symbol would see.
// A run that long holds a multiple of its period, so only those places are tried.
bool periodic(const Symbols& s, size_t low, size_t high, size_t copies, size_t cover, bool must_be_primitive = false) {
  for (size_t p = low; p <= high && p * copies <= s.size(); ++p)
    for (size_t i = p; i < s.size(); i += p) {
      if (s[i] != s[i - p]) continue;
      size_t from = i, to = i + 1;
      while (from > p && s[from - 1] == s[from - 1 - p]) --from;
      while (to < s.size() && s[to] == s[to - p]) ++to;
      const size_t whole = to - from + p;
      if (whole >= copies * p && whole >= cover && (!must_be_primitive || primitive(&s[from - p], p))) return true;
      if (to > i + p) i += (to - 1 - i) / p * p;
    }
  return false;
}

// 1 − distinct ÷ all of the character 4-grams.
bool char_4grams(const Symbols& s) {
  if (s.size() < 4) return false;
  Counts seen(s.size());
  size_t distinct = 0;
  for (size_t i = 0; i + 4 <= s.size(); ++i) distinct += seen.add(mixed(mixed(mixed(mixed(0, s[i]), s[i + 1]), s[i + 2]), s[i + 3])) == 1;
  return 1.0 - static_cast<double>(distinct) / static_cast<double>(s.size() - 3) >= 0.35;
}

bool compresses_over(std::string_view text, int level, double ratio) {
  std::vector<Bytef> out(compressBound(text.size()));
  uLongf size = out.size();
  compress2(out.data(), &size, reinterpret_cast<const Bytef*>(text.data()), text.size(), level);
  return static_cast<double>(text.size()) / static_cast<double>(size) > ratio;
}

bool duplicates_over(const std::vector<std::u32string>& parts, size_t characters, double share, double char_share) {
  std::unordered_set<std::u32string> seen;
  size_t count = 0, chars = 0;
  for (const std::u32string& part : parts)
    if (!seen.insert(part).second) ++count, chars += part.size();
  return static_cast<double>(count) / static_cast<double>(parts.size()) > share || static_cast<double>(chars) / static_cast<double>(characters) > char_share;
}

std::vector<std::u32string> split_lines(const Symbols& text, size_t breaks) {
  std::vector<std::u32string> out(1);
  size_t at = 0, end = text.size();
  while (at < end && kind_of(text[at]) == Kind::kSpace) ++at;
  while (end > at && kind_of(text[end - 1]) == Kind::kSpace) --end;
  while (at < end) {
    size_t run = 0;
    while (at + run < end && text[at + run] == '\n') ++run;
    if (run >= breaks) {
      out.emplace_back();
      at += run;
    } else {
      for (size_t k = 0; k < std::max<size_t>(run, 1); ++k) out.back() += static_cast<char32_t>(text[at++]);
    }
  }
  return out;
}

// Rae et al. 2021 as datatrove has it: duplicate paragraphs and lines, the most frequent 2- to 4-gram, duplicate 5- to 10-grams.
bool gopher(const Symbols& text) {
  if (text.empty()) return false;
  const auto size = static_cast<double>(text.size());
  if (duplicates_over(split_lines(text, 2), text.size(), 0.30, 0.20) || duplicates_over(split_lines(text, 1), text.size(), 0.30, 0.20)) return true;
  const std::vector<Token> words = tokens_of(text, false);
  std::vector<uint64_t> hashes;
  for (const Token& word : words) {
    uint64_t hash = 7;
    for (size_t k = 0; k < word.size; ++k) hash = mixed(hash, text[word.at + k]);
    hashes.push_back(hash);
  }
  const auto gram = [&](size_t at, size_t n) {
    std::pair<uint64_t, size_t> out = {0, 0};  // hash, characters
    for (size_t k = at; k < at + n; ++k) out = {mixed(out.first, hashes[k]), out.second + words[k].size};
    return out;
  };
  constexpr std::array<double, 3> kTop = {0.20, 0.18, 0.16};
  for (size_t n = 2; n <= 4; ++n) {
    Counts counts(words.size());
    size_t best = 0, length = 0;
    for (size_t i = 0; i + n <= words.size(); ++i) {
      const auto [hash, size_of] = gram(i, n);
      const size_t count = counts.add(hash);
      if (count > best) best = count, length = size_of + n - 1;  // with the blanks between
    }
    if (static_cast<double>(best * length) / size > kTop[n - 2]) return true;
  }
  constexpr std::array<double, 6> kDuplicate = {0.15, 0.14, 0.13, 0.12, 0.11, 0.10};
  for (size_t n = 5; n <= 10; ++n) {
    Counts seen(words.size());
    size_t chars = 0;
    for (size_t i = 0; i + n <= words.size();) {
      const auto [hash, size_of] = gram(i, n);
      const bool fresh = seen.add(hash) == 1;
      if (!fresh) chars += size_of;
      i += fresh ? 1 : n;
    }
    if (static_cast<double>(chars) / size > kDuplicate[n - 5]) return true;
  }
  return false;
}

struct Text {
  std::string_view bytes;
  Symbols characters, tokens;
};

struct Rule {
  const char* name;
  std::function<bool(const Text&)> fires;
};

const std::vector<Rule> kRules = {
    {"char_4grams", [](const Text& t) { return char_4grams(t.characters); }},
    {"gopher", [](const Text& t) { return gopher(t.characters); }},
    {"zlib_2.4", [](const Text& t) { return t.bytes.size() >= 300 && compresses_over(t.bytes, 6, 2.4); }},  // below 300 bytes zlib's own header weighs
    {"slime_10", [](const Text& t) { return t.bytes.size() > 10000 && compresses_over(t.bytes.substr(t.bytes.size() - 10000), 9, 10); }},
    {"vllm_1..20x3", [](const Text& t) { return periodic(t.tokens, 1, 20, 3, 0); }},
    {"vllm_4..128x4", [](const Text& t) { return periodic(t.tokens, 4, 128, 4, 0); }},
    {"llamacpp_16..1024x4", [](const Text& t) { return periodic(t.tokens, 16, 1024, 4, 0); }},
    {"vllm_mlx_1..128x3_48", [](const Text& t) { return periodic(t.tokens, 1, 128, 3, 48); }},
    {"osaurus_32x4", [](const Text& t) { return periodic(t.characters, 32, 4096, 4, 0, true); }},
};

}  // namespace

int main(int count, char** arguments) {
  if (count > 1 && std::strcmp(arguments[1], "--names") == 0) {
    for (const Rule& rule : kRules) std::puts(rule.name);
    return 0;
  }
  std::string bytes;
  for (uint8_t head[8]; std::fread(head, 1, 8, stdin) == 8;) {
    size_t size = 0;
    for (int i = 7; i >= 0; --i) size = size << 8 | head[i];
    bytes.resize(size);
    if (std::fread(bytes.data(), 1, size, stdin) != size) return 1;
    Text text{bytes, characters(bytes), {}};
    text.tokens = numbered(text.characters, tokens_of(text.characters, true));
    std::string line;
    for (const Rule& rule : kRules) line += rule.fires(text) ? '1' : '0';
    std::puts(line.c_str());
  }
}
