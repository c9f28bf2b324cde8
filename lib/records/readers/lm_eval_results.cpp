#include "records/readers/lm_eval_results.h"

#include <algorithm>

#include "base/json_writer.h"
#include "records/folder_input.h"
#include "records/source.h"

namespace vaa {
namespace {

constexpr size_t kMaxResults = size_t{64} << 20;

// "model=toy,base_url=…" of older releases as an object.
JsonTree split_arguments(const JsonTree& given) {
  if (!given.is(JsonKind::kString)) return given;
  JsonTree out;
  out.kind = JsonKind::kObject;
  std::string_view text = given.text;
  while (!text.empty()) {
    const size_t end = std::min(text.find(','), text.size());
    const std::string_view pair = text.substr(0, end);
    const size_t mark = pair.find('=');
    if (mark != std::string_view::npos) {
      JsonTree value;
      value.kind = JsonKind::kString;
      value.text = std::string(pair.substr(mark + 1));
      const bool number = !value.text.empty() && value.text.size() < 18 && value.text.find_first_not_of("0123456789") == std::string::npos && (value.text == "0" || value.text[0] != '0');
      if (number) value.kind = JsonKind::kNumber;
      out.members.emplace_back(std::string(pair.substr(0, mark)), std::move(value));
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

bool is_secret(std::string_view name) {
  std::string lower(name);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  for (const std::string_view word : {"api_key", "apikey", "auth", "secret", "password", "header", "credential"})
    if (lower.find(word) != std::string::npos) return true;
  return lower == "token" || lower == "key" || lower == "hf_token";
}

JsonTree without_secrets(JsonTree tree) {
  tree.members.erase(std::remove_if(tree.members.begin(), tree.members.end(), [](const auto& m) { return is_secret(m.first); }), tree.members.end());
  return tree;
}

void write_kept(JsonWriter* json, const JsonTree& settings, std::vector<std::string>* written) {
  static constexpr std::string_view kKept[] = {"temperature", "top_p", "top_k", "min_p", "seed", "repetition_penalty", "presence_penalty", "frequency_penalty", "ignore_eos", "max_gen_toks", "max_tokens"};
  for (const auto& [key, value] : settings.members) {
    if (std::find(std::begin(kKept), std::end(kKept), key) == std::end(kKept) || (!value.is(JsonKind::kNumber) && !value.is(JsonKind::kBool))) continue;
    const std::string name = key == "max_gen_toks" ? "max_tokens" : key;
    if (std::find(written->begin(), written->end(), name) != written->end()) continue;
    json->key(name).raw(value.json());
    written->push_back(name);
  }
}

}  // namespace

bool LmEvalResults::read(const std::string& path, std::string* why) {
  ByteWindow window(std::make_unique<Source>(path));
  while (window.bytes().size() < kMaxResults && window.more()) {
  }
  if (window.bytes().size() >= kMaxResults) {
    *why = "is longer than " + std::to_string(kMaxResults >> 20) + " MiB";
    return false;
  }
  if (!parse_json_tree(window.bytes(), &tree_)) {
    *why = "is no JSON document";
    return false;
  }
  if (!member(tree_, "results").is(JsonKind::kObject)) {
    *why = "has no results";
    return false;
  }
  const JsonTree& config = member(tree_, "config");
  arguments_ = without_secrets(split_arguments(member(config, "model_args")));
  model_ = std::string(member(tree_, "model_name").string());
  for (const char* key : {"model", "pretrained"})
    if (model_.empty()) model_ = std::string(member(arguments_, key).string());
  const std::string_view kind = member(config, "model").string();
  api_ = starts_with(kind, "local-") || starts_with(kind, "openai-");
  return true;
}

std::string LmEvalResults::sampling_json() const {
  std::string out;
  JsonWriter json(&out);
  std::vector<std::string> written;
  json.begin_object();
  const JsonTree& given = member(member(tree_, "config"), "gen_kwargs");
  write_kept(&json, given.is(JsonKind::kString) ? split_arguments(given) : given, &written);
  for (const auto& [task, config] : member(tree_, "configs").members) {
    if (!member(config, "generation_kwargs").is(JsonKind::kObject)) continue;
    write_kept(&json, member(config, "generation_kwargs"), &written);
    break;
  }
  const auto add = [&](const char* name, const char* argument, const char* otherwise) {
    if (!api_ || std::find(written.begin(), written.end(), name) != written.end()) return;
    const JsonTree& value = member(arguments_, argument);
    json.key(name).raw(value.is(JsonKind::kNumber) ? value.text : std::string(otherwise));
  };
  // The API models' own defaults, which go with every request.
  add("seed", "seed", "1234");
  add("temperature", "temperature", "0");
  add("max_tokens", "max_gen_toks", "256");
  json.end_object();
  return out.size() > 2 ? out : std::string();
}

void LmEvalResults::add_task(const std::string& task, const JsonTree& values, bool group, RunFacts* facts, std::vector<TaskScore>* scores) const {
  RunTask out;
  out.dataset = task;
  out.version = member(member(tree_, "versions"), task).is(JsonKind::kNumber) ? member(member(tree_, "versions"), task).text : std::string(member(member(tree_, "versions"), task).string());
  out.hash = std::string(member(member(tree_, "task_hashes"), task).string());
  out.questions = member(member(member(tree_, "n-samples"), task), "effective").integer();
  out.repeats = member(member(member(tree_, "configs"), task), "repeats").integer();
  for (const auto& [metric, value] : values.members) {
    const size_t comma = metric.find(',');
    if (!value.is(JsonKind::kNumber) || comma == std::string::npos || ends_with(metric.substr(0, comma), "_stderr")) continue;
    out.scores.emplace_back(metric, value.real());
    scores->push_back({task, metric, value.real(), out.questions, false, group ? task : std::string()});
  }
  if (!out.scores.empty()) facts->tasks.push_back(std::move(out));
}

void LmEvalResults::fill(RunFacts* facts, std::vector<TaskScore>* scores) const {
  facts->tool_name = "lm_eval";
  facts->tool_version = std::string(member(tree_, "lm_eval_version").string());
  facts->model_name = model_;
  facts->model_max_length = member(tree_, "max_length").integer();
  facts->chat_template_hash = std::string(member(tree_, "chat_template_sha").string());
  facts->sampling_json = sampling_json();
  facts->concurrency = member(arguments_, "num_concurrent").integer();
  std::string_view url = member(arguments_, "base_url").string();
  url = url.substr(0, url.find('?'));
  if (!url.empty() && url.find('@') == std::string_view::npos) facts->endpoints.emplace_back(url);
  JsonTree config = member(tree_, "config");
  for (auto& [key, value] : config.members)
    if (key == "model_args") value = arguments_;
  if (config.is(JsonKind::kObject)) facts->tool_arguments_json = config.json();
  if (member(tree_, "date").is(JsonKind::kNumber)) {
    facts->start_s = member(tree_, "date").real();
    JsonTree seconds = member(tree_, "total_evaluation_time_seconds");
    if (seconds.is(JsonKind::kString)) seconds.kind = JsonKind::kNumber;  // lm-eval writes it as text
    if (seconds.is(JsonKind::kNumber) && seconds.real() > 0) facts->end_s = *facts->start_s + seconds.real();
  }
  const JsonTree& subtasks = member(tree_, "group_subtasks");
  for (const auto& [task, values] : member(tree_, "results").members) add_task(task, values, !member(subtasks, task).members.empty(), facts, scores);
  for (const auto& [task, values] : member(tree_, "groups").members)
    if (!member(tree_, "results").find(task)) add_task(task, values, true, facts, scores);
}

}  // namespace vaa
