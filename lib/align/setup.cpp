#include "align/setup.h"

#include "base/failure.h"
#include "base/json.h"
#include "base/json_writer.h"

namespace vaa {
namespace {

// Members of a request or of generation_config.json, by the names that this project uses.
std::string field_name(std::string_view key) {
  if (key == "max_completion_tokens" || key == "max_new_tokens" || key == "n_predict") return "max_tokens";
  if (key == "repeat_penalty") return "repetition_penalty";
  if (key == "repeat_last_n") return "repetition_last_n";
  return std::string(key);
}

class SetupReader {
 public:
  SetupReader(std::string_view json, const std::string& which) : json_(json, JsonReader::Mode::kStrict), which_(which) {}
  Setup read();

 private:
  [[noreturn]] void refuse(const std::string& what) { fail(VAA_ERROR_OPTION, which_ + ": " + what); }
  std::string text(std::string_view key) {
    std::string out;
    if (json_.peek() != JsonKind::kString || !json_.string(&out)) refuse(std::string(key) + ": must be text");
    return out;
  }
  void members(std::string_view at, Settings* out);
  void launch(std::vector<std::string>* out);

  JsonReader json_;
  const std::string& which_;
};

// Scalars; what is null is as if it were not there, what is no scalar keeps its JSON.
void SetupReader::members(std::string_view at, Settings* out) {
  if (json_.peek() != JsonKind::kObject) refuse(std::string(at) + ": must be an object");
  json_.object();
  std::string_view key;
  while (json_.key(&key)) {
    const std::string name = field_name(key);
    std::string_view raw;
    std::string value;
    bool truth = false;
    double number = 0;
    switch (json_.peek()) {
      case JsonKind::kNull: json_.null(); continue;
      case JsonKind::kString: json_.string(&value); break;
      case JsonKind::kBool: json_.boolean(&truth); value = truth ? "true" : "false"; break;
      case JsonKind::kNumber:
        json_.number(&raw);
        value = raw;
        if (name == "seed") break;  // exact over all of 64 bits
        if (JsonReader(raw).real(&number)) value.clear(), append_number(&value, number);
        break;
      default:
        if (json_.raw(&raw)) value = raw;
    }
    if (json_.failed()) return;
    (*out)[name] = {value.empty() ? "\"\"" : value};
  }
}

void SetupReader::launch(std::vector<std::string>* out) {
  if (json_.peek() == JsonKind::kString) {
    for (auto& words : shell_commands(text("launch"))) out->insert(out->end(), words.begin(), words.end());
    return;
  }
  if (json_.peek() != JsonKind::kArray) refuse("launch: must be text or a list of words");
  json_.array();
  while (json_.element()) out->push_back(text("launch"));
}

Setup SetupReader::read() {
  Setup out;
  if (json_.peek() != JsonKind::kObject) refuse("is no JSON object with engine, launch, generation_config, request");
  json_.object();
  std::string_view key;
  while (json_.key(&key)) {
    const std::string name(key);
    if (name == "schema") {
      if (const std::string schema = text(name); schema != "vaa.setup/1") refuse("schema: is " + quoted(schema) + ", must be vaa.setup/1");
    } else if (name == "name") out.name = text(name);
    else if (name == "engine" && json_.peek() == JsonKind::kObject) {
      std::string_view raw;
      if (json_.raw(&raw)) out.engine_json = raw;
    } else if (name == "engine") out.engine = text(name);
    else if (name == "engine_version") out.engine_version = text(name);
    else if (name == "entry") out.entry = text(name);
    else if (name == "sampler" && json_.peek() == JsonKind::kObject) {
      std::string_view raw;
      if (json_.raw(&raw)) out.sampler = raw;
    } else if (name == "sampler") out.sampler = text(name);
    else if (name == "launch") launch(&out.launch);
    else if (name == "generation_config") {
      out.file_known = true;
      if (json_.peek() == JsonKind::kNull) json_.null();
      else members(name, &out.file);
    } else if (name == "request") members(name, &out.request);
    else if (name == "varying") {
      if (json_.peek() != JsonKind::kArray) refuse("varying: must be a list");
      json_.array();
      while (json_.element()) out.varying.push_back(text(name));
    } else refuse(name + ": is not known; known: schema, name, engine, engine_version, entry, launch, generation_config, request, varying, sampler");
  }
  if (!json_.finish()) refuse(std::string("is no JSON: ") + json_.error() + " at byte " + std::to_string(json_.error_at() + 1));
  return out;
}

void put(JsonWriter* json, const char* name, const Settings& settings) {
  json->key(name).begin_object();
  for (const auto& [field, value] : settings) {
    double number = 0;
    JsonReader read(value.text);
    const bool is_number = read.peek() == JsonKind::kNumber && read.real(&number) && read.finish();
    json->key(field);
    if (is_number || value.text == "true" || value.text == "false") json->raw(value.text);
    else json->string(value.text);
  }
  json->end_object();
}

}  // namespace

Setup read_setup(std::string_view json, const std::string& which) { return SetupReader(json, which).read(); }

std::string setup_json(const Setup& setup) {
  std::string out;
  JsonWriter json(&out);
  json.begin_object().member("schema", "vaa.setup/1");
  if (!setup.name.empty()) json.member("name", setup.name);
  if (!setup.engine_json.empty()) json.key("engine").raw(setup.engine_json);
  else if (!setup.engine.empty()) json.member("engine", setup.engine);
  if (!setup.engine_version.empty()) json.member("engine_version", setup.engine_version);
  if (!setup.entry.empty()) json.member("entry", setup.entry);
  if (!setup.launch.empty()) {
    json.key("launch").begin_array();
    for (const std::string& word : setup.launch) json.string(word);
    json.end_array();
  }
  if (setup.file_known) put(&json, "generation_config", setup.file);
  if (!setup.request.empty()) put(&json, "request", setup.request);
  if (!setup.varying.empty()) {
    json.key("varying").begin_array();
    for (const std::string& field : setup.varying) json.string(field);
    json.end_array();
  }
  json.end_object();
  return out;
}

bool launch_value(const std::vector<std::string>& launch, std::string_view flag, std::string* out) {
  bool found = false;
  for (size_t i = 0; i < launch.size(); ++i) {
    const std::string_view word = launch[i];
    if (word == flag) {
      const bool follows = i + 1 < launch.size() && (launch[i + 1].rfind("--", 0) != 0);
      *out = follows ? launch[i + 1] : "true";
      found = true;
    } else if (word.size() > flag.size() && word.substr(0, flag.size()) == flag && word[flag.size()] == '=') {
      *out = word.substr(flag.size() + 1);
      found = true;
    }
  }
  return found;
}

}  // namespace vaa
