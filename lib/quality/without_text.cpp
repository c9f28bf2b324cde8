#include "quality/without_text.h"

#include <algorithm>
#include <initializer_list>

#include "base/json.h"
#include "base/json_writer.h"

namespace vaa {
namespace {

using Keys = std::initializer_list<std::string_view>;

// Copies the members of an object that `keep` names by copy(key); the reader stands at the object.
template <class Keep, class Copy>
void copy_members(JsonReader* in, JsonWriter* out, Keep keep, Copy copy) {
  if (in->peek() != JsonKind::kObject) {
    in->skip();
    out->null();
    return;
  }
  out->begin_object();
  std::string_view key;
  for (in->object(); in->key(&key);) {
    const std::string name(key);
    if (!keep(name)) {
      in->skip();
      continue;
    }
    out->key(name);
    copy(name);
  }
  out->end_object();
}

// A number, true, false or null; null in place of anything else.
void copy_number(JsonReader* in, JsonWriter* out) {
  const JsonKind kind = in->peek();
  std::string_view raw;
  in->raw(&raw);
  kind == JsonKind::kNumber || kind == JsonKind::kBool ? out->raw(raw) : out->null();
}

// The same, and a name: of a path only its last part.
void copy_name(JsonReader* in, JsonWriter* out) {
  if (in->peek() != JsonKind::kString) return copy_number(in, out);
  std::string text;
  in->string(&text);
  const bool path = !text.empty() && (text[0] == '/' || text[0] == '.' || text[0] == '~' || text.find('\\') != text.npos || text.find(':') != text.npos);
  out->string(path ? base_name(text) : std::string_view(text));
}

void copy_named(JsonReader* in, JsonWriter* out, Keys names) {
  copy_members(in, out, [&](std::string_view key) { return std::find(names.begin(), names.end(), key) != names.end(); }, [&](std::string_view) { copy_name(in, out); });
}
void copy_numbers(JsonReader* in, JsonWriter* out) {
  copy_members(in, out, [](std::string_view) { return true; }, [&](std::string_view) { copy_number(in, out); });
}

void copy_tasks(JsonReader* in, JsonWriter* out) {
  if (in->peek() != JsonKind::kArray) {
    in->skip();
    out->null();
    return;
  }
  static constexpr std::string_view kNames[] = {"dataset", "version", "hash", "questions", "repeats", "percent"};
  out->begin_array();
  for (in->array(); in->element();) {
    copy_members(in, out, [](std::string_view key) { return key == "scores" || std::find(std::begin(kNames), std::end(kNames), key) != std::end(kNames); },
                 [&](std::string_view key) { key == "scores" ? copy_numbers(in, out) : copy_name(in, out); });
  }
  out->end_array();
}

struct Part {
  std::string_view name;
  void (*copy)(JsonReader* in, JsonWriter* out);
};
constexpr Part kParts[] = {
    {"schema", copy_name},
    {"model", [](JsonReader* in, JsonWriter* out) { copy_named(in, out, {"name", "label", "revision", "quantization", "max_length"}); }},
    {"hashes", [](JsonReader* in, JsonWriter* out) { copy_named(in, out, {"weight_index", "config", "tokenizer", "chat_template"}); }},
    {"engine", [](JsonReader* in, JsonWriter* out) { copy_named(in, out, {"name", "version"}); }},
    {"hardware", [](JsonReader* in, JsonWriter* out) { copy_named(in, out, {"device", "count", "driver", "runtime"}); }},
    {"sampling_defaults", copy_numbers},
    {"logprobs_mode", copy_name},
    {"concurrency", copy_number},
    {"tool", [](JsonReader* in, JsonWriter* out) { copy_named(in, out, {"name", "version"}); }},
    {"tasks", copy_tasks},
    {"counters", copy_numbers},
    {"start_s", copy_number},
    {"end_s", copy_number},
};
const Part* part_of(std::string_view key) {
  const auto found = std::find_if(std::begin(kParts), std::end(kParts), [&](const Part& part) { return part.name == key; });
  return found == std::end(kParts) ? nullptr : found;
}

}  // namespace

std::string_view base_name(std::string_view path) {
  while (path.size() > 1 && (path.back() == '/' || path.back() == '\\')) path.remove_suffix(1);
  const size_t slash = path.find_last_of("/\\");
  return slash == path.npos || path.size() == 1 ? path : path.substr(slash + 1);
}

std::string header_without_text(std::string_view json) {
  std::string text;
  JsonReader in(json);
  JsonWriter out(&text);
  copy_members(&in, &out, [](std::string_view key) { return part_of(key) != nullptr; }, [&](std::string_view key) { part_of(key)->copy(&in, &out); });
  return in.finish() ? text : "null";
}

}  // namespace vaa
