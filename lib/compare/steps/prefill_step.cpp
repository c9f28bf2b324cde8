// The first token of greedy answers and of a ladder's rungs: prefill alone, before any noise has gathered.
#include <algorithm>

#include "base/figures.h"
#include "compare/token_gates.h"
#include "stats/means.h"
#include "stats/distributions.h"

namespace vaa {
namespace {

ClusteredRate sure_rate(const ComparisonView& view, double tau) { return first_tokens(*view.tokens, std::max(tau, kSureSwing)).suspects; }

void say_kl(const FirstTokens& first, StepResult* step) {
  if (first.kl.size() < 2) return;
  const stats::Mean kl = stats::mean_clustered(first.kl, first.kl_questions);
  const double half = stats::normal_quantile(0.975) * kl.standard_error;
  const std::string value = fixed(kl.mean, 5) + " ± " + fixed(half, 5);
  step->section.lines.push_back({{"KL of the first token from below, by the lists: mean " + value + " nats (95 %, questions as clusters)", "由列表得到的首个词元 KL 下界：均值 " + value + " nat（95%，以题为簇）"}, "", "", "", "plain"});
}

StepResult run(const ComparisonView& view) {
  if (Both why = why_no_greedy(view); !why.en.empty()) return not_applicable(std::move(why));
  const TauChoice tau = choose_tau(*view.tokens, view.noise, view.margins.sigma_ratio);
  const FirstTokens first = first_tokens(*view.tokens, tau.value);
  if (first.other.n == 0) return not_applicable({"no first token is recorded on both sides", "两侧没有都记录首个词元"});
  const bool calibrated = calibrates(view.noise) && view.noise->first_other.n > 0;
  const int64_t without = first.of[static_cast<size_t>(PartKind::kNoEvidence)];
  StepResult step;
  // Ids alone: no swing tells a fault from a tie, so that the share of other tokens stands for it, which may grow with the noise that the margin allows.
  const bool ids_only = without > 0 && without == first.other.k;
  const double allowed = view.margins.suspect_share + (ids_only && calibrated ? (view.margins.sigma_ratio - 1) * static_cast<double>(view.noise->first_other.k) / static_cast<double>(view.noise->first_other.n) : 0);
  if (ids_only && calibrated) take_suspects(view, {first.other, first.other, {}, &view.noise->first_other}, allowed, &step);
  else take_suspects(view, {first.suspects, first.doubtful, sure_rate(view, tau.value), calibrated ? &view.noise->first_suspects : nullptr}, allowed, &step);
  step.n = first.other.n;
  step.n_unit = "first tokens";
  step.kind = "prefill_mismatch";
  const int64_t agree = first.other.n - first.other.k;
  const std::string agreed = grouped(agree) + " / " + grouped(first.other.n), excess = points(step.effect) + " [" + points(step.lower) + ", " + points(step.upper) + "]";
  const Both than = calibrated ? Both{", points above the reference against itself: ", "，比参考侧自身多（百分点）："} : Both{", points with a swing over " + fixed(std::max(tau.value, kSureSwing), 2) + " nats: ", "，摆动超过 " + fixed(std::max(tau.value, kSureSwing), 2) + " nat 的（百分点）："};
  step.words = {"first tokens agree in " + agreed + "; suspect " + rate_text(first.suspects) + than.en + excess, "首个词元一致 " + agreed + "；可疑 " + rate_text(first.suspects) + than.zh + excess};
  step.section.columns = {{"first tokens that differ", "不同的首个词元"}, {"count", "个数"}, {"share", "占比"}, {"95 %, exact", "95%，精确"}};
  step.section.right = {false, true, true, true};
  add_part_rows(first.of, &step.section);
  if (!ids_only) step.section.lines.push_back({tau_words(tau), "", "", "", "faint"});
  if (calibrated) step.section.lines.push_back({{"the reference against itself: other first tokens " + rate_text(view.noise->first_other) + ", suspect " + rate_text(view.noise->first_suspects), "参考侧与自身：首个词元不同 " + rate_text(view.noise->first_other) + "，可疑 " + rate_text(view.noise->first_suspects)}, "", "", "", "plain"});
  say_kl(first, &step);
  if (step.p_beyond < 0.05) step.symptom = "prefill_wrong";
  return step;
}

}  // namespace

extern const Step kPrefillStep;
const Step kPrefillStep = {"prefill", "tokens", true, {"First token of greedy answers: prefill alone", "贪心回答的首个词元：仅经预填充"}, run};

}  // namespace vaa
