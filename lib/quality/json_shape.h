// JSON that stands in a text, read strictly (RFC 8259), and what is wrong with it.
#pragma once
#include <cstddef>
#include <string_view>

namespace vaa {

struct JsonShape {
  // What is wrong: "" nothing, cut (the text ends inside), comment, trailing_comma, single_quotes, not_a_number (NaN, Infinity), literal (a bare word, such as True), ellipsis,
  // control_character, escape, invalid_unicode, trailing (something stands behind it), syntax.
  const char* fault = "";
  size_t at = 0;   // byte of what is wrong
  size_t end = 0;  // behind the value, where nothing is wrong
  bool valid() const { return *fault == 0; }
  bool cut() const;
  // What JavaScript or Python would take: the writer's habit, no damage.
  bool habit() const;
};

// The value that begins at text[begin], white space before it allowed; text[end] and what follows does not exist for it. Linear, allocates nothing. A value that is nested deeper
// than the reader goes counts as valid.
JsonShape read_json_shape(std::string_view text, size_t begin, size_t end);

}  // namespace vaa
