// The literals of a Python config, read and never executed: dict(), {}, [], (), strings, numbers, True, False, None. Anything else is there and not recorded.
#pragma once
#include <string_view>

#include "records/json_tree.h"

namespace vaa {

// The top-level assignments `name = literal` as an object. Never fails: what is no Python leaves less. Linear time; nesting past 200 levels is not recorded.
JsonTree read_python_literals(std::string_view text);

}  // namespace vaa
