#include "quality/scripts.h"

#include "text/unicode.h"
#include "text/utf8.h"

namespace vaa {

void read_scripts(std::string_view text, std::span<const Place> code, Scripts* out) {
  static_cast<void>(code);
  *out = Scripts();
  for (size_t at = 0; at < text.size();) {
    const Utf8Step step = utf8_step(text, at);
    out->letters += step.valid && is_letter(step.code);
    at += step.size;
  }
}

}  // namespace vaa
