#include "sampler/pipeline.h"

#include <cmath>

#include "base/failure.h"
#include "base/parallel.h"

namespace vaa {
namespace {

using Type = OptionSpec::Type;

std::vector<OptionSpec> option_table() {
  std::vector<OptionSpec> table = sampling_options();
  table.push_back({"rounding", Type::kChoice, 0, 0, "exact|fp32|bf16", "\"exact\""});
  table.push_back({"input", Type::kChoice, 0, 0, "logits|probs", "\"logits\""});
  table.push_back({"threads", Type::kInt, 1, kMaxThreads, "", "1"});
  return table;
}

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

Pipeline::Pipeline(const Engine& engine, std::string_view options, std::string_view what) : engine_(engine), order_(stages_of(engine, what)) {
  const std::vector<OptionSpec> table = option_table();
  const Options given(options, table.data(), table.size(), what);
  params_ = params_of(given, engine_, what);
  lists_ = lists_of(given, engine_, what);
  rounding_ = rounding_of(given.text("rounding"));
  probs_ = given.text("input") == "probs";
  threads_ = static_cast<int>(given.integer("threads"));
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

void Pipeline::load(const RowInput& input, Row* row) const {
  row->load(input.logits, probs_, input.number, rounding_);
  row->weigh();
}

void Pipeline::run(const RowInput& input, Row* row) const {
  row->load(input.logits, probs_, input.number, rounding_);
  if (lists_.largest_id >= 0 && static_cast<size_t>(lists_.largest_id) >= row->vocabulary) {
    fail(VAA_ERROR_ARGUMENT, row->where() + lists_.largest_of + ": id " + std::to_string(lists_.largest_id) + " is outside the vocabulary of " + std::to_string(row->vocabulary));
  }
  const StageInput stage_input{engine_, input.params ? *input.params : params_, lists_, input.prompt, input.output};
  bool settled = false;  // no id is looked at any more
  for (const Stage* stage : order_) {
    if (!stage->by_id && !settled) {
      row->drop_masked("what forbids tokens by id");
      settled = true;
    }
    stage->apply(stage_input, row);
  }
  if (!settled) row->drop_masked("what forbids tokens by id");
  row->weigh();
  if (rounding_ != Rounding::kExact) row->keep_if([&](size_t i) { return row->weights[i] > 0; }, true);
}

}  // namespace vaa
