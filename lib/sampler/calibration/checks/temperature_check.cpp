// The temperature that tokens behave like against the one that was asked for. Under processed logprobs, which hold the temperature already, the one to expect is 1.
#include <algorithm>

#include "base/figures.h"
#include "base/math.h"
#include "sampler/calibration/calibration_check.h"
#include "stats/distributions.h"

namespace vaa::sampler {
namespace {

constexpr double kConfidence = 0.95, kPower = 0.8;

double asked_of(const GroupView& view) { return view.kind == LogprobKind::kProcessed ? 1 : view.reading.law.temperature; }

// Which known fault the interval holds and the request does not.
const char* kind_of(const GroupView& view, const TemperatureFit::Estimate& found) {
  const double asked = view.group.request.temperature, relative = asked_of(view);
  const auto holds = [&](double t) { return found.low <= t && t <= found.high; };
  if (found.temperature == 0) return "greedy_instead";
  if (view.kind == LogprobKind::kProcessed) return holds(1 / asked) ? "temperature_ignored" : holds(asked) ? "temperature_twice" : "temperature_off";
  return holds(1) && relative != 1 ? "temperature_ignored" : holds(asked * asked) && relative != 1 ? "temperature_twice" : "temperature_off";
}

std::string shown(double t) { return std::isinf(t) ? "∞" : fixed(t, t < 0.1 ? 3 : 2); }

int64_t more_needed(const TemperatureFit::Estimate& found, double margin) {
  if (!(found.low > 0) || !std::isfinite(found.high) || found.temperature == 0) return -1;
  const double standard_error = math::log(found.high / found.low) / (2 * stats::normal_quantile(0.5 + kConfidence / 2));
  const double reach = (stats::normal_quantile(0.5 + kConfidence / 2) + stats::normal_quantile(kPower)) * standard_error / math::log1p(margin);
  return std::max<int64_t>(0, static_cast<int64_t>(std::ceil(static_cast<double>(found.positions) * (reach * reach - 1))));
}

std::string data_of(const GroupView& view, const TemperatureFit::Estimate& found, double asked) {
  std::string out;
  JsonWriter json(&out);
  json.begin_object().member("temperature", found.temperature).key("interval").begin_array().real(found.low).real(found.high).end_array().member("expected", asked).member("inflation", found.inflation);
  json.member("answers", static_cast<int64_t>(found.answers)).member("positions", static_cast<int64_t>(found.positions)).member("relative", view.kind == LogprobKind::kProcessed).end_object();
  return out;
}

void say(const GroupView& view, const TemperatureFit::Estimate& found, double asked, CheckResult* out) {
  const std::string range = shown(found.low) + " to " + shown(found.high), range_zh = shown(found.low) + "–" + shown(found.high);
  const std::string n = grouped(static_cast<int64_t>(found.positions)), answers = grouped(static_cast<int64_t>(found.answers));
  const std::string request = std::isnan(view.group.request.temperature) ? "" : shown(view.group.request.temperature);
  if (view.kind == LogprobKind::kProcessed)
    out->words = {"processed logprobs of temperature " + request + " are drawn from at " + shown(found.temperature) + " times that (95 % interval " + range + "; 1 is due), by " + n + " tokens of " + answers + " answers", "温度 " + request + " 的处理后对数概率，实际抽样温度是其 " + shown(found.temperature) + " 倍（95% 区间 " + range_zh + "，应为 1），基于 " + answers + " 个回答的 " + n + " 个词元"};
  else
    out->words = {(request.empty() ? "" : "asked " + request + ", ") + "behaves like " + shown(found.temperature) + " (95 % interval " + range + "), by " + n + " tokens of " + answers + " answers", (request.empty() ? "" : "请求 " + request + "，") + "实际相当于 " + shown(found.temperature) + "（95% 区间 " + range_zh + "），基于 " + answers + " 个回答的 " + n + " 个词元"};
  out->data = data_of(view, found, asked);
}

CheckResult run(const GroupView& view) {
  const Reading& reading = view.reading;
  if (reading.law.greedy) return no_check({"temperature 0: nothing is drawn", "温度 0：没有抽样"});
  if (view.kind == LogprobKind::kUnknown && view.group.request.cuts()) return no_check({"whether the logprobs are raw or processed is not recorded, and the lists do not tell", "未记录对数概率是原始的还是处理后的，列表也无法判断"});
  if (reading.fit.answers() < 2) return no_check({"fewer than two answers have lists of two legal tokens or more", "含两个以上合法词元列表的回答不足两个"});
  const TemperatureFit::Estimate found = reading.fit.estimate(kConfidence);
  const double asked = std::isnan(view.group.request.temperature) ? std::nan("") : asked_of(view), m = view.temperature_margin;
  CheckResult out;
  out.applies = true;
  out.effect = found.temperature, out.lower = found.low, out.upper = found.high;
  out.unit = "temperature", out.margin = m, out.n = static_cast<int64_t>(found.positions);
  say(view, found, asked, &out);
  if (std::isnan(asked)) {
    out.unsure = true;
    out.needed = {"the temperature is neither recorded nor given: --temperature", "温度未记录也未给出：--temperature"};
    return out;
  }
  const bool above = found.temperature > asked, beyond = found.temperature > asked * (1 + m) || found.temperature < asked / (1 + m);
  out.p_beyond = beyond ? reading.fit.tail(found, above ? asked * (1 + m) : asked / (1 + m)) : 1;
  out.inside = found.low >= asked / (1 + m) && found.high <= asked * (1 + m);
  out.n_needed = out.inside ? 0 : more_needed(found, m);
  out.kind = kind_of(view, found);
  if (view.kind == LogprobKind::kUnknown && asked != 1 && found.low <= 1 && found.high >= 1) {
    out.unsure = true;
    out.needed = {"this is what processed logprobs look like too, and their kind is not recorded: give --logprobs raw or processed", "处理后的对数概率也会如此，而其类型未记录：请给出 --logprobs raw 或 processed"};
  } else if (!view.group.request.cuts_known() && found.temperature < asked) {
    out.unsure = true;
    out.needed = {"top-k, top-p or min-p that are not recorded look like this too: give --top-k, --top-p, --min-p (0, 1, 0 where they are off)", "未记录的 top-k、top-p 或 min-p 也会如此：请给出 --top-k、--top-p、--min-p（未启用时为 0、1、0）"};
  } else if (out.n_needed > 0) {
    out.needed = {"about " + grouped(out.n_needed) + " more tokens tell a temperature that is " + percent(m) + " off", "再有约 " + grouped(out.n_needed) + " 个词元即可分辨 " + percent(m, true) + " 的温度偏差"};
  }
  return out;
}

}  // namespace

extern const CalibrationCheck kTemperatureCheck;
const CalibrationCheck kTemperatureCheck = {"temperature", {"Effective temperature", "实际温度"}, run};

}  // namespace vaa::sampler
