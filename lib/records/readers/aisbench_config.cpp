#include "records/readers/aisbench_config.h"

#include <algorithm>

#include "base/json_writer.h"
#include "records/folder_input.h"
#include "records/python_literals.h"
#include "records/source.h"

namespace vaa {
namespace {

constexpr size_t kMaxConfig = size_t{16} << 20;

std::string read_config(const std::string& path) {
  ByteWindow window(std::make_unique<Source>(path), size_t{64} << 10);
  while (window.bytes().size() < kMaxConfig && window.more()) {
  }
  return std::string(window.bytes());
}

std::string shell_word(std::string_view text) {
  const bool plain = !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || std::string_view("_-./,:=+@%").find(c) != std::string_view::npos;
  });
  if (plain) return std::string(text);
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

// Without user, password and what follows a question mark: keys never reach a report.
std::string clean_url(std::string_view url) {
  url = url.substr(0, url.find('?'));
  const size_t scheme = url.find("://");
  const size_t host = scheme == std::string_view::npos ? 0 : scheme + 3;
  const size_t path = std::min(url.find('/', host), url.size());
  const size_t at = url.substr(host, path - host).rfind('@');
  return at == std::string_view::npos ? std::string(url) : std::string(url.substr(0, host)) + std::string(url.substr(host + at + 1));
}

std::string words(const JsonTree& list) {
  std::string out;
  for (const auto& [key, value] : list.members) out += " " + shell_word(value.string());
  return out;
}

}  // namespace

AisbenchConfig::AisbenchConfig(const std::string& folder, Problems* problems) {
  bool inferred = false;
  for (const FolderEntry& entry : list_folder(folder)) {
    if (entry.folder || !ends_with(entry.name, ".py") || !is_file(join_path(folder, entry.name))) continue;
    const std::string text = read_config(join_path(folder, entry.name));
    if (text.size() >= kMaxConfig) {
      problems->add("configs/" + entry.name, 0, "is too long for a config and is left out");
      continue;
    }
    JsonTree tree = read_python_literals(text);
    if (!member(tree, "models").is(JsonKind::kArray) && !member(tree, "datasets").is(JsonKind::kArray)) continue;
    const std::string_view mode = member(member(tree, "cli_args"), "mode").string();
    const bool infers = mode.empty() || mode == "all" || starts_with(mode, "infer");
    if (!infers && inferred) continue;
    inferred = infers;
    opencompass_ = text.find("ais_bench") == std::string::npos && text.find("opencompass.") != std::string::npos;
    tree_ = std::move(tree);
  }
}

const JsonTree& AisbenchConfig::model(std::string_view abbr) const {
  const JsonTree& models = member(tree_, "models");
  for (const auto& [key, value] : models.members)
    if (member(value, "abbr").string() == abbr) return value;
  return member(tree_, "");  // the empty tree
}

std::string AisbenchConfig::sampling_json(std::string_view abbr) const {
  const JsonTree& entry = model(abbr);
  std::string out;
  JsonWriter json(&out);
  json.begin_object();
  for (const auto& [key, value] : member(entry, "generation_kwargs").members) {
    static constexpr std::string_view kKept[] = {"temperature", "top_p", "top_k", "min_p", "seed", "repetition_penalty", "presence_penalty", "frequency_penalty", "ignore_eos"};
    const bool kept = std::find(std::begin(kKept), std::end(kKept), key) != std::end(kKept);
    if (kept && (value.is(JsonKind::kNumber) || value.is(JsonKind::kBool))) json.key(key).raw(value.json());
  }
  if (member(entry, "max_out_len").is(JsonKind::kNumber)) json.key("max_tokens").raw(member(entry, "max_out_len").text);
  json.end_object();
  return out.size() > 2 ? out : std::string();
}

int64_t AisbenchConfig::repeats(std::string_view abbr) const {
  return std::max<int64_t>(1, member(member(model(abbr), "generation_kwargs"), "num_return_sequences").integer());
}

void AisbenchConfig::fill(std::string_view abbr, RunFacts* facts) const {
  const JsonTree& entry = model(abbr);
  facts->tool_name = opencompass_ ? "opencompass" : "ais_bench";
  facts->model_label = std::string(abbr);
  facts->model_name = std::string(member(entry, "model").string());
  facts->model_path = std::string(member(entry, "path").string());
  facts->sampling_json = sampling_json(abbr);
  facts->concurrency = member(entry, "batch_size").integer();
  const JsonTree& host = member(entry, "host_ip");
  const std::string url = clean_url(member(entry, "url").string());
  if (!url.empty()) facts->endpoints.push_back(url);
  else if (!host.string().empty()) facts->endpoints.push_back("http://" + std::string(host.string()) + ":" + std::to_string(member(entry, "host_port").integer()));
  if (member(tree_, "cli_args").is(JsonKind::kObject)) facts->tool_arguments_json = member(tree_, "cli_args").json();
}

std::vector<AisbenchConfig::Group> AisbenchConfig::groups() const {
  std::vector<Group> out;
  for (const auto& [key, group] : member(member(tree_, "summarizer"), "summary_groups").members) {
    if (!member(group, "name").is(JsonKind::kString) || !member(group, "subsets").is(JsonKind::kArray)) continue;
    out.push_back({member(group, "name").text, {}});
    for (const auto& [none, subset] : member(group, "subsets").members) {
      // "dataset", or ["dataset", "metric"]
      if (subset.is(JsonKind::kString)) out.back().datasets.push_back(subset.text);
      else if (!subset.members.empty() && subset.members[0].second.is(JsonKind::kString)) out.back().datasets.push_back(subset.members[0].second.text);
    }
  }
  return out;
}

std::string AisbenchConfig::eval_command(const std::string& folder) const {
  std::string_view stamp = folder;
  while (ends_with(stamp, "/")) stamp.remove_suffix(1);
  stamp.remove_prefix(stamp.rfind('/') + 1);
  const JsonTree& arguments = member(tree_, "cli_args");
  std::string out = "ais_bench";
  if (!member(arguments, "config").string().empty()) {
    out += " " + shell_word(member(arguments, "config").string());
  } else {
    const std::string models = words(member(arguments, "models")), datasets = words(member(arguments, "datasets"));
    out += " --models" + (models.empty() ? " MODEL" : models) + " --datasets" + (datasets.empty() ? " DATASET" : datasets);
  }
  if (!member(arguments, "config_dir").string().empty()) out += " --config-dir " + shell_word(member(arguments, "config_dir").string());
  out += " --mode eval --reuse " + shell_word(stamp) + " --dump-eval-details";
  if (member(arguments, "merge_ds").truth) out += " --merge-ds";
  if (!member(arguments, "work_dir").string().empty()) out += " --work-dir " + shell_word(member(arguments, "work_dir").string());
  return out;
}

}  // namespace vaa
