#include "quality/json_shape.h"

#include <algorithm>
#include <iterator>

#include "base/json.h"
#include "text/utf8.h"

namespace vaa {
namespace {

constexpr std::string_view kSpace = " \t\r\n";

bool is_letter_byte(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

// `at` is where the strict reader stopped in `text`, before the end.
const char* name_fault(std::string_view text, size_t at) {
  const char c = text[at];
  const std::string_view rest = text.substr(at);
  const auto starts = [&](std::string_view with) { return rest.compare(0, with.size(), with) == 0; };
  const size_t before = at == 0 ? std::string_view::npos : text.find_last_not_of(kSpace, at - 1);
  const char last = before == std::string_view::npos ? '\0' : text[before];
  if ((c == '}' || c == ']') && last == ',') return "trailing_comma";
  if (starts("...") || starts("…")) return "ellipsis";
  if (starts("NaN") || starts("Infinity") || starts("-Infinity")) return "not_a_number";
  if (starts("//") || starts("/*") || c == '#') return "comment";
  if (c == '\'') return "single_quotes";
  if (is_letter_byte(c) && (last == ':' || last == '[' || last == ',' || last == '{')) return "literal";
  if (static_cast<unsigned char>(c) < 0x20) return "control_character";
  if (c == '\\' || last == '\\') return "escape";
  if (!utf8_step(text, at).valid) return "invalid_unicode";
  return "syntax";
}

}  // namespace

bool JsonShape::cut() const { return std::string_view(fault) == "cut"; }

bool JsonShape::habit() const {
  constexpr std::string_view kHabits[] = {"comment", "trailing_comma", "single_quotes", "not_a_number", "literal", "ellipsis"};
  return std::find(std::begin(kHabits), std::end(kHabits), fault) != std::end(kHabits);
}

JsonShape read_json_shape(std::string_view text, size_t begin, size_t end) {
  const std::string_view document = text.substr(begin, end - begin);
  JsonReader reader(document, JsonReader::Mode::kStrict);
  JsonShape out;
  const JsonKind kind = reader.peek();
  if (kind != JsonKind::kInvalid && reader.skip()) {
    out.end = begin + reader.position();
    return out;
  }
  if (!reader.failed()) reader.skip();
  const size_t at = reader.error_at();
  out.at = begin + at;
  if (at >= document.size()) {
    out.fault = "cut";
  } else if (std::string_view(reader.error()).find("nested deeper") == 0) {
    out.end = end;
  } else {
    out.fault = name_fault(document, at);
  }
  return out;
}

}  // namespace vaa
