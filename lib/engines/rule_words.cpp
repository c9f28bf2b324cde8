#include "engines/rule_words.h"

#include <vector>

#include "base/failure.h"
#include "base/nearest_name.h"

namespace vaa {

uint8_t place_of(std::string_view word, std::string_view choices) {
  uint8_t place = 0;
  while (choices.substr(0, choices.find('|')) != word) {
    choices.remove_prefix(choices.find('|') + 1);
    ++place;
  }
  return place;
}

std::string_view word_at(uint8_t place, std::string_view words) {
  if (place == kUnknownRule) return "unknown";
  for (; place > 1; --place) words.remove_prefix(words.find('|') + 1);
  return words.substr(0, words.find('|'));
}

bool is_plain_name(std::string_view options) { return options.find_first_of("{[\" \t\r\n") == std::string_view::npos; }

std::string_view known_data(std::span<const EngineData> known, const std::string& noun, std::string_view name) {
  std::vector<std::string_view> names;
  std::string list;
  for (const EngineData& one : known) {
    if (one.name == name) return one.json;
    names.push_back(one.name);
    list.append(list.empty() ? "" : ", ").append(one.name);
  }
  const std::string_view near = nearest_name(name, names);
  fail(VAA_ERROR_NOT_FOUND, noun + ": " + quoted(name) + " is not known" + (near.empty() ? "" : "; did you mean " + std::string(near) + "?") + (near.empty() ? "; known: " : " known: ") + list);
}

void fail_unknown_rule(const std::string& noun, const std::string& name, const RuleWords& rule, const std::string& why) {
  std::string words(rule.words);
  for (size_t bar; (bar = words.find('|')) != std::string::npos;) words.replace(bar, 1, ", ");
  const std::string base = name == "custom" ? "" : "\"base\": \"" + name + "\", ";
  fail(VAA_ERROR_UNSUPPORTED, noun + " " + name + ": " + rule.name + " is unknown, and " + why + ": " + rule.measure + "; then give the " + noun + " {" + base + "\"" + rule.name + "\": one of " + words + "}");
}

}  // namespace vaa
