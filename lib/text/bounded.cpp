#include "text/bounded.h"

#include "text/utf8.h"

namespace vaa {

std::string bounded(std::string_view text, size_t max) {
  if (text.size() <= max) return std::string(text);
  return std::string(text.substr(0, utf8_floor(text, max))) + "…";
}

}  // namespace vaa
