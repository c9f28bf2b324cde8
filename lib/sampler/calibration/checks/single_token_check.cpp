// One id drawn more often than its own probabilities add to: token 0 and the last id stand for what an empty residual, a lost sum or an index of -1 leaves.
#include <algorithm>

#include "base/figures.h"
#include "sampler/calibration/calibration_check.h"
#include "stats/distributions.h"

namespace vaa::sampler {
namespace {

// By which share the due number may be off, and by how many of all tokens.
constexpr double kShare = 0.1, kTokens = 2e-4, kScoredTokens = 2e-3, kPasses = 2e-3, kLevel = 0.05;

CheckResult run(const GroupView& view) {
  const Reading& reading = view.reading;
  if (reading.positions == 0 || std::isnan(view.group.request.temperature)) return no_check({"no usable list, or the temperature is not known", "没有可用的列表，或温度未知"});
  if (!reading.law.greedy && view.kind == LogprobKind::kUnknown && (view.group.request.cuts() || reading.law.temperature != 1)) return no_check({"whether the logprobs are raw or processed is not recorded, and the lists do not tell", "未记录对数概率是原始的还是处理后的，列表也无法判断"});
  const auto n = static_cast<double>(reading.positions), alike = reading.fit.alike();
  CheckResult out;
  out.applies = true;
  out.n = reading.positions;
  out.unit = "tokens", out.margin = view.scored ? kScoredTokens : kTokens;
  out.kind = "single_token";
  out.p_beyond = 1, out.inside = true;
  double known = 0;
  JsonWriter json(&out.data);
  json.begin_object().key("ids").begin_array();
  for (const IdCount& one : reading.single) {
    if (one.id < 0) continue;
    known += 1;
    const double due = (1 + kShare) * one.due, p = stats::poisson_at_least(worth_at_most(one.drawn, alike), (due + out.margin * n) / alike);
    out.inside = out.inside && stats::poisson_at_most(worth_at_least(one.drawn, alike), (due + (out.margin + kPasses) * n) / alike) < kLevel;
    const std::string en = std::string(one.name) + ": " + grouped(one.drawn) + ", at most " + fixed(one.due, 1) + " are due", zh = "id " + std::to_string(one.id) + "：" + grouped(one.drawn) + " 次，最多应有 " + fixed(one.due, 1) + " 次";
    out.words = {out.words.en + (out.words.en.empty() ? "" : "; ") + en, out.words.zh + (out.words.zh.empty() ? "" : "；") + zh};
    if (p <= out.p_beyond) out.p_beyond = p, out.effect = static_cast<double>(one.drawn) - one.due;
    json.begin_object().member("name", one.name).member("id", int64_t{one.id}).member("drawn", one.drawn).member("due_most", one.due).end_object();
  }
  json.end_array().end_object();
  out.p_beyond = std::min(1.0, known * out.p_beyond);
  out.words = {out.words.en + " (of " + grouped(reading.positions) + " tokens)", out.words.zh + "（共 " + grouped(reading.positions) + " 个词元）"};
  out.unsure = view.fit_off;
  if (view.fit_off) out.needed = {"the temperature may explain it", "可能由温度造成"};
  return out;
}

}  // namespace

extern const CalibrationCheck kSingleTokenCheck;
const CalibrationCheck kSingleTokenCheck = {"single_tokens", {"Single ids drawn too often", "个别 id 出现过多"}, run};

}  // namespace vaa::sampler
