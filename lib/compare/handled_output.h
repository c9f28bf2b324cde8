// What a server made of an answer's ids, as hashes that two servers share: not how it spells them.
#pragma once
#include <string>
#include <string_view>

#include "compare/token_strip.h"

namespace vaa {

// Fills text, reasoning, answer, thought, tool_calls and finish. White space around a text whose thought stands apart does not count: parsers of reasoning cut it otherwise. A finish reason "unknown"
// is none.
void read_handled(const Sample& sample, StripFacts* facts);
// Where one side records the thought apart and the other holds it in its text, both are taken apart by the tags; a text without them may hold a thought or not, and is not compared.
bool texts_differ(const StripFacts& a, const StripFacts& b);
bool thoughts_differ(const StripFacts& a, const StripFacts& b);

// Names and arguments alone: ids are drawn anew for each call, and servers write keys, spaces, nulls and arguments (a text of JSON, or an object) as they like. What is no JSON is as it was.
std::string tool_calls_in_one_form(std::string_view json);

}  // namespace vaa
