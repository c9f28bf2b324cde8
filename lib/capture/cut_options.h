// Options that vaa_ladder and vaa_bisect share: which answers are cut, how much is asked after the cut, what to do with a file that exists.
#pragma once
#include <initializer_list>
#include <string>
#include <string_view>

#include "base/options.h"
#include "capture/record_log.h"
#include "capture/rungs.h"

namespace vaa::capture {

constexpr OptionSpec kCutFlag{"flag", OptionSpec::Type::kText, 1, 64, "", "", "only answers with this flag; any: of severity fail"};
constexpr OptionSpec kCutIds{"ids", OptionSpec::Type::kTexts, 1, 4096, "", "", "only these answers: 17 or gsm8k/17"};
constexpr OptionSpec kCutSeed{"seed", OptionSpec::Type::kInt, 0, 9007199254740992, "", "1", "of the drawing of `sample`"};
constexpr OptionSpec kCutTokens{"tokens", OptionSpec::Type::kInt, 1, 4096, "", "32", "asked after each cut"};
constexpr OptionSpec kCutReencode{"reencode", OptionSpec::Type::kBool, 0, 0, "", "false", "ids that are not recorded are taken from the server's /tokenize and marked re-encoded"};
constexpr OptionSpec kCutResume{"resume", OptionSpec::Type::kBool, 0, 0, "", "false", "go on with an output that exists"};
constexpr OptionSpec kCutForce{"force", OptionSpec::Type::kBool, 0, 0, "", "false", "replace an output that exists"};

struct CutOptions {
  PassageChoice choice;
  int64_t tokens = 32;
  bool reencode = false;
  Existing existing = Existing::kRefuse;
};
// Of options that hold the specs above and "sample". Throws Failure (VAA_ERROR_OPTION).
CutOptions cut_options(const Options& options, std::string_view what);
// The options with the numbers of these members as texts: a position is 4096 or "4K", and a list of texts may hold numbers. What is no JSON object stays as it is.
std::string numbers_as_texts(std::string_view options, std::initializer_list<std::string_view> names);
Existing existing_option(const Options& options, std::string_view what);

}  // namespace vaa::capture
