#include "compare/token_gates.h"

#include <algorithm>

#include "base/figures.h"
#include "base/math.h"
#include "stats/distributions.h"

namespace vaa {
namespace {

double finite_or_nan(double value) { return std::isfinite(value) ? value : std::nan(""); }

}  // namespace

Both why_no_greedy(const ComparisonView& view) {
  if (!view.tokens || !view.tokens->any()) {
    if (view.tokens && view.tokens->sampled > 0) return {"sampled answers: at a temperature above 0 two runs part by chance", "采样回答：温度大于 0 时两次运行会因随机而分开"};
    return {"no token ids on both sides", "两侧没有都记录词元 id"};
  }
  const auto usable = [](const TokenPair& p) { return p.greedy && p.kind != PairKind::kForced && p.prompt == PromptClass::kSame; };
  if (std::any_of(view.tokens->pairs.begin(), view.tokens->pairs.end(), usable)) return {};
  return {"no pair of greedy answers to the same prompt", "没有对同一提示词的贪心回答对"};
}

void take_ratio(StepResult* step, const Effect& effect, double margin) {
  take_effect(step, effect);
  step->unit = "ratio";
  step->n_unit = "questions";
  step->margin = margin;
  step->effect = finite_or_nan(math::exp(effect.value));
  step->lower = finite_or_nan(math::exp(effect.lower));
  step->upper = finite_or_nan(math::exp(effect.upper));
  step->detectable = math::exp(step->detectable);
  step->p_beyond = p_above(effect, math::log(margin));
  step->inside = effect.upper < math::log(margin);
  step->better = effect.upper < 0;
}

std::string ratio_text(double ratio) { return std::isfinite(ratio) ? fixed(ratio, ratio < 10 ? 2 : 0) : "∞"; }

Both ratio_words(const StepResult& step) {
  const std::string value = ratio_text(step.effect), low = std::isfinite(step.lower) ? ratio_text(step.lower) : "0", high = ratio_text(step.upper);
  return {value + " (95 % interval " + low + " to " + high + ")", value + " 倍（95% 区间 " + low + " 至 " + high + "）"};
}

void say_questions_needed(const Effect& effect, double margin, StepResult* step) {
  const double detectable = detectable_effect(effect), times = detectable / math::log(margin);
  if (step->inside || !(times > 1)) return;
  step->questions_needed = static_cast<int64_t>(std::ceil(static_cast<double>(effect.n) * times * times));
  const std::string n = grouped(step->questions_needed), ratio = fixed(margin, 2);
  step->needed = {"about " + counted(step->questions_needed, "questions") + ", in the reference run again too, tell a ratio of " + ratio + " from 1 in 80 % of comparisons", "约 " + n + " 道题（参考侧重跑也同样多）才能在 80% 的比较中区分比值 " + ratio + " 与 1"};
}

void take_suspects(const ComparisonView& view, const SuspectShare& share, double margin, StepResult* step) {
  if (share.self && share.self->n > 0) {
    const Effect effect = effect_of_rates(*share.self, share.suspects), most = effect_of_rates(*share.self, share.doubtful);
    take_effect(step, effect);
    step->margin = margin;
    step->p_beyond = std::max(p_above(effect, margin), effect.value > 0 ? effect.p : 1.0);
    step->inside = most.upper < margin;
    step->better = most.upper < 0;
    if (!step->inside) {
      const double times = (effect.upper - effect.lower) / 2 / margin;
      step->questions_needed = std::max<int64_t>(effect.n + 1, static_cast<int64_t>(std::ceil(static_cast<double>(effect.n) * times * times)));
      step->needed = {"about " + grouped(step->questions_needed) + " of them a side, in the reference run again too, tell an excess of " + points(margin) + " points from none", "每侧（参考侧重跑也同样）约 " + grouped(step->questions_needed) + " 个才能区分 " + points(margin) + " 个百分点的增加与没有增加"};
    }
  } else {
    const Effect effect = effect_of_share(share.sure);
    take_effect(step, effect);
    step->margin = kSureShare;
    step->detectable = std::nan("");
    step->p_beyond = step->p = p_above(effect, kSureShare);
    const Both why = why_no_self(view.noise);
    step->open = {why.en + ": how many of them are its own noise is not known", why.zh + "：不知道其中多少是自身噪声"};
    step->needed = self_needed(view.noise);
  }
  step->unit = "share";
}

Both tau_words(const TauChoice& tau) {
  const std::string value = fixed(tau.value, 3);
  const Both head = {"tau " + value + " nats: ", "tau " + value + " nat："};
  const Both seen = tau.step > 0 ? Both{"two steps of the logits, which are multiples of " + fixed(tau.step, 4), "logits 步长 " + fixed(tau.step, 4) + " 的两倍"}
                                 : Both{"two steps of a bf16 logit in [16, 32); no step is seen in the gaps", "[16, 32) 内 bf16 logit 步长的两倍；间隔中看不出步长"};
  Both why = seen;
  if (tau.source == TauSource::kSelf) why = {fixed(tau.times, 2) + " times, as the noise may be by the margin, what 99.9 % of the changes of the gap between the first two tokens stay below in the reference against itself", "参考侧与自身相比，前两个词元间隔的变化有 99.9% 小于某值，tau 为该值乘以界限允许的噪声倍数 " + fixed(tau.times, 2)};
  if (tau.source == TauSource::kSpread) why = {"4.9 robust standard deviations of the change of that gap over " + counted(tau.tokens, "tokens") + " that agree", "在 " + grouped(tau.tokens) + " 个一致的词元上，间隔变化的 4.9 倍稳健标准差"};
  return {head.en + why.en, head.zh + why.zh};
}

std::string rate_text(const ClusteredRate& rate) { return grouped(rate.k) + " / " + grouped(rate.n); }

void add_part_rows(const std::array<int64_t, kPartKinds>& of, Section* section) {
  static const Both kNames[kPartKinds] = {{"exact tie: the swing is 0", "完全并列：摆动为 0"}, {"near tie: at most tau", "近似并列：不超过 tau"}, {"suspect: above tau", "可疑：超过 tau"},
                                         {"undetermined: a token outside a list, a longer one is needed", "无法判定：词元在列表之外，需要更长的列表"}, {"no evidence: no usable list", "无证据：没有可用的列表"}};
  int64_t n = 0;
  for (const int64_t k : of) n += k;
  for (size_t i = 0; i < kPartKinds && n > 0; ++i) {
    const stats::Interval share = stats::clopper_pearson(of[i], n);
    const auto kind = static_cast<PartKind>(i);
    section->rows.push_back({{kNames[i], plain(grouped(of[i])), {percent(static_cast<double>(of[i]) / static_cast<double>(n)), percent(static_cast<double>(of[i]) / static_cast<double>(n), true)}, {percent_range(share.low, share.high), percent_range(share.low, share.high, true)}},
                             of[i] == 0 ? "faint" : kind == PartKind::kSuspect ? "bad" : kind == PartKind::kUndetermined || kind == PartKind::kNoEvidence ? "unsure" : "plain"});
  }
}

Both why_no_self(const NoiseProfile* noise) {
  return noise && noise->identical ? Both{"the reference run again differs in nothing, which measures nothing", "参考侧重跑完全相同，什么也没有测到"} : Both{"the reference was not held against itself", "没有参考侧与自身的比较"};
}
Both self_needed(const NoiseProfile* noise) {
  const Both vary = how_to_vary();
  return noise && noise->identical ? Both{"the reference run again under other conditions (--aa RUN); " + vary.en, "换条件再运行一次参考侧（--aa RUN）；" + vary.zh} : Both{"the reference run again in a way that varies it (--aa RUN): " + vary.en, "参考侧换一种会使其变化的方式再运行一次（--aa RUN）：" + vary.zh};
}

Both how_to_vary() {
  return {"vary what rounds otherwise: batch size 1 against many, the order of the requests shuffled, another tensor parallel degree", "改变会影响舍入的条件：批大小 1 与多个、打乱请求次序、改变张量并行度"};
}

}  // namespace vaa
