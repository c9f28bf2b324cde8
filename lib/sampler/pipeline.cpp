#include "sampler/pipeline.h"

#include <algorithm>
#include <cmath>

#include "base/failure.h"

namespace vaa {
namespace {

using Type = OptionSpec::Type;

Rounding rounding_of(const std::string& name) { return name == "fp32" ? Rounding::kFp32 : name == "bf16" ? Rounding::kBf16 : Rounding::kExact; }

// The stages of an engine's order; those that look at ids stand before those that take candidates away.
std::vector<const Stage*> stages_of(const Engine& engine, std::string_view what) {
  std::vector<const Stage*> order;
  for (const std::string& name : engine.order) {
    for (const Stage& stage : stages()) {
      if (name != stage.name) continue;
      if (stage.by_id && !order.empty() && !order.back()->by_id) {
        fail(VAA_ERROR_OPTION, std::string(what) + ": engine " + engine.name + ": stage " + name + " stands behind " + order.back()->name + ", must stand before it");
      }
      order.push_back(&stage);
    }
  }
  return order;
}

}  // namespace

std::vector<OptionSpec> pipeline_options() {
  std::vector<OptionSpec> table = sampling_options();
  table.push_back({"rounding", Type::kChoice, 0, 0, "exact|fp32|bf16", "\"exact\""});
  table.push_back({"input", Type::kChoice, 0, 0, "logits|probs", "\"logits\""});
  return table;
}

Pipeline::Pipeline(const Engine& engine, const Options& options, std::string_view what) : engine_(engine), order_(stages_of(engine, what)) {
  params_ = params_of(options, engine_, what);
  lists_ = lists_of(options, engine_, what);
  rounding_ = rounding_of(options.text("rounding"));
  probs_ = options.text("input") == "probs";
}

Params Pipeline::params_from(std::span<const double> values, int64_t row) const {
  Params params = params_;
  for (size_t i = 0; i < values.size(); ++i) {
    if (std::isnan(values[i])) continue;
    params.values[i] = values[i];
    check_param(engine_, static_cast<Param>(i), values[i], VAA_ERROR_ARGUMENT, "row " + std::to_string(row) + ": ");
  }
  return params;
}

void Pipeline::apply_stages(const StageInput& input, LogitRow* row) const {
  bool settled = false;  // no id is looked at any more
  for (const Stage* stage : order_) {
    if (!stage->by_id && !settled) {
      row->drop_masked("what forbids tokens by id");
      settled = true;
    }
    stage->apply(input, row);
    if (row->greedy) return;  // what comes later keeps the likeliest
  }
  if (!settled) row->drop_masked("what forbids tokens by id");
}

void Pipeline::settle_greedy(Until until, LogitRow* row) const {
  const GreedyLogprobs rule = engine_.rule<GreedyLogprobs>(Rule::kGreedyLogprobs);
  if (until == Until::kReported && rule == GreedyLogprobs::kUnknown) fail_unknown(engine_, Rule::kGreedyLogprobs, row->where() + "a processed logprob of a greedy row is asked for");
  if (until == Until::kReported && rule == GreedyLogprobs::kBeforeArgmax) return;
  const auto begin = row->z.begin();
  const size_t best = static_cast<size_t>(std::max_element(begin, begin + static_cast<ptrdiff_t>(row->size)) - begin);
  row->keep_if([&](size_t i) { return i == best; });
}

void Pipeline::run(const RowInput& input, Until until, LogitRow* row) const {
  row->load(input.logits, probs_, input.number, rounding_);
  if (until == Until::kLoaded) return row->weigh();
  if (lists_.largest_id >= 0 && static_cast<size_t>(lists_.largest_id) >= row->vocabulary) {
    fail(VAA_ERROR_ARGUMENT, row->where() + lists_.largest_of + ": id " + std::to_string(lists_.largest_id) + " is outside the vocabulary of " + std::to_string(row->vocabulary));
  }
  apply_stages({engine_, input.params ? *input.params : params_, lists_, input.prompt, input.output}, row);
  if (row->greedy && until != Until::kWeighed) settle_greedy(until, row);
  row->share_anew();
  row->weigh();
  if (rounding_ != Rounding::kExact) row->keep_if([&](size_t i) { return row->weights[i] > 0; }, true);
}

}  // namespace vaa
