#include "quality/word_windows.h"

#include "text/unicode.h"
#include "text/utf8.h"

namespace vaa {

void read_word_windows(std::string_view text, std::span<const Place> code, WordWindows* out) {
  static_cast<void>(code);
  *out = WordWindows();
  bool inside = false;
  for (size_t at = 0; at < text.size();) {
    const Utf8Step step = utf8_step(text, at);
    const bool letter = step.valid && is_letter(step.code);
    out->words += letter && !inside;
    inside = letter;
    at += step.size;
  }
}

}  // namespace vaa
