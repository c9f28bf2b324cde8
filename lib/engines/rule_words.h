// Rules whose values are words, as data and messages have them; what engines and policies share.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "engines/engine_data.h"

namespace vaa {

// What nobody has established yet: whoever depends on it must be told.
constexpr uint8_t kUnknownRule = 0;

// A rule as messages and documents name it, its words, and how an unknown one is measured.
struct RuleWords {
  const char* name;
  const char* words;    // without "unknown", parted by |
  const char* measure;
};

// The place of a word in a list parted by |, and the word of a place; words do not count "unknown", which is place 0.
uint8_t place_of(std::string_view word, std::string_view choices);
std::string_view word_at(uint8_t place, std::string_view words);

// Whether options are a name rather than JSON.
bool is_plain_name(std::string_view options);
// The JSON of a known name; else VAA_ERROR_NOT_FOUND, which lists them. `noun` stands before the message.
std::string_view known_data(std::span<const EngineData> known, const std::string& noun, std::string_view name);

// "engine x: top_k_ties is unknown, and <why it matters>: measure ..., then give ...": VAA_ERROR_UNSUPPORTED.
[[noreturn]] void fail_unknown_rule(const std::string& noun, const std::string& name, const RuleWords& rule, const std::string& why);

}  // namespace vaa
