// Tokens that the request forbids: outside top-k, top-p or min-p whatever the tokens are that the lists leave out; at temperature 0 less likely than another one.
#include <algorithm>

#include "base/figures.h"
#include "base/math.h"
#include "sampler/calibration/calibration_check.h"
#include "stats/distributions.h"
#include "stats/intervals.h"

namespace vaa::sampler {
namespace {

// A certain illegal token is one; the margins leave room for a stray token of another kind (a forced end, a grammar). Another engine's logprobs place tokens near a cut on its other side.
struct Margins {
  double fails_above, passes_below;
};
constexpr Margins kOwn{1e-4, 1e-3}, kScored{2e-2, 5e-2};
constexpr double kLevel = 0.05;

int64_t clean_needed(double below) { return static_cast<int64_t>(std::ceil(math::log(kLevel) / math::log1p(-below))); }

std::string places_json(const Reading& reading) {
  std::string out;
  JsonWriter json(&out);
  json.begin_object().member("illegal", reading.illegal).key("first").begin_array();
  for (const IllegalPlace& place : reading.places) json.begin_object().member("sample", place.sample).member("token", place.token).member("id", int64_t{place.id}).member("logprob", place.logprob).member("likeliest", place.likeliest).end_object();
  json.end_array().end_object();
  return out;
}

Both place_words(const IllegalPlace& place) {
  const std::string where = place.sample + ", token " + grouped(place.token) + ": id " + std::to_string(place.id) + ", logprob ", values = fixed(place.logprob, 3) + "; ";
  const std::string where_zh = place.sample + "，第 " + grouped(place.token) + " 个词元：id " + std::to_string(place.id) + "，对数概率 " + fixed(place.logprob, 3) + "；最大者 " + fixed(place.likeliest, 3);
  return {where + values + "the likeliest has " + fixed(place.likeliest, 3), where_zh};
}

CheckResult run(const GroupView& view) {
  const Reading& reading = view.reading;
  const bool greedy = reading.law.greedy;
  if (!greedy && std::isnan(view.group.request.temperature)) return no_check({"the temperature is neither recorded nor given", "温度未记录也未给出"});
  if (!greedy && view.kind == LogprobKind::kUnknown && view.group.request.cuts()) return no_check({"whether the logprobs are raw or processed is not recorded, and the lists do not tell", "未记录对数概率是原始的还是处理后的，列表也无法判断"});
  if (!greedy && view.kind == LogprobKind::kRaw && !reading.law.cuts()) return no_check({"neither top-k nor top-p nor min-p is in force", "top-k、top-p、min-p 均未生效"});
  if (reading.positions == 0) return no_check({"no position has a usable list", "没有可用的列表"});
  CheckResult out;
  out.applies = true;
  const Margins margins = view.scored ? kScored : kOwn;
  const int64_t k = reading.illegal, n = reading.positions;
  const stats::Interval interval = stats::clopper_pearson(k, n);
  out.n = n;
  out.unit = "share";
  out.effect = static_cast<double>(k) / static_cast<double>(n), out.lower = interval.low, out.upper = interval.high;
  out.margin = margins.fails_above;
  out.p_beyond = k == 0 ? 1 : stats::binomial_at_least(k, n, margins.fails_above);
  out.inside = stats::rate_upper_limit(k, n) < margins.passes_below;
  out.kind = greedy ? "not_greedy" : "illegal_tokens";
  if (k == 0 && !out.inside) out.n_needed = clean_needed(margins.passes_below) - n;
  const Both what = greedy ? Both{"tokens were not the likeliest one", "个词元不是概率最大的"} : Both{"tokens lie outside what top-k, top-p and min-p leave", "个词元在 top-k、top-p、min-p 允许的范围之外"};
  out.words = {grouped(k) + " of " + grouped(n) + " " + what.en + " (95 % interval " + percent_range(out.lower, out.upper) + ")", grouped(n) + " 个词元中有 " + grouped(k) + " " + what.zh + "（95% 区间 " + percent_range(out.lower, out.upper, true) + "）"};
  for (size_t i = 0; i < std::min<size_t>(3, reading.places.size()); ++i) out.lines.push_back({place_words(reading.places[i]), "", "", "", "plain"});
  out.data = places_json(reading);
  return out;
}

}  // namespace

extern const CalibrationCheck kIllegalTokenCheck;
const CalibrationCheck kIllegalTokenCheck = {"illegal_tokens", {"Illegal tokens", "不合法的词元"}, run};

}  // namespace vaa::sampler
