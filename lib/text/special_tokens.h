// Control tokens of chat templates and tokenizers as they look when they leak into text (docs/detectors.md): <|im_end|>, <｜end▁of▁sentence｜>, <end_of_turn>,
// <unused12>, [PAD], … The tags of reasoning (text/think_tags.h) and of tool calls are not among them.
#pragma once
#include <cstddef>
#include <string_view>

namespace vaa {

// Bytes of the token that begins at text[at], 0: none. At most 80 bytes are looked at.
size_t special_token_size(std::string_view text, size_t at);

// Tags that are a leak where they close what nothing opened. The '>' of a tag of a call may be cut off; a letter behind it makes another tag.
struct PairedTag {
  std::string_view open, close;
};
inline constexpr PairedTag kPairedTags[] = {
    {"<s>", "</s>"}, {"<parameter", "</parameter"}, {"<function", "</function"}, {"<tool_call", "</tool_call"}, {"<tool_calls", "</tool_calls"}};

// `text` without white space, special tokens and </s> at its end, which is no smaller than `floor`: its size. Linear in what is taken off.
size_t stripped_size(std::string_view text, size_t floor = 0);
// True where nothing but white space, special tokens and <s>, </s> is left. Stops at the first other character.
bool is_blank(std::string_view text);

}  // namespace vaa
