#include <algorithm>

#include "base/failure.h"
#include "base/json.h"
#include "base/json_writer.h"
#include "base/text_hash.h"
#include "capture/json_members.h"
#include "capture/request.h"

namespace vaa::capture {
namespace {

// What decides how an answer is recorded and not what is asked.
constexpr std::string_view kRecording[] = {"model", "stream", "stream_options", "return_token_ids", "return_tokens_as_token_ids", "return_tokens", "verbose", "logprobs", "top_logprobs"};

// A number by its value; digits that no double or int64 holds as they stand.
void append_value(std::string* out, std::string_view text) {
  JsonReader json(text);
  int64_t whole = 0;
  double value = 0;
  if (json.int64(&whole)) *out += std::to_string(whole);
  else if (text.find_first_not_of("-0123456789") == text.npos) *out += text;
  else if (json.reset(text), json.real(&value)) append_number(out, value);
}

// The value that stands next, without white space and with its escapes taken: two texts of one value are one.
void append_canonical(std::string* out, JsonReader* json) {
  std::string_view text;
  switch (json->peek()) {
    case JsonKind::kObject:
      *out += '{';
      for (json->object(); json->key(&text);) {
        *out += std::to_string(text.size()) + ':';
        *out += text;
        append_canonical(out, json);
      }
      *out += '}';
      return;
    case JsonKind::kArray:
      *out += '[';
      for (json->array(); json->element();) {
        append_canonical(out, json);
        *out += ',';
      }
      *out += ']';
      return;
    case JsonKind::kString:
      json->string(&text);
      *out += '"' + std::to_string(text.size()) + ':';
      *out += text;
      return;
    case JsonKind::kNumber:
      json->number(&text);
      *out += '#';
      append_value(out, text);
      return;
    default:
      json->raw(&text);
      *out += text;
  }
}

}  // namespace

std::string request_hash(std::string_view path, std::string_view body) {
  auto members = json_members(body);
  const auto out = [](const JsonMember& member) { return std::find(std::begin(kRecording), std::end(kRecording), member.key) != std::end(kRecording); };
  members.erase(std::remove_if(members.begin(), members.end(), out), members.end());
  std::stable_sort(members.begin(), members.end(), [](const JsonMember& a, const JsonMember& b) { return a.key < b.key; });
  std::string canonical(path);
  for (const JsonMember& member : members) {
    canonical += '\n' + std::to_string(member.key.size()) + ':' + member.key;
    JsonReader json(member.value);
    append_canonical(&canonical, &json);
  }
  std::string hex;
  for (const uint64_t seed : {1, 2}) {
    const uint64_t hash = hash_bytes(seed, canonical);
    for (int shift = 60; shift >= 0; shift -= 4) hex += "0123456789abcdef"[hash >> shift & 0xF];
  }
  return hex;
}

}  // namespace vaa::capture
