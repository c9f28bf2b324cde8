#include "quality/roles.h"

#include <algorithm>
#include <iterator>

namespace vaa {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }
bool is_letter_byte(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool same(std::string_view name, std::string_view low) {
  return name.size() == low.size() && std::equal(name.begin(), name.end(), low.begin(), [](char a, char b) { return lower(a) == b; });
}
bool among(std::string_view name, const std::string_view* begin, const std::string_view* end) {
  return std::any_of(begin, end, [&](std::string_view low) { return same(name, low); });
}

// The letters from `at` on, white space before them passed over.
std::string_view name_at(std::string_view text, size_t at) {
  while (at < text.size() && (text[at] == ' ' || text[at] == '\n')) ++at;
  size_t end = at;
  while (end < text.size() && end - at < 16 && is_letter_byte(text[end])) ++end;
  return text.substr(at, end - at);
}

}  // namespace

Role role_of_name(std::string_view name) {
  constexpr std::string_view kUsers[] = {"user", "human", "prompter"};
  constexpr std::string_view kAssistants[] = {"assistant", "ai", "bot", "chatbot", "gpt", "model"};
  if (among(name, std::begin(kUsers), std::end(kUsers))) return Role::kUser;
  return among(name, std::begin(kAssistants), std::end(kAssistants)) ? Role::kAssistant : Role::kNone;
}

Role turn_role(std::string_view text, size_t at, size_t size) {
  constexpr std::string_view kOpeners[] = {"<|im_start|>", "<start_of_turn>", "<|start_header_id|>", "<|header_start|>", "<|turn>", "<|start_of_role|>"};
  const std::string_view token = text.substr(at, size);
  if (token == "[INST]") return Role::kUser;
  if (std::find(std::begin(kOpeners), std::end(kOpeners), token) != std::end(kOpeners)) return role_of_name(name_at(text, at + size));
  if (token == "<|start|>") return role_of_name(name_at(text, at + size)) == Role::kUser ? Role::kUser : Role::kNone;
  // <|user|>, <|im_user|>, <｜User｜>
  const size_t begin = std::min(token.find_first_not_of("<|[\xEF\xBD\x9C"), token.size());
  std::string_view name = token.substr(begin);
  name = name.substr(0, name.find_first_of("|>]\xEF"));
  if (name.substr(0, 3) == "im_") name.remove_prefix(3);
  return role_of_name(name);
}

bool ends_in_turn(std::string_view prompt) {
  constexpr std::string_view kEnds = " \t\r\n:*|>]<\xEF\xBD\x9C";
  constexpr std::string_view kInst = "[/INST]";
  constexpr size_t kLongest = 160;
  prompt = prompt.substr(prompt.size() - std::min(prompt.size(), kLongest));
  const size_t written = prompt.find_last_not_of(" \t\r\n");
  if (written == std::string_view::npos) return false;
  prompt = prompt.substr(0, written + 1);
  if (prompt.size() >= kInst.size() && prompt.substr(prompt.size() - kInst.size()) == kInst) return true;
  // Tags behind the name: <|end_header_id|>, <|im_sep|>, <think>.
  for (const std::string_view tag : {"<think>", "<|end_header_id|>", "<|header_end|>", "<|im_sep|>", "<|im_middle|>", "<|end_of_role|>", "<|message|>"}) {
    if (prompt.size() < tag.size() || prompt.substr(prompt.size() - tag.size()) != tag) continue;
    prompt.remove_suffix(tag.size());
    prompt = prompt.substr(0, prompt.find_last_not_of(" \t\r\n") + 1);
  }
  const size_t end = prompt.find_last_not_of(kEnds);
  if (end == std::string_view::npos) return false;
  size_t begin = end + 1;
  while (begin > 0 && is_letter_byte(prompt[begin - 1])) --begin;
  // A mark of a turn stands on one side of the name: "what is an assistant" has none.
  const bool marked = end + 1 < prompt.size() || (begin > 0 && (prompt[begin - 1] == '>' || prompt[begin - 1] == '\n'));
  return marked && role_of_name(prompt.substr(begin, end + 1 - begin)) == Role::kAssistant;
}

}  // namespace vaa
