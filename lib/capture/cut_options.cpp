#include "capture/cut_options.h"

#include <algorithm>

#include "base/failure.h"
#include "base/json.h"
#include "capture/json_members.h"

namespace vaa::capture {
namespace {

std::string text_of_number(std::string_view value) { return JsonReader(value).peek() == JsonKind::kNumber ? "\"" + std::string(value) + "\"" : std::string(value); }

std::string list_of_texts(std::string_view list) {
  std::string out = "[";
  JsonReader json(list);
  json.array();
  for (std::string_view element; json.element();) {
    json.raw(&element);
    out += (out.size() > 1 ? ", " : "") + text_of_number(element);
  }
  return out + "]";
}

}  // namespace

std::string numbers_as_texts(std::string_view options, std::initializer_list<std::string_view> names) {
  JsonReader whole(options, JsonReader::Mode::kStrict);
  if (whole.peek() != JsonKind::kObject || !whole.skip() || !whole.finish()) return std::string(options);
  const auto members = json_members(options);
  std::vector<std::pair<std::string, std::string>> changes;
  for (const JsonMember& member : members) {
    if (std::find(names.begin(), names.end(), member.key) == names.end()) continue;
    const bool twice = std::any_of(changes.begin(), changes.end(), [&](const auto& change) { return change.first == member.key; });
    if (twice) return std::string(options);  // Options names it
    changes.emplace_back(member.key, JsonReader(member.value).peek() == JsonKind::kArray ? list_of_texts(member.value) : text_of_number(member.value));
  }
  return with_members(members, changes);
}

Existing existing_option(const Options& options, std::string_view what) {
  const bool resume = options.boolean("resume"), force = options.boolean("force");
  if (resume && force) fail(VAA_ERROR_OPTION, std::string(what) + ": resume and force are both given; one goes on with the file, the other replaces it");
  return resume ? Existing::kResume : force ? Existing::kForce : Existing::kRefuse;
}

CutOptions cut_options(const Options& options, std::string_view what) {
  CutOptions out;
  if (options.given("flag")) out.choice.flag = options.text("flag");
  if (options.given("ids")) out.choice.ids = options.texts("ids");
  out.choice.sample = options.integer("sample");
  out.choice.seed = static_cast<uint64_t>(options.integer("seed"));
  out.tokens = options.integer("tokens");
  out.reencode = options.boolean("reencode");
  out.existing = existing_option(options, what);
  return out;
}

}  // namespace vaa::capture
