// Are draws fair: their places in their own law uniform, the last 1 % of the mass drawn as often as that.
#include <algorithm>

#include "base/figures.h"
#include "sampler/calibration/calibration_check.h"
#include "sampler/calibration/draw_values.h"
#include "stats/distributions.h"
#include "stats/intervals.h"

namespace vaa::sampler {
namespace {

// Another engine's logprobs are not the law that tokens were drawn from: what quantisation and kernels move is not called.
struct Margins {
  double fails_above, passes_below;  // of the distance
  double tail_most, tail_least;      // shares in the last 1 %
};
constexpr Margins kOwn{0.02, 0.05, 0.015, 0.0065}, kScored{0.05, 0.1, 0.03, 0.003};
constexpr double kLevel = 0.05;
constexpr int64_t kFewest = 200;

std::string data_of(const Uniformity& all, const Uniformity* fitted) {
  std::string out;
  JsonWriter json(&out);
  const auto member = [&](const Uniformity& u) { json.begin_object().member("n", u.n).member("distance", u.distance).member("reach", u.reach).member("p_chi_square", u.p_chi_square).member("last_percent", u.tail).end_object(); };
  json.begin_object().key("asked");
  member(all);
  json.key("fitted");
  fitted ? member(*fitted) : static_cast<void>(json.null());
  json.end_object();
  return out;
}

Both tail_words(const Uniformity& u) {
  const double ratio = static_cast<double>(u.tail) / (0.01 * static_cast<double>(u.n));
  return {"the last 1 % of the mass is drawn " + fixed(ratio, 2) + " times as often as due", "最后 1% 的概率质量被抽中的次数是应有的 " + fixed(ratio, 2) + " 倍"};
}

CheckResult run(const GroupView& view) {
  const Reading& reading = view.reading;
  if (reading.law.greedy) return no_check({"temperature 0: nothing is drawn", "温度 0：没有抽样"});
  if (std::isnan(view.group.request.temperature)) return no_check({"the temperature is neither recorded nor given", "温度未记录也未给出"});
  if (view.kind == LogprobKind::kUnknown && (view.group.request.cuts() || reading.law.temperature != 1)) return no_check({"whether the logprobs are raw or processed is not recorded, and the lists do not tell", "未记录对数概率是原始的还是处理后的，列表也无法判断"});
  const double alike = reading.fit.alike();
  const Uniformity u = uniformity(draw_values(reading.fit, reading.law.temperature, view.draw_seed), alike);
  if (u.worth < kFewest && u.n >= kFewest) return no_check({"answers share their seeds: " + grouped(u.n) + " draws are worth " + grouped(worth_at_most(u.n, alike)) + " independent ones, at least " + grouped(kFewest) + " are needed; give each request a seed of its own, or none", "回答共用种子：" + grouped(u.n) + " 次抽样仅相当于 " + grouped(worth_at_most(u.n, alike)) + " 次独立抽样，至少需要 " + grouped(kFewest) + " 次；请为每个请求设置各自的种子，或不设种子"});
  if (u.n < kFewest) return no_check({"tokens that were not sure: " + grouped(u.n) + ", at least " + grouped(kFewest) + " are needed", "不确定的词元仅 " + grouped(u.n) + " 个，至少需要 " + grouped(kFewest) + " 个"});
  const Margins margins = view.scored ? kScored : kOwn;
  const double p_distance = u.p_beyond(margins.fails_above), p_more = stats::binomial_at_least(worth_at_most(u.tail, alike), worth_at_least(u.n, alike), margins.tail_most), p_fewer = stats::binomial_at_most(worth_at_least(u.tail, alike), worth_at_most(u.n, alike), margins.tail_least);
  CheckResult out;
  out.applies = true;
  out.n = u.n;
  out.unit = "distance", out.margin = margins.fails_above;
  out.effect = u.distance, out.lower = std::max(0.0, u.distance - u.reach), out.upper = u.distance + u.reach;
  out.p_beyond = std::min(1.0, 3 * std::min({p_distance, p_more, p_fewer}));
  out.inside = out.upper < margins.passes_below && out.p_beyond >= kLevel;
  out.kind = p_distance <= std::min(p_more, p_fewer) ? "draws_skewed" : p_more < p_fewer ? "tail_drawn_too_often" : "tail_drawn_too_seldom";
  const Both tail = tail_words(u);
  out.words = {"places of draws in their law lie within " + fixed(u.distance, 3) + " of uniform (95 % interval " + fixed(out.lower, 3) + " to " + fixed(out.upper, 3) + "; chi-square p " + small_probability(u.p_chi_square) + "); " + tail.en, "抽样在其分布中的位置与均匀分布最多相差 " + fixed(u.distance, 3) + "（95% 区间 " + fixed(out.lower, 3) + "–" + fixed(out.upper, 3) + "，卡方 p " + small_probability(u.p_chi_square) + "）；" + tail.zh};
  if (view.fit_off && view.fitted > 0 && std::isfinite(view.fitted)) {
    const Uniformity fitted = uniformity(draw_values(reading.fit, view.fitted, view.draw_seed), alike);
    out.data = data_of(u, &fitted);
    out.unsure = fitted.p_beyond(margins.fails_above) >= kLevel;
    if (out.unsure) out.needed = {"the temperature explains it: at the fitted one draws lie within " + fixed(fitted.distance, 3) + " of uniform", "可由温度解释：在拟合温度下与均匀分布最多相差 " + fixed(fitted.distance, 3)};
    return out;
  }
  out.data = data_of(u, nullptr);
  if (!view.group.request.cuts_known() && p_more >= kLevel) {
    out.unsure = out.p_beyond < kLevel;
    if (out.unsure) out.needed = {"top-k, top-p or min-p that are not recorded look like this too: give --top-k, --top-p, --min-p", "未记录的 top-k、top-p 或 min-p 也会如此：请给出 --top-k、--top-p、--min-p"};
  }
  if (!out.inside && out.p_beyond >= kLevel) {
    const double room = margins.passes_below - std::min(u.distance, margins.passes_below / 2);
    out.n_needed = std::max<int64_t>(0, static_cast<int64_t>(std::ceil(static_cast<double>(u.n) * (u.reach / room) * (u.reach / room))) - u.n);
  }
  return out;
}

}  // namespace

extern const CalibrationCheck kDrawCheck;
const CalibrationCheck kDrawCheck = {"draws", {"Fair draws", "抽样是否公正"}, run};

}  // namespace vaa::sampler
