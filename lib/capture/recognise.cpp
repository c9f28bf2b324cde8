#include "capture/recognise.h"

#include <algorithm>

#include "base/failure.h"
#include "base/json.h"
#include "capture/json_members.h"

namespace vaa::capture {
namespace {

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

bool holds_json(const HttpResponse& answer) {
  JsonReader json(answer.body);
  return answer.end.status == 200 && json.peek() == JsonKind::kObject && json.skip() && json.finish();
}

ServedModel read_model(JsonReader* json) {
  ServedModel model;
  std::string parent;
  json->object();
  for (std::string_view key; json->key(&key);) {
    const bool text = json->peek() == JsonKind::kString;
    if (key == "id" && text) json->string(&model.id);
    else if (key == "owned_by" && text) json->string(&model.owned_by);
    else if (key == "parent" && text) json->string(&parent);
    else if (key == "max_model_len" && json->peek() == JsonKind::kNumber) json->int64(&model.max_model_len);
    else json->skip();
  }
  model.adapter = !parent.empty() && parent != "null";  // MindIE writes the word
  return model;
}

bool owns(const Dialect& dialect, const std::vector<ServedModel>& models) {
  return dialect.owned_by[0] != '\0' && !models.empty() && lower(models[0].owned_by) == lower(dialect.owned_by);
}

bool answers_as(const Dialect& dialect, const std::vector<OwnAnswer>& own) {
  return std::any_of(own.begin(), own.end(), [&](const OwnAnswer& answer) {
    return answer.path == dialect.own_path && holds_json(answer.response) && lower(answer.response.body).find(dialect.own_word) != std::string::npos;
  });
}

// The value of the first member `name` at any depth.
std::string_view deep_value(std::string_view json, std::string_view name, int depth) {
  JsonReader reader(json);
  if (depth == 0 || reader.peek() != JsonKind::kObject) return {};
  std::string_view inner;
  for (const JsonMember& member : json_members(json)) {
    if (member.key == name) return member.value;
    if (inner.empty()) inner = deep_value(member.value, name, depth - 1);
  }
  return inner;
}

}  // namespace

bool read_models(std::string_view body, std::vector<ServedModel>* out, Both* why) {
  out->clear();
  if (body.empty()) return *why = {"an empty answer", "回答为空"}, false;
  JsonReader json(body);
  bool list = false;
  if (json.peek() == JsonKind::kObject) {
    json.object();
    for (std::string_view key; json.key(&key);) {
      if (key != "data" || json.peek() != JsonKind::kArray) {
        json.skip();
        continue;
      }
      list = true;
      json.array();
      while (json.element()) {
        if (json.peek() == JsonKind::kObject) out->push_back(read_model(&json));
        else json.skip();
      }
    }
  }
  if (!json.finish()) return *why = {"no JSON: " + quoted(body, 60), "不是 JSON：" + quoted(body, 60)}, false;
  if (!list) return *why = {"JSON without a list `data`: " + quoted(body, 60), "JSON 中没有列表 `data`：" + quoted(body, 60)}, false;
  out->erase(std::remove_if(out->begin(), out->end(), [](const ServedModel& model) { return model.id.empty(); }), out->end());
  if (out->empty()) return *why = {"a list without a model", "列表中没有模型"}, false;
  return true;
}

std::string read_version(const HttpResponse& answer) {
  std::string version;
  if (holds_json(answer)) json_text(member_value(json_members(answer.body), "version"), &version);
  return version;
}

std::vector<std::string> own_paths(const std::vector<ServedModel>& models) {
  std::vector<std::string> paths;
  const auto add = [&](const Dialect& dialect) {
    if (dialect.own_path[0] != '\0' && std::find(paths.begin(), paths.end(), dialect.own_path) == paths.end()) paths.emplace_back(dialect.own_path);
  };
  for (const Dialect& dialect : dialect_table())
    if (owns(dialect, models)) add(dialect);
  if (paths.empty())
    for (const Dialect& dialect : dialect_table()) add(dialect);
  return paths;
}

const Dialect& recognise(const std::vector<ServedModel>& models, bool has_version, const std::vector<OwnAnswer>& own) {
  const Dialect* found = nullptr;
  for (const Dialect& dialect : dialect_table()) {
    // Of several rows with one owner the first is what it is unless another's word stands in its answer.
    if (owns(dialect, models) && (!found || answers_as(dialect, own))) found = &dialect;
  }
  for (const Dialect& dialect : dialect_table())
    if (!found && answers_as(dialect, own)) found = &dialect;
  if (!found) found = find_dialect(has_version ? "vllm" : "openai");
  return *found;
}

const ServedModel& chosen_model(const std::vector<ServedModel>& models, std::string_view wanted, std::string_view endpoint) {
  std::string names;
  const ServedModel* only = nullptr;
  int bases = 0;
  for (const ServedModel& model : models) {
    if (!wanted.empty() && model.id == wanted) return model;
    if (!model.adapter) only = &model, ++bases;
    if (names.size() < 2000) names += (names.empty() ? "" : ", ") + quoted(model.id);
  }
  if (!wanted.empty()) fail(VAA_ERROR_NOT_FOUND, "model: " + quoted(wanted) + " is not served at " + std::string(endpoint) + "; it serves " + names);
  if (bases != 1) fail(VAA_ERROR_NOT_FOUND, "model: " + std::string(endpoint) + " serves " + std::to_string(models.size()) + " models, name one of them: " + names);
  return *only;
}

int64_t context_length(std::string_view own_json) {
  for (const char* name : {"n_ctx", "max_model_len", "context_length"}) {
    const std::string_view value = deep_value(own_json, name, 4);
    int64_t length = -1;
    JsonReader json(value);
    if (!value.empty() && json.peek() == JsonKind::kNumber && json.int64(&length) && length > 0) return length;
  }
  return -1;
}

std::string own_version(std::string_view own_json) {
  std::string version;
  if (own_json.empty()) return version;
  const auto members = json_members(own_json);
  for (const char* name : {"version", "build_info"})
    if (const std::string_view value = member_value(members, name); !value.empty() && json_text(value, &version)) return version;
  return "";
}

}  // namespace vaa::capture
