#include "text/script_groups.h"

namespace vaa::script {
namespace {

bool is_indic(uint8_t group) {
  switch (group) {
    case kDevanagari: case kBengali: case kGujarati: case kGurmukhi: case kKannada: case kMalayalam:
    case kOriya: case kSinhala: case kTamil: case kTelugu:
      return true;
    default:
      return false;
  }
}

}  // namespace

bool is_unspaced(uint8_t group) {
  switch (group) {
    case kHan: case kThai: case kLao: case kKhmer: case kMyanmar: case kTibetan: case kYi: case kJavanese:
      return true;
    default:
      return false;
  }
}

bool may_touch(uint8_t a, uint8_t b, size_t before) {
  constexpr size_t kMaxPrefix = 4;
  const auto either = [&](uint8_t g) { return a == g || b == g; };
  if (either(kLatin)) {
    const uint8_t other = a == kLatin ? b : a;
    if (is_unspaced(other) || other == kHangul || other == kGreek) return true;
    if (b == kLatin) return (a == kArabic || a == kHebrew) && before <= kMaxPrefix;
    return is_indic(b) || b == kArmenian || b == kGeorgian || b == kEthiopic;
  }
  if (is_unspaced(a) && is_unspaced(b)) return true;
  return either(kHan) && (either(kHangul) || either(kGreek));
}

bool is_separator(uint32_t code) {
  switch (code) {
    case ',': case ':': case ';': case '/': case '|': case '(': case ')': case '[': case ']': case '{': case '}': case '<': case '>': case '=':
    case 0x3001: case 0x3002: case 0x3008: case 0x3009: case 0x300A: case 0x300B: case 0x3010: case 0x3011: case 0xFF08: case 0xFF09: case 0xFF0C: case 0xFF0F:
    case 0xFF1A: case 0xFF1B: case 0x060C: case 0x061B: case 0x30FB: case 0x2192:
      return true;
    default:
      return false;
  }
}

}  // namespace vaa::script
