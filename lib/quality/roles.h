// Whose turn begins: the marks of chat templates and the names that stand before a speaker's words.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace vaa {

enum class Role : uint8_t { kNone, kUser, kAssistant };

// "Human", "user", "AI", …, any case; what people in a play are called is none.
Role role_of_name(std::string_view name);
// What the special token text[at, at + size) begins: <|im_start|>user, <start_of_turn>model, <|user|>, <｜User｜>, [INST], …; <|start|>assistant, a channel of harmony, begins none.
Role turn_role(std::string_view text, size_t at, size_t size);

// The prompt ends where the assistant's turn begins ("### Assistant:", "<|im_start|>assistant\n", "[/INST]"): it is a rendered template, and the turns in it are no quotations.
bool ends_in_turn(std::string_view prompt);

}  // namespace vaa
