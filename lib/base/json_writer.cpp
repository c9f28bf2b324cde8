#include "base/json_writer.h"

#include <charconv>
#include <cmath>

#include "base/shortest.h"
#include "base/utf8_sequence.h"

namespace vaa {

namespace {

void append_escape(std::string* out, uint32_t code) {
  char text[6] = {'\\', 'u', '0', '0', '0', '0'};
  for (int i = 0; i < 4; ++i) text[5 - i] = "0123456789abcdef"[code >> (4 * i) & 0xF];
  out->append(text, sizeof text);
}

void append_ascii(std::string* out, char c) {
  switch (c) {
    case '"': *out += "\\\""; return;
    case '\\': *out += "\\\\"; return;
    case '\n': *out += "\\n"; return;
    case '\r': *out += "\\r"; return;
    case '\t': *out += "\\t"; return;
    case '\b': *out += "\\b"; return;
    case '\f': *out += "\\f"; return;
    default: break;
  }
  if (static_cast<uint8_t>(c) < 0x20 || c == 0x7F) return append_escape(out, static_cast<uint8_t>(c));
  *out += c;
}

// What a terminal or an editor obeys or shows as nothing: C1 controls, marks and overrides of direction, line and paragraph separators.
bool obeyed(uint32_t code) {
  return code < 0xA0 || (code >= 0x200E && code <= 0x200F) || (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

// The end of the text from `p` on that needs no escape.
const char* plain_text(const char* p, const char* end) {
  while (p < end) {
    const auto byte = static_cast<uint8_t>(*p);
    if (byte < 0x80) {
      if (byte < 0x20 || byte == '"' || byte == '\\' || byte == 0x7F) return p;
      ++p;
      continue;
    }
    const size_t size = utf8_sequence(p, end);
    if (size == 0) return p;
    const uint32_t code = utf8_code(p, size);
    if (obeyed(code)) return p;
    p += size;
  }
  return p;
}

}  // namespace

void append_json_string(std::string* out, std::string_view text) {
  *out += '"';
  const char* p = text.data();
  const char* end = p + text.size();
  while (p < end) {
    const char* run = plain_text(p, end);
    out->append(p, static_cast<size_t>(run - p));
    p = run;
    if (p == end) break;
    if (static_cast<uint8_t>(*p) < 0x80) {
      append_ascii(out, *p++);
    } else if (const size_t size = utf8_sequence(p, end)) {
      append_escape(out, utf8_code(p, size));
      p += size;
    } else if (utf8_surrogate(p, end)) {
      append_escape(out, utf8_code(p, 3));
      p += 3;
    } else {
      append_escape(out, 0xDC00u + static_cast<uint8_t>(*p++));
    }
  }
  *out += '"';
}

void append_number(std::string* out, double value) {
  if (std::isnan(value)) {
    *out += "null";
  } else if (std::isinf(value)) {
    *out += value > 0 ? "\"inf\"" : "\"-inf\"";
  } else if (std::fabs(value) <= 9007199254740992.0 && value == std::trunc(value)) {
    if (std::signbit(value) && value == 0) *out += '-';
    char text[24];
    const auto written = std::to_chars(text, text + sizeof text, static_cast<int64_t>(value));
    out->append(text, written.ptr);
  } else {
    append_shortest(out, value);
  }
}

// ---- JsonWriter

void JsonWriter::new_line() {
  if (indent_ <= 0) return;
  *out_ += '\n';
  out_->append(static_cast<size_t>(indent_) * counts_.size(), ' ');
}

// Before a value or a key: the comma and the line that it needs.
void JsonWriter::separate() {
  if (after_key_) {
    after_key_ = false;
    return;
  }
  if (counts_.empty()) return;
  if (counts_.back()) *out_ += indent_ > 0 ? "," : ", ";
  counts_.back() = 1;
  new_line();
}

JsonWriter& JsonWriter::open(char bracket) {
  separate();
  *out_ += bracket;
  counts_.push_back(0);
  return *this;
}

JsonWriter& JsonWriter::close(char bracket) {
  const bool empty = counts_.empty() || counts_.back() == 0;
  if (!counts_.empty()) counts_.pop_back();
  if (!empty) new_line();
  *out_ += bracket;
  return *this;
}

JsonWriter& JsonWriter::begin_object() { return open('{'); }
JsonWriter& JsonWriter::end_object() { return close('}'); }
JsonWriter& JsonWriter::begin_array() { return open('['); }
JsonWriter& JsonWriter::end_array() { return close(']'); }

JsonWriter& JsonWriter::key(std::string_view key) {
  separate();
  append_json_string(out_, key);
  *out_ += ": ";
  after_key_ = true;
  return *this;
}

JsonWriter& JsonWriter::string(std::string_view text) {
  separate();
  append_json_string(out_, text);
  return *this;
}

JsonWriter& JsonWriter::integer(int64_t value) {
  separate();
  char text[24];
  const auto written = std::to_chars(text, text + sizeof text, value);
  out_->append(text, written.ptr);
  return *this;
}

JsonWriter& JsonWriter::real(double value) {
  separate();
  append_number(out_, value);
  return *this;
}

JsonWriter& JsonWriter::boolean(bool value) { return raw(value ? "true" : "false"); }
JsonWriter& JsonWriter::null() { return raw("null"); }

JsonWriter& JsonWriter::raw(std::string_view json) {
  separate();
  out_->append(json);
  return *this;
}

}  // namespace vaa
