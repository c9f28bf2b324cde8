// One side of an alignment: what was launched, what a request says, what the model's generation_config.json holds.
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engines/request_defaults.h"

namespace vaa {

struct Setup {
  std::string name;                 // in messages: a path, or ""
  std::string engine, engine_version, entry;  // "" : not known
  std::string engine_json;          // a user's own engine; "" : a known one
  std::string sampler;              // profile or JSON object; "" : the engine's
  std::vector<std::string> launch;  // words of the command line
  bool file_known = false;          // generation_config is given, or known to be none
  Settings file;
  Settings request;
  std::vector<std::string> varying; // fields of requests that are not the same in all of them
};
// vaa.setup/1: {"engine", "engine_version", "entry", "launch": text or words, "generation_config": object or null, "request": object, "sampler"}. Failures name the member.
Setup read_setup(std::string_view json, const std::string& which);
std::string setup_json(const Setup& setup);

// The words of the first command of a shell script that starts a known engine; nothing is run. Failure (VAA_ERROR_FORMAT): none does.
Setup setup_of_script(std::string_view script);
// Words as a POSIX shell parts them: quotes, backslashes, comments; variables stay as they are.
std::vector<std::vector<std::string>> shell_commands(std::string_view script);

// The value of a launch flag, "--flag value" or "--flag=value", the last one; false: not given. "true" where no value follows.
bool launch_value(const std::vector<std::string>& launch, std::string_view flag, std::string* out);

}  // namespace vaa
