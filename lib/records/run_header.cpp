#include "records/run_header.h"

#include "base/json.h"
#include "base/json_writer.h"

namespace vaa {
namespace {

void text_or_null(JsonWriter* json, const char* key, const std::string& value) {
  json->key(key);
  if (value.empty()) json->null();
  else json->string(value);
}

void count_or_null(JsonWriter* json, const char* key, int64_t value) {
  json->key(key);
  if (value == 0) json->null();
  else json->integer(value);
}

void raw_or(JsonWriter* json, const char* key, const std::string& value, const char* otherwise) {
  json->key(key).raw(value.empty() ? std::string_view(otherwise) : std::string_view(value));
}

void time_or_null(JsonWriter* json, const char* key, const std::optional<double>& value) {
  json->key(key);
  if (value) json->real(*value);
  else json->null();
}

void nulls(JsonWriter* json, const char* key, std::initializer_list<const char*> names) {
  json->key(key).begin_object();
  for (const char* name : names) json->key(name).null();
  json->end_object();
}

void write_task(JsonWriter* json, const RunTask& task) {
  json->begin_object().member("dataset", task.dataset);
  text_or_null(json, "version", task.version);
  text_or_null(json, "hash", task.hash);
  count_or_null(json, "questions", task.questions);
  count_or_null(json, "repeats", task.repeats);
  json->member("percent", task.percent).key("scores").begin_object();
  for (const auto& [metric, value] : task.scores) json->member(metric, value);
  json->end_object().end_object();
}

// One of "tasks". Values of another kind than expected are passed over.
void read_task(JsonReader* json, std::vector<TaskScore>* out) {
  std::string dataset;
  int64_t questions = 0;
  bool percent = false;
  std::vector<std::pair<std::string, double>> scores;
  std::string_view key;
  json->object();
  while (json->key(&key)) {
    const JsonKind kind = json->peek();
    if (key == "dataset" && kind == JsonKind::kString) {
      json->string(&dataset);
    } else if (key == "questions" && kind == JsonKind::kNumber) {
      json->int64(&questions);
    } else if (key == "percent" && kind == JsonKind::kBool) {
      json->boolean(&percent);
    } else if (key == "scores" && kind == JsonKind::kObject) {
      json->object();
      while (json->key(&key)) {
        std::string metric(key);
        double value = 0;
        if (json->peek() != JsonKind::kNumber) json->skip();
        else if (json->real(&value)) scores.emplace_back(std::move(metric), value);
      }
    } else {
      json->skip();
    }
  }
  for (auto& [metric, value] : scores) out->push_back({dataset, std::move(metric), value, questions, percent, {}});
}

}  // namespace

RunHeader read_run_header(std::string_view text) {
  RunHeader out;
  JsonReader json(text);
  std::string_view key;
  if (json.peek() == JsonKind::kObject) json.object();
  while (json.key(&key)) {
    if (key != "tasks" || json.peek() != JsonKind::kArray) {
      json.skip();
      continue;
    }
    json.array();
    while (json.element()) {
      if (json.peek() == JsonKind::kObject) read_task(&json, &out.scores);
      else json.skip();
    }
  }
  if (!json.finish()) return {empty_header(), {}, {}};
  out.json = std::string(text);
  return out;
}

std::string header_json(const RunFacts& facts) {
  std::string out;
  JsonWriter json(&out);
  json.begin_object().member("schema", "vaa.run/1");
  json.key("model").begin_object();
  text_or_null(&json, "name", facts.model_name);
  text_or_null(&json, "label", facts.model_label);
  json.key("revision").null();
  text_or_null(&json, "path", facts.model_path);
  json.key("quantization").null();
  count_or_null(&json, "max_length", facts.model_max_length);
  json.end_object().key("hashes").begin_object();
  json.key("weight_index").null().key("config").null().key("tokenizer").null();
  text_or_null(&json, "chat_template", facts.chat_template_hash);
  json.end_object().key("engine").begin_object();
  json.key("name").null().key("version").null().key("plugins").begin_object().end_object().key("launch").null().end_object();
  nulls(&json, "hardware", {"device", "count", "driver", "runtime"});
  raw_or(&json, "sampling_defaults", facts.sampling_json, "{}");
  json.key("logprobs_mode").null();
  count_or_null(&json, "concurrency", facts.concurrency);
  json.key("endpoints").begin_array();
  for (const std::string& endpoint : facts.endpoints) json.string(endpoint);
  json.end_array().key("tool").begin_object();
  text_or_null(&json, "name", facts.tool_name);
  text_or_null(&json, "version", facts.tool_version);
  raw_or(&json, "arguments", facts.tool_arguments_json, "null");
  json.end_object().key("tasks").begin_array();
  for (const RunTask& task : facts.tasks) write_task(&json, task);
  json.end_array().key("counters").null();
  time_or_null(&json, "start_s", facts.start_s);
  time_or_null(&json, "end_s", facts.end_s);
  raw_or(&json, "extra", facts.extra_json, "{}");
  json.end_object();
  return out;
}

std::string empty_header() { return header_json({}); }

}  // namespace vaa
