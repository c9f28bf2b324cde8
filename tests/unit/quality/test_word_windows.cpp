#include "quality/word_windows.h"

#include <set>
#include <string>
#include <vector>

#include "catch.h"
#include "quality/word_scan.h"

using namespace vaa;

namespace {

std::vector<ScannedWord> words_of(std::string_view text) {
  std::vector<ScannedWord> out;
  ScannedWord word;
  for (size_t at = 0; next_word(text, &at, &word);) out.push_back(word);
  return out;
}

std::string spelled(uint32_t n) {
  std::string out = "w";
  for (; n > 0; n /= 26) out += static_cast<char>('a' + n % 26);
  return out;
}

WordWindows read_all(std::string_view text, std::span<const Place> code = {}) {
  WordWindows out;
  read_word_windows(text, code, &out);
  return out;
}
FlatWindows read(std::string_view text, std::span<const Place> code = {}) { return read_all(text, code).words; }

// n Han characters of the kinds that `next` gives.
template <class Next>
std::string han(size_t n, const Next& next) {
  std::string out;
  for (size_t i = 0; i < n; ++i) {
    const uint32_t code = 0x4E00 + next();
    for (const uint32_t byte : {0xE0 | code >> 12, 0x80 | (code >> 6 & 63), 0x80 | (code & 63)}) out += static_cast<char>(byte);
  }
  return out;
}

}  // namespace

TEST_CASE("word_scan: words, numbers, characters and signs, each with its place", "[quality]") {
  using Kind = ScannedWord::Kind;
  const std::string text = "Don't über2 x_1\n東京タワー, ไทย \xFFzebra";
  const std::vector<std::pair<Kind, std::string>> want = {
      {Kind::kLetters, "Don"}, {Kind::kSign, "'"}, {Kind::kLetters, "t"}, {Kind::kNumber, "über2"}, {Kind::kLetters, "x"}, {Kind::kSign, "_"}, {Kind::kNumber, "1"},
      {Kind::kCharacter, "東"}, {Kind::kCharacter, "京"}, {Kind::kCharacter, "タ"}, {Kind::kCharacter, "ワ"}, {Kind::kCharacter, "ー"}, {Kind::kSign, ","},
      {Kind::kUnspaced, "ไ"}, {Kind::kUnspaced, "ท"}, {Kind::kUnspaced, "ย"}, {Kind::kSign, "\xFF"}, {Kind::kLetters, "zebra"}};
  const std::vector<ScannedWord> got = words_of(text);
  REQUIRE(got.size() == want.size());
  for (size_t i = 0; i < want.size(); ++i) {
    CAPTURE(i);
    CHECK(text.substr(got[i].at, got[i].size) == want[i].second);
    CHECK(got[i].kind == want[i].first);
    CHECK(got[i].starts_line == (i == 7));
  }
}

TEST_CASE("word_scan: one word has one hash wherever it stands, and case is nothing in ASCII", "[quality]") {
  std::set<uint32_t> hashes;
  for (uint32_t n = 0; n < 20000; ++n) hashes.insert(words_of(spelled(n))[0].hash);
  CHECK(hashes.size() >= 19998);
  for (const char* word : {"a", "Seven77", "eightish", "ninewords", "incomprehensibilities", "naïveté"}) {
    CAPTURE(word);
    const uint32_t hash = words_of(word)[0].hash;
    for (const char* around : {" ", "...", "\n\n", " 12 "}) CHECK(words_of(std::string("xy ") + around + word + around + " z")[around[0] == '.' ? 4 : around[1] == '1' ? 2 : 1].hash == hash);
  }
  CHECK(words_of("HELLO")[0].hash == words_of("hello")[0].hash);
}

