#include "align/setup_of_run.h"

#include <set>

#include "base/json.h"
#include "base/json_writer.h"
#include "text/bounded.h"

namespace vaa {
namespace {

// The members of the header's object `name`, by each(key, reader); what each() does not read is skipped.
template <class Each>
void members_of(std::string_view object, Each each) {
  JsonReader json(object);
  if (json.peek() != JsonKind::kObject || !json.object()) return;
  std::string_view key;
  while (json.key(&key)) {
    const std::string name(key);
    std::string_view raw;
    if (!json.raw(&raw)) return;
    each(name, raw);
  }
}
std::string text_of(std::string_view raw) {
  JsonReader json(raw);
  std::string out;
  return json.peek() == JsonKind::kString && json.string(&out) ? out : "";
}

void read_engine(std::string_view raw, Setup* out) {
  members_of(raw, [&](const std::string& key, std::string_view value) {
    if (key == "name") out->engine = text_of(value);
    else if (key == "version") out->engine_version = text_of(value);
    else if (key == "plugins") members_of(value, [&](const std::string& plugin, std::string_view) { if (plugin == "vllm-ascend" || plugin == "vllm_ascend") out->engine = "vllm_ascend"; });
    else if (key == "launch") {
      JsonReader json(value);
      if (json.peek() != JsonKind::kArray) return;
      json.array();
      std::string word;
      while (json.element()) {
        if (json.peek() == JsonKind::kString && json.string(&word)) out->launch.push_back(word);
        else json.skip();
      }
    }
  });
  if (out->engine == "llamacpp" || out->engine == "llama.cpp") out->engine = "llama_cpp";
  for (const EngineData& data : defaults_data())
    if (data.name == out->engine) return;
  out->engine.clear();  // nothing is known of what it does
}

// The defaults of the server, where their source is the model's file.
void read_defaults(std::string_view raw, Setup* out) {
  Settings values;
  bool from_file = false;
  members_of(raw, [&](const std::string& key, std::string_view value) {
    if (key == "source") from_file = text_of(value) == "generation_config.json";
    else if (value != "null") values[key == "max_new_tokens" ? "max_tokens" : key] = {std::string(value)};
  });
  if (!from_file) return;
  out->file_known = true;
  out->file = std::move(values);
}

// One parameter over the samples.
class Parameter {
 public:
  void add(std::string value) { seen_.insert(std::move(value)), samples_ += 1; }
  void put(const std::string& name, int64_t samples, Setup* out) const {
    if (samples_ == 0) return;
    if (seen_.size() == 1 && samples_ == samples) out->request[name] = {*seen_.begin()};
    else out->varying.push_back(name);
  }

 private:
  std::set<std::string> seen_;
  int64_t samples_ = 0;
};

}  // namespace

Setup setup_of_run(const Input& input) {
  Setup out;
  members_of(input.header().json, [&](const std::string& key, std::string_view value) {
    if (key == "engine") read_engine(value, &out);
    else if (key == "sampling_defaults") read_defaults(value, &out);
    else if (key == "logprobs_mode" && !text_of(value).empty()) out.request["logprobs_mode"] = {text_of(value)};
  });
  static constexpr std::pair<RealField, const char*> kReals[] = {{RealField::kTemperature, "temperature"}, {RealField::kTopP, "top_p"}, {RealField::kMinP, "min_p"},
    {RealField::kRepetitionPenalty, "repetition_penalty"}, {RealField::kPresencePenalty, "presence_penalty"}, {RealField::kFrequencyPenalty, "frequency_penalty"}};
  static constexpr std::pair<IntField, const char*> kInts[] = {{IntField::kTopK, "top_k"}, {IntField::kMaxTokens, "max_tokens"}};
  std::map<std::string, Parameter> parameters;
  const auto stream = input.open();
  Sample sample;
  int64_t samples = 0;
  while (samples < kSamplesOfSetup && stream->next(&sample)) {
    samples += 1;
    for (const auto& [field, name] : kReals) {
      if (!sample.has(field)) continue;
      std::string value;
      append_number(&value, sample.real(field, 0));
      parameters[name].add(std::move(value));
    }
    for (const auto& [field, name] : kInts)
      if (sample.has(field)) parameters[name].add(std::to_string(sample.integer(field, 0)));
    if (sample.has(IntField::kIgnoreEos)) parameters["ignore_eos"].add(sample.integer(IntField::kIgnoreEos, 0) ? "true" : "false");
    if (sample.has(TextField::kSeed)) parameters["seed"].add(std::string(sample.text(TextField::kSeed)));
  }
  for (const auto& [name, parameter] : parameters) parameter.put(name, samples, &out);
  return out;
}

}  // namespace vaa
