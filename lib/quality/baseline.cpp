#include "quality/baseline.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/figures.h"
#include "quality/excerpt.h"
#include "quality/rates.h"

namespace vaa {
namespace {

constexpr int64_t kMostNeeded = 10'000'000;

// Two runs' counts of one thing. Paired: a table of pairs.
struct Counts {
  int64_t k = 0, n = 0, base_k = 0, base_n = 0;
  bool paired = false;
  int64_t both = 0, only_run = 0, only_base = 0;
  int64_t neither() const { return n - both - only_run - only_base; }
  double effect() const { return static_cast<double>(k) / static_cast<double>(n) - static_cast<double>(base_k) / static_cast<double>(base_n); }
  double p_more() const { return paired ? mcnemar_more(only_run, only_base) : fisher_more(k, n, base_k, base_n); }
  Interval interval() const { return paired ? paired_difference_interval(both, only_run, only_base, neither()) : difference_interval(k, n, base_k, base_n); }
  // The same rates in `samples` of this run.
  Counts scaled(int64_t samples) const {
    const double factor = static_cast<double>(samples) / static_cast<double>(n);
    const auto times = [&](int64_t count) { return static_cast<int64_t>(std::llround(static_cast<double>(count) * factor)); };
    Counts out = *this;
    out.n = samples;
    out.both = times(both);
    out.only_run = times(only_run);
    out.only_base = times(only_base);
    out.k = paired ? out.both + out.only_run : std::min(times(k), samples);
    if (paired) {
      out.base_n = samples;
      out.base_k = out.both + out.only_base;
    }
    return out;
  }
  bool decided(double margin) const { return p_more() < kLevel || interval().upper <= margin; }
};

// Samples of this run that would decide at the rates seen; -1: none would.
int64_t samples_needed(const Counts& counts, double margin) {
  int64_t high = counts.n;
  while (high < kMostNeeded && !counts.scaled(high).decided(margin)) high *= 2;
  if (high >= kMostNeeded) return -1;
  int64_t low = std::max<int64_t>(counts.n, high / 2);
  while (low + 1 < high) {
    const int64_t middle = low + (high - low) / 2;
    (counts.scaled(middle).decided(margin) ? high : low) = middle;
  }
  return high;
}

// Questions with exactly one sample, by question.
std::vector<uint32_t> single_answers(const KeptSamples& kept) {
  std::vector<uint32_t> order(kept.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return kept[a].question < kept[b].question; });
  size_t out = 0;
  for (size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    while (end < order.size() && kept[order[end]].question == kept[order[begin]].question) ++end;
    const KeptSample& s = kept[order[begin]];
    if (end - begin == 1 && s.is(KeptSample::kOutput) && !s.is(KeptSample::kNoId)) order[out++] = order[begin];
  }
  order.resize(out);
  return order;
}

struct Pairing {
  std::vector<std::pair<uint32_t, uint32_t>> pairs;  // sample of the run, sample of the baseline
  bool same_items = false;
};

Pairing pair_runs(const Tally::State& run, const Tally::State& base) {
  const std::vector<uint32_t> ours = single_answers(run.kept), theirs = single_answers(base.kept);
  Pairing out;
  for (size_t i = 0, j = 0; i < ours.size() && j < theirs.size();) {
    const uint64_t a = run.kept[ours[i]].question, b = base.kept[theirs[j]].question;
    if (a == b) out.pairs.emplace_back(ours[i], theirs[j]);
    i += a <= b;
    j += b <= a;
  }
  const auto enough = [&](int64_t answers) { return static_cast<double>(out.pairs.size()) >= 0.9 * static_cast<double>(answers); };
  out.same_items = !out.pairs.empty() && enough(run.with_output) && enough(base.with_output);
  return out;
}

template <class Tested, class Has>
Counts paired_counts(const Tally::State& run, const Tally::State& base, const Pairing& pairing, Tested tested, Has has) {
  Counts c;
  c.paired = true;
  for (const auto& [i, j] : pairing.pairs) {
    const KeptSample &a = run.kept[i], &b = base.kept[j];
    if (!tested(a) || !tested(b)) continue;
    c.n += 1;
    c.both += has(a) && has(b);
    c.only_run += has(a) && !has(b);
    c.only_base += !has(a) && has(b);
  }
  c.k = c.both + c.only_run;
  c.base_n = c.n;
  c.base_k = c.both + c.only_base;
  return c;
}

Check compared(std::string name, Said title, const Counts& c, double margin) {
  Check check;
  check.name = std::move(name);
  check.kind = "baseline";
  check.title = std::move(title);
  check.n = c.n;
  check.k = check.found = c.k;
  check.margin = margin;
  if (c.n == 0 || c.base_n == 0) return check;
  const Interval shown = wilson_interval(c.k, c.n), difference = c.interval();
  check.rate = static_cast<double>(c.k) / static_cast<double>(c.n);
  check.lower = shown.lower;
  check.upper = shown.upper;
  check.effect = c.effect();
  check.effect_lower = difference.lower;
  check.effect_upper = difference.upper;
  check.p = c.p_more();
  return check;
}

// How a comparison came out; one of `together` that were tested together.
Said outcome(const Check& check, size_t together) {
  if (check.status == Verdict::kFail) return {", more than the baseline", "，多于基线"};
  if (check.status == Verdict::kUndecided) return {", not settled", "，尚无定论"};
  const std::string all = std::to_string(together);
  if (check.effect_lower > 0) return {", not shown to be more (1 of " + all + " comparisons tested together)", "，不足以证明多于基线（" + all + " 项比较一并检验）"};
  return check.effect_upper <= check.margin ? Said{", not more than the baseline", "，不多于基线"} : Said{", not shown to be more", "，不足以证明多于基线"};
}

void put_in_words(Check* check, const Counts& c, size_t together) {
  if (std::isnan(check->effect)) {
    check->words = {"could not be compared: nothing was judged on one side", "无法比较：一侧没有可判断的回答"};
    return;
  }
  const std::string change_en = points(check->effect) + " points (95 % interval " + points(check->effect_lower) + " to " + points(check->effect_upper) + ")";
  const std::string change_zh = points(check->effect) + " 个百分点（95% 区间 " + points(check->effect_lower) + " 至 " + points(check->effect_upper) + "）";
  check->words.en = grouped(c.k) + " of " + grouped(c.n) + " against " + grouped(c.base_k) + " of " + grouped(c.base_n) + ": " + change_en;
  check->words.zh = grouped(c.n) + " 个中 " + grouped(c.k) + " 个，基线为 " + grouped(c.base_n) + " 个中 " + grouped(c.base_k) + " 个：" + change_zh;
  const Said end = outcome(*check, together);
  check->words.en += end.en;
  check->words.zh += end.zh;
  if (check->status == Verdict::kUndecided && check->n_needed < 0) {
    check->words.en += "; the baseline is too small to settle it, however many answers follow";
    check->words.zh += "；基线太小，再多回答也无法定论";
  } else if (check->n_needed > 0) {
    check->words.en += "; " + counted(check->n_needed, "answers") + " would settle it";
    check->words.zh += "；需要 " + grouped(check->n_needed) + " 个回答才能定论";
  }
}

void decide(BaselineResult* result, const std::vector<Counts>& counts) {
  std::vector<double> p;
  for (const Check& c : result->checks) p.push_back(std::isnan(c.p) ? 1 : c.p);
  const std::vector<double> adjusted = holm_adjusted(p);
  for (size_t i = 0; i < result->checks.size(); ++i) {
    Check& c = result->checks[i];
    if (std::isnan(c.effect)) {
      c.gates = false;
    } else {
      c.p_adjusted = adjusted[i];
      const bool all = i == 0;  // the flags say what is worse; whether the run is not worse is said of all together
      c.status = adjusted[i] < kLevel && c.effect > 0 ? Verdict::kFail : !all || c.effect_upper <= c.margin ? Verdict::kPass : Verdict::kUndecided;
      if (c.status == Verdict::kUndecided) c.n_needed = samples_needed(counts[i], c.margin);
    }
    put_in_words(&c, counts[i], p.size());
  }
}

void say_what_excludes(BaselineResult* result, const Tally::State& state) {
  if (result->broken == 0) return;
  const double rate = static_cast<double>(result->broken) / static_cast<double>(result->all);
  result->clean_needed = clean_to_exclude(rate);
  const std::string needed = grouped(result->clean_needed);
  result->words = {needed + " clean answers in a row would exclude the baseline's rate of " + percent(rate), "连续 " + needed + " 个正常回答即可排除基线的比例 " + percent(rate, true)};
  if (state.broken > 0) return;
  const int64_t left = std::max<int64_t>(0, result->clean_needed - state.with_output);
  result->words.en += left ? "; " + grouped(left) + " more are needed" : "; this run has them";
  result->words.zh += left ? "；还需 " + grouped(left) + " 个" : "；本次运行已满足";
}

}  // namespace

