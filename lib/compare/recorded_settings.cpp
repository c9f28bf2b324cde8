#include "compare/recorded_settings.h"

#include <set>

#include "base/json_writer.h"
#include "quality/without_text.h"
#include "report/document.h"

namespace vaa {
namespace {

// Members of a header that differ between any two runs, or are results.
bool of_the_run_alone(const std::string& name) {
  static const std::set<std::string> kNames = {"schema", "tasks", "time", "start", "end", "start_s", "end_s", "duration_s", "extra", "path", "arguments"};
  return kNames.count(name) > 0;
}

std::string number_text(double value) {
  std::string out;
  append_number(&out, value);
  return out;
}

void flatten(const Document& node, const std::string& path, std::map<std::string, std::string>* out) {
  switch (node.kind()) {
    case JsonKind::kObject:
      for (const auto& [name, value] : node.members()) {
        if (!of_the_run_alone(name)) flatten(value, path.empty() ? name : path + "." + name, out);
      }
      break;
    case JsonKind::kArray:
      for (size_t i = 0; i < node.items().size(); ++i) flatten(node.items()[i], path + "." + std::to_string(i), out);
      break;
    case JsonKind::kString: (*out)[path] = node.text(); break;
    case JsonKind::kNumber: (*out)[path] = number_text(node.number()); break;
    case JsonKind::kBool: (*out)[path] = node.truth() ? "true" : "false"; break;
    default: break;
  }
}

}  // namespace

std::map<std::string, std::string> recorded_settings(const RunSide& side, bool text) {
  std::map<std::string, std::string> out;
  const std::string header = text ? side.header : header_without_text(side.header);
  if (!header.empty()) flatten(Document::parse(header), "", &out);
  for (const auto& [name, values] : side.settings) {
    std::string all;
    for (const auto& [value, n] : values) all += (all.empty() ? "" : ", ") + value;
    out["samples." + name] = all;
  }
  return out;
}

}  // namespace vaa
