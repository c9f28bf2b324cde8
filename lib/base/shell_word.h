// A word of a command that a person may type, for any POSIX shell.
#pragma once
#include <string>
#include <string_view>

namespace vaa {

// As it is where no shell would see more in it, else in single quotes.
inline std::string shell_word(std::string_view text) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:@%+=,-";
  if (!text.empty() && text.find_first_not_of(kPlain) == std::string_view::npos) return std::string(text);
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') out += "'\\''";
    else out += c;
  }
  return out += '\'';
}

}  // namespace vaa
