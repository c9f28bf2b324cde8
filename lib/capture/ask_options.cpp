#include "capture/ask_options.h"

#include "base/failure.h"
#include "base/options.h"

namespace vaa::capture {
namespace {

using Type = OptionSpec::Type;

constexpr double kMost = 9007199254740992;  // 2^53

const OptionSpec kTable[] = {
    {"for", Type::kText, 1, 64, "", "\"quality\""},
    {"flag", Type::kText, 1, 256},
    {"sample", Type::kInt, 1, kMost},
    {"seed", Type::kInt, 0, kMost, "", "1"},
    {"repeat", Type::kInt, 1, 10000, "", "1"},
    {"max_tokens", Type::kInt, 1, kMost},
    {"temperature", Type::kReal, 0, 100},
    {"top_p", Type::kReal, 0, 1},
    {"top_k", Type::kInt, -1, kMost},
    {"request_seed", Type::kInt},
    {"top_logprobs", Type::kInt, 0, 20},
    {"stream", Type::kBool, 0, 0, "", "true"},
    {"resume", Type::kBool, 0, 0, "", "false"},
    {"force", Type::kBool, 0, 0, "", "false"},
    {"metrics_every_s", Type::kReal, 0.1, 86400, "", "10"},
    {"dry_run", Type::kBool, 0, 0, "", "false"},
};

}  // namespace

RequestChanges request_changes(const Options& options) {
  RequestChanges changes;
  if (options.given("max_tokens")) changes.max_tokens = options.integer("max_tokens");
  if (options.given("temperature")) changes.temperature = options.real("temperature");
  if (options.given("top_p")) changes.top_p = options.real("top_p");
  if (options.given("top_k")) changes.top_k = options.integer("top_k");
  if (options.given("request_seed")) changes.seed = options.integer("request_seed");
  if (options.given("top_logprobs")) changes.top_logprobs = static_cast<int>(options.integer("top_logprobs"));
  changes.stream = options.boolean("stream");
  return changes;
}

AskOptions ask_options(std::string_view json) {
  const Options given(json, kTable, "vaa_ask");
  AskOptions out;
  out.purpose = &find_purpose(given.text("for"));
  if (given.given("flag")) out.source.flag = given.text("flag");
  if (given.given("sample")) out.source.sample = given.integer("sample");
  out.source.seed = static_cast<uint64_t>(given.integer("seed"));
  out.source.repeat = given.integer("repeat");
  out.changes = request_changes(given);
  if (given.boolean("resume") && given.boolean("force")) fail(VAA_ERROR_OPTION, "vaa_ask: resume and force: give one of them");
  out.existing = given.boolean("resume") ? Existing::kResume : given.boolean("force") ? Existing::kForce : Existing::kRefuse;
  out.metrics_every_s = given.real("metrics_every_s");
  out.dry_run = given.boolean("dry_run");
  return out;
}

}  // namespace vaa::capture
