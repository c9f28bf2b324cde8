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

AskOptions ask_options(std::string_view json) {
  const Options given(json, kTable, "vaa_ask");
  AskOptions out;
  out.purpose = &find_purpose(given.text("for"));
  if (given.given("flag")) out.source.flag = given.text("flag");
  if (given.given("sample")) out.source.sample = given.integer("sample");
  out.source.seed = static_cast<uint64_t>(given.integer("seed"));
  out.source.repeat = given.integer("repeat");
  if (given.given("max_tokens")) out.changes.max_tokens = given.integer("max_tokens");
  if (given.given("temperature")) out.changes.temperature = given.real("temperature");
  if (given.given("top_p")) out.changes.top_p = given.real("top_p");
  if (given.given("top_k")) out.changes.top_k = given.integer("top_k");
  if (given.given("request_seed")) out.changes.seed = given.integer("request_seed");
  if (given.given("top_logprobs")) out.changes.top_logprobs = static_cast<int>(given.integer("top_logprobs"));
  out.changes.stream = given.boolean("stream");
  if (given.boolean("resume") && given.boolean("force")) fail(VAA_ERROR_OPTION, "vaa_ask: resume and force: give one of them");
  out.existing = given.boolean("resume") ? Existing::kResume : given.boolean("force") ? Existing::kForce : Existing::kRefuse;
  out.metrics_every_s = given.real("metrics_every_s");
  out.dry_run = given.boolean("dry_run");
  return out;
}

}  // namespace vaa::capture
