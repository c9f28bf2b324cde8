#include "text/utf8.h"

#include <cstring>

namespace vaa {
namespace {

using Bytes = uint8_t __attribute__((vector_size(16)));
using SignedBytes = int8_t __attribute__((vector_size(16)));
constexpr size_t kLanes = sizeof(Bytes);
// Vectors a run of the vector loop: few enough for a count of eight bits a lane.
constexpr size_t kRun = 64;
// The vector loop looks three bytes back.
constexpr size_t kLookBack = 3;

Bytes load(const char* p) {
  Bytes v;
  std::memcpy(&v, p, sizeof(v));
  return v;
}

bool any(Bytes v) {
  uint64_t halves[2];
  std::memcpy(halves, &v, sizeof(v));
  return (halves[0] | halves[1]) != 0;
}

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

Bytes continuations(Bytes v) { return reinterpret_cast<Bytes>(reinterpret_cast<SignedBytes>(v) < static_cast<int8_t>(-64)); }

// Nonzero where one of the 16 bytes at p is wrong after the three before it: a continuation that no lead byte asked for or one that is missing,
// a byte that never occurs (C0, C1, F5..FF), or a second byte that makes an overlong form (E0, F0), a surrogate (ED) or more than U+10FFFF (F4).
Bytes errors(const char* p) {
  const Bytes now = load(p), one = load(p - 1), two = load(p - 2), three = load(p - 3);
  const Bytes continued = continuations(now);
  const Bytes wanted = reinterpret_cast<Bytes>((one >= 0xC0) | (two >= 0xE0) | (three >= 0xF0));
  const Bytes never = reinterpret_cast<Bytes>((now == 0xC0) | (now == 0xC1) | (now >= 0xF5));
  const Bytes second = reinterpret_cast<Bytes>(((one == 0xE0) & (now < 0xA0)) | ((one == 0xED) & (now >= 0xA0)) |
                                               ((one == 0xF0) & (now < 0x90)) | ((one == 0xF4) & (now >= 0x90)));
  return (continued ^ wanted) | never | (second & continued);
}

struct Run {
  bool valid = true;
  size_t characters = 0;
};

// kRun vectors or fewer from p; the three bytes before p are the end of valid characters.
Run scan(const char* p, size_t vectors) {
  Bytes wrong = {}, continued = {};
  for (size_t i = 0; i < vectors; ++i, p += kLanes) {
    const Bytes now = load(p);
    if (!any(now & 0x80) && static_cast<unsigned char>(p[-1]) < 0x80) continue;
    wrong |= errors(p);
    continued -= continuations(now);  // a mask is -1
  }
  size_t count = vectors * kLanes;
  for (size_t i = 0; i < kLanes; ++i) count -= continued[i];
  return {!any(wrong), count};
}

// Bytes of an unfinished character at the end of text[0, end), whose bytes so far are right: 0 to 3.
size_t unfinished(const char* end) {
  for (size_t back = 1; back <= kLookBack; ++back) {
    const auto byte = static_cast<unsigned char>(end[-static_cast<ptrdiff_t>(back)]);
    if ((byte & 0xC0) == 0x80) continue;
    const size_t size = byte < 0xC0 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
    return size > back ? back : 0;
  }
  return 0;
}

// Runs of vectors where the text is valid; character by character in a run that is not, and until three bytes of valid characters stand before the
// next run. Stops after the first invalid character where `until_invalid`.
Utf8Size walk(std::string_view text, bool until_invalid) {
  Utf8Size result;
  size_t at = 0;
  size_t clean = 0;  // bytes of valid characters just before `at`
  const auto steps_to = [&](size_t end, size_t clean_end) {
    while ((at < end || clean < clean_end) && at < text.size() && (result.valid || !until_invalid)) {
      const Utf8Step step = utf8_step(text, at);
      result.valid = result.valid && step.valid;
      clean = step.valid ? clean + step.size : 0;
      at += step.size;
      ++result.characters;
    }
  };
  steps_to(0, kLookBack);
  while (text.size() - at >= 2 * kLanes && (result.valid || !until_invalid)) {
    const size_t vectors = (text.size() - at) / kLanes;
    const size_t taken = vectors < kRun ? vectors : kRun;
    const Run run = scan(text.data() + at, taken);
    if (!run.valid) {
      steps_to(at + taken * kLanes, kLookBack);
      continue;
    }
    const size_t rest = unfinished(text.data() + at + taken * kLanes);
    result.characters += run.characters - (rest != 0);
    at += taken * kLanes - rest;
  }
  steps_to(text.size(), 0);
  return result;
}

}  // namespace

Utf8Step utf8_step_rest(std::string_view text, size_t at) {
  if (at >= text.size()) return {};
  const size_t left = text.size() - at;
  const auto byte = [&](size_t i) { return static_cast<uint32_t>(static_cast<unsigned char>(text[at + i])); };
  const uint32_t lead = byte(0);
  const Utf8Step invalid = {lead, 1, false, false};
  if (lead < 0x80) return {lead, 1, true, false};
  const size_t size = lead < 0xC2 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 1;
  if (size == 1 || left < size) return invalid;
  for (size_t i = 1; i < size; ++i) {
    if (!is_continuation(text[at + i])) return invalid;
  }
  if (size == 2) return {(lead & 0x1F) << 6 | (byte(1) & 0x3F), 2, true, false};
  if (size == 3) {
    const uint32_t code = (lead & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F);
    if (code < 0x800) return invalid;
    const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
    return {code, 3, !surrogate, surrogate};
  }
  const uint32_t code = (lead & 0x07) << 18 | (byte(1) & 0x3F) << 12 | (byte(2) & 0x3F) << 6 | (byte(3) & 0x3F);
  if (code < 0x10000 || code > 0x10FFFF) return invalid;
  return {code, 4, true, false};
}

Utf8Size utf8_size(std::string_view text) { return walk(text, false); }

bool utf8_valid(std::string_view text) { return walk(text, true).valid; }

size_t utf8_floor(std::string_view text, size_t end) {
  if (end >= text.size()) return text.size();
  // No byte of a sequence but its first is a lead byte, so the nearest lead byte before `end` begins the only sequence that could reach over it.
  for (size_t back = 1; back <= kLookBack && back <= end; ++back) {
    if (is_continuation(text[end - back])) continue;
    return utf8_step(text, end - back).size > back ? end - back : end;
  }
  return end;
}

void utf8_append(std::string* out, uint32_t code) {
  const auto put = [&](uint32_t byte) { out->push_back(static_cast<char>(byte)); };
  const auto rest = [&](int shift) { put(0x80 | (code >> shift & 0x3F)); };
  if (code > 0x10FFFF) code = 0xFFFD;
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0 | code >> 6);
    rest(0);
  } else if (code < 0x10000) {
    put(0xE0 | code >> 12);
    rest(6);
    rest(0);
  } else {
    put(0xF0 | code >> 18);
    rest(12);
    rest(6);
    rest(0);
  }
}

}  // namespace vaa
