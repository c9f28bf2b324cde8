#include "engines/request_defaults.h"

#include <algorithm>

#include "base/failure.h"
#include "base/json.h"
#include "base/json_writer.h"
#include "base/nearest_name.h"

namespace vaa {
namespace {

// Reads one object of lib/engines/defaults, or a user's; a member that is not known is refused.
class DefaultsReader {
 public:
  DefaultsReader(std::string_view json, std::string_view name) : json_(json, JsonReader::Mode::kStrict), name_(name) {}
  void read(RequestDefaults* out);

 private:
  [[noreturn]] void refuse(const std::string& what) { fail(VAA_ERROR_OPTION, "engine " + std::string(name_) + ": " + what); }
  std::string text();
  double number();
  Setting setting();
  std::vector<std::string> texts();
  template <class Each>
  void object(Each each);
  void rule(FileRule* file, const std::string& key);

  JsonReader json_;
  std::string name_, at_;
};

std::string DefaultsReader::text() {
  std::string out;
  if (json_.peek() != JsonKind::kString || !json_.string(&out)) refuse(at_ + ": must be text");
  return out;
}
double DefaultsReader::number() {
  double out = 0;
  if (json_.peek() != JsonKind::kNumber || !json_.real(&out)) refuse(at_ + ": must be a number");
  return out;
}
Setting DefaultsReader::setting() {
  if (json_.peek() == JsonKind::kString) return {text()};
  Setting out;
  append_number(&out.text, number());
  return out;
}
std::vector<std::string> DefaultsReader::texts() {
  if (json_.peek() != JsonKind::kArray) refuse(at_ + ": must be a list");
  std::vector<std::string> out;
  json_.array();
  while (json_.element()) out.push_back(setting().text);
  return out;
}
template <class Each>
void DefaultsReader::object(Each each) {
  if (json_.peek() != JsonKind::kObject) refuse((at_.empty() ? "it" : at_) + ": must be an object");
  json_.object();
  const std::string above = at_;
  std::string_view key;
  while (json_.key(&key)) {
    const std::string name(key);
    at_ = above.empty() ? name : above + "." + name;
    each(name);
  }
  at_ = above;
}

void DefaultsReader::rule(FileRule* file, const std::string& key) {
  if (key == "flag") file->flag = text();
  else if (key == "off") file->off = texts();
  else if (key == "entries") file->entries = texts();
  else if (key == "takes") file->takes = texts();
  else if (key == "hf_defaults") file->hf_defaults = text();
  else if (key == "do_sample") file->do_sample = text();
  else if (key == "override_flag") file->override_flag = text();
  else refuse(at_ + ": is not known; known: flag, off, entries, takes, hf_defaults, do_sample, override_flag");
}

void DefaultsReader::read(RequestDefaults* out) {
  object([&](const std::string& key) {
    if (key == "like") {
      const std::string name = out->name;
      *out = request_defaults(text());
      out->name = name;
    } else if (key == "name") out->name = text();
    else if (key == "title") out->title = text();
    else if (key == "source") out->source = text();
    else if (key == "profile") out->profile = text();
    else if (key == "programs") out->programs = texts();
    else if (key == "entries") object([&](const std::string& entry) { out->entries[entry]; object([&](const std::string& field) { out->entries[entry][field] = setting(); }); });
    else if (key == "file") { out->file.read = true; object([&](const std::string& member) { rule(&out->file, member); }); }
    else if (key == "flags") object([&](const std::string& flag) { out->flags[flag] = text(); });
    else if (key == "facts") object([&](const std::string& field) { out->facts[field] = setting(); });
    else if (key == "seed_values_of_none") out->seeds_of_none = texts();
    else if (key == "no_limit") out->no_limit = texts();
    else if (key == "temperature_floor") out->temperature_floor = number();
    else if (key == "top_k_off_from") out->top_k_off_from = number();
    else if (key == "greedy") out->greedy = text();
    else if (key == "greedy_below") out->greedy_below = number();
    else refuse(key + ": is not known; known: like, name, title, source, profile, programs, entries, file, flags, facts, seed_values_of_none, no_limit, temperature_floor, top_k_off_from, greedy, greedy_below");
  });
  if (!json_.finish()) refuse(std::string("is no JSON: ") + json_.error() + " at byte " + std::to_string(json_.error_at() + 1));
  if (!out->entries.empty() && out->greedy.empty()) refuse("greedy: is missing; it says when the argmax is taken");
  for (const auto& [word, allowed, value] : {std::tuple("greedy", std::string_view("temperature_zero|temperature_at_most_zero|temperature_below|do_sample|unset_or_top_k_one"), out->greedy),
                                             {"file.do_sample", "ignored|greedy|unknown", out->file.do_sample},
                                             {"file.hf_defaults", "dropped|absent|unknown", out->file.hf_defaults}}) {
    if (!value.empty() && ("|" + std::string(allowed) + "|").find("|" + value + "|") == std::string::npos) refuse(std::string(word) + ": is " + quoted(value) + ", must be one of " + std::string(allowed));
  }
}

}  // namespace

RequestDefaults request_defaults(std::string_view engine) {
  RequestDefaults out;
  const size_t first = engine.find_first_not_of(" \t\r\n");
  if (first != std::string_view::npos && engine[first] == '{') {
    out.name = "custom";
    DefaultsReader(engine, "custom").read(&out);
    return out;
  }
  std::vector<std::string_view> known;
  std::string list;
  for (const EngineData& data : defaults_data()) {
    if (data.name == engine) {
      out.name = engine;
      DefaultsReader(data.json, engine).read(&out);
      return out;
    }
    known.push_back(data.name);
    list.append(list.empty() ? "" : ", ").append(data.name);
  }
  const std::string_view near = nearest_name(engine, known);
  fail(VAA_ERROR_NOT_FOUND, "engine: " + quoted(engine) + " is not known" + (near.empty() ? "" : "; did you mean " + std::string(near) + "?") + "; known: " + list);
}

std::string engine_of_program(std::string_view program) {
  for (const EngineData& data : defaults_data()) {
    const RequestDefaults engine = request_defaults(data.name);
    if (std::find(engine.programs.begin(), engine.programs.end(), program) != engine.programs.end()) return engine.name;
  }
  return "";
}

}  // namespace vaa
