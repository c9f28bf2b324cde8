// The parameters of a row by the numbers of include/vaa/sampler.h, and the lists of ids that all rows of a sampler share.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/failure.h"
#include "base/options.h"
#include "engines/engine.h"

namespace vaa {

enum class Param : uint8_t {
  kTemperature, kTopK, kTopP, kMinP, kTypicalP, kRepetitionPenalty, kFrequencyPenalty, kPresencePenalty, kPenaltyLastN, kMinTokens, kGreedy
};
constexpr size_t kParams = 11;

struct ParamSpec {
  const char* name;
  const char* stage;  // that it belongs to
  double off;         // the default, with which the stage does nothing
  double min, max;
  bool above_min;     // min itself is refused
  bool whole;
  const char* allowed;
};
const ParamSpec& param_spec(Param which);

struct Params {
  std::array<double, kParams> values;
  Params();  // all off
  double operator[](Param which) const { return values[static_cast<size_t>(which)]; }
  double& operator[](Param which) { return values[static_cast<size_t>(which)]; }
  bool is_off(Param which) const { return (*this)[which] == param_spec(which).off; }
};

struct LogitBias {
  int32_t id;
  double bias;
};
struct TokenLists {
  std::vector<LogitBias> logit_bias;
  bool allows_some = false;  // allowed_ids was given
  std::vector<int32_t> allowed_ids, stop_ids;
  std::vector<std::vector<int32_t>> bad_words;
  int32_t largest_id = -1;  // of all lists
  const char* largest_of = "";
};

// VAA_ERROR_OPTION or VAA_ERROR_ARGUMENT, with `where` before the message, for a value that is not allowed or that the engine has no stage for.
void check_param(const Engine& engine, Param which, double value, vaa_status status, const std::string& where);

// The options that params and lists are read from, to stand in a call's table.
std::vector<OptionSpec> sampling_options();
Params params_of(const Options& options, const Engine& engine, std::string_view what);
TokenLists lists_of(const Options& options, const Engine& engine, std::string_view what);

}  // namespace vaa
