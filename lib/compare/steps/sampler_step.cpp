// Does the target's sampler draw what was asked as the reference's does? Each side by its own logprobs, so that logits may differ: what is held here is what comes after them.
#include <algorithm>

#include "base/figures.h"
#include "compare/step.h"
#include "sampler/calibration/calibration_difference.h"

namespace vaa {
namespace {

using sampler::CheckDifference;

bool passes(const sampler::JudgedCheck& judged) { return std::string_view(judged.status) == "pass"; }
bool fails(const sampler::JudgedCheck& judged) { return std::string_view(judged.status) == "fail"; }

// Why there is nothing to hold against each other.
Both why_nothing(const ComparisonView& view) {
  const auto listed = [](const sampler::Calibration* side) { return side && std::any_of(side->groups().begin(), side->groups().end(), [](const auto& group) { return group->shape.lists > 0; }); };
  if (!listed(view.reference_draws) || !listed(view.target_draws)) return {"no lists of logprobs on both sides: how tokens are drawn cannot be seen", "两侧没有都记录对数概率列表：无法检查抽样"};
  return {"the sides were not asked alike, or their logprobs are of a kind that is not known", "两侧的采样参数不同，或对数概率的类型未知"};
}

Both said(const sampler::JudgedCheck& judged) {
  if (!fails(judged)) return judged.result.words;
  const Both kind = sampler::calibration_kind(judged.result.kind);
  return {kind.en + ": " + judged.result.words.en, kind.zh + "：" + judged.result.words.zh};
}

std::string data_of(const std::vector<CheckDifference>& differences) {
  std::string out;
  JsonWriter json(&out);
  json.begin_object().key("checks").begin_array();
  for (const CheckDifference& d : differences) {
    json.begin_object().member("name", d.target.check->name);
    for (const auto& [name, side] : {std::pair{"reference", &d.reference}, {"target", &d.target}}) {
      json.key(name).begin_object().member("status", side->status).key("kind");
      fails(*side) ? json.string(side->result.kind) : json.null();
      json.member("effect", side->result.effect).key("interval").begin_array().real(side->result.lower).real(side->result.upper).end_array().member("n", side->result.n).end_object();
    }
    json.member("p", d.p).end_object();
  }
  json.end_array().end_object();
  return out;
}

void show(const std::vector<CheckDifference>& differences, Section* section) {
  section->columns = {{"check", "检查"}, {"reference", "参考"}, {"target", "目标"}};
  section->right = {false, false, false};
  for (const CheckDifference& d : differences) section->rows.push_back({{d.target.check->title, said(d.reference), said(d.target)}, fails(d.target) ? "bad" : passes(d.target) ? "plain" : "unsure"});
}

// What would settle the target's open checks.
void say_needed(const std::vector<CheckDifference>& differences, StepResult* step) {
  int64_t most = 0;
  for (const CheckDifference& d : differences) {
    if (!passes(d.target) && d.target.result.n_needed > most) most = d.target.result.n_needed;
  }
  if (most > 0) step->needed = {"about " + counted(most, "more tokens") + " with lists of logprobs in the target", "目标侧再有约 " + grouped(most) + " 个带对数概率列表的词元"};
}

StepResult run(const ComparisonView& view) {
  if (!view.reference_draws || !view.target_draws) return not_applicable(why_nothing(view));
  const std::vector<CheckDifference> differences = calibration_differences(*view.reference_draws, *view.target_draws);
  if (differences.empty()) return not_applicable(why_nothing(view));
  StepResult step;
  step.applies = true;
  step.n = static_cast<int64_t>(differences.size());
  step.n_unit = "checks";
  step.kind = step.symptom = "sampler_mismatch";
  step.p = step.p_beyond = 1;
  step.inside = true;
  const CheckDifference *worst = nullptr, *mended = nullptr;
  int64_t alike = 0, open = 0;
  for (const CheckDifference& d : differences) {
    const double p = d.p_beyond(differences.size());
    if (p < step.p_beyond) step.p_beyond = p, worst = &d;
    step.p = std::min(step.p, static_cast<double>(differences.size()) * d.p);
    step.inside = step.inside && passes(d.target);
    alike += fails(d.reference) && fails(d.target), open += !passes(d.target) && !fails(d.target);
    if (fails(d.reference) && passes(d.target)) mended = &d;
  }
  step.better = step.inside && mended;
  show(differences, &step.section);
  step.data = data_of(differences);
  say_needed(differences, &step);
  if (worst && step.p_beyond < 0.05) {
    const Both target = said(worst->target), reference = worst->reference.result.words;
    step.words = {"in the target alone, " + target.en + "; the reference: " + reference.en, "仅目标侧：" + target.zh + "；参考侧：" + reference.zh};
  } else if (step.better) {
    const Both reference = said(mended->reference);
    step.words = {"the target draws what was asked, the reference does not: " + reference.en, "目标侧按请求抽样，参考侧没有：" + reference.zh};
  } else if (step.inside) {
    step.words = {"tokens of the target are drawn as its logprobs and the request say", "目标侧的词元按其对数概率与请求抽取"};
  } else if (alike > 0) {
    step.words = {"the reference is off in the same way: vaa sampler says how", "参考侧也有同样的偏差：vaa sampler 会说明"};
  } else {
    step.words = {"nothing is off in the target alone; " + counted(open, "checks") + " cannot be decided yet", "没有仅在目标侧出现的偏差；" + grouped(open) + " 项检查尚无定论"};
  }
  step.open = step.words;
  return step;
}

}  // namespace

extern const Step kSamplerStep;
const Step kSamplerStep = {"sampler", "facts", true, {"How tokens are drawn", "词元的抽取"}, run};

}  // namespace vaa
