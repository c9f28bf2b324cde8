#include "align/effective.h"

#include <algorithm>

#include "base/failure.h"
#include "base/json.h"
#include "base/json_writer.h"

namespace vaa {
namespace {

bool among(const std::vector<std::string>& list, std::string_view word) { return std::find(list.begin(), list.end(), word) != list.end(); }

bool number_of(const Setting& setting, double* out) {
  JsonReader json(setting.text);
  return json.peek() == JsonKind::kNumber && json.real(out) && json.finish();
}
Setting setting_of(double value) {
  Setting out;
  append_number(&out.text, value);
  return out;
}

// What transformers 4.x has where generation_config.json says nothing.
constexpr std::pair<std::string_view, double> kHfDefaults[] = {{"temperature", 1}, {"top_k", 50}, {"top_p", 1}, {"repetition_penalty", 1}, {"max_tokens", 20}};
bool is_hf_default(std::string_view field, const Setting& value) {
  double x = 0;
  return number_of(value, &x) && std::any_of(std::begin(kHfDefaults), std::end(kHfDefaults), [&](const auto& d) { return d.first == field && d.second == x; });
}

// What is off where nobody sets it.
constexpr std::string_view kMayBeUnset[] = {"typical_p", "repetition_last_n", "logit_bias", "bad_words", "min_tokens", "stop", "samplers", "logprobs_mode"};

// Turns a setup into values; one object a side.
class Resolver {
 public:
  Resolver(const Setup& setup, const std::string& which) : setup_(setup), which_(setup.name.empty() ? which : setup.name) {}
  Effective resolve();

 private:
  void choose_engine();
  void choose_entry();
  void choose_file();
  EffectiveField look_up(std::string_view name) const;
  void correct(EffectiveField* field) const;
  EffectiveField greedy() const;
  bool given(std::string_view field) const { return out_.field(field).from.find(" default") == std::string::npos; }

