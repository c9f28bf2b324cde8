#include "capture/cut_options.h"

#include "base/failure.h"

namespace vaa {

Existing existing_option(const Options& options, std::string_view what) {
  const bool resume = options.boolean("resume"), force = options.boolean("force");
  if (resume && force) fail(VAA_ERROR_OPTION, std::string(what) + ": resume and force are both given; one goes on with the file, the other replaces it");
  return resume ? Existing::kResume : force ? Existing::kForce : Existing::kRefuse;
}

CutOptions cut_options(const Options& options, std::string_view what) {
  CutOptions out;
  if (options.given("flag")) out.choice.flag = options.text("flag");
  if (options.given("ids")) out.choice.ids = options.texts("ids");
  out.choice.sample = options.integer("sample");
  out.choice.seed = static_cast<uint64_t>(options.integer("seed"));
  out.tokens = options.integer("tokens");
  out.reencode = options.boolean("reencode");
  out.existing = existing_option(options, what);
  return out;
}

}  // namespace vaa
