#include "text/wrong_decoding.h"

#include <unicode/ucnv.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "catch.h"

using namespace vaa;

namespace {

// The code point that ICU reads in the bytes; 0: none, or one of private use.
uint32_t decoded(UConverter* converter, const std::string& bytes) {
  UErrorCode status = U_ZERO_ERROR;
  char16_t units[8];
  ucnv_setToUCallBack(converter, UCNV_TO_U_CALLBACK_STOP, nullptr, nullptr, nullptr, &status);
  ucnv_reset(converter);
  const int32_t size = ucnv_toUChars(converter, units, 8, bytes.data(), static_cast<int32_t>(bytes.size()), &status);
  const bool single = U_SUCCESS(status) && size == 1 && units[0] >= 0x80 && units[0] != 0xFFFD && (units[0] < 0xE000 || units[0] >= 0xF900);
  return single ? units[0] : 0;
}

}  // namespace

TEST_CASE("wrong_decoding: every character has bytes in which ICU reads it, and no other has any", "[text]") {
  struct Encoding {
    ReadAs read_as;
    const char* icu;
  };
  for (const Encoding& one : {Encoding{ReadAs::kGbk, "GBK"}, {ReadAs::kShiftJis, "ibm-943_P15A-2003"}, {ReadAs::kWindows1251, "windows-1251"}, {ReadAs::kKoi8, "KOI8-R"}}) {
    UErrorCode status = U_ZERO_ERROR;
    UConverter* const converter = ucnv_open(one.icu, &status);
    REQUIRE(U_SUCCESS(status));
    std::map<uint32_t, std::vector<std::string>> characters;
    for (unsigned first = 0x80; first < 0x100; ++first) {
      const auto byte = [](unsigned value) { return std::string(1, static_cast<char>(value)); };
      characters[decoded(converter, byte(first))].push_back(byte(first));
      for (unsigned second = 0x40; second < 0x100; ++second) characters[decoded(converter, byte(first) + byte(second))].push_back(byte(first) + byte(second));
    }
    characters.erase(0);
    ucnv_close(converter);
    size_t wrong = 0;
    for (uint32_t code = 0x80; code < 0x10000; ++code) {
      const ByteKinds kinds = byte_kinds(one.read_as, code);
      const auto agrees = [&](const std::string& bytes) {
        bool same = true;
        for (size_t i = 0; i < bytes.size(); ++i) same = same && kinds.kinds[i] == byte_kind(static_cast<uint8_t>(bytes[i]));
        return same;
      };
      const auto place = characters.find(code);
      if (place == characters.end()) wrong += kinds.kinds[0] != ByteKind::kOther || kinds.kinds[1] != ByteKind::kOther;
      else wrong += std::none_of(place->second.begin(), place->second.end(), agrees);
    }
    INFO(one.icu);
    CHECK(wrong == 0);
    CHECK(characters.size() > 100);
  }
}

TEST_CASE("wrong_decoding: Latin-1 is itself, and Windows-1252 has its 27 others", "[text]") {
  for (uint32_t byte = 0x80; byte < 0x100; ++byte) CHECK(byte_kinds(ReadAs::kWindows1252, byte).kinds[0] == byte_kind(static_cast<uint8_t>(byte)));
  for (const uint32_t code : {0x20ACU, 0x201CU, 0x2122U, 0x152U, 0x178U}) CHECK(byte_kinds(ReadAs::kWindows1252, code).kinds[0] == ByteKind::kContinuation);  // bytes 80 to 9F
  CHECK(byte_kinds(ReadAs::kWindows1252, 0x4E00).kinds[0] == ByteKind::kOther);
}

// GPT-2's bytes_to_unicode: bytes 00 to 20, 7F to A0 and AD are U+0100 and on, in this order.
TEST_CASE("wrong_decoding: letters of byte-level BPE", "[text]") {
  for (uint32_t i = 0; i < 0x20; ++i) CHECK(byte_kinds(ReadAs::kByteLevel, 0x122 + i).kinds[0] == ByteKind::kContinuation);  // 80 to 9F
  CHECK(byte_kinds(ReadAs::kByteLevel, 0x120).kinds[0] == ByteKind::kOther);         // Ġ, the blank
  CHECK(byte_kinds(ReadAs::kByteLevel, 0x142).kinds[0] == ByteKind::kContinuation);  // A0
  CHECK(byte_kinds(ReadAs::kByteLevel, 0x143).kinds[0] == ByteKind::kContinuation);  // AD
  CHECK(byte_kinds(ReadAs::kByteLevel, 0xE4).kinds[0] == ByteKind::kLeadOfThree);
  CHECK(byte_kinds(ReadAs::kByteLevel, 0x144).kinds[0] == ByteKind::kOther);
}

TEST_CASE("wrong_decoding: past the basic plane there is nothing", "[text]") {
  CHECK(byte_kinds(ReadAs::kGbk, 0x1F600).kinds[0] == ByteKind::kOther);
  CHECK(byte_kinds(ReadAs::kShiftJis, 0xFFFFFFFF).kinds[0] == ByteKind::kOther);
  CHECK(byte_kinds(ReadAs::kShiftJis, 0xFF71).size == 1);
  CHECK(byte_kinds(ReadAs::kGbk, 0x4E00).size == 2);
}
