// A JSON object as its members with the bytes they came in: what is not changed is written again as it was.
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace vaa::capture {

struct JsonMember {
  std::string key;          // decoded
  std::string_view text;    // key and value, "\"n\": 1", as they stand in the object
  std::string_view value;   // "1"
};
// The members in their order, a key that is given twice twice; views into `object`. Throws Failure (VAA_ERROR_FORMAT) where it is no JSON, with the column (bytes, from 1), or another value.
std::vector<JsonMember> json_members(std::string_view object);

// The value of the last member `key` (the one that counts for most readers of JSON); empty: there is none.
std::string_view member_value(const std::vector<JsonMember>& members, std::string_view key);
// A value that is a text; false where it is none.
bool json_text(std::string_view value, std::string* out);

// The object with these members set: a key that was there keeps its place and stands once, a new one comes at the end, an empty value takes the key out. All other bytes stay.
std::string with_members(const std::vector<JsonMember>& members, const std::vector<std::pair<std::string, std::string>>& changes);

}  // namespace vaa::capture