  const Setup& setup_;
  const std::string which_;
  Effective out_;
  bool reads_file_ = false;  // of this entry point, as launched
  bool other_file_ = false;  // a file that is not the model's: its path was given at launch
  Settings over_;            // --override-generation-config
};

void Resolver::choose_engine() {
  if (!setup_.engine_json.empty()) out_.engine = request_defaults(setup_.engine_json);
  else if (!setup_.engine.empty()) out_.engine = request_defaults(setup_.engine);
  else fail(VAA_ERROR_OPTION, which_ + ": engine: is missing; name one, such as \"vllm\", or give its rules");
}

void Resolver::choose_entry() {
  const auto& entries = out_.engine.entries;
  if (entries.empty()) fail(VAA_ERROR_OPTION, which_ + ": engine " + out_.engine.name + ": has no entries");
  out_.entry = !setup_.entry.empty() ? setup_.entry : entries.count("chat") ? "chat" : entries.begin()->first;
  if (entries.count(out_.entry)) return;
  std::string list;
  for (const auto& entry : entries) list.append(list.empty() ? "" : ", ").append(entry.first);
  fail(VAA_ERROR_OPTION, which_ + ": entry: is " + quoted(out_.entry) + "; " + out_.engine.title + " has " + list);
}

void Resolver::choose_file() {
  const FileRule& rule = out_.engine.file;
  std::string value;
  reads_file_ = rule.read && (rule.entries.empty() || among(rule.entries, out_.entry));
  if (reads_file_ && !rule.flag.empty() && launch_value(setup_.launch, rule.flag, &value)) {
    reads_file_ = !among(rule.off, value);
    other_file_ = reads_file_ && value != "auto" && value != "model";
  }
  if (!rule.override_flag.empty() && launch_value(setup_.launch, rule.override_flag, &value)) {
    std::string json = "{\"generation_config\": " + value + "}";
    over_ = read_setup(json, which_ + ": " + rule.override_flag).file;
  }
}

EffectiveField Resolver::look_up(std::string_view name) const {
  const RequestDefaults& engine = out_.engine;
  const std::string file_member = name == "max_tokens" ? "max_new_tokens" : std::string(name);
  if (among(setup_.varying, name)) return {std::string(name), {}, "requests differ in it", ""};
  if (const auto it = setup_.request.find(name); it != setup_.request.end()) return {std::string(name), it->second, "request", ""};
  for (const auto& [flag, field] : engine.flags) {
    std::string value;
    if (field == name && launch_value(setup_.launch, flag, &value)) {
      double x = 0;
      const Setting given{value};
      return {std::string(name), number_of(given, &x) ? setting_of(x) : given, "launch: " + flag, ""};
    }
  }
  if (among(engine.file.takes, file_member)) {
    if (const auto it = over_.find(name); it != over_.end()) return {std::string(name), it->second, engine.file.override_flag, ""};
    if (reads_file_) {
      if (!setup_.file_known) return {std::string(name), {}, other_file_ ? "the file that " + engine.file.flag + " names is not given" : "generation_config.json of the model is not given", ""};
      const auto it = setup_.file.find(name);
      if (it != setup_.file.end() && !(engine.file.hf_defaults == "dropped" && is_hf_default(name, it->second))) return {std::string(name), it->second, "generation_config.json", ""};
      if (name == "top_k" && it == setup_.file.end() && !setup_.file.empty() && engine.file.hf_defaults == "unknown") return {"top_k", {}, "generation_config.json has none: transformers 4.x makes it 50, 5 leaves it off", ""};
    }
  }
  const Settings& defaults = engine.entries.find(out_.entry)->second;
  if (const auto it = defaults.find(name); it != defaults.end()) return {std::string(name), it->second, engine.title + " default", ""};
  if (const auto it = engine.facts.find(name); it != engine.facts.end()) return {std::string(name), it->second, engine.title + " default", ""};
  if (std::find(std::begin(kMayBeUnset), std::end(kMayBeUnset), name) != std::end(kMayBeUnset)) return {std::string(name), {"not set"}, engine.title + " default", ""};
  return {std::string(name), {}, "what " + engine.title + " does without it is not known", ""};
}

// What the engine makes of a value before it uses it.
void Resolver::correct(EffectiveField* field) const {
  const RequestDefaults& engine = out_.engine;
  double x = 0;
  const bool number = number_of(field->value, &x);
  const std::string before = field->value.text;
  if (field->name == "temperature" && number && x > 0 && x < engine.temperature_floor) field->value = setting_of(engine.temperature_floor);
  if (field->name == "top_k" && number && (x < 0 || (engine.top_k_off_from > 0 && x >= engine.top_k_off_from))) field->value = setting_of(0);
  if (field->name == "seed" && among(engine.seeds_of_none, before)) field->value = engine.entries.find(out_.entry)->second.find("seed")->second;
  if (field->name == "max_tokens" && among(engine.no_limit, before)) field->value = {"no limit"};
  // The file's max_new_tokens is a ceiling, not only a default.
  if (field->name == "max_tokens" && field->from == "request" && reads_file_ && among(engine.file.takes, "max_new_tokens")) {
    double most = 0;
    const auto over = over_.find("max_tokens"), file = setup_.file.find("max_tokens");
    const Setting* cap = over != over_.end() ? &over->second : setup_.file_known && file != setup_.file.end() && !(engine.file.hf_defaults == "dropped" && is_hf_default("max_tokens", file->second)) ? &file->second : nullptr;
    if (cap && number && number_of(*cap, &most) && most < x) field->value = *cap, field->from = "max_new_tokens of the model is a ceiling";
  }
  if (field->value.text != before) field->asked = before;
}

EffectiveField Resolver::greedy() const {
  const RequestDefaults& engine = out_.engine;
  const auto say = [](bool yes, std::string from) { return EffectiveField{"greedy", {yes ? "true" : "false"}, std::move(from), ""}; };
  const EffectiveField& temperature = out_.field("temperature");
  double t = 0, k = 0;
  const bool known = number_of(temperature.value, &t);
  if (engine.greedy == "do_sample") {
    const auto file = setup_.file.find("do_sample"), asked = setup_.request.find("do_sample");
    if (asked != setup_.request.end()) return say(asked->second.text == "false", "request: do_sample");
    if (file != setup_.file.end()) return say(file->second.text == "false", "generation_config.json: do_sample");
    if (!setup_.file_known) return {"greedy", {}, "generation_config.json of the model is not given", ""};
    return say(true, engine.title + " default: do_sample false");
  }
  if (engine.greedy == "unset_or_top_k_one") {
    const EffectiveField& top_k = out_.field("top_k");
    if (known && t == 0) return say(true, "temperature 0");
    if (number_of(top_k.value, &k) && k == 1) return say(true, "top_k 1");
    if (!given("top_k") && !given("top_p")) return say(true, "neither top_k nor top_p is set");
    return say(false, top_k.from);
  }
  const auto file = setup_.file.find("do_sample");
  const bool asks_greedy = reads_file_ && file != setup_.file.end() && file->second.text == "false" && temperature.from != "request";
  if (asks_greedy && engine.file.do_sample == "unknown") return {"greedy", {}, "do_sample is false in generation_config.json: versions differ in what they make of it", ""};
  if (asks_greedy && engine.file.do_sample == "greedy") return say(true, "generation_config.json: do_sample");
  if (!known) return {"greedy", {}, temperature.from, ""};
  double p = 1;
  if (number_of(out_.field("top_k").value, &k) && k == 1) return say(true, "top_k 1 leaves one token");
  if (number_of(out_.field("top_p").value, &p) && p == 0 && engine.greedy == "temperature_at_most_zero") return say(true, "top_p 0 leaves one token");
  const bool yes = engine.greedy == "temperature_below" ? t < engine.greedy_below : engine.greedy == "temperature_at_most_zero" ? t <= 0 : t == 0;
  return say(yes, temperature.from);
}

Effective Resolver::resolve() {
  choose_engine();
  choose_entry();
  choose_file();
  for (const std::string_view name : effective_fields()) {
    if (name == "greedy") {
      out_.fields.push_back({"greedy", {}, "", ""});
      continue;
    }
    out_.fields.push_back(look_up(name));
    if (out_.fields.back().value.known()) correct(&out_.fields.back());
  }
  *std::find_if(out_.fields.begin(), out_.fields.end(), [](const EffectiveField& f) { return f.name == "greedy"; }) = greedy();
  return std::move(out_);
}

}  // namespace

const EffectiveField& Effective::field(std::string_view name) const {
  return *std::find_if(fields.begin(), fields.end(), [&](const EffectiveField& f) { return f.name == name; });
}

const std::vector<std::string_view>& effective_fields() {
  static const std::vector<std::string_view> kFields = {"greedy", "temperature", "top_k", "top_p", "min_p", "typical_p", "repetition_penalty", "repetition_last_n", "presence_penalty", "frequency_penalty",
                                                        "logit_bias", "bad_words", "min_tokens", "max_tokens", "stop", "ignore_eos", "seed", "samplers", "logprobs_mode"};
  return kFields;
}

Effective effective_parameters(const Setup& setup, const std::string& which) { return Resolver(setup, which).resolve(); }

}  // namespace vaa
