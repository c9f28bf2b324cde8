// Chosen tokens that are not among those listed: no more, and where the whole tail is legal no fewer, than the tail's mass lets expect.
#include <algorithm>

#include "base/figures.h"
#include "sampler/calibration/calibration_check.h"
#include "stats/distributions.h"

namespace vaa::sampler {
namespace {

// How far a tail's mass may be off as a share, and of the tokens beside it; counts of independent draws with other chances vary less than Poisson's (Hoeffding 1956).
struct Margins {
  double share, tokens;
};
constexpr Margins kOwn{0.1, 2e-4}, kScored{1, 1e-2};
constexpr double kPasses = 1e-2, kLevel = 0.05;

CheckResult run(const GroupView& view) {
  const Reading& reading = view.reading;
  if (reading.law.greedy || std::isnan(view.group.request.temperature)) return no_check({"temperature 0, or not known", "温度为 0 或未知"});
  if (view.kind == LogprobKind::kUnknown && (view.group.request.cuts() || reading.law.temperature != 1)) return no_check({"whether the logprobs are raw or processed is not recorded, and the lists do not tell", "未记录对数概率是原始的还是处理后的，列表也无法判断"});
  if (reading.positions == 0 || !(reading.outside_most > 0)) return no_check({"no token beyond those listed is legal", "列表之外没有合法的词元"});
  const Margins margins = view.scored ? kScored : kOwn;
  const auto n = static_cast<double>(reading.positions);
  const double most = (1 + margins.share) * reading.outside_most, least = std::max(0.0, (1 - margins.share) * reading.outside_least - margins.tokens * n);
  const double alike = reading.fit.alike(), p_more = stats::poisson_at_least(worth_at_most(reading.outside, alike), (most + margins.tokens * n) / alike), p_fewer = stats::poisson_at_most(worth_at_least(reading.outside, alike), least / alike);
  CheckResult out;
  out.applies = true;
  out.n = reading.positions;
  out.unit = "tokens", out.effect = static_cast<double>(reading.outside), out.margin = margins.share;
  out.p_beyond = std::min(1.0, 2 * std::min(p_more, p_fewer));
  out.inside = out.p_beyond >= kLevel && stats::poisson_at_most(worth_at_least(reading.outside, alike), (most + (margins.tokens + kPasses) * n) / alike) < kLevel;
  out.kind = p_more < p_fewer ? "unlisted_too_often" : "unlisted_too_seldom";
  out.unsure = view.fit_off || (!view.group.request.cuts_known() && p_fewer < p_more);
  if (view.fit_off) out.needed = {"the temperature may explain it", "可能由温度造成"};
  const std::string due = reading.outside_least > 0 ? fixed(reading.outside_least, 1) + " to " : "at most ", due_zh = reading.outside_least > 0 ? "应有 " + fixed(reading.outside_least, 1) + "–" : "最多应有 ";
  out.words = {grouped(reading.outside) + " of " + grouped(reading.positions) + " tokens are not among those listed; " + due + fixed(reading.outside_most, 1) + " are due", grouped(reading.positions) + " 个词元中有 " + grouped(reading.outside) + " 个不在列表内；" + due_zh + fixed(reading.outside_most, 1) + " 个"};
  JsonWriter json(&out.data);
  json.begin_object().member("unlisted", reading.outside).member("due_least", reading.outside_least).member("due_most", reading.outside_most).end_object();
  return out;
}

}  // namespace

extern const CalibrationCheck kUnlistedCheck;
const CalibrationCheck kUnlistedCheck = {"unlisted_tokens", {"Tokens beyond the lists", "列表之外的词元"}, run};

}  // namespace vaa::sampler
