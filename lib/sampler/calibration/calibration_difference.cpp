#include "sampler/calibration/calibration_difference.h"

#include <algorithm>

#include "base/math.h"
#include "sampler/calibration/draw_values.h"
#include "stats/distributions.h"

namespace vaa::sampler {
namespace {

constexpr double kConfidence = 0.95;

struct Held {
  const Calibration& reference;
  const Calibration& target;
  const CheckDifference& of;
  const Reading& a() const { return of.reference.group->reading(); }
  const Reading& b() const { return of.target.group->reading(); }
  double alike() const { return std::max(a().fit.alike(), b().fit.alike()); }
};

// That more of the target's events than its share of the exposure comes by chance.
double p_more(int64_t reference, double reference_exposure, int64_t target, double target_exposure, double alike = 1) {
  reference = worth_at_least(reference, alike), target = worth_at_most(target, alike);
  return reference + target == 0 || !(target_exposure > 0) ? 1 : stats::binomial_at_least(target, reference + target, target_exposure / (reference_exposure + target_exposure));
}

// The same of fewer.
double p_fewer(int64_t reference, double reference_exposure, int64_t target, double target_exposure, double alike) {
  reference = worth_at_most(reference, alike), target = worth_at_least(target, alike);
  return reference_exposure + target_exposure > 0 ? stats::binomial_at_most(target, reference + target, target_exposure / (reference_exposure + target_exposure)) : 1;
}

double expected_of(const Group& group) { return group.kind() == LogprobKind::kProcessed ? 1 : group.reading().law.temperature; }

// Two temperatures, each over what was asked, further apart than the margin: if they were not, one of them would lie beyond a point between them.
double temperature_p(const Held& held) {
  const Reading &a = held.a(), &b = held.b();
  const bool asked = !std::isnan(held.of.target.group->request.temperature);
  const double margin = asked ? 0 : held.of.target.result.margin, from_a = expected_of(*held.of.reference.group), from_b = expected_of(*held.of.target.group);
  const auto first = a.fit.estimate(kConfidence), second = b.fit.estimate(kConfidence);
  const auto place = [](double temperature, double from) { return math::log(std::clamp(temperature, 1e-3, 1e3) / from); };
  const double at_a = place(first.temperature, from_a), at_b = place(second.temperature, from_b), between = std::fabs(at_b - at_a) - math::log1p(margin);
  if (!(between > 0)) return 1;
  const double toward_b = (at_b > at_a ? 1 : -1) * between / 2;
  return std::min(1.0, a.fit.tail(first, from_a * math::exp(at_a + toward_b)) + b.fit.tail(second, from_b * math::exp(at_b - toward_b)));
}

double illegal_p(const Held& held) { return p_more(held.a().illegal, static_cast<double>(held.a().positions), held.b().illegal, static_cast<double>(held.b().positions)); }

double draws_p(const Held& held) {
  const auto values = [](const Reading& reading, const Calibration& of) { return draw_values(reading.fit, reading.law.temperature, static_cast<uint64_t>(of.options().seed)); };
  const std::vector<double> first = values(held.a(), held.reference), second = values(held.b(), held.target);
  const double of_a = held.a().fit.alike(), of_b = held.b().fit.alike(), alike = held.alike();
  const Uniformity a = uniformity(first), b = uniformity(second);
  const auto n_a = static_cast<double>(a.n), n_b = static_cast<double>(b.n);
  const std::string_view kind = held.of.target.result.kind;
  if (kind == "tail_drawn_too_often") return p_more(a.tail, n_a, b.tail, n_b, alike);
  if (kind == "tail_drawn_too_seldom") return p_fewer(a.tail, n_a, b.tail, n_b, alike);
  return p_apart(first, of_a, second, of_b);
}

double unlisted_p(const Held& held) {
  const Reading &a = held.a(), &b = held.b();
  if (std::string_view(held.of.target.result.kind) == "unlisted_too_often") return p_more(a.outside, a.outside_most, b.outside, b.outside_most, held.alike());
  return p_fewer(a.outside, a.outside_least, b.outside, b.outside_least, held.alike());
}

double single_p(const Held& held) {
  double least = 1, known = 0;
  for (size_t i = 0; i < held.b().single.size(); ++i) {
    const IdCount &a = held.a().single[i], &b = held.b().single[i];
    if (b.id < 0) continue;
    known += 1;
    const auto exposure = [&](const IdCount& one, const Reading& reading) { return one.due + held.of.target.result.margin * static_cast<double>(reading.positions); };
    least = std::min(least, p_more(a.drawn, exposure(a, held.a()), b.drawn, exposure(b, held.b()), held.alike()));
  }
  return std::min(1.0, known * least);
}

struct Statistic {
  std::string_view check;
  double (*p)(const Held& held);
};
constexpr Statistic kTable[] = {{"temperature", temperature_p}, {"illegal_tokens", illegal_p}, {"draws", draws_p}, {"unlisted_tokens", unlisted_p}, {"single_tokens", single_p}};

// One kind of logprobs, or two that are known: an unknown one may be either.
bool kinds_known(const Group& a, const Group& b) { return a.kind() == b.kind() || (a.kind() != LogprobKind::kUnknown && b.kind() != LogprobKind::kUnknown); }

bool asked_alike(const Group& a, const Group& b) {
  Request request = a.request;
  request.kind = b.request.kind;
  return request.same(b.request);
}

}  // namespace

double CheckDifference::p_beyond(size_t checks) const {
  const double unlike = std::min(1.0, static_cast<double>(checks) * p);
  const Request& request = target.group->request;
  const LogprobKind kind = target.group->kind();
  if (std::string_view(target.check->name) == "temperature" && std::isnan(request.temperature)) return request.cuts_known() && kind != LogprobKind::kUnknown && kind == reference.group->kind() ? unlike : 1;
  const bool explained = target.result.unsure || (reference.result.unsure && reference.result.p_beyond < 1);
  return explained || std::isnan(target.p_adjusted) ? 1 : std::max(target.p_adjusted, unlike);
}

std::vector<CheckDifference> calibration_differences(const Calibration& reference, const Calibration& target) {
  std::vector<CheckDifference> out;
  const std::vector<JudgedCheck> ours = judge(reference), theirs = judge(target);
  for (const JudgedCheck& b : theirs) {
    const auto statistic = std::find_if(std::begin(kTable), std::end(kTable), [&](const Statistic& s) { return s.check == b.check->name; });
    const auto a = std::find_if(ours.begin(), ours.end(), [&](const JudgedCheck& j) { return j.check == b.check && asked_alike(*j.group, *b.group) && kinds_known(*j.group, *b.group); });
    if (statistic == std::end(kTable) || a == ours.end() || !a->result.applies || !b.result.applies) continue;
    out.push_back({*a, b, 1});
    if (std::string_view(b.status) != "pass") out.back().p = statistic->p({reference, target, out.back()});
  }
  return out;
}

}  // namespace vaa::sampler
