// "Did you mean …?"
#pragma once
#include <string_view>
#include <vector>

namespace vaa {

// The known name that is fewest insertions, deletions, replacements and swaps of neighbours away from `name`, not counting case and taking '-' for '_';
// empty where none is near (at most a third of its length, at least one change) or `name` is over 64 bytes. The first of equals.
std::string_view nearest_name(std::string_view name, const std::vector<std::string_view>& known);

}  // namespace vaa
