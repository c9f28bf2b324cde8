#include "capture/json_members.h"

#include <algorithm>

#include "base/failure.h"
#include "base/json.h"
#include "base/json_writer.h"

namespace vaa::capture {

std::vector<JsonMember> json_members(std::string_view object) {
  JsonReader json(object);
  std::vector<JsonMember> members;
  const JsonKind kind = json.peek();
  if (kind != JsonKind::kObject) {
    json.skip();
  } else {
    json.object();
    for (size_t from = json.position();; from = json.position()) {
      std::string_view key, value;
      if (!json.key(&key)) break;
      JsonMember member;
      member.key = key;
      if (!json.raw(&value)) break;
      const size_t begin = object.find('"', from);  // between two members stand white space and a comma only
      member.value = value;
      member.text = object.substr(begin, json.position() - begin);
      members.push_back(std::move(member));
    }
  }
  if (!json.finish()) fail(VAA_ERROR_FORMAT, "is no JSON: column " + std::to_string(json.error_at() + 1) + ": " + json.error());
  if (kind != JsonKind::kObject) fail(VAA_ERROR_FORMAT, std::string("must be a JSON object, is ") + json_kind_name(kind));
  return members;
}

std::string_view member_value(const std::vector<JsonMember>& members, std::string_view key) {
  const auto found = std::find_if(members.rbegin(), members.rend(), [&](const JsonMember& member) { return member.key == key; });
  return found == members.rend() ? std::string_view() : found->value;
}

bool json_text(std::string_view value, std::string* out) {
  JsonReader json(value);
  return json.peek() == JsonKind::kString && json.string(out);
}

std::string with_members(const std::vector<JsonMember>& members, const std::vector<std::pair<std::string, std::string>>& changes) {
  std::string out = "{";
  std::vector<bool> written(changes.size());
  const auto separate = [&] { if (out.size() > 1) out += ", "; };
  const auto write = [&](size_t i) {
    if (written[i]) return;
    written[i] = true;
    if (changes[i].second.empty()) return;
    separate();
    append_json_string(&out, changes[i].first);
    out += ": " + changes[i].second;
  };
  for (const JsonMember& member : members) {
    const auto change = std::find_if(changes.begin(), changes.end(), [&](const auto& c) { return c.first == member.key; });
    if (change != changes.end()) {
      write(static_cast<size_t>(change - changes.begin()));
    } else {
      separate();
      out += member.text;
    }
  }
  for (size_t i = 0; i < changes.size(); ++i) write(i);
  return out + "}";
}

}  // namespace vaa::capture
