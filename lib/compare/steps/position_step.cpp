// Whether the noise of tokens is larger from a position on, the prompt counted in, than at the positions before it.
#include <algorithm>
#include <array>
#include <limits>

#include "base/figures.h"
#include "base/math.h"
#include "base/shell_word.h"
#include "compare/drift.h"
#include "compare/onset_cause.h"
#include "compare/position_drift.h"
#include "compare/prefill_paths.h"
#include "compare/token_gates.h"
#include "stats/multiplicity.h"

namespace vaa {
namespace {

// Without the reference against itself its own growth with the position is not known: the largest margin that gates.
constexpr double kAloneRatio = 2;

// The positions of one way through the model.
struct Path {
  Both name;
  int64_t pairs = 0, tokens = 0, lowest = -1, highest = -1;
};
std::array<Path, 3> paths_of(const TokenEvidence& evidence) {
  std::array<Path, 3> out{{{{"answers that went on by themselves: prefill of the prompt, then decode", "自行续写的回答：提示词为预填充，其后为解码"}},
                           {{"ladder rungs: the first token is prefill of that many ids, the others decode", "阶梯：首个词元为相应长度的预填充，其余为解码"}},
                           {{"teacher forced: prefill alone, decode was not exercised", "教师强制：仅预填充，未经过解码"}}}};
  for (const TokenPair& pair : evidence.pairs) {
    if (!has_positions(pair)) continue;
    Path& path = out[static_cast<size_t>(pair.kind)];
    path.pairs += 1;
    path.tokens += pair.rows;
    path.lowest = path.lowest < 0 ? pair.start : std::min(path.lowest, pair.start);
    path.highest = std::max(path.highest, pair.start + pair.rows - 1);
  }
  return out;
}

void say(StepResult* step, Both text, const char* tone, std::string command = "") { step->section.lines.push_back({std::move(text), "", std::move(command), "", tone}); }

std::string range_text(int64_t from, int64_t to) { return grouped(from) + " – " + grouped(to); }
std::pair<int64_t, int64_t> range_of(const PositionDrift& drift, const BucketCall& call) {
  const int64_t first = call.bucket == 0 ? 0 : int64_t{1} << call.bucket, last = call.bucket + 1 == kPositionBuckets ? drift.highest : (int64_t{2} << call.bucket) - 1;
  return {std::max(first, drift.lowest), std::min(last, drift.highest)};
}

std::string ratio_or_dash(double log) { return std::isfinite(log) ? ratio_text(math::exp(log)) : "–"; }

void fill_table(const PositionDrift& drift, StepResult* step) {
  step->section.columns = {{"position", "位置"}, {"questions", "题"}, {"tokens", "词元"}, {"flips", "翻转"}, {"expected", "预计"}, {"Z", "Z"}, {"p, by Holm", "p（Holm）"}, {"mean |change of gap|, nats", "平均 |间隔变化|，nat"}, {"mean KL bound, nats", "平均 KL 下界，nat"}, {"noise over that before it", "噪声与之前之比"}, {"95 %", "95%"}};
  step->section.right = {false, true, true, true, true, true, true, true, true, true, true};
  NumberTable table{"positions", {{"from", {}}, {"to", {}}, {"questions", {}}, {"tokens", {}}, {"flips", {}}, {"expected", {}}, {"variance", {}}, {"z", {}}, {"p", {}}, {"p_adjusted", {}}, {"mean_change", {}}, {"change_error", {}}, {"mean_kl", {}}, {"kl_error", {}}, {"ratio", {}}, {"ratio_lower", {}}, {"ratio_upper", {}}, {"p_beyond", {}}, {"by_change", {}}}};
  for (const BucketCall& call : drift.buckets) {
    const auto [from, to] = range_of(drift, call);
    const bool known = call.sum.variance > 0, called = call.ratio.known();
    const Both p = known ? p_words(call.adjusted) : plain("–");
    step->section.rows.push_back({{plain(range_text(from, to)), plain(grouped(call.questions)), plain(grouped(call.sum.n)), plain(grouped(call.sum.flips)), plain(known ? fixed(call.sum.expected, 1) : "–"), plain(known ? fixed(call.z, 1) : "–"), p,
                                   plain(fixed(call.change.mean, 4)), plain(fixed(call.kl.mean, 6)), plain(called ? ratio_text(math::exp(call.ratio.value)) : "–"), plain(called ? ratio_or_dash(call.ratio.lower) + " – " + ratio_or_dash(call.ratio.upper) : "–")},
                                  called && call.p_beyond < 0.05 ? "bad" : called ? "plain" : "faint"});
    const double none = std::nan("");
    const double values[] = {static_cast<double>(from), static_cast<double>(to), static_cast<double>(call.questions), static_cast<double>(call.sum.n), static_cast<double>(call.sum.flips), known ? call.sum.expected : none, known ? call.sum.variance : none,
                             known ? call.z : none, known ? call.p : none, known ? call.adjusted : none, call.change.mean, call.change.error, call.kl.mean, call.kl.error,
                             math::exp(call.ratio.value), math::exp(call.ratio.lower), math::exp(call.ratio.upper), called ? call.p_beyond : none, call.by_size ? 1.0 : 0.0};
    for (size_t i = 0; i < table.columns.size(); ++i) table.columns[i].second.push_back(values[i]);
  }
  step->numbers.push_back(std::move(table));
}

// Powers of two beyond the positions that were compared, up to where the longest answer ends.
void say_reach(const ComparisonView& view, const PositionDrift& drift, StepResult* step) {
  int64_t reach = -1, longest = 0;
  for (const BucketCall& call : drift.buckets) {
    if (call.questions >= kLeastCalled) reach = std::max(reach, range_of(drift, call).second);
  }
  for (const TokenPair& pair : view.tokens->pairs) {
    if (pair.prompt == PromptClass::kSame && pair.start >= 0) longest = std::max(longest, pair.start + std::min(pair.reference_tokens, pair.target_tokens));
  }
  std::string at;
  for (int64_t n = 1024; n < longest; n *= 2) {
    if (n > reach) at += (at.empty() ? "" : ",") + std::to_string(n / 1024) + "K";
  }
  const std::string least = std::to_string(kLeastCalled), n = grouped(std::max<int64_t>(0, reach));
  Both text = reach < 0 ? Both{"no positions have " + least + " questions", "没有任何位置达到 " + least + " 道题"} : Both{"no pair of " + least + " questions reaches beyond position " + n + ": what begins later is not seen", "位置 " + n + " 之后不足 " + least + " 道题：更晚开始的问题看不到"};
  const Both more = at.empty() ? Both{"; longer prompts, prompt_logprobs of long texts, or a ladder over them reach further", "；更长的提示词、长文本的 prompt_logprobs 或对其做阶梯可以到达更远"} : Both{"; a ladder reaches further", "；阶梯可以到达更远"};
  say(step, {text.en + more.en, text.zh + more.zh}, "unsure", at.empty() ? "" : "vaa ladder " + shell_word(view.reference.path) + " --at " + at + " --url REFERENCE --url TARGET --out ladder.jsonl");
}

void say_paths(const ComparisonView& view, const PositionDrift& drift, StepResult* step) {
  for (const Path& path : paths_of(*view.tokens)) {
    if (path.pairs == 0) continue;
    const std::string pairs = counted(path.pairs, "pairs"), range = range_text(path.lowest, path.highest);
    say(step, {path.name.en + "; " + pairs + ", positions " + range, path.name.zh + "；" + grouped(path.pairs) + " 对，位置 " + range}, "faint");
  }
  const std::vector<SectionLine> ways = prefill_path_lines(view);
  step->section.lines.insert(step->section.lines.end(), ways.begin(), ways.end());
  if (drift.left_out > 0) say(step, {counted(drift.left_out, "pairs") + " left out: their prompt ids are not recorded, so their positions are not known", "未计入 " + grouped(drift.left_out) + " 对：没有记录提示词 id，位置未知"}, "unsure");
}

void say_scale(const PositionDrift& drift, bool self, StepResult* step) {
  const std::string sigma = fixed(drift.scale.sigma, 4);
  if (drift.scale.self) say(step, {"expected flips are of the reference's own sigma, " + sigma + " nats; Z is normal, p Poisson's where the variance is below 5", "预计翻转采用参考侧自身的 sigma，" + sigma + " nat；方差低于 5 时 p 用泊松分布"}, "faint");
  else if (drift.scale.sigma > 0) say(step, {"expected flips are of the sigma of these pairs over all positions, " + sigma + " nats: Z says where they are, not how many", "预计翻转采用这些配对在全部位置上的 sigma，" + sigma + " nat：Z 只说明分布在哪里"}, "faint");
  if (!self) say(step, {"without the reference against itself its own growth with the position is not known: the margin is " + fixed(kAloneRatio, 2) + " at least, and nothing passes", "没有参考侧与自身的比较，不知其噪声随位置的增长：界限至少为 " + fixed(kAloneRatio, 2) + "，且不判通过"}, "unsure");
}

void say_growth(const ComparisonView& view, StepResult* step) {
  const Effect rho = growth_within(*view.tokens);
  if (!rho.known()) return;
  const std::string text = fixed(rho.value, 3) + " (95 % " + fixed(rho.lower, 3) + " to " + fixed(rho.upper, 3) + ")", zh = fixed(rho.value, 3) + "（95% " + fixed(rho.lower, 3) + " 至 " + fixed(rho.upper, 3) + "）";
  say(step, {"Spearman's correlation of |change of the gap| with the position, the mean of " + counted(rho.n, "questions") + ": " + text, "|间隔变化| 与位置的 Spearman 相关，" + grouped(rho.n) + " 道题的均值：" + zh}, "plain");
  step->numbers.push_back({"growth", {{"questions", {static_cast<double>(rho.n)}}, {"rho", {rho.value}}, {"lower", {rho.lower}}, {"upper", {rho.upper}}, {"p", {rho.p}}}});
}

// Where it begins, once it is shown that it does.
void say_onset(const ComparisonView& view, StepResult* step) {
  const Onset onset = drift_onset(*view.tokens);
  const stats::ChangePoint& point = onset.point;
  step->symptom = "steps_at_position";
  if (!point.found) {
    say(step, {"where it begins needs lists of the likeliest tokens on both sides", "确定起始位置需要两侧都列出最可能的词元"}, "unsure");
    return;
  }
  if (!(point.after > point.before)) {
    say(step, {"no single position from which on it is larger", "没有单一的起始位置"}, "unsure");
    return;
  }
  const std::string lo = grouped(point.lo + 1), hi = grouped(point.hi);
  const Both where = point.lo + 1 == point.hi ? plain(hi) : Both{lo + " to " + hi + " (95 %)", lo + " 至 " + hi + "（95%）"};
  step->words.en += "; it begins at position " + where.en;
  step->words.zh += "；始于位置 " + where.zh;
  step->numbers.push_back({"onset", {{"at", {static_cast<double>(point.at)}}, {"after", {static_cast<double>(point.lo)}}, {"up_to", {static_cast<double>(point.hi)}}, {"mean_before", {point.before}}, {"mean_after", {point.after}}, {"design", {onset.design}}, {"grows", {onset.grows ? 1.0 : 0.0}}}});
  if (onset.grows) {
    step->symptom = "grows_with_position";
    say(step, {"a straight line over the logarithm of the position fits better than a step: it grows slowly, and the onset is where it is seen first", "对位置的对数呈直线比台阶更吻合：缓慢增长，起点只是首次可见之处"}, "plain");
    return;
  }
  const OnsetCause cause = onset_cause(view, point.lo, point.hi);
  if (cause.block) step->symptom = "steps_at_block";
  if (cause.words.en.empty()) return;
  step->words.en += "; " + cause.words.en;
  step->words.zh += "；" + cause.words.zh;
}

void judge(const PositionDrift& drift, bool self, double margin, StepResult* step) {
  const BucketCall& worst = drift.buckets[drift.worst];
  take_ratio(step, worst.ratio, margin);
  std::vector<double> p;
  double upper = -std::numeric_limits<double>::infinity();
  step->detectable = 0;
  for (const BucketCall& call : drift.buckets) {
    if (!call.ratio.known()) continue;
    p.push_back(call.ratio.p);
    upper = std::max(upper, call.ratio.upper);
    step->detectable = std::max(step->detectable, math::exp(detectable_effect(call.ratio)));
  }
  const std::vector<double> held = stats::holm(p);
  step->p = *std::min_element(held.begin(), held.end());
  step->p_beyond = drift.p_beyond;
  step->inside = self && upper < math::log(margin);
  step->better = false;
  if (!self) step->detectable = std::nan("");
  say_questions_needed(worst.ratio, margin, step);
  if (!self && step->p_beyond >= 0.05) step->needed = {"--aa RUN: the reference once more, at the same positions", "--aa RUN：参考侧在相同位置再运行一次"};
  const auto [from, to] = range_of(drift, worst);
  const Both size = ratio_words(*step);
  step->words = {"at positions " + range_text(from, to) + " token noise is " + size.en + " times that at other positions of these pairs, " + p_words(step->p).en, "位置 " + range_text(from, to) + " 的词元噪声为这些配对其他位置的 " + size.zh + "，" + p_words(step->p).zh};
}

StepResult run(const ComparisonView& view) {
  if (!view.tokens || !view.tokens->any()) return why_no_greedy(view).en.empty() ? not_applicable({"no token ids on both sides", "两侧没有都记录词元 id"}) : not_applicable(why_no_greedy(view));
  const bool self = drift_calibrates(view.noise);
  const double margin = self ? view.margins.sigma_ratio : std::max(kAloneRatio, view.margins.sigma_ratio);
  const PositionDrift drift = position_drift(*view.tokens, view.noise, margin);
  if (drift.pairs == 0 && drift.left_out > 0) return not_applicable({"prompt ids are not recorded, so no absolute position is known", "没有记录提示词 id，绝对位置未知"});
  if (drift.pairs == 0) return not_applicable({"no greedy or teacher-forced pair with usable logprobs", "没有带可用对数概率的贪心或教师强制配对"});
  if (drift.buckets.empty()) return not_applicable({"the reference lists no likeliest tokens: nothing tells how near a flip was", "参考侧没有列出最可能的词元：无法知道离翻转多近"});
  StepResult step;
  if (drift.called) {
    judge(drift, self, margin, &step);
    if (step.p_beyond < 0.05) {
      step.kind = "position_dependent_drift";
      say_onset(view, &step);
    }
  } else {
    const std::string range = range_text(drift.lowest, drift.highest), least = std::to_string(kLeastCalled), tokens = std::to_string(kLeastTokens);
    step.applies = true;
    step.n = drift.pairs;
    step.n_unit = "pairs";
    step.words = {"positions " + range + " alone: no two powers of two have " + least + " questions and " + tokens + " tokens each with noise to compare", "只有位置 " + range + "：没有两个二次幂区间各有 " + least + " 道题且 " + tokens + " 个词元的噪声可比"};
    step.needed = {"prompts of several lengths, a ladder, or prompt_logprobs of long texts", "多种长度的提示词、阶梯，或长文本的 prompt_logprobs"};
  }
  fill_table(drift, &step);
  say_paths(view, drift, &step);
  say_scale(drift, self, &step);
  say_growth(view, &step);
  say_reach(view, drift, &step);
  return step;
}

}  // namespace

extern const Step kPositionStep;
const Step kPositionStep = {"position", "tokens", true, {"Noise by position", "随位置变化的噪声"}, run};

}  // namespace vaa
