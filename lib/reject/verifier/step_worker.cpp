#include "reject/verifier/step_worker.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "base/failure.h"
#include "base/figures.h"
#include "base/math.h"
#include "reject/verifier/row_passes.h"

namespace vaa {
namespace {

// Noise that no draw read.
void check_noise(std::span<const float> noise, Recovery rule, const std::string& where) {
  const double least = rule == Recovery::kGumbel ? -std::numeric_limits<double>::max() : 0, most = rule == Recovery::kInverseCdf ? 1 : std::numeric_limits<double>::max();
  const RowSum all = sum_row(noise.data(), noise.size());
  if (rule != Recovery::kInverseCdf && std::isfinite(all.sum) && all.least >= least) return;
  for (size_t i = 0; i < noise.size(); ++i) {
    const double one = static_cast<double>(noise[i]);
    if (!(one >= least && one <= most))
      fail(VAA_ERROR_ARGUMENT, where + "noise[" + std::to_string(i) + "]: is " + exact_number(one) + ", must be " + (rule == Recovery::kGumbel ? "finite" : rule == Recovery::kRace ? "at least 0 and finite" : "0 to 1"));
  }
}

}  // namespace

double entropy_of(const ValueRow& row, double shift) {
  double sum = 0;
  for (size_t i = 0; i < row.size; ++i)
    if (const double p = row.at(i); p > 0) sum -= p * math::log(p + shift);
  return sum;
}

bool StepWorker::is_greedy() const {
  const Params& params = params_;
  return params[Param::kGreedy] != 0 || resolve_temperature(pipeline_->engine(), params[Param::kTemperature], "row " + std::to_string(input_.request) + ": ").greedy;
}

void StepWorker::check_probs(const char* what, std::span<const float> values, size_t position) const {
  const RowSum all = sum_row(values.data(), values.size());
  if (std::fabs(all.sum - 1) <= setup_->sum_tolerance && all.least >= 0) return;
  for (size_t i = 0; i < values.size(); ++i)
    if (!(values[i] >= 0 && values[i] <= std::numeric_limits<float>::max())) fail(VAA_ERROR_ARGUMENT, input_.where(position) + what + " probability of id " + std::to_string(i) + " is " + exact_number(static_cast<double>(values[i])) + ", must be 0 to 1");
  fail(VAA_ERROR_ARGUMENT, input_.where(position) + "the " + what + " probabilities add up to " + exact_number(all.sum) + ", must be 1 within " + exact_number(setup_->sum_tolerance));
}

void StepWorker::check(size_t row) {
  if (setup_->shape.draft_form == DraftLaw::Form::kRow && row < place_.drafts) check_draft(row);
  if (setup_->logits || checked_[row]) return;
  checked_[row] = 1;
  check_probs("target", batch_->target.row(place_.row + row), row);
}

void StepWorker::check_draft(size_t draft) {
  if (draft_checked_[draft]) return;
  draft_checked_[draft] = 1;
  check_probs("draft", batch_->draft_probs.row(place_.draft + draft), draft);
}

void StepWorker::run_pipeline(size_t row) {
  const size_t at = place_.row + row;
  RowInput in;
  in.logits = batch_->target.row(at);
  in.number = static_cast<int64_t>(at);
  in.params = &params_;
  if (!batch_->spans.empty()) {
    const auto span = [&](size_t k) { return static_cast<size_t>(batch_->spans[3 * at + k]); };
    in.prompt = batch_->history.subspan(span(0), span(1) - span(0));
    in.output = batch_->history.subspan(span(1), span(2) - span(1));
  }
  pipeline_->run(in, Until::kDrawn, &row_);
  checked_[row] = 1;
  target_ = {};
  target_.greedy = row_.greedy;
  if (row_.greedy) target_.argmax = row_.id(0);
  if (!row_.cut) {
    target_.p = ValueRow(std::span<const double>(row_.weights.data(), row_.size), row_.total);
  } else {
    dense_.assign(row_.vocabulary, 0);
    for (size_t i = 0; i < row_.size; ++i) dense_[static_cast<size_t>(row_.ids[i])] = row_.weights[i];
    target_.p = ValueRow(std::span<const double>(dense_), row_.total);
  }
  if (!setup_->method->entropy) return;
  pipeline_->run(in, Until::kLoaded, &raw_);
  target_.entropy = entropy_of(ValueRow(std::span<const double>(raw_.weights.data(), raw_.size), raw_.total), setup_->policy.entropy_shift);
}

TargetRow StepWorker::target(size_t row) {
  if (made_ == static_cast<int64_t>(row)) return target_;
  if (!lazy_) check(row);
  made_ = static_cast<int64_t>(row);
  if (setup_->logits) {
    run_pipeline(row);
    return target_;
  }
  const std::span<const float> values = batch_->target.row(place_.row + row);
  target_ = {};
  target_.p = ValueRow(values);
  target_.greedy = greedy_;
  if (greedy_) target_.argmax = static_cast<int32_t>(std::max_element(values.begin(), values.end()) - values.begin());
  if (setup_->method->entropy) target_.entropy = entropy_of(target_.p, setup_->policy.entropy_shift);
  return target_;
}

DraftLaw StepWorker::draft(size_t draft) {
  DraftLaw law;
  law.form = setup_->shape.draft_form;
  if (law.form == DraftLaw::Form::kOneHot) return law;
  const std::span<const float> values = batch_->draft_probs.row(place_.draft + draft);
  if (law.form == DraftLaw::Form::kRow) {
    law.row = ValueRow(values);
    if (!lazy_) check_draft(draft);
    return law;
  }
  law.value = static_cast<double>(values[0]);
  if (!(law.value >= 0 && law.value <= 1)) fail(VAA_ERROR_ARGUMENT, input_.where(draft) + "draft probability is " + exact_number(law.value) + ", must be 0 to 1");
  return law;
}

std::span<const float> StepWorker::noise(size_t row) {
  if (batch_->noise.rows == 0) return {};
  noise_checked_[setup_->shape.noise_by_request ? 0 : row] = 1;  // by the draw that it is asked for
  return batch_->noise.row(setup_->shape.noise_by_request ? input_.request : place_.row + row);
}

// What no decision read.
void StepWorker::check_rest() {
  for (size_t row = 0; row < place_.rows; ++row) {
    const std::span<const float> values = batch_->target.row(place_.row + row);
    check(row);
    if (!setup_->logits || checked_[row]) continue;
    if (std::isfinite(max_row(values.data(), values.size()))) continue;
    raw_.load(values, false, static_cast<int64_t>(place_.row + row), Rounding::kExact);  // says which
  }
  for (size_t at = 0; setup_->shape.draft_form != DraftLaw::Form::kOneHot && at < place_.drafts; ++at) draft(at);
  for (size_t row = 0; batch_->noise.rows != 0 && row < (setup_->shape.noise_by_request ? 1 : place_.rows); ++row)
    if (!noise_checked_[row]) check_noise(noise(row), setup_->policy.rule<Recovery>(PolicyRule::kRecovery), "request " + std::to_string(input_.request) + ": ");
}

void StepWorker::begin(const VerifierSetup& setup, const Pipeline& pipeline, const DraftBatch& batch, const RequestPlace& place, size_t request) {
  setup_ = &setup;
  pipeline_ = &pipeline;
  batch_ = &batch;
  place_ = place;
  made_ = -1;
  checked_.assign(place.rows, 0);
  draft_checked_.assign(place.drafts, 0);
  noise_checked_.assign(std::max<size_t>(place.rows, 1), 0);
  places_.assign(place.drafts + 1, StepPlace{});
  result_ = {};
  result_.places = places_;
  input_ = {};
  input_.policy = &setup.policy;
  input_.rows = this;
  input_.scratch = &scratch_;
  input_.request = request;
  input_.boundary = setup.boundary;
  input_.fp32 = setup.fp32;
  input_.bonus_row = place.rows > place.drafts;
  input_.drafts = batch.drafts.subspan(place.draft, place.drafts);
  if (!batch.parents.empty()) input_.parents = batch.parents.subspan(place.draft, place.drafts);
  if (!batch.uniforms.empty()) input_.uniforms = batch.uniforms.subspan(place.uniform, setup.method->coins_of_rows ? place.rows : place.drafts);
  if (!batch.bonus.empty()) input_.bonus = batch.bonus[request];
  params_ = batch.params.rows == 0 ? pipeline.params() : pipeline.params_from(batch.params.row(batch.params.rows == 1 ? 0 : request), static_cast<int64_t>(request));
  greedy_ = is_greedy();
}

// What the method looks at and was not given.
void StepWorker::refuse_missing() const {
  if (place_.drafts == 0 || greedy_) return;
  if (setup_->method->uniforms && input_.uniforms.empty()) fail(VAA_ERROR_ARGUMENT, input_.where(0) + "uniforms: none are given, and the draft is tested with one");
  if (setup_->method->draws_always && batch_->noise.rows == 0) fail(VAA_ERROR_ARGUMENT, input_.where(0) + "noise: none is given, and method " + setup_->method->name + " draws at each position");
}

const DraftOutcome& StepWorker::verify(const VerifierSetup& setup, const Pipeline& pipeline, const DraftBatch& batch, const RequestPlace& place, size_t request) {
  begin(setup, pipeline, batch, place, request);
  refuse_missing();
  lazy_ = !setup.check_all && setup.method->odds && !setup.method->entropy && !greedy_;
  setup.method->run(input_, *setup.method, &result_);
  lazy_ = false;
  if (setup.check_all) check_rest();
  return result_;
}

}  // namespace vaa
