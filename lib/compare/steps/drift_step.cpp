// How far the distributions of the two sides are apart token by token, against how far the reference is from itself.
#include <algorithm>

#include "base/figures.h"
#include "base/math.h"
#include "compare/drift.h"
#include "compare/token_gates.h"

namespace vaa {
namespace {

// Fewer of the positions that there could be are a choice of those where nothing happened.
constexpr double kLeastSeen = 0.5;
// A model of more loss than this, or of fewer equal choices, is another one (anchors in docs/compare.md).
constexpr double kLargeKl = 0.01, kLeastTop = 0.97;
constexpr double kUsualStep = 0.125;  // of a bf16 logit in [16, 32)

double noise_mean(const NoiseProfile& noise, int64_t DriftCluster::*n, double DriftCluster::*sum) {
  double all = 0;
  int64_t count = 0;
  for (const DriftCluster& c : noise.drift) all += c.*sum, count += c.*n;
  return count > 0 ? all / static_cast<double>(count) : std::nan("");
}

std::string nats(double value) { return fixed(value, std::fabs(value) < 0.01 ? 6 : 4); }
std::string nats_range(const Effect& e) { return nats(e.lower) + " – " + nats(e.upper); }

struct DriftView {
  Drift drift;
  bool forced = false;
  ClusterMean kl, self;
  bool has_self = false;
  Effect effect;       // above the reference against itself; without it the mean
  Effect ratio;
  double rounding = 0;  // nats that rounding of the logits to bf16 alone may cost
};

// Four logits make a change of the gap, each rounded by a uniform half step either way: its variance is step^2 / 3.
double rounding_of(const TokenEvidence& evidence, const Drift& drift) {
  const double step = std::max(kUsualStep, logit_step(evidence)), gaps = static_cast<double>(drift.count(&QuestionDrift::gaps));
  return gaps > 0 ? drift.total(&QuestionDrift::flat) / gaps * step * step / 6 : 0;
}

DriftView look(const ComparisonView& view) {
  DriftView out;
  out.drift = drift_of(*view.tokens, DriftPart::kForced);
  out.forced = out.drift.any();
  if (!out.forced) out.drift = drift_of(*view.tokens, DriftPart::kOwn);
  out.kl = mean_kl(out.drift);
  if (drift_calibrates(view.noise)) out.self = mean_kl(*view.noise);
  out.has_self = out.self.clusters >= 2;
  out.rounding = rounding_of(*view.tokens, out.drift);
  out.effect = out.has_self ? difference_of(out.self, out.kl) : effect_of_mean(out.kl);
  if (out.has_self) out.ratio = ratio_of(out.self, out.kl);
  return out;
}

void add_row(const Both& name, const std::string& target, const std::string& interval, const std::string& self, StepResult* step) {
  step->section.rows.push_back({{name, percent_words(target), percent_words(interval), percent_words(self)}, "plain"});
}

void fill_table(const ComparisonView& view, DriftView* v, StepResult* step) {
  const Drift& d = v->drift;
  const NoiseProfile* noise = v->has_self ? view.noise : nullptr;
  const auto self = [&](double value) { return noise && !std::isnan(value) ? nats(value) : std::string("–"); };
  step->section.columns = {{"a token", "每词元"}, {"reference against target", "参考侧与目标侧"}, {"95 %, by question", "95%，按题聚类"}, {"reference against itself", "参考侧与自身"}};
  step->section.right = {false, true, true, true};
  const double kl_99 = quantile_in(&v->drift.kl, 0.99), kl_999 = quantile_in(&v->drift.kl, 0.999);
  const Effect mean = effect_of_mean(v->kl), absolute = effect_of_mean(d.mean_of(&QuestionDrift::n, &QuestionDrift::absolute)), k3 = effect_of_mean(d.mean_of(&QuestionDrift::n, &QuestionDrift::k3));
  add_row({"mean KL bound, nats", "平均 KL 下界，nat"}, nats(mean.value), nats_range(mean), self(v->self.mean), step);
  add_row({"its 99 % quantile", "其 99% 分位"}, nats(kl_99), "", self(noise ? noise->kl_99 : std::nan("")), step);
  add_row({"its 99.9 % quantile", "其 99.9% 分位"}, nats(kl_999), "", self(noise ? noise->kl_999 : std::nan("")), step);
  add_row({"mean |change of the logprob|, nats", "平均 |对数概率变化|，nat"}, nats(absolute.value), nats_range(absolute), self(noise ? noise_mean(*noise, &DriftCluster::n, &DriftCluster::absolute) : std::nan("")), step);
  const ClusterMean square = d.mean_of(&QuestionDrift::n, &QuestionDrift::dp_square);
  const double rms = std::sqrt(square.mean), rms_error = rms > 0 ? square.error / (2 * rms) : std::nan("");
  add_row({"RMS change of the probability", "概率变化的均方根"}, percent(rms), std::isnan(rms_error) ? "" : "± " + percent(1.96 * rms_error), "–", step);
  add_row({"k3 of the reference's tokens, nats", "参考侧词元的 k3，nat"}, nats(k3.value), nats_range(k3), "–", step);
  const int64_t choices = d.count(&QuestionDrift::choices), other = d.count(&QuestionDrift::other);
  const double share = choices > 0 ? 1 - static_cast<double>(other) / static_cast<double>(choices) : std::nan("");
  if (choices > 0) {
    std::vector<ClusterSum> same;
    for (const QuestionDrift& q : d.questions) same.push_back({static_cast<double>(q.choices), static_cast<double>(q.choices - q.other)});
    const Effect top = effect_of_mean(mean_of_clusters(same));
    int64_t lists = 0, differ = 0;
    if (noise) for (const DriftCluster& c : noise->drift) lists += c.lists, differ += c.other_top;
    add_row({"the same first token", "首选词元相同"}, percent(share), top.known() ? percent_range(top.lower, std::min(1.0, top.upper)) : "", lists > 0 ? percent(1 - static_cast<double>(differ) / static_cast<double>(lists)) : "–", step);
  }
  const auto lists = static_cast<double>(d.count(&QuestionDrift::lists));
  step->numbers.push_back({"drift", {{"questions", {static_cast<double>(v->kl.clusters)}}, {"positions", {lists}}, {"mean_kl", {v->kl.mean}}, {"mean_kl_error", {v->kl.error}}, {"kl_99", {kl_99}}, {"kl_999", {kl_999}}, {"kl_rest", {d.total(&QuestionDrift::rest) / lists}},
                                     {"mean_absolute", {absolute.value}}, {"rms_dp", {rms}}, {"k3", {k3.value}}, {"top_1", {share}}, {"self_mean_kl", {v->self.mean}}, {"self_mean_kl_error", {v->self.error}}, {"ratio", {math::exp(v->ratio.value)}},
                                     {"ratio_lower", {math::exp(v->ratio.lower)}}, {"ratio_upper", {math::exp(v->ratio.upper)}}, {"rounding_kl", {v->rounding}}}});
}

void say(StepResult* step, Both text, const char* tone) { step->section.lines.push_back({std::move(text), "", "", "", tone}); }

void say_limits(const ComparisonView& view, const DriftView& v, StepResult* step) {
  const Drift& d = v.drift;
  const std::string rest = percent(d.total(&QuestionDrift::rest) / static_cast<double>(d.count(&QuestionDrift::lists)));
  say(step, {"the bound is of the listed tokens: " + rest + " of the reference's probability lies outside the common ones, in the mean, and what it does is not seen", "下界只基于列出的词元：参考侧平均有 " + percent_words(rest).zh + " 的概率在共同词元之外，其变化不可见"}, "faint");
  if (const int64_t n = d.count(&QuestionDrift::unlisted); n > 0) say(step, {counted(n, "positions") + " where the target does not list the reference's token: not in the change of the logprob, RMS and k3", "有 " + grouped(n) + " 个位置目标侧未列出参考侧词元：不计入对数概率变化、均方根与 k3"}, "unsure");
  if (d.left_out > 0) say(step, {counted(d.left_out, "pairs") + " left out: their lists hold a NaN, or the logprobs are of different modes", "未计入 " + grouped(d.left_out) + " 对：列表含 NaN 或对数概率模式不同"}, "unsure");
  if (!v.forced) {
    const std::string seen = percent(static_cast<double>(d.seen) / static_cast<double>(d.possible));
    say(step, {"answers that went on by themselves: " + seen + " of the positions come before a divergence, those of answers that did not part: a sample that is too good where answers differ in how near they are to parting; prompt_logprobs of the reference's ids on both sides have them all", "自行续写的回答：" + percent_words(seen).zh + " 的位置在分开之前，来自没有分开的回答，样本偏好；两侧对参考侧 id 取 prompt_logprobs 才能得到全部位置"}, "unsure");
  } else if (v.has_self && view.noise->pairs > 0) {
    say(step, {"the reference against itself went on by itself too: its mean is of prefill and decode, these are of prefill alone", "参考侧与自身也含自行续写：其均值含预填充与解码，此处仅预填充"}, "unsure");
  }
  if (!v.has_self) say(step, {"without noise of the reference itself: rounding of bf16 logits alone may cost up to " + nats(v.rounding) + " nats here; what batches and order do comes on top", "没有参考侧自身的噪声可比：此处仅 bf16 logits 舍入就可能达 " + nats(v.rounding) + " nat；批次与次序的影响另计"}, "unsure");
}

// Both ways through the model, where both are there: a fault of one of them.
const char* path_symptom(const ComparisonView& view, const DriftView& v, double margin, StepResult* step) {
  const ClusterMean prefill = mean_kl(drift_of(*view.tokens, DriftPart::kPrefill)), decode = mean_kl(drift_of(*view.tokens, DriftPart::kDecode));
  if (prefill.clusters < 2 || decode.clusters < 2) return "";
  const double zero = v.has_self ? v.self.mean : v.rounding, error = v.has_self ? v.self.error : 0;
  const ClusterMean self{zero, error, v.self.tokens, std::max<int64_t>(2, v.self.clusters)};
  const Effect a = difference_of(self, prefill), b = difference_of(self, decode);
  add_row({"prefill alone: mean KL bound", "仅预填充：平均 KL 下界"}, nats(prefill.mean), nats_range(effect_of_mean(prefill)), "–", step);
  add_row({"decode alone: mean KL bound", "仅解码：平均 KL 下界"}, nats(decode.mean), nats_range(effect_of_mean(decode)), "–", step);
  if (a.upper < margin && b.lower > margin) return "decode_drifts";
  if (b.upper < margin && a.lower > margin) return "prefill_drifts";
  return "";
}

// Pairs of one seed that part, where the step of seeded answers cannot hold them against the reference itself: noise parts them seldom and another sampler always, and their distributions are the same either way.
struct KeyedPairs {
  int64_t parted = 0, all = 0;
};
KeyedPairs unjudged_pairs(const ComparisonView& view) {
  KeyedPairs out;
  if (view.noise && !view.noise->identical && !view.noise->seeded.exits.empty()) return out;
  const Divergences d = divergences_of(*view.tokens, Draws::kKeyed);
  out.all = static_cast<int64_t>(d.events.size());
  out.parted = std::count(d.events.begin(), d.events.end(), 1);
  return out;
}

void judge(const ComparisonView& view, const DriftView& v, StepResult* step) {
  const double margin = view.margins.mean_kl, limit = v.has_self ? margin : std::max(margin, kLargeKl);  // without A/A only what is another model fails
  const bool few = !v.forced && static_cast<double>(v.drift.seen) < kLeastSeen * static_cast<double>(v.drift.possible);
  const KeyedPairs keyed = v.forced ? KeyedPairs{} : unjudged_pairs(view);
  const bool drawn = keyed.parted > 0;
  take_effect(step, v.effect);
  step->unit = "nats";
  step->n_unit = "questions";
  step->margin = margin;
  step->inside = v.effect.upper < margin && !few && !drawn;
  step->better = v.has_self && v.effect.upper < 0 && !few;
  step->kind = "numeric_drift";
  step->p_beyond = p_above(v.effect, limit);
  if (!v.has_self) step->p = 1;  // nothing to differ from
  if (!v.has_self || few || drawn) step->detectable = std::nan("");
  if (const char* path = path_symptom(view, v, margin, step); path[0] != '\0') step->symptom = path;
  else if (v.effect.lower > limit) step->symptom = v.kl.mean > kLargeKl || 1 - static_cast<double>(v.drift.count(&QuestionDrift::other)) / static_cast<double>(std::max<int64_t>(1, v.drift.count(&QuestionDrift::choices))) < kLeastTop ? "drift_large" : "drift_small";
  if (step->inside || v.effect.lower > limit) return;
  if (few) {
    const std::string seen = grouped(v.drift.seen), possible = grouped(v.drift.possible);
    const double share = static_cast<double>(v.drift.seen) / static_cast<double>(v.drift.possible);
    step->open = {"too few survivors: " + seen + " of " + possible + " positions that could be compared (" + percent(share) + ") come before a divergence, " + percent(kLeastSeen) + " are needed to pass",
                  "留存过少：可比较的 " + possible + " 个位置中只有 " + seen + " 个（" + percent(share, true) + "）在分开之前，至少 " + percent(kLeastSeen, true) + " 才能判为通过"};
    step->needed = {"teacher forcing: prompt_logprobs of the reference's ids on both sides (vaa ask)", "教师强制：两侧对参考侧 id 取 prompt_logprobs（vaa ask）"};
  } else if (drawn && v.effect.upper < margin) {
    const std::string parted = grouped(keyed.parted) + " / " + grouped(keyed.all);
    step->open = {"sampled answers of one seed part in " + parted + ": the distributions are alike, and how often the reference parts from itself so is not known", "同一种子的采样回答有 " + parted + " 对分开：分布相近，但不知道参考侧与自身有多常如此分开"};
    step->needed = {"the reference run again with the same seeds in a way that varies it (--aa RUN); `vaa sampler` on either run: are its tokens drawn as was asked", "参考侧用相同种子、换一种会使其变化的方式再运行一次（--aa RUN）；对各次运行用 `vaa sampler` 检查采样是否符合请求"};
  } else if (!v.has_self) {
    const Both why = why_no_self(view.noise);
    step->open = {why.en + ": how much of it is its own noise is not known", why.zh + "：不知道其中多少是自身噪声"};
    step->needed = self_needed(view.noise);
  } else {
    const double times = (v.effect.upper - v.effect.lower) / 2 / margin;
    step->questions_needed = std::max<int64_t>(v.effect.n + 1, static_cast<int64_t>(std::ceil(static_cast<double>(v.effect.n) * times * times)));
    step->needed = {"about " + counted(step->questions_needed, "questions") + ", in the reference run again too, tell " + nats(margin) + " nats from none", "约 " + grouped(step->questions_needed) + " 道题（参考侧重跑也同样多）才能区分 " + nats(margin) + " nat 与没有差异"};
  }
}

StepResult run(const ComparisonView& view) {
  if (!view.tokens || (!view.tokens->any() && view.tokens->sampled == 0)) return not_applicable({"no token ids on both sides", "两侧没有都记录词元 id"});
  if (!view.tokens->any()) return not_applicable({"sampled answers without a common seed: no position stands after the same ids", "采样回答没有共同的种子：没有前文 id 相同的位置"});
  // A shorter list sees less of the distance: bounds from lists of unequal length are not held against each other.
  const int64_t a = view.tokens->reference.list_size, b = view.tokens->target.list_size, self = view.noise && !view.noise->identical ? view.noise->list_size : 0;
  if (a != b || (self > 0 && self != a)) {
    return not_applicable({"lists of logprobs differ in length (reference " + grouped(a) + ", target " + grouped(b) + (self > 0 ? ", the reference against itself " + grouped(self) : "") + "): ask all with the same top_logprobs",
                           "对数概率列表长度不同（参考侧 " + grouped(a) + "，目标侧 " + grouped(b) + (self > 0 ? "，参考侧与自身 " + grouped(self) : "") + "）：请用相同的 top_logprobs 询问"});
  }
  DriftView v = look(view);
  if (!v.effect.known()) return not_applicable({"fewer than two questions have lists of logprobs on both sides at the same positions", "两侧在相同位置都有对数概率列表的题不足两道"});
  StepResult step;
  fill_table(view, &v, &step);
  judge(view, v, &step);
  say_limits(view, v, &step);
  const std::string size = nats(v.effect.value), range = nats(v.effect.lower) + " to " + nats(v.effect.upper), zh_range = nats(v.effect.lower) + " 至 " + nats(v.effect.upper);
  const std::string positions = grouped(v.drift.count(&QuestionDrift::lists)), questions = counted(v.kl.clusters, "questions");
  const Both kind = v.forced ? Both{"teacher-forced positions", "个教师强制位置"} : Both{"positions up to the divergence", "个分开前的位置"};
  const Both against = v.has_self ? Both{" nats a token above the reference against itself", " nat（每词元，高于参考侧与自身）"} : Both{" nats a token, the reference against itself not known", " nat（每词元，参考侧与自身未知）"};
  step.words = {"mean KL bound " + size + against.en + " (95 % interval " + range + ") over " + positions + " " + kind.en + " of " + questions, "平均 KL 下界 " + size + against.zh + "（95% 区间 " + zh_range + "），共 " + grouped(v.kl.clusters) + " 道题的 " + positions + " " + kind.zh};
  if (v.ratio.known()) {
    const std::string ratio = ratio_text(math::exp(v.ratio.value)), low = ratio_text(math::exp(v.ratio.lower)), high = ratio_text(math::exp(v.ratio.upper));
    step.words.en += ", " + ratio + " times it (" + low + " to " + high + ")";
    step.words.zh += "，是其 " + ratio + " 倍（" + low + " 至 " + high + "）";
  }
  if (!step.open.en.empty()) {
    step.words.en += "; " + step.open.en;
    step.words.zh += "；" + step.open.zh;
  }
  return step;
}

}  // namespace

extern const Step kDriftStep;
const Step kDriftStep = {"drift", "tokens", true, {"Drift of the distributions", "分布漂移"}, run};

}  // namespace vaa
