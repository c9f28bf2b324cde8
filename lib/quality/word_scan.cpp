#include "quality/word_scan.h"

#include "text/unicode.h"
#include "text/utf8.h"

namespace vaa::word_scan {
namespace {

enum class Part : uint8_t { kBlank, kLetter, kDigit, kCharacter, kUnspaced, kSign };

Part part_of(const Utf8Step& step) {
  constexpr Part kAscii[] = {Part::kBlank, Part::kLetter, Part::kDigit, Part::kSign};  // by Class
  if (step.code < 0x80) return kAscii[kClasses[step.code]];
  // ISO 15924 by ICU's numbers
  enum Script : uint8_t { kHan = 17, kHiragana = 20, kKatakana = 22, kKhmer = 23, kLao = 24, kBurmese = 28, kThai = 38, kTibetan = 39, kYi = 41 };
  if (!step.valid) return Part::kSign;
  const CodeProperties properties = code_properties(step.code);
  if (properties.white_space) return Part::kBlank;
  if (properties.category == Category::kDecimalDigit) return Part::kDigit;
  const bool mark = properties.category >= Category::kNonspacingMark && properties.category <= Category::kSpacingMark;
  if (!mark && !is_letter(step.code)) return Part::kSign;
  constexpr uint32_t kLongVowel = 0x30FC;  // of both kinds of Kana
  if (step.code == kLongVowel) return Part::kCharacter;
  switch (properties.script) {
    case kHan: case kHiragana: case kKatakana: return Part::kCharacter;
    case kKhmer: case kLao: case kBurmese: case kThai: case kTibetan: case kYi: return Part::kUnspaced;
    default: return Part::kLetter;
  }
}

}  // namespace

bool next_other(std::string_view text, size_t* at, ScannedWord* out) {
  const size_t begin = *at;
  const Utf8Step first = utf8_step(text, begin);
  const Part part = part_of(first);
  size_t end = begin + first.size;
  *at = end;
  if (part == Part::kBlank) return false;
  if (part == Part::kCharacter || part == Part::kUnspaced || part == Part::kSign) {
    const auto kind = part == Part::kSign ? ScannedWord::Kind::kSign : part == Part::kUnspaced ? ScannedWord::Kind::kUnspaced : ScannedWord::Kind::kCharacter;
    *out = {kind, out->starts_line, hash_of(first.code), begin, end - begin};
    return true;
  }
  bool digit = part == Part::kDigit;
  while (end < text.size()) {
    const Utf8Step step = utf8_step(text, end);
    const Part next = part_of(step);
    if (next != Part::kLetter && next != Part::kDigit) break;
    digit |= next == Part::kDigit;
    end += step.size;
  }
  uint64_t hash = 0;
  for (size_t i = begin; i < end; i += 8) hash = mixed(hash, piece_at(text.substr(0, end), i));
  const auto kind = digit ? ScannedWord::Kind::kNumber : ScannedWord::Kind::kLetters;
  *out = {kind, out->starts_line, static_cast<uint32_t>(hash >> 16), begin, end - begin};
  *at = end;
  return true;
}

}  // namespace vaa::word_scan