BaselineResult compare_with_baseline(const Tally::State& state) {
  BaselineResult result;
  std::vector<Counts> counts;
  const Said broken = {"broken answers", "损坏的回答"};
  if (!state.baseline) {
    result.broken = state.gates.baseline->broken;
    result.all = state.gates.baseline->all;
    counts.push_back({state.broken, state.with_output, result.broken, result.all});
    result.checks.push_back(compared("broken", broken, counts[0], kBaselineMargin));
  } else {
    const Tally::State& base = state.baseline->state();
    result.name = state.baseline_name;
    result.broken = base.broken;
    result.all = base.with_output;
    const Pairing pairing = pair_runs(state, base);
    if (pairing.same_items) result.pairs = static_cast<int64_t>(pairing.pairs.size());
    counts.push_back(pairing.same_items ? paired_counts(state, base, pairing, [](const KeptSample&) { return true; }, [](const KeptSample& s) { return s.is(KeptSample::kBroken); })
                                        : Counts{state.broken, state.with_output, base.broken, base.with_output});
    result.checks.push_back(compared("broken", broken, counts[0], kBaselineMargin));
    for (size_t i = 0; i < state.flags.size(); ++i) {
      const uint64_t bit = uint64_t{1} << i;
      if (!(state.enabled & base.enabled & bit) || state.flags[i].counted + base.flags[i].counted == 0) continue;
      const Detector& row = *detector_table()[i];
      counts.push_back(pairing.same_items ? paired_counts(state, base, pairing, [&](const KeptSample& s) { return (s.testable & bit) != 0; }, [&](const KeptSample& s) { return (s.counted & bit) != 0; })
                                          : Counts{state.flags[i].counted, state.flags[i].tested, base.flags[i].counted, base.flags[i].tested});
      result.checks.push_back(compared(row.name, {row.title.en, row.title.zh}, counts.back(), row.ceiling));
      result.checks.back().severity = severity_name(row.severity);
    }
  }
  decide(&result, counts);
  if (result.all > 0) say_what_excludes(&result, state);
  return result;
}

}  // namespace vaa
