// Writes JSON into a string: keys in the order given, shortest doubles that read back the same, text escaped so that the output is valid UTF-8.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace vaa {

class JsonWriter {
 public:
  // indent 0: one line, with a space behind commas and colons; else spaces a level.
  // Text: invalid UTF-8 bytes are written as \udcXX (Python's surrogateescape), the three bytes of a lone surrogate as \udXXX;
  // control characters (C0, DEL, C1), U+2028/2029 and marks of direction (U+200E/F, U+202A..E, U+2066..9) as \u escapes.
  explicit JsonWriter(std::string* out, int indent = 0) : out_(out), indent_(indent) {}
  JsonWriter& begin_object();
  JsonWriter& end_object();
  JsonWriter& begin_array();
  JsonWriter& end_array();
  JsonWriter& key(std::string_view key);
  JsonWriter& string(std::string_view text);
  JsonWriter& integer(int64_t value);
  JsonWriter& real(double value);  // NaN is null; ±infinity "inf", "-inf"
  JsonWriter& boolean(bool value);
  JsonWriter& null();
  JsonWriter& raw(std::string_view json);  // already JSON; trusted
  // key and value in one
  JsonWriter& member(std::string_view k, std::string_view v) { return key(k).string(v); }
  JsonWriter& member(std::string_view k, const char* v) { return key(k).string(v); }
  JsonWriter& member(std::string_view k, int64_t v) { return key(k).integer(v); }
  JsonWriter& member(std::string_view k, int v) { return key(k).integer(v); }
  JsonWriter& member(std::string_view k, double v) { return key(k).real(v); }
  JsonWriter& member(std::string_view k, bool v) { return key(k).boolean(v); }

 private:
  void separate();
  void new_line();
  JsonWriter& open(char bracket);
  JsonWriter& close(char bracket);
  std::string* out_;
  int indent_;
  std::vector<uint8_t> counts_;  // per open container: 0 empty, 1 not
  bool after_key_ = false;
};

// Appends `text` as a JSON string with its quotation marks.
void append_json_string(std::string* out, std::string_view text);
// Appends the shortest decimal that reads back as `value`; integers up to 2^53 without a point.
void append_number(std::string* out, double value);

}  // namespace vaa
