#include "text/think_tags.h"

namespace vaa {

std::span<const ThinkTag> think_tags() {
  static constexpr ThinkTag kTags[] = {
      {"<think>", "</think>"},           {"<thinking>", "</thinking>"}, {"<mm:think>", "</mm:think>"},
      {"<seed:think>", "</seed:think>"}, {"[THINK]", "[/THINK]"},       {"<thought>", "</thought>"},
      {"<reasoning>", "</reasoning>"},   {"<|channel|>analysis<|message|>", "<|end|>"},
      {"<｜begin▁of▁thinking｜>", "<｜end▁of▁thinking｜>"},
      {"<|begin_of_thought|>", "<|end_of_thought|>"},
  };
  return kTags;
}

}  // namespace vaa
