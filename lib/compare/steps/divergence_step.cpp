// Where greedy answers part: near ties, which noise decides, or swings that no rounding makes.
#include <algorithm>

#include "base/figures.h"
#include "compare/token_gates.h"

namespace vaa {
namespace {

void say_self(const ComparisonView& view, StepResult* step) {
  if (calibrates(view.noise)) {
    step->section.lines.push_back({{"the reference against itself: suspect " + rate_text(view.noise->suspects) + " of the first divergences with a swing", "参考侧与自身：有摆动的首次分歧中可疑 " + rate_text(view.noise->suspects)}, "", "", "", "plain"});
    return;
  }
  const Both why = view.noise ? Both{"the reference run again is identical, which measures nothing: ", "参考侧重跑完全相同，什么也没有测到："} : Both{"the reference was not run again: ", "参考侧没有重跑："};
  const std::string least = fixed(kSureSwing, 0), share = percent(kSureShare), share_zh = percent(kSureShare, true);
  step->section.lines.push_back({{why.en + "this fails only where over " + share + " of the first divergences have for certain a swing above tau and " + least + " nat, and never passes", why.zh + "仅当确定有超过 " + share_zh + " 的首次分歧摆动超过 tau 且超过 " + least + " nat 时才判为不通过，且不会判为通过"}, "", "", "", "unsure"});
}

StepResult run(const ComparisonView& view) {
  if (Both why = why_no_greedy(view); !why.en.empty()) return not_applicable(std::move(why));
  const TauChoice tau = choose_tau(*view.tokens, view.noise, view.margins.sigma_ratio);
  const PartCounts counts = count_parts(*view.tokens, tau.value);
  if (counts.all == 0) return not_applicable({"no greedy answers part", "没有贪心回答分开"});
  StepResult step;
  if (counts.suspects.n == 0) {
    step.applies = true;
    step.words = {grouped(counts.all) + " answers part, and none has usable lists of logprobs there: near ties and faults look alike", grouped(counts.all) + " 个回答分开，但分歧处都没有可用的对数概率列表：近似并列与故障无法区分"};
    step.needed = {"logprobs with the 20 likeliest tokens on both sides", "两侧记录概率最高的 20 个词元的对数概率"};
  } else {
    const bool calibrated = calibrates(view.noise) && view.noise->suspects.n > 0;
    take_suspects(view, {counts.suspects, counts.doubtful, count_parts(*view.tokens, std::max(tau.value, kSureSwing)).suspects, calibrated ? &view.noise->suspects : nullptr}, view.margins.suspect_share, &step);
    const std::string excess = points(step.effect) + " [" + points(step.lower) + ", " + points(step.upper) + "]";
    const Both than = calibrated ? Both{", points above the reference against itself: ", "，比参考侧自身多（百分点）："} : Both{", points with a swing over " + fixed(std::max(tau.value, kSureSwing), 2) + " nats: ", "，摆动超过 " + fixed(std::max(tau.value, kSureSwing), 2) + " nat 的（百分点）："};
    step.words = {"suspect first divergences " + rate_text(counts.suspects) + than.en + excess, "可疑的首次分歧 " + rate_text(counts.suspects) + than.zh + excess};
    if (step.p_beyond < 0.05) step.symptom = "large_swings";
  }
  step.n = counts.suspects.n;
  step.n_unit = "first divergences";
  step.section.columns = {{"first divergences", "首次分歧"}, {"count", "个数"}, {"share", "占比"}, {"95 %, exact", "95%，精确"}};
  step.section.right = {false, true, true, true};
  add_part_rows(counts.of, &step.section);
  step.section.lines.push_back({tau_words(tau), "", "", "", "faint"});
  say_self(view, &step);
  NumberTable numbers{"first_divergences", {{"exact_tie", {}}, {"near_tie", {}}, {"suspect", {}}, {"undetermined", {}}, {"no_evidence", {}}, {"tau", {}}}};
  for (size_t i = 0; i < kPartKinds; ++i) numbers.columns[i].second.push_back(static_cast<double>(counts.of[i]));
  numbers.columns[kPartKinds].second.push_back(tau.value);
  step.numbers.push_back(std::move(numbers));
  return step;
}

}  // namespace

extern const Step kDivergenceStep;
const Step kDivergenceStep = {"first_divergence", "tokens", true, {"Where greedy answers part", "贪心回答从哪里分开"}, run};

}  // namespace vaa
