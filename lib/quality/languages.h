// The language of a stretch of words in Latin letters, by its small words.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace vaa {

enum class Language : uint8_t { kEnglish, kSpanish, kFrench, kGerman, kPortuguese, kItalian, kDutch, kSwedish, kDanish, kPolish, kTurkish, kIndonesian, kVietnamese, kRomanian, kCzech, kUnclear };
constexpr size_t kLanguages = static_cast<size_t>(Language::kUnclear);

struct StopWords {
  const char* code;   // ISO 639-1
  const char* words;  // parted by blanks
};
extern const StopWords kStopWords[kLanguages];

// Small words of each language among some words.
class WordCounts {
 public:
  // Counts the words of text[*at, …) until there are `words` of them or the text ends; *at goes behind the last.
  void read(std::string_view text, size_t* at, size_t words);
  size_t words() const { return words_; }
  size_t hits(Language language) const { return hits_[static_cast<size_t>(language)]; }
  // The language of most hits; English where there are none.
  Language most() const;
  // A small word of any language was among them.
  bool any() const { return any_; }
  // The language whose small words are a fifth of all, of five kinds, and half as many again as those of any other.
  Language language() const;

 private:
  std::array<uint32_t, kLanguages> hits_{};
  std::array<uint64_t, kLanguages> kinds_{};  // bits of the different words
  size_t words_ = 0;
  bool any_ = false;
};

}  // namespace vaa
