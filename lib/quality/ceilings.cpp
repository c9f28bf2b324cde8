#include "quality/ceilings.h"

#include <algorithm>

#include "base/figures.h"
#include "quality/excerpt.h"
#include "quality/rates.h"

namespace vaa {
namespace {

const Said kAnswers = {"answers", "个回答"};

// A request that fails now and then is normal in a long run; one in a hundred moves a score by as much as a model change does.
constexpr double kRequestCeiling = 0.01;
// Twice what one kind reaches. Several kinds of damage, each too rare in a small run to be shown, add up.
constexpr double kBrokenCeiling = 0.02;

const RateGate* gate_of(const Gates& gates, std::string_view name) {
  const auto found = std::find_if(gates.fail_on.begin(), gates.fail_on.end(), [&](const RateGate& g) { return g.flag == name; });
  return found == gates.fail_on.end() ? nullptr : &*found;
}

// k of n, and the limit of k of `all`: what is unknown counts as clean there, for a flag may show only where there is something to find.
void add_rate(Check* check, int64_t k, int64_t n, int64_t all, double ceiling) {
  check->k = k;
  check->n = n;
  check->all = all;
  check->ceiling = ceiling;
  if (n == 0) return;
  const auto count = static_cast<double>(n);
  const Interval shown = wilson_interval(k, n);
  check->rate = static_cast<double>(k) / count;
  check->lower = shown.lower;
  check->upper = shown.upper;
  check->limit = lower_limit(k, all, fail_level(ceiling));
  check->effect = check->rate - ceiling;
  check->effect_lower = shown.lower - ceiling;
  check->effect_upper = shown.upper - ceiling;
  check->margin = 0;
  check->p = ceiling > 0 && ceiling < 1 ? binomial_tail(k, all, ceiling) : std::nan("");
  check->detectable = detectable_rate(all, ceiling);
  check->status = check->limit > ceiling ? Verdict::kFail : Verdict::kPass;
}

// "the 1 % that healthy engines reach"
Said ceiling_words(const Check& c) {
  return std::string_view(c.ceiling_from) == "fail_on" ? Said{"the " + percent(c.ceiling) + " that fail_on allows", "fail_on 允许的 " + percent(c.ceiling, true)}
                                                       : Said{"the " + percent(c.ceiling) + " that healthy engines reach", "正常引擎的上限 " + percent(c.ceiling, true)};
}

Said rate_words(const Check& c, const Said& of) {
  if (c.n == 0) return {"could not be tested: what it needs is not recorded", "无法检测：缺少所需的记录"};
  const std::string k = grouped(c.k), all = grouped(c.all);
  const Said tested = c.n < c.all ? Said{", " + grouped(c.n) + " could be tested", "，其中 " + grouped(c.n) + " 个可检测"} : Said{};
  if (c.k == 0) {
    const bool seen = c.detectable < 1;
    return {"none in " + counted(c.all, of.en) + tested.en + (seen ? "; a rate of " + percent(c.detectable) + " would have shown" : ""),
            all + " " + of.zh + "中没有" + tested.zh + (seen ? "；若比例达到 " + percent(c.detectable, true) + " 即可被发现" : "")};
  }
  const double share = judged_share(c);
  const Said shown = {k + " of " + counted(c.all, of.en) + " (" + percent(share) + ", at least " + percent(c.limit) + tested.en + ")",
                      all + " " + of.zh + "中有 " + k + " 个（" + percent(share, true) + "，至少 " + percent(c.limit, true) + tested.zh + "）"};
  if (c.ceiling >= 1) return shown;
  if (c.ceiling == 0) return {shown.en + ": fail_on allows none", shown.zh + "：fail_on 不允许出现"};
  const Said ceiling = ceiling_words(c);
  return c.status == Verdict::kFail ? Said{shown.en + ": above " + ceiling.en, shown.zh + "：超过" + ceiling.zh}
                                    : Said{shown.en + ": not shown to be above " + ceiling.en, shown.zh + "：不足以证明超过" + ceiling.zh};
}

Check flag_check(const Tally::State& state, size_t index, std::string_view format) {
  const Detector& row = *detector_table()[index];
  const FlagCounts& counts = state.flags[index];
  const RateGate* gate = gate_of(state.gates, row.name);
  Check check;
  check.name = row.name;
  check.severity = severity_name(row.severity);
  check.title = {row.title.en, row.title.zh};
  check.found = counts.found;
  const bool cut = row.account == kPlaceCut;
  const bool single = gate && !gate->rate;
  const int64_t k = single && row.severity != Severity::kInfo ? std::max(counts.alarm, counts.counted) : counts.counted;
  const double ceiling = !gate ? row.ceiling : gate->rate.value_or(0);
  add_rate(&check, k, cut ? state.cut_known : counts.tested, std::max(state.with_output, k), ceiling);
  if (ceiling < 1) check.ceiling_from = gate ? "fail_on" : "healthy";
  check.words = rate_words(check, kAnswers);
  if (cut && k > 0) {
    const Said limit = cut_limit(state, format);
    check.words.en += "; cut " + limit.en;
    check.words.zh += "；因达到" + limit.zh + "而被截断";
  }
  // With a baseline the comparison decides; a count k/n says nothing of truncation.
  const bool baseline = state.baseline || (state.gates.baseline && !cut);
  check.gates = ceiling < 1 && (gate || !baseline);
  return check;
}

}  // namespace

Check rate_check(const Tally::State& state, const char* name, Said title, int64_t k, int64_t n, double ceiling, const Said& of) {
  const RateGate* gate = gate_of(state.gates, name);
  Check check;
  check.name = name;
  check.kind = "run";
  check.title = std::move(title);
  check.found = k;
  add_rate(&check, k, n, n, gate ? gate->rate.value_or(0) : ceiling);
  if (gate || ceiling < 1) check.ceiling_from = gate || ceiling == 0 ? "fail_on" : "healthy";
  check.words = rate_words(check, of);
  return check;
}

double judged_share(const Check& check) { return check.all > 0 ? static_cast<double>(check.k) / static_cast<double>(check.all) : std::nan(""); }

const char* limit_name(std::string_view format) {
  return format.substr(0, 8) == "aisbench" || format.substr(0, 11) == "opencompass" ? "max_out_len" : format.substr(0, 7) == "lm_eval" ? "max_gen_toks" : "max_tokens";
}

Said cut_limit(const Tally::State& state, std::string_view format) {
  const std::string name = limit_name(format);
  if (state.cut_limit_known == 0) return {"at the token limit", "输出长度上限"};
  const std::string least = std::to_string(state.cut_limit_min), most = std::to_string(state.cut_limit_max);
  const std::string limit = name + " " + (least == most ? least : least + "–" + most);
  return {"at " + limit, " " + limit + " "};
}

std::vector<Check> ceiling_checks(const Tally::State& state, const MissingQuestions& missing, const InputFacts& facts) {
  std::vector<Check> checks;
  for (size_t i = 0; i < state.flags.size(); ++i) {
    if (state.enabled >> i & 1) checks.push_back(flag_check(state, i, facts.format));
  }
  const auto samples = static_cast<int64_t>(state.kept.size());
  checks.push_back(rate_check(state, kBroken, {"broken in any way", "各类损坏合计"}, state.broken, state.with_output, kBrokenCeiling, kAnswers));
  checks.back().gates = gate_of(state.gates, kBroken) || !(state.baseline || state.gates.baseline);
  checks.push_back(rate_check(state, kRequestFailed, {"failed requests", "失败的请求"}, state.failed, samples, kRequestCeiling, {"requests", "个请求"}));
  if (missing.expected > 0) {
    checks.push_back(rate_check(state, kRequestMissing, {"missing answers", "缺失的回答"}, missing.total, missing.expected, kRequestCeiling, {"questions", "个问题"}));
  }
  if (state.gates.fail_on_any) {
    checks.push_back(rate_check(state, "any", {"any finding of severity fail", "任何 fail 级发现"}, state.any_failing, state.with_output, 0, kAnswers));
  }
  return checks;
}

}  // namespace vaa
