// Groups of scripts, as one writes them in one text: Han, the kana and Bopomofo are one group, every other script is its own; Common, Inherited and unknown code points
// have none. A group is an ICU UScriptCode number.
#pragma once
#include <cstddef>
#include <cstdint>

namespace vaa {

namespace script {
constexpr uint8_t kNone = 0, kArabic = 2, kArmenian = 3, kBengali = 4, kCyrillic = 8, kDevanagari = 10, kEthiopic = 11, kGeorgian = 12, kGreek = 14, kGujarati = 15,
                  kGurmukhi = 16, kHan = 17, kHangul = 18, kHebrew = 19, kKannada = 21, kKhmer = 23, kLao = 24, kLatin = 25, kMalayalam = 26, kMyanmar = 28,
                  kOriya = 31, kSinhala = 33, kTamil = 35, kTelugu = 36, kThai = 38, kTibetan = 39, kYi = 41, kJavanese = 78;
constexpr size_t kGroups = 256;

constexpr uint8_t group_of_script(uint8_t icu_script) {
  switch (icu_script) {
    case 1:    // Inherited
    case 103:  // unknown
      return kNone;
    case 5:    // Bopomofo
    case 20:   // Hiragana
    case 22:   // Katakana
    case 54:   // Katakana or Hiragana
      return kHan;
    default:
      return icu_script;
  }
}

// Scripts without blanks between words.
bool is_unspaced(uint8_t group);
// Whether healthy text writes a letter of b directly behind one of a. Scripts without blanks, Hangul and mathematics take Latin in; suffixes stand behind Latin in Indic
// languages, Armenian, Georgian and Ethiopic; a conjunction or article before it in Arabic and Hebrew (`before`: letters of a in the word).
bool may_touch(uint8_t a, uint8_t b, size_t before);
// Marks that part the items of lists, of which each may be in a script of its own.
bool is_separator(uint32_t code);
}  // namespace script

}  // namespace vaa
