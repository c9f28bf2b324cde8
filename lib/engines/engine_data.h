// The files of lib/engines/data, which the build turns into this table: name and JSON, in the order of the names.
#pragma once
#include <span>
#include <string_view>

namespace vaa {

struct EngineData {
  std::string_view name, json;
};
std::span<const EngineData> engine_data();
// The same of lib/engines/defaults.
std::span<const EngineData> defaults_data();
// The same of lib/engines/policies.
std::span<const EngineData> policy_data();

}  // namespace vaa
