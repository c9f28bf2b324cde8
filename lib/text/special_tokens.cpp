#include "text/special_tokens.h"

#include "text/unicode.h"
#include "text/utf8.h"

namespace vaa {
namespace {

constexpr size_t kMaxName = 64;
constexpr std::string_view kWideBar = "｜";  // U+FF5C
constexpr std::string_view kNames[] = {"<start_of_turn>", "<end_of_turn>", "<pad>", "<PAD>",  "<unk>",  "<bos>",
                                       "<eos>",           "<eod>",         "[PAD]", "[UNK]", "[INST]", "[/INST]"};
constexpr std::string_view kNumbered[] = {"<unused", "[unused", "<extra_id_", "<reserved_"};
// Of templates that write <|name> and <name|>.
constexpr std::string_view kHalfBarred[] = {"turn", "channel", "tool_call", "tool_response", "tool", "think"};

bool starts(std::string_view text, size_t at, std::string_view with) { return text.compare(at, with.size(), with) == 0; }

bool is_name(char c) {
  const auto u = static_cast<unsigned char>(c);
  return u >= 0x80 || (u >= '0' && u <= '9') || (u >= 'A' && u <= 'Z') || (u >= 'a' && u <= 'z') || c == '_' || c == '-' || c == '.' || c == '/' || c == ':' ||
         c == '+' || c == '@' || c == '"';
}

// <|name|>, <|name> and a <|" that may be cut off. `at` is behind the bar.
size_t barred_size(std::string_view text, size_t at) {
  size_t end = at;
  while (end < text.size() && end - at < kMaxName && is_name(text[end])) ++end;
  const std::string_view name = text.substr(at, end - at);
  if (name.empty()) return 0;
  if (starts(text, end, "|>")) return name.size() + 4;
  if (starts(text, end, ">")) {
    for (const std::string_view known : kHalfBarred)
      if (name == known) return name.size() + 3;
  }
  return name[0] == '"' ? 3 : 0;
}

size_t wide_size(std::string_view text, size_t at) {
  for (size_t end = at; end < text.size() && end - at < kMaxName; ++end) {
    const auto c = static_cast<unsigned char>(text[end]);
    if (c <= ' ' || c == '<') return 0;
    if (end > at && starts(text, end, kWideBar)) return starts(text, end + kWideBar.size(), ">") ? end + kWideBar.size() + 1 - at : 0;
  }
  return 0;
}

size_t numbered_size(std::string_view text, size_t at, std::string_view prefix) {
  size_t end = at + prefix.size();
  const size_t digits = end;
  if (prefix.back() == '_' && prefix[1] == 'r')  // <reserved_token_17>
    while (end < text.size() && end - digits < kMaxName && is_name(text[end])) ++end;
  while (end < text.size() && end - digits < kMaxName && text[end] >= '0' && text[end] <= '9') ++end;
  return end > digits && end < text.size() && (text[end] == '>' || text[end] == ']') ? end + 1 - at : 0;
}

size_t strike_size(std::string_view text, size_t at) { return starts(text, at, "</s>") ? 4 : starts(text, at, "<s>") ? 3 : 0; }

}  // namespace

size_t special_token_size(std::string_view text, size_t at) {
  if (at + 3 > text.size() || (text[at] != '<' && text[at] != '[')) return 0;
  if (text[at + 1] == '|') return text[at] == '<' ? barred_size(text, at + 2) : 0;
  if (starts(text, at + 1, kWideBar)) {
    const size_t rest = text[at] == '<' ? wide_size(text, at + 1 + kWideBar.size()) : 0;
    return rest ? rest + 1 + kWideBar.size() : 0;
  }
  const char second = text[at + 1];  // most names are none of these by it
  for (const std::string_view name : kNames)
    if (name[1] == second && starts(text, at, name)) return name.size();
  for (const std::string_view prefix : kNumbered)
    if (prefix[1] == second && starts(text, at, prefix)) return numbered_size(text, at, prefix);
  for (const std::string_view name : kHalfBarred)
    if (name[0] == second && starts(text, at + 1, name) && starts(text, at + 1 + name.size(), "|>")) return name.size() + 3;
  return 0;
}

size_t stripped_size(std::string_view text, size_t floor) {
  constexpr size_t kLongest = 80;
  size_t end = text.size();
  for (;;) {
    while (end > floor) {
      const size_t before = utf8_floor(text, end - 1);
      if (!is_white_space(utf8_step(text, before).code)) break;
      end = before;
    }
    if (end <= floor || (text[end - 1] != '>' && text[end - 1] != ']')) return end;
    const size_t begin = text.substr(0, end).find_last_of("<[");
    if (begin == std::string_view::npos || begin < floor || end - begin > kLongest) return end;
    const std::string_view token = text.substr(0, end);
    if (special_token_size(token, begin) != end - begin && strike_size(token, begin) != end - begin) return end;
    end = begin;
  }
}

bool is_blank(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    const Utf8Step step = utf8_step(text, at);
    // Characters of format: zero-width spaces and joiners, byte order marks, marks of direction.
    if (step.valid && (is_white_space(step.code) || code_properties(step.code).category == Category::kFormat)) {
      at += step.size;
      continue;
    }
    const size_t token = special_token_size(text, at);
    const size_t size = token ? token : strike_size(text, at);
    if (size == 0) return false;
    at += size;
  }
  return true;
}

}  // namespace vaa
