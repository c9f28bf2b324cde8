// What a report holds of its input when no text may leave (option text: false).
#pragma once
#include <string>
#include <string_view>

namespace vaa {

// The last part of a path: folders tell of users and machines.
std::string_view base_name(std::string_view path);

// The run header (vaa.run/1) with what says how a run was made and not where or with what words: names and versions, numbers, hashes. Members that are not known here, endpoints,
// the model's path, arguments, launch commands and texts among the sampling parameters are left out. "null" where `json` is no object.
std::string header_without_text(std::string_view json);

}  // namespace vaa
