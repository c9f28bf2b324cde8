#include "stats/survival.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/double_double.h"
#include "stats/arguments.h"
#include "stats/distributions.h"

namespace vaa::stats {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The times of one group in order.
class RiskSet {
 public:
  RiskSet(const char* function, const Subjects& s) : entries_(s.entries.begin(), s.entries.end()), exits_(s.exits.begin(), s.exits.end()) {
    check_some(function, "exits", s.exits.size());
    check_same_size(function, "events", s.events.size(), s.exits.size());
    check_values(function, "exits", s.exits);
    check_flags(function, "events", s.events);
    if (!s.entries.empty()) {
      check_same_size(function, "entries", s.entries.size(), s.exits.size());
      check_values(function, "entries", s.entries);
      for (size_t i = 0; i < s.exits.size(); ++i) check_below(function, element("entries", i), s.entries[i], s.exits[i]);
    }
    for (size_t i = 0; i < s.exits.size(); ++i) {
      if (s.events[i]) events_.push_back(s.exits[i]);
    }
    std::sort(entries_.begin(), entries_.end());
    std::sort(exits_.begin(), exits_.end());
    std::sort(events_.begin(), events_.end());
  }

  const std::vector<double>& event_times() const { return events_; }
  double last_exit() const { return exits_.back(); }
  double first_exit() const { return exits_.front(); }
  int64_t at_risk(double time) const {
    const auto entered = entries_.empty() ? static_cast<ptrdiff_t>(exits_.size()) : std::lower_bound(entries_.begin(), entries_.end(), time) - entries_.begin();
    return entered - (std::lower_bound(exits_.begin(), exits_.end(), time) - exits_.begin());
  }
  int64_t events(double time) const {
    const auto [from, to] = std::equal_range(events_.begin(), events_.end(), time);
    return to - from;
  }

 private:
  std::vector<double> entries_, exits_, events_;
};

// d / (n (n - d)), by which a step adds to the variance of the logarithm of survival.
double greenwood_term(int64_t at_risk, int64_t events) {
  const double n = static_cast<double>(at_risk), d = static_cast<double>(events);
  return d / n / (n - d);
}

SurvivalCurve curve_of(const RiskSet& risk) {
  SurvivalCurve curve;
  curve.median = kInfinity;
  DoubleDouble survival{1}, greenwood, hazard;
  const std::vector<double>& times = risk.event_times();
  for (size_t i = 0; i < times.size(); i += static_cast<size_t>(curve.steps.back().events)) {
    const int64_t at_risk = risk.at_risk(times[i]), events = risk.events(times[i]);
    survival = survival * DoubleDouble{static_cast<double>(at_risk - events)} / static_cast<double>(at_risk);
    greenwood = greenwood + DoubleDouble{greenwood_term(at_risk, events)};
    hazard = hazard + DoubleDouble{static_cast<double>(events)} / static_cast<double>(at_risk);
    const double error = survival.high > 0 ? survival.high * std::sqrt(greenwood.high) : std::numeric_limits<double>::quiet_NaN();
    curve.steps.push_back({times[i], at_risk, events, survival.high, error, hazard.high});
    if (survival.high <= 0.5 && curve.median == kInfinity) curve.median = times[i];
  }
  return curve;
}

}  // namespace

SurvivalCurve kaplan_meier(const Subjects& subjects) { return curve_of(RiskSet("kaplan_meier", subjects)); }

RestrictedMean restricted_mean(const Subjects& subjects, double horizon) {
  const RiskSet risk("restricted_mean", subjects);
  check_least("restricted_mean", "the least of exits", risk.first_exit(), 0);
  check_positive("restricted_mean", "horizon", horizon);
  const SurvivalCurve curve = curve_of(risk);
  const bool known = !curve.steps.empty() && curve.steps.back().survival == 0;
  if (!known) check_most("restricted_mean", "horizon", horizon, risk.last_exit());
  // From the horizon back to 0, so that the area from each step on is at hand.
  DoubleDouble area, variance;
  double end = horizon;
  for (size_t i = curve.steps.size(); i > 0; --i) {
    const SurvivalStep& step = curve.steps[i - 1];
    if (step.time >= horizon) continue;
    area = area + two_product(step.survival, end - step.time);
    end = step.time;
    if (step.survival > 0) variance = variance + DoubleDouble{area.high * area.high * greenwood_term(step.at_risk, step.events)};
  }
  return {(area + DoubleDouble{end}).high, std::sqrt(variance.high)};
}

LogRank log_rank(const Subjects& first, const Subjects& second) {
  const RiskSet one("log_rank: first group", first), two("log_rank: second group", second);
  std::vector<double> times;
  std::set_union(one.event_times().begin(), one.event_times().end(), two.event_times().begin(), two.event_times().end(), std::back_inserter(times));
  times.erase(std::unique(times.begin(), times.end()), times.end());
  LogRank result;
  result.observed = static_cast<int64_t>(one.event_times().size());
  DoubleDouble expected, variance;
  for (const double time : times) {
    const double n1 = static_cast<double>(one.at_risk(time)), n = n1 + static_cast<double>(two.at_risk(time));
    const double d = static_cast<double>(one.events(time) + two.events(time));
    expected = expected + two_product(d, n1) / n;
    if (n > 1) variance = variance + DoubleDouble{d * (n1 / n) * ((n - n1) / n) * ((n - d) / (n - 1))};
  }
  result.expected = expected.high;
  result.variance = variance.high;
  if (!(result.variance > 0)) return result;
  const double distance = (DoubleDouble{static_cast<double>(result.observed)} - expected).high;
  result.chi2 = distance / result.variance * distance;
  result.p = normal_two_sided(distance / std::sqrt(result.variance));
  return result;
}

}  // namespace vaa::stats
