#include "hostile.h"

#include <algorithm>
#include <functional>
#include <random>
#include <utility>

namespace {

using Random = std::mt19937_64;

std::string repeated(std::string_view unit, size_t size) {
  std::string out;
  out.reserve(size + unit.size());
  while (out.size() < size) out += unit;
  return out;
}

void append_utf8(uint32_t code, std::string* out) {
  const auto put = [&](uint32_t byte) { out->push_back(static_cast<char>(byte)); };
  if (code < 0x80) return put(code);
  if (code < 0x800) return put(0xC0 | code >> 6), put(0x80 | (code & 63));
  if (code < 0x10000) return put(0xE0 | code >> 12), put(0x80 | (code >> 6 & 63)), put(0x80 | (code & 63));
  put(0xF0 | code >> 18), put(0x80 | (code >> 12 & 63)), put(0x80 | (code >> 6 & 63)), put(0x80 | (code & 63));
}

// The symbols of hostile sequences, as letters and as ids alike.
std::vector<uint8_t> fibonacci(size_t n) {
  std::vector<uint8_t> a{0}, b{0, 1};
  while (b.size() < n) {
    std::vector<uint8_t> c = b;
    c.insert(c.end(), a.begin(), a.end());
    a = std::exchange(b, std::move(c));
  }
  b.resize(n);
  return b;
}

// The lexicographically least de Bruijn sequence over 4 symbols, of the order that covers n (Fredricksen, Kessler, Maiorana).
std::vector<uint8_t> de_bruijn(size_t n) {
  constexpr uint8_t kSymbols = 4;
  size_t order = 1;
  for (size_t all = kSymbols; all < n; all *= kSymbols) ++order;
  std::vector<uint8_t> a(kSymbols * order), out;
  const std::function<void(size_t, size_t)> extend = [&](size_t t, size_t p) {
    if (out.size() >= n) return;
    if (t > order) {
      if (order % p == 0) out.insert(out.end(), a.begin() + 1, a.begin() + 1 + static_cast<ptrdiff_t>(p));
      return;
    }
    a[t] = a[t - p];
    extend(t + 1, p);
    for (uint8_t j = static_cast<uint8_t>(a[t - p] + 1); j < kSymbols; ++j) a[t] = j, extend(t + 1, t);
  };
  extend(1, 1);
  out.resize(std::min(out.size(), n));
  return out;
}

// Copies of a random unit, one symbol changed in each.
std::vector<uint32_t> near_periodic(size_t n, size_t period) {
  Random random(1);
  std::vector<uint32_t> unit(period), out;
  for (uint32_t& symbol : unit) symbol = static_cast<uint32_t>(random() % 20);
  out.reserve(n);
  for (size_t i = 0; i < n; ++i) {
    if (i % period == 0) unit[random() % period] = static_cast<uint32_t>(random() % 20);
    out.push_back(unit[i % period]);
  }
  return out;
}

template <class Symbols>
std::string letters(const Symbols& symbols) {
  std::string out;
  out.reserve(symbols.size());
  for (const auto symbol : symbols) out.push_back(static_cast<char>('a' + symbol));
  return out;
}
template <class Symbols>
std::vector<int32_t> as_ids(const Symbols& symbols) {
  return {symbols.begin(), symbols.end()};
}

std::string all_code_points(size_t size) {
  constexpr uint32_t kEnd = 0x110000, kStep = 7919;  // each once before any comes again
  std::string out;
  for (uint64_t i = 0; out.size() < size; ++i) {
    const auto code = static_cast<uint32_t>(i < kEnd ? i : i * kStep % kEnd);
    if (code < 0xD800 || code > 0xDFFF) append_utf8(code, &out);
  }
  return out;
}

std::string random_of(size_t size, uint32_t low, uint32_t high) {
  Random random(2);
  std::string out;
  while (out.size() < size) append_utf8(low + static_cast<uint32_t>(random() % (high - low)), &out);
  return out;
}

std::string random_bytes(size_t size) {
  Random random(3);
  std::string out(size, 0);
  for (char& c : out) c = static_cast<char>(random());
  return out;
}

std::string counters(size_t size) {
  std::string out;
  for (uint64_t i = 1; out.size() < size; ++i) out += std::to_string(i) + ". It is so. ";
  return out;
}

std::string tick_runs(size_t size) {
  std::string out;
  for (size_t i = 1; out.size() < size; i = i % 40 + 1) out += std::string(i, '`') + "a";
  return out;
}

std::string new_words(size_t size) {
  Random random(4);
  std::string out;
  while (out.size() < size) {
    for (uint64_t word = random(), i = 0; i < 7; ++i, word /= 26) out.push_back(static_cast<char>('a' + word % 26));
    out.push_back(' ');
  }
  return out;
}

std::string scripts_in_turn(size_t size) {
  constexpr uint32_t kLetters[] = {'a', 0x431, 0x3B2, 0x5D0, 0x628, 0x905, 0xE01, 0x4E2D, 0xAC00, 0x10D0};
  std::string out;
  for (size_t i = 0; out.size() < size; ++i) append_utf8(kLetters[i * 7 % std::size(kLetters)], &out);
  return out;
}

constexpr HostileText kTexts[] = {
    {"one letter", [](size_t n) { return repeated("a", n); }},
    {"one Han character", [](size_t n) { return repeated("水", n); }},
    {"blanks", [](size_t n) { return repeated(" ", n); }},
    {"line feeds", [](size_t n) { return repeated("\n", n); }},
    {"Fibonacci word", [](size_t n) { return letters(fibonacci(n)); }},
    {"near-periodic, 64", [](size_t n) { return letters(near_periodic(n, 64)); }},
    {"near-periodic, 1,000", [](size_t n) { return letters(near_periodic(n, 1000)); }},
    {"near-periodic, 20,000", [](size_t n) { return letters(near_periodic(n, 20000)); }},
    {"de Bruijn, 4 letters", [](size_t n) { return letters(de_bruijn(n)); }},
    {"random letters", [](size_t n) { return random_of(n, 'a', '{'); }},
    {"random Han", [](size_t n) { return random_of(n, 0x4E00, 0x9FA6); }},
    {"random of Latin-1 and beyond", [](size_t n) { return random_of(n, 0xA0, 0x250); }},
    {"random bytes", random_bytes},
    {"every code point once", all_code_points},
    {"words that never come again", new_words},
    {"letters of ten scripts in turn", scripts_in_turn},
    {"combining marks", [](size_t n) { return repeated("\u0301", n); }},
    {"right-to-left overrides", [](size_t n) { return repeated("\u202Ea\u202C", n); }},
    {"private use", [](size_t n) { return repeated("\uE000", n); }},
    {"U+FFFD", [](size_t n) { return repeated("\uFFFD", n); }},
    {"NUL", [](size_t n) { return std::string(n, '\0'); }},
    {"[", [](size_t n) { return repeated("[", n); }},
    {"{\"a\":", [](size_t n) { return repeated("{\"a\":", n); }},
    {"quotes and backslashes", [](size_t n) { return repeated("{\"\\\"", n); }},
    {"<tool_call>{", [](size_t n) { return repeated("<tool_call>{", n); }},
    {"<function=a><parameter=b>", [](size_t n) { return repeated("<function=a><parameter=b>", n); }},
    {"<", [](size_t n) { return repeated("<", n); }},
    {"<|", [](size_t n) { return repeated("<|", n); }},
    {"<think>", [](size_t n) { return repeated("<think>", n); }},
    {"</think>", [](size_t n) { return repeated("</think>", n); }},
    {"<0xE4>", [](size_t n) { return repeated("<0xE4>", n); }},
    {"back ticks in growing runs", tick_runs},
    {"``` on each line", [](size_t n) { return repeated("```\n", n); }},
    {"### Human:", [](size_t n) { return repeated("### Human:\n", n); }},
    {"assistant", [](size_t n) { return repeated("assistant", n); }},
    {"digits", [](size_t n) { return random_of(n, '0', ':'); }},
    {"counters", counters},
    {"a, a, a,", [](size_t n) { return repeated("a, ", n); }},
    {"commas", [](size_t n) { return repeated(",", n); }},
    {"Ã© (mojibake)", [](size_t n) { return repeated("Ã© ", n); }},
    {"aĠb", [](size_t n) { return repeated("aĠb", n); }},
    {"\\boxed{", [](size_t n) { return repeated("\\boxed{", n); }},
};

constexpr HostileIds kIds[] = {
    {"one id", [](size_t n) { return std::vector<int32_t>(n, 7); }},
    {"Fibonacci word", [](size_t n) { return as_ids(fibonacci(n)); }},
    {"near-periodic, 64", [](size_t n) { return as_ids(near_periodic(n, 64)); }},
    {"near-periodic, 1,000", [](size_t n) { return as_ids(near_periodic(n, 1000)); }},
    {"near-periodic, 20,000", [](size_t n) { return as_ids(near_periodic(n, 20000)); }},
    {"de Bruijn, 4 ids", [](size_t n) { return as_ids(de_bruijn(n)); }},
    {"random of 150,000", [](size_t n) {
       Random random(5);
       std::vector<int32_t> ids(n);
       for (int32_t& id : ids) id = static_cast<int32_t>(random() % 150000);
       return ids;
     }},
};

}  // namespace

std::span<const HostileText> hostile_texts() { return kTexts; }
std::span<const HostileIds> hostile_ids() { return kIds; }
