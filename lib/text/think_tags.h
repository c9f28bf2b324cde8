// The tags that models put around their reasoning, as pairs: <think>, <thinking>, <mm:think>, [THINK], <seed:think>, … (docs/detectors.md).
#pragma once
#include <cstddef>
#include <span>
#include <string_view>

namespace vaa {

struct ThinkTag {
  std::string_view open, close;
};
std::span<const ThinkTag> think_tags();

}  // namespace vaa
