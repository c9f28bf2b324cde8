#include "reject/verifier/verifier.h"

#include <algorithm>
#include <functional>
#include <string>

#include "base/failure.h"
#include "base/parallel.h"
#include "sampler/stages/stage.h"

namespace vaa {
namespace {

constexpr char kWhat[] = "vaa_verifier_new";

const std::vector<OptionSpec>& option_table() {
  using Type = OptionSpec::Type;
  static const std::vector<OptionSpec> table = [] {
    std::vector<OptionSpec> all = pipeline_options();
    all.push_back({"draft_probs", Type::kChoice, 0, 0, "one_hot|values|rows", "\"one_hot\""});
    all.push_back({"layout", Type::kChoice, 0, 0, "flat|flat_with_bonus|padded"});
    all.push_back({"cu", Type::kChoice, 0, 0, "inclusive|leading_zero", "\"inclusive\""});
    all.push_back({"check", Type::kChoice, 0, 0, "all|read", "\"all\""});
    all.push_back({"boundary", Type::kReal, 0, 0.1, "", "1e-6"});
    all.push_back({"sum_tolerance", Type::kReal, 0, 0.1, "", "1e-5"});
    all.push_back({"threads", Type::kInt, 1, kMaxThreads, "", "1"});
    return all;
  }();
  return table;
}

LayoutRule layout_of(const Options& options, const Policy& policy) {
  if (options.given("layout")) return static_cast<LayoutRule>(1 + place_of(options.text("layout"), "flat|flat_with_bonus|padded"));
  return policy.known<LayoutRule>(PolicyRule::kLayout, "the option layout is not given");
}

VerifierSetup setup_of(std::string_view policy, const Options& options) {
  VerifierSetup setup;
  setup.policy = make_policy(policy, method_names());
  setup.method = &method_of(setup.policy);
  setup.shape.layout = layout_of(options, setup.policy);
  setup.shape.leading_zero = options.text("cu") == "leading_zero";
  setup.shape.draft_form = static_cast<DraftLaw::Form>(place_of(options.text("draft_probs"), "one_hot|values|rows"));
  setup.shape.noise_by_request = setup.policy.rule<NoiseUnit>(PolicyRule::kNoise) != NoiseUnit::kPosition;
  setup.shape.one_uniform = setup.policy.rule<Recovery>(PolicyRule::kRecovery) == Recovery::kInverseCdf;
  setup.logits = options.text("input") == "logits";
  setup.check_all = options.text("check") == "all";
  setup.fp32 = options.text("rounding") != "exact";
  setup.boundary = options.real("boundary");
  setup.sum_tolerance = options.real("sum_tolerance");
  if (setup.logits && setup.policy.sampler.empty()) fail(VAA_ERROR_OPTION, std::string(kWhat) + ": policy " + setup.policy.name + " has no sampler, and rows are logits: give it one, or \"input\": \"probs\"");
  return setup;
}

// The sampler of a policy that has none: which rows are greedy is all that is asked of it.
constexpr char kNoStages[] = R"({"name": "probs", "order": ["temperature"], "zero_temperature": "greedy"})";

}  // namespace

Verifier::Verifier(std::string_view policy, std::string_view options) : Verifier(policy, Options(options, option_table().data(), option_table().size(), kWhat)) {}

Verifier::Verifier(std::string_view policy, const Options& options)
    : setup_(setup_of(policy, options)), pipeline_(make_engine(setup_.policy.sampler.empty() ? kNoStages : setup_.policy.sampler, stage_names()), options, kWhat),
      workers_(static_cast<size_t>(options.integer("threads"))) {}

size_t Verifier::width_of(const DraftBatch& batch) {
  width_ = place_requests(batch, setup_.shape, *setup_.method, &places_);
  if (batch.noise.rows != 0) setup_.policy.known<NoiseUnit>(PolicyRule::kNoise, "noise is given");
  if (!batch.spans.empty() || !batch.history.empty()) {
    if (!setup_.logits) fail(VAA_ERROR_ARGUMENT, "history: is given, and rows are probabilities, which no penalty changes");
    check_history(batch.history, batch.spans, batch.target.rows, batch.target.columns);
  }
  return width_;
}

// Each thread has requests that follow one another, so the fault of the lowest thread is that of the first faulty request.
void Verifier::run(const DraftBatch& batch, const VerifiedRows& out) {
  const size_t requests = places_.size(), workers = std::min(workers_.size(), requests), columns = width_ + 1;
  const auto work = [&](int64_t w) {
    const size_t worker = static_cast<size_t>(w), end = requests * (worker + 1) / workers;
    for (size_t i = requests * worker / workers; i < end; ++i) {
      const DraftOutcome& result = workers_[worker].verify(setup_, pipeline_, batch, places_[i], i);
      out.accepted[i] = result.accepted;
      for (size_t column = 0; column < columns; ++column) {
        const StepPlace place = column < result.places.size() ? result.places[column] : StepPlace{};
        out.ids[i * columns + column] = place.id;
        out.reasons[i * columns + column] = place.reason;
        out.margins[i * columns + column] = place.margin;
      }
    }
  };
  parallel_for(static_cast<int>(workers), static_cast<int64_t>(workers), std::cref(work));  // a reference fits into std::function without memory of its own
}

}  // namespace vaa
