// Tags in a text: reasoning tags and special tokens, outside code fences and back ticks.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "quality/prompt.h"

namespace vaa {

struct Place {
  size_t at = 0, size = 0;
};

struct Markup {
  static constexpr size_t kNone = static_cast<size_t>(-1);

  // Special tokens, and closing tags that close nothing, that are neither quoted nor in the prompt.
  int64_t leaks = 0;
  Place leak;  // the first

  // A reasoning tag that is never closed, kNone: none. Where it stands says how sure that is.
  size_t open_at = kNone, open_size = 0;
  enum class Stands : uint8_t { kFirst, kLineStart, kInside } open_stands = Stands::kFirst;  // kFirst: only white space before
  int64_t closed = 0;                // reasoning blocks that were opened and closed
  int64_t orphans = 0;               // closing tags that nothing opened
  Place orphan;                      // the first
  size_t answer_begin = 0;           // behind the last closing tag
  int64_t turns = 0;                 // turns of a chat template behind the answer (<|im_start|>user, [INST], …), quoted in the prompt or not
  Place turn;                        // the first
  std::span<const size_t> calls;     // bytes at which <tool_call> and <function= stand, in their order
  std::span<const Place> code;       // fenced blocks and code spans with their marks, in their order; a fence that is never closed lasts to the end

  // The text outside the reasoning: what is behind the last block and before one that is never closed.
  std::string_view answer(std::string_view text) const {
    const size_t end = open_at == kNone ? text.size() : open_at;
    return end > answer_begin ? text.substr(answer_begin, end - answer_begin) : std::string_view();
  }
};

// What a Markup points into.
struct MarkupMemory {
  std::vector<Place> code;
  std::vector<size_t> calls;
};

// Linear in the text, and in the prompt for each of the first different tokens.
void read_markup(std::string_view text, Prompt* prompt, MarkupMemory* memory, Markup* out);

}  // namespace vaa
