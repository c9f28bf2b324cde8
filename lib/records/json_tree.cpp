#include "records/json_tree.h"

#include "base/json_writer.h"

namespace vaa {
namespace {

bool read(JsonReader* json, JsonTree* out, size_t* left) {
  if (*left == 0) return json->skip();
  --*left;
  out->kind = json->peek();
  switch (out->kind) {
    case JsonKind::kObject: {
      json->object();
      std::string_view key;
      while (json->key(&key)) {
        out->members.emplace_back(std::string(key), JsonTree{});
        if (!read(json, &out->members.back().second, left)) return false;
      }
      return !json->failed();
    }
    case JsonKind::kArray:
      json->array();
      while (json->element()) {
        out->members.emplace_back();
        if (!read(json, &out->members.back().second, left)) return false;
      }
      return !json->failed();
    case JsonKind::kString: return json->string(&out->text);
    case JsonKind::kNumber: {
      std::string_view text;
      const bool good = json->number(&text);
      out->text = std::string(text);
      return good;
    }
    case JsonKind::kBool: return json->boolean(&out->truth);
    default: return json->null();
  }
}

void write(JsonWriter* json, const JsonTree& tree) {
  switch (tree.kind) {
    case JsonKind::kObject:
      json->begin_object();
      for (const auto& [key, value] : tree.members) {
        json->key(key);
        write(json, value);
      }
      json->end_object();
      break;
    case JsonKind::kArray:
      json->begin_array();
      for (const auto& [key, value] : tree.members) write(json, value);
      json->end_array();
      break;
    case JsonKind::kString: json->string(tree.text); break;
    case JsonKind::kNumber: json->raw(tree.text); break;
    case JsonKind::kBool: json->boolean(tree.truth); break;
    default: json->null();
  }
}

}  // namespace

const JsonTree* JsonTree::find(std::string_view key) const {
  for (auto at = members.rbegin(); at != members.rend(); ++at)
    if (at->first == key) return &at->second;
  return nullptr;
}

int64_t JsonTree::integer() const {
  int64_t value = 0;
  if (kind != JsonKind::kNumber) return 0;
  JsonReader json(text);
  return json.int64(&value) ? value : 0;
}

double JsonTree::real() const {
  double value = 0;
  if (kind != JsonKind::kNumber) return 0;
  JsonReader json(text);
  return json.real(&value) ? value : 0;
}

void JsonTree::append_json(std::string* out) const {
  JsonWriter json(out);
  write(&json, *this);
}

std::string JsonTree::json() const {
  std::string out;
  append_json(&out);
  return out;
}

const JsonTree& member(const JsonTree& object, std::string_view key) {
  static const JsonTree kNone{};
  const JsonTree* found = object.kind == JsonKind::kObject ? object.find(key) : nullptr;
  return found ? *found : kNone;
}

bool parse_json_tree(std::string_view text, JsonTree* out, size_t max_nodes) {
  JsonReader json(text);
  *out = JsonTree{};
  return read(&json, out, &max_nodes) && json.finish();
}

}  // namespace vaa
