#include "compare/recorded_settings.h"

#include <algorithm>
#include <string_view>

#include "align/setup.h"
#include "base/json_writer.h"
#include "quality/without_text.h"
#include "report/document.h"

namespace vaa {
namespace {

// Parts of a header that say what answered and how it was asked; the others say when and where, or what came of it.
constexpr std::string_view kKept[] = {"model", "hashes", "engine", "hardware", "sampling_defaults", "logprobs_mode", "concurrency", "tool"};
// Members of these, and flags, that differ in every honest pair, or may hold a secret.
constexpr std::string_view kLeftOut[] = {"path", "label", "arguments", "url", "base_url", "endpoint", "endpoints", "host", "host_ip", "port", "host_port", "pid", "time", "api_key"};

template <class Names>
bool among(const Names& names, std::string_view name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

// A URL or an absolute path says where something was, not what.
bool is_place(std::string_view value) { return value.find("://") != value.npos || value.substr(0, 1) == "/" || value.substr(0, 2) == "~/"; }

std::string number_text(double value) {
  std::string out;
  append_number(&out, value);
  return out;
}

// "--block-size 16" as block_size: 16. Words that are no flag, and a flag's value that says where something is, are passed over.
void read_flags(const std::vector<std::string>& words, const std::string& path, std::map<std::string, std::string>* out) {
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i].rfind("--", 0) != 0) continue;
    const size_t equals = words[i].find('=');
    std::string name = words[i].substr(2, equals == std::string::npos ? equals : equals - 2), value = "true";
    if (equals != std::string::npos) value = words[i].substr(equals + 1);
    else if (i + 1 < words.size() && words[i + 1].rfind("--", 0) != 0) value = words[i + 1];
    std::replace(name.begin(), name.end(), '-', '_');
    if (!among(kLeftOut, name) && !is_place(value)) (*out)[path + "." + name] = value;
  }
}

void read_launch(const Document& launch, const std::string& path, std::map<std::string, std::string>* out) {
  if (launch.kind() == JsonKind::kString) {
    for (const std::vector<std::string>& command : shell_commands(launch.text())) read_flags(command, path, out);
    return;
  }
  std::vector<std::string> words;
  for (const Document& word : launch.items()) words.push_back(word.text());
  read_flags(words, path, out);
}

void flatten(const Document& node, const std::string& path, std::map<std::string, std::string>* out) {
  switch (node.kind()) {
    case JsonKind::kObject:
      for (const auto& [name, value] : node.members()) {
        if (name == "launch" && value.kind() != JsonKind::kObject) read_launch(value, path + "." + name, out);
        else if (!among(kLeftOut, name)) flatten(value, path + "." + name, out);
      }
      break;
    case JsonKind::kArray:
      for (size_t i = 0; i < node.items().size(); ++i) flatten(node.items()[i], path + "." + std::to_string(i), out);
      break;
    case JsonKind::kString:
      if (!is_place(node.text())) (*out)[path] = node.text();
      break;
    case JsonKind::kNumber: (*out)[path] = number_text(node.number()); break;
    case JsonKind::kBool: (*out)[path] = node.truth() ? "true" : "false"; break;
    default: break;
  }
}

}  // namespace

std::map<std::string, std::string> recorded_settings(const RunSide& side, bool text) {
  std::map<std::string, std::string> out;
  const std::string header = text ? side.header : header_without_text(side.header);
  if (!header.empty()) {
    const Document document = Document::parse(header);
    for (const auto& [name, value] : document.members()) {
      if (among(kKept, name)) flatten(value, name, &out);
    }
  }
  for (const auto& [name, values] : side.settings) {
    std::string all;
    for (const auto& [value, n] : values) all += (all.empty() ? "" : ", ") + value;
    out["samples." + name] = all;
  }
  return out;
}

}  // namespace vaa
