// Strings of JsonReader that hold an escape, a NUL or invalid UTF-8.
#include <algorithm>
#include <array>

#include "base/json.h"
#include "base/json_scan.h"

namespace vaa {

namespace {

constexpr uint32_t kNoHex = 0xFFFF0000u;  // shifted by up to 12 bits it still shows above bit 15

constexpr std::array<uint32_t, 256> kHex = [] {
  std::array<uint32_t, 256> values{};
  for (auto& value : values) value = kNoHex;
  for (uint32_t i = 0; i < 10; ++i) values['0' + i] = i;
  for (uint32_t i = 0; i < 6; ++i) values['a' + i] = values['A' + i] = 10 + i;
  return values;
}();

// What stands for itself or for a control character behind a backslash; 0 where nothing does.
constexpr std::array<char, 256> kShort = [] {
  std::array<char, 256> values{};
  values['"'] = '"', values['\\'] = '\\', values['/'] = '/', values['b'] = '\b', values['f'] = '\f', values['n'] = '\n', values['r'] = '\r', values['t'] = '\t';
  return values;
}();

// Four hexadecimal digits; above 0xFFFF where one of them is none.
uint32_t hex4(const char* p) {
  const auto digit = [p](int i) { return kHex[static_cast<uint8_t>(p[i])]; };
  return digit(0) << 12 | digit(1) << 8 | digit(2) << 4 | digit(3);
}

// Writes up to four bytes, takes as many as it needs.
char* append_code(char* out, uint32_t code) {
  if (code >= 0x10000) {
    *out++ = static_cast<char>(0xF0 | code >> 18);
    *out++ = static_cast<char>(0x80 | (code >> 12 & 0x3F));
  } else if (code >= 0x800) {
    *out++ = static_cast<char>(0xE0 | code >> 12);
  } else if (code >= 0x80) {
    *out++ = static_cast<char>(0xC0 | code >> 6);
    *out++ = static_cast<char>(0x80 | (code & 0x3F));
    return out;
  } else {
    *out++ = static_cast<char>(code);
    return out;
  }
  *out++ = static_cast<char>(0x80 | (code >> 6 & 0x3F));
  *out++ = static_cast<char>(0x80 | (code & 0x3F));
  return out;
}

constexpr size_t kRoom = 64;  // free behind `copy` whenever a piece is written

}  // namespace

// At least `bytes` behind `copy`, which points into scratch_ (or is null: at its beginning). Doubles, so that growing stays linear.
char* JsonReader::make_room(char* copy, size_t bytes) {
  const size_t used = copy ? static_cast<size_t>(copy - scratch_.data()) : 0;
  if (scratch_.size() - used < bytes) scratch_.resize(std::max(scratch_.size() * 2, used + bytes + 256));
  return scratch_.data() + used;
}

// Takes the escapes that begin at `p` and follow each other. Null after a failure.
template <bool kKeep>
const char* JsonReader::escapes(const char* p, char** copy) {
  char ignored[8];
  char* out = kKeep ? *copy : ignored;
  const char* limit = kKeep ? scratch_.data() + scratch_.size() - 8 : nullptr;
  const auto failed = [this](const char* error, const char* at) { return fail(error, at), nullptr; };
  do {
    if (kKeep && out > limit) {
      out = make_room(out, kRoom);
      limit = scratch_.data() + scratch_.size() - 8;
    }
    if (!kKeep) out = ignored;
    if (end_ - p < 2) return failed("the text ends inside a string", end_);
    if (p[1] != 'u') {
      const char c = kShort[static_cast<uint8_t>(p[1])];
      if (c == 0) return failed("an unknown escape", p + 1);
      *out++ = c;
      p += 2;
      continue;
    }
    const auto left = end_ - p;
    uint32_t code = left >= 6 ? hex4(p + 2) : kNoHex;
    if (code > 0xFFFF) {
      const char* at = p + 2;
      while (at < end_ && at < p + 6 && kHex[static_cast<uint8_t>(*at)] != kNoHex) ++at;
      return failed(at == end_ ? "the text ends inside a string" : "an escape without four hexadecimal digits", at);
    }
    p += 6;
    if ((code & 0xF800) == 0xD800) {
      const uint32_t second = code < 0xDC00 && left >= 12 && p[0] == '\\' && p[1] == 'u' ? hex4(p + 2) : kNoHex;
      if (second >= 0xDC00 && second <= 0xDFFF) {
        code = 0x10000 + ((code - 0xD800) << 10) + (second - 0xDC00);
        p += 6;
      } else {
        if (mode_ == Mode::kStrict) return failed("an escaped lone surrogate", p - 6);
        ++oddities_.lone_surrogates;
      }
    }
    if (code == 0) ++oddities_.nul;
    out = append_code(out, code);
  } while (p < end_ && *p == '\\');
  if (kKeep) *copy = out;
  return p;
}

// Appends plain ASCII from `p` on, up to the last 15 bytes of the document; where it stops.
inline const char* JsonReader::copy_ascii(const char* p, char** copy) {
  char* out = *copy;
  const char* limit = scratch_.data() + scratch_.size() - json_scan::kBlock;
  while (end_ - p >= json_scan::kBlock) {
    if (out > limit) {
      out = make_room(out, kRoom);
      limit = scratch_.data() + scratch_.size() - json_scan::kBlock;
    }
    const uint64_t mask = json_scan::marks(p, out);
    if (mask) {
      p += json_scan::first_mark(mask);
      out += json_scan::first_mark(mask);
      break;
    }
    p += json_scan::kBlock;
    out += json_scan::kBlock;
  }
  *copy = out;
  return p;
}

// What [from, p) holds against UTF-8.
bool JsonReader::note_text(const char* from, const char* p, bool invalid) {
  if (!invalid) return true;
  const char* at = from;
  oddities_.invalid_utf8 += json_scan::count_invalid(from, p, &at);
  return mode_ == Mode::kTolerant || fail("invalid UTF-8 inside a string", at);
}

// The string that begins at at_, of which [at_, p) was scanned.
template <bool kKeep>
bool JsonReader::text_slowly(const char* p, bool invalid, std::string_view* out) {
  const char* from = at_;   // where the run that was scanned last begins
  const char* kept = at_;   // where the text begins that is not copied yet
  char* copy = nullptr;     // the end of what was copied; null while nothing had to be
  for (;;) {
    if (!note_text(from, p, invalid)) return false;
    invalid = false;
    if (p == end_) return fail("the text ends inside a string", p);
    if (*p == '"') break;
    if (*p == '\\') {
      if (kKeep) {
        const auto size = static_cast<size_t>(p - kept);
        copy = make_room(copy, size + kRoom);
        std::memcpy(copy, kept, size);
        copy += size;
      }
      p = escapes<kKeep>(p, &copy);
      if (!p) return false;
      kept = p;
    } else if (*p == '\0' && mode_ == Mode::kTolerant) {
      ++oddities_.nul;
      ++p;
    } else {
      return fail("a control character inside a string", p);
    }
    from = p;
    if (kKeep && copy && kept == p) {
      // Text behind an escape is copied in the pass that looks for its end.
      from = kept = p = copy_ascii(p, &copy);
      if (p < end_ && json_scan::stops(*p)) continue;
      size_t copied = 0;
      p = json_scan::scan_unicode_copy(p, end_, &invalid, copy, scratch_.data() + scratch_.size(), &copied);
      copy += copied;
      kept += copied;
    } else {
      p = json_scan::scan_text(p, end_, &invalid);
    }
  }
  if (kKeep) {
    const auto size = static_cast<size_t>(p - kept);
    *out = {kept, size};
    if (copy) {
      copy = make_room(copy, size);
      std::memcpy(copy, kept, size);
      *out = {scratch_.data(), static_cast<size_t>(copy - scratch_.data()) + size};
    }
  }
  at_ = p + 1;
  return true;
}

template bool JsonReader::text_slowly<true>(const char*, bool, std::string_view*);
template bool JsonReader::text_slowly<false>(const char*, bool, std::string_view*);

}  // namespace vaa