TEST_CASE("word_windows: the flat stretch is that of a plain count", "[quality]") {
  // By definition: of the windows of 120 words, 60 apart, the longest stretch in which each has at most 115 to 120 different words.
  uint32_t state = 7;
  size_t flat_texts = 0, different_texts = 0;
  for (int text_number = 0; text_number < 300; ++text_number) {
    std::vector<uint32_t> words;
    std::string text;
    state = state * 1664525 + 1013904223;
    const uint32_t types = 400 + (state >> 16) % 4000;
    for (int i = 0; i < 500; ++i) {
      state = state * 1664525 + 1013904223;
      words.push_back((state >> 8) % types);
      text += spelled(words.back()) + " ";
    }
    size_t longest = 0, run = 0;
    for (size_t start = 0; start + 120 <= words.size(); start += 60) {
      const std::set<uint32_t> different(words.begin() + static_cast<ptrdiff_t>(start), words.begin() + static_cast<ptrdiff_t>(start) + 120);
      run = different.size() >= 115 ? run + 1 : 0;
      longest = std::max(longest, run);
    }
    const bool last = std::set<uint32_t>(words.end() - 120, words.end()).size() >= 115;
    const FlatWindows got = read(text);
    CAPTURE(text_number, types);
    CHECK(got.units == 500);
    CHECK(got.windows == 7);
    CHECK(got.longest.flat >= longest);  // a repetition may be forgotten, none is invented
    CHECK(got.last.flat >= last);
    different_texts += got.longest.flat != longest || got.last.flat != last;
    flat_texts += longest > 0;
  }
  CHECK(flat_texts > 150);
  CHECK(flat_texts < 295);
  CHECK(different_texts <= 6);
}

TEST_CASE("word_windows: lists, verse, blocks of letters and code are passed over", "[quality]") {
  std::string plain, lines, commas, blocks, verse;
  for (uint32_t i = 0; i < 300; ++i) {
    const std::string word = spelled(i * 977 + 5);
    plain += word + " ";
    lines += word + "\n";
    commas += word + ", ";
    verse += word + (i % 5 == 4 ? "\n" : " ");
    blocks += (word + "zzzzzzzzzz").substr(0, 10) + " ";
  }
  CHECK(read(plain).longest.flat == 4);
  CHECK(read(plain).longest.begin == 0);
  CHECK(read(plain).longest.end == plain.size() - 1);
  for (const std::string& text : {lines, commas, verse, blocks}) {
    CHECK(read(text).longest.flat == 0);
    CHECK(read(text).last.flat == 0);
  }
  const Place code{0, plain.size()};
  CHECK(read(plain, {&code, 1}).units == 0);
  CHECK(read(plain + plain, {&code, 1}).units == 300);
}

TEST_CASE("word_windows: memory of an earlier text says nothing of the next", "[quality]") {
  std::string text;
  for (uint32_t i = 0; i < 130; ++i) text += spelled(i) + " ";
  WordWindows memory;
  for (int i = 0; i < 3; ++i) {
    read_word_windows(text, {}, &memory);
    CHECK(memory.words.longest.flat == 1);
    CHECK(memory.words.longest.repeats == 0);
  }
}

TEST_CASE("word_windows: one that ends with the last word counts half a step behind the one before", "[quality]") {
  const auto flat = [](uint32_t words) {
    std::string text;
    for (uint32_t i = 0; i < words; ++i) text += spelled(i * 977 + 5) + " ";
    return read(text);
  };
  CHECK(flat(119).last.flat == 0);
  CHECK(flat(120).windows == 1);
  CHECK(flat(149).windows == 1);
  CHECK(flat(150).windows == 2);
  CHECK(flat(150).longest.flat == 2);
  CHECK(flat(180).windows == 2);
  CHECK(flat(149).last.flat == 1);
  CHECK(flat(149).last.begin > 0);
}

TEST_CASE("word_windows: characters go by pairs, across what stands between, and names among them are a list", "[quality]") {
  uint32_t state = 7;
  const auto random = [&](uint32_t kinds) { return [&state, kinds] { return ((state = state * 1664525 + 1013904223) >> 8) % kinds; }; };
  // 360 pairs: two windows. Of 30 kinds 240 pairs repeat about 30 times, of 3,000 hardly ever.
  const FlatWindows salad = read_all(han(361, random(3000))).pairs, text = read_all(han(361, random(30))).pairs;
  CHECK(salad.units == 360);
  CHECK(salad.longest.flat == 2);
  CHECK(salad.last.flat == 1);
  CHECK(text.longest.flat == 0);
  CHECK(text.last.flat == 0);
  CHECK(read_all("水 x 火1土").pairs.units == 2);
  std::string listed;
  for (uint32_t i = 0; i < 300; ++i) listed += "的 " + spelled(i * 977 + 5);
  CHECK(read(listed).units == 300);
  CHECK(read(listed).longest.flat == 0);
}
