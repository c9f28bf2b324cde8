#include "compare/comparison.h"

#include "base/failure.h"
#include "compare/ask_plan.h"
#include "compare/prompt_mismatch.h"
#include "compare/run_draws.h"
#include "compare/spec_path.h"
#include "quality/gates.h"

namespace vaa {
namespace {

constexpr double kMostNoiseBytes = 16 << 20;

// Why a profile that was saved is none of this reference's; "" : it is, or none was given.
Both noise_words(const ComparisonView& view, bool saved) {
  if (!saved || !view.noise) return {};
  const std::string why = noise_misfit(*view.noise, view.reference, view.tokens ? view.tokens->reference.list_size : 0);
  if (why.empty()) return {};
  return {"the noise profile is not of this reference: " + why, "噪声档案不属于此参考：" + why};
}

}  // namespace

std::span<const OptionSpec> comparison_option_table() {
  static const OptionSpec kTable[] = {
      {"change", OptionSpec::Type::kChoice, 0, 0, "none|schedule|parallel|version|hardware|quant|spec", "\"version\"", "what was changed on purpose: picks the margins"},
      {"primary", OptionSpec::Type::kChoice, 0, 0, "score|tokens|flags|law", "", "the family that is tested alone; default score where it is recorded, else the law of first tokens where speculation was changed and answers were sampled again and again, else tokens where the reference was held against itself or logprobs cannot be, else flags"},
      {"baseline", OptionSpec::Type::kText, 0, 64, "", "\"\"", "k/n: broken answers before a fix"},
      {"text", OptionSpec::Type::kBool, 0, 0, "", "true", "false leaves every text out"},
      {"noise", OptionSpec::Type::kText, 0, kMostNoiseBytes, "", "", "vaa.noise/1: the reference against itself, measured before"},
      {"reference_again", OptionSpec::Type::kBool, 0, 0, "", "false", "the reference comes a second time, as side 2"},
      {"target_again", OptionSpec::Type::kBool, 0, 0, "", "false", "the target comes a second time, as side 3"},
  };
  return kTable;
}

ComparisonOptions comparison_options(const Options& options) {
  ComparisonOptions out;
  out.margins = &find_margins(options.text("change"));
  if (options.has("primary")) out.primary = options.text("primary");
  if (out.primary == "tokens" && !out.margins->gates_tokens) fail(VAA_ERROR_OPTION, std::string("primary: tokens decide nothing where change is ") + out.margins->change + ": their distances are reported, allowed are score and flags");
  out.text = options.boolean("text");
  if (options.given("noise")) {
    out.noise = options.text("noise");
    if (out.noise.find_first_not_of(" \t\r\n") == std::string::npos) fail(VAA_ERROR_OPTION, "noise: is empty, must be a vaa.noise/1 profile, as --save-noise writes it");
  }
  out.reference_again = options.boolean("reference_again");
  out.target_again = options.boolean("target_again");
  if (out.reference_again && !out.noise.empty()) fail(VAA_ERROR_OPTION, "noise: is given beside reference_again, allowed is one of the two");
  TallyOptions known;
  known.baseline = options.text("baseline");
  if (const auto rate = parse_gates(known).baseline) {
    out.known_broken = rate->broken;
    out.known_all = rate->all;
  }
  return out;
}

namespace {

// Which roles a builder holds against each other.
constexpr std::pair<int32_t, int32_t> kHeld[] = {{kReferenceRun, kTargetRun}, {kReferenceRun, kReferenceAgain}, {kTargetRun, kTargetAgain}};

bool of_speculation(const Margins& margins) { return std::string_view(margins.change) == "spec"; }

bool has_ids(const TokenEvidence& e) { return e.reference.answers > 0 && e.target.answers > 0; }

}  // namespace

Comparison::Comparison(const Checker& checker, ComparisonOptions options) : options_(std::move(options)), vocab_(checker.vocab()) {
  const auto room = std::make_shared<StripRoom>();
  for (int32_t role = 0; role < kRunRoles; ++role) sides_.emplace_back(checker);
  for (size_t i = 0; i < std::size(kHeld); ++i) builders_.emplace_back(vocab_, room);
  for (int32_t role = 0; role < kReferenceAgain; ++role) draws_.emplace_back(side_calibration());
  if (!options_.noise.empty()) noise_ = read_noise(options_.noise);
}

void Comparison::add(int32_t role, const Sample& sample, const Judgement& judgement) {
  TokenStrip strip;
  SideFaults faults;
  const bool ids = read_strip(sample, vocab_, &strip, &faults);
  add(role, sample, judgement, ids ? &strip : nullptr, faults);
}

void Comparison::add(int32_t role, const Sample& sample, const Judgement& judgement, TokenStrip* strip, const SideFaults& faults) {
  if (!expected(role)) fail(VAA_ERROR_ARGUMENT, "side: is " + std::to_string(role) + ", allowed are 0 (reference), 1 (target), and, where the options reference_again and target_again say so, 2 (reference again) and 3 (target again)");
  RunSide& run = side(role);
  if (!run.add(sample, judgement)) return;
  if (role < kReferenceAgain && of_speculation(*options_.margins)) openings_[static_cast<size_t>(role)].add(sample, run.rows().back().question);
  if (strip == nullptr) return;
  if (role < kReferenceAgain) draws_[static_cast<size_t>(role)].add(sample);
  strip->facts.question = run.rows().back().question;
  for (size_t i = 0; i < std::size(kHeld); ++i) {
    const auto [a, b] = kHeld[i];
    if ((role == a || role == b) && expected(a) && expected(b)) builders_[i].add(role == b, *strip, faults);
  }
}

void Comparison::take_request(int32_t role, const Input& input) {
  sampler::CalibrationOptions options = side_calibration();
  take_effective(input, &options);
  draws_.at(static_cast<size_t>(role)) = sampler::Calibration(std::move(options));
}

Report Comparison::report() const {
  std::array<TokenEvidence, 3> evidence;
  for (size_t i = 0; i < std::size(kHeld); ++i) {
    const RunSide &a = sides_[static_cast<size_t>(kHeld[i].first)], &b = sides_[static_cast<size_t>(kHeld[i].second)];
    evidence[i] = builders_[i].evidence(a, b, pair_questions(a, b));
  }
  return report(evidence);
}

Report Comparison::finish() {
  std::array<TokenEvidence, 3> evidence;
  for (size_t i = 0; i < std::size(kHeld); ++i) {
    const RunSide &a = side(kHeld[i].first), &b = side(kHeld[i].second);
    evidence[i] = builders_[i].finish(a, b, pair_questions(a, b));
  }
  return report(evidence);
}

Report Comparison::report(const std::array<TokenEvidence, 3>& evidence) const {
  const RunSide &reference = sides_[kReferenceRun], &target = sides_[kTargetRun];
  const RunPairing pairing = pair_questions(reference, target);
  std::optional<NoiseProfile> noise = noise_, target_noise;
  if (options_.reference_again && has_ids(evidence[1])) noise = measure_noise(evidence[1], reference, sides_[kReferenceAgain]);
  if (options_.target_again && has_ids(evidence[2])) target_noise = measure_noise(evidence[2], target, sides_[kTargetAgain]);
  ComparisonView view{reference, target, pairing, *options_.margins, options_.known_broken, options_.known_all, options_.text};
  if (has_ids(evidence[0])) view.tokens = &evidence[0];
  if (of_speculation(*options_.margins)) view.openings = openings_.data();
  view.reference_draws = &draws_[kReferenceRun], view.target_draws = &draws_[kTargetRun];
  if (noise) view.noise = &*noise;
  if (target_noise) view.target_noise = &*target_noise;
  if (options_.reference_again && has_ids(evidence[1])) view.reference_again = &evidence[1].target;
  if (options_.target_again && has_ids(evidence[2])) view.target_again = &evidence[2].target;
  Decision decision;
  if (view.tokens && prompts_differ(*view.tokens)) {
    decision = not_comparable(prompt_words(*view.tokens));
    decision.kinds.push_back("input_mismatch");
  } else if (Both why = why_not_comparable(reference, target, pairing, *options_.margins); !why.en.empty()) {
    decision = not_comparable(std::move(why));
  } else if (Both plain_decoding = why_no_speculation(view); !plain_decoding.en.empty()) {
    decision = not_comparable(std::move(plain_decoding));
  } else if (Both misfit = noise_words(view, noise_.has_value()); !misfit.en.empty()) {
    decision = not_comparable(std::move(misfit));
  } else {
    std::vector<StepOutcome> steps;
    for (const Step* step : step_table()) steps.push_back({step, step->run(view)});
    decision = decide(std::move(steps), options_.primary, view);
    hold_to_path(view, &decision);
    decision.ask = ask_plan(decision, view);
  }
  return report_from_json(report_json(comparison_report({options_, reference, target, pairing, decision, view.tokens, view.noise})));
}

}  // namespace vaa
