#include "reject/steps/step_header.h"

#include "base/failure.h"
#include "base/json.h"
#include "base/options.h"
#include "engines/rule_words.h"

namespace vaa {
namespace {

using Type = OptionSpec::Type;

constexpr OptionSpec kTable[] = {
    {"format", Type::kChoice, 0, 0, "vaa.steps/1", "\"vaa.steps/1\"", "what the file is"},
    {"vocab_size", Type::kInt, 2, 1 << 24, "", "", "ids of the target model"},
    {"draft_probs", Type::kChoice, 0, 0, "unknown|one_hot|recorded", "\"unknown\"", "the law that drafts are of"},
    {"policy", Type::kText, 1, 64, "", "", "rules of the rejection sampler"},
    {"engine", Type::kText, 1, 256, "", "", "its name"},
    {"engine_version", Type::kText, 1, 256, "", "", "its version"},
    {"model", Type::kText, 1, 1024, "", "", "the target model"},
    {"method", Type::kText, 1, 256, "", "", "how drafts are made"},
    {"server", Type::kText, 1, 256, "", "", "whose steps these are"},
    {"rank", Type::kInt, 0, 1 << 20, "", "0", "data-parallel rank"},
    {"rule", Type::kChoice, 0, 0, "token|block|exact_match|entropy|typical|threshold|synthetic", "\"token\"", "what is declared to be in force"},
    {"entropy_alpha", Type::kReal, 0, 100, "", "0.4", "of the entropy rule"},
    {"entropy_cap", Type::kReal, 0, 1, "", "0.95", "of the entropy rule"},
    {"typical_epsilon", Type::kReal, 0, 1, "", "0.09", "of the typical rule"},
    {"typical_delta", Type::kReal, 0, 1, "", "0.3", "of the typical rule"},
    {"threshold", Type::kReal, 0, 1, "", "1", "of the threshold rule: p / q from which drafts are accepted"},
    {"synthetic_rates", Type::kJson, 0, 0, "", "", "of the synthetic rule: the share accepted up to each position"},
    {"probs_from", Type::kChoice, 0, 0, "engine|rescored", "\"engine\"", "who worked out p"},
    {"trimmed", Type::kBool, 0, 0, "", "false", "rows may be cut at stop tokens"},
    {"shared_seeds", Type::kBool, 0, 0, "", "false", "requests have the seed of another one"},
    {"noise", Type::kChoice, 0, 0, "none|race|gumbel|uniform", "\"none\"", "what the noise of full rows is"},
    {"sampling", Type::kJson, 0, 0, "", "", "parameters in force"},
    {"part", Type::kInt, 0, 0, "", "0", "number of a rotated file"},
    {"extra", Type::kJson, 0, 0, "", "", "anything"},
};

std::vector<double> rates(const Options& given, std::string_view what) {
  std::vector<double> out;
  if (!given.has("synthetic_rates")) return out;
  JsonReader json(given.text("synthetic_rates"), JsonReader::Mode::kStrict);
  double before = 1;
  bool ok = json.peek() == JsonKind::kArray && json.reals(&out, nullptr);
  for (const double rate : out) {
    ok = ok && rate >= 0 && rate <= before;
    before = rate;
  }
  if (!ok) fail(VAA_ERROR_OPTION, std::string(what) + ": synthetic_rates: must be an array of shares, none above the one before it");
  return out;
}

}  // namespace

StepHeader step_header(std::string_view text, std::string_view what) {
  const Options given(text, kTable, what);
  if (!given.given("vocab_size")) fail(VAA_ERROR_OPTION, std::string(what) + ": vocab_size: is needed");
  StepHeader out;
  out.vocab_size = given.integer("vocab_size");
  out.draft_probs = static_cast<DraftProbs>(place_of(given.text("draft_probs"), "unknown|one_hot|recorded"));
  out.rule = static_cast<StepRule>(place_of(given.text("rule"), "token|block|exact_match|entropy|typical|threshold|synthetic"));
  out.noise = static_cast<StepNoise>(place_of(given.text("noise"), "none|race|gumbel|uniform"));
  out.rescored = given.text("probs_from") == "rescored";
  out.trimmed = given.boolean("trimmed");
  out.shared_seeds = given.boolean("shared_seeds");
  out.entropy_alpha = given.real("entropy_alpha"), out.entropy_cap = given.real("entropy_cap");
  out.typical_epsilon = given.real("typical_epsilon"), out.typical_delta = given.real("typical_delta");
  out.threshold = given.real("threshold");
  out.synthetic_rates = rates(given, what);
  if (out.rule == StepRule::kSynthetic && out.synthetic_rates.empty()) fail(VAA_ERROR_OPTION, std::string(what) + ": synthetic_rates: the synthetic rule needs them");
  out.rank = given.integer("rank");
  const auto word = [&](const char* name, std::string* to) {
    if (given.has(name)) *to = given.text(name);
  };
  word("policy", &out.policy);
  word("engine", &out.engine);
  word("engine_version", &out.engine_version);
  word("model", &out.model);
  word("method", &out.method);
  word("server", &out.server);
  return out;
}

std::string StepHeader::label() const { return (server.empty() ? "" : server + ": ") + "rank " + std::to_string(rank) + (shared_seeds ? ", shared seeds" : ""); }

bool StepHeader::same(const StepHeader& o) const {
  return server == o.server && rank == o.rank && vocab_size == o.vocab_size && draft_probs == o.draft_probs && rule == o.rule && noise == o.noise && rescored == o.rescored && trimmed == o.trimmed && shared_seeds == o.shared_seeds &&
         policy == o.policy && entropy_alpha == o.entropy_alpha && entropy_cap == o.entropy_cap && typical_epsilon == o.typical_epsilon && typical_delta == o.typical_delta && threshold == o.threshold &&
         synthetic_rates == o.synthetic_rates && engine_version == o.engine_version;
}

}  // namespace vaa
