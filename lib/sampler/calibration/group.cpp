#include "sampler/calibration/group.h"

#include <algorithm>

#include "base/math.h"

namespace vaa::sampler {
namespace {

constexpr double kSharp = 0.99;
constexpr int64_t kFewestSharp = 20;
constexpr double kMost = 0.9;  // of sharp lists, to tell what they are

bool equal(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

// How likely `id` is at most; surely: the weight of the surely legal tokens.
double most_probable(const ListedRow& row, int32_t id, const LegalBounds& bounds, const Law& law, double surely, double tail) {
  const auto at = static_cast<size_t>(std::find(row.ids.begin(), row.ids.end(), id) - row.ids.begin());
  if (at < row.ids.size()) {
    if (at >= bounds.maybe) return 0;
    return law.greedy ? 1 : std::min(1.0, math::exp((row.logprobs[at] - row.logprobs[0]) / law.temperature) / surely);
  }
  if (law.greedy || bounds.maybe < row.listed) return 0;
  return std::min({1.0, tail / surely, math::exp((row.logprobs[row.listed - 1] - row.logprobs[0]) / law.temperature) / surely});
}

}  // namespace

bool Request::same(const Request& other) const {
  return equal(temperature, other.temperature) && equal(top_p, other.top_p) && equal(min_p, other.min_p) && top_k == other.top_k && kind == other.kind;
}

void note_shape(const ListedRow& row, size_t asked, const Request& request, ListShape* shape) {
  const size_t there = row.listed;
  shape->lists += 1;
  shape->asked = std::max(shape->asked, asked);
  const bool shorter = there < asked || row.entries > row.ids.size();
  shape->shorter += shorter;
  if (math::exp(row.logprobs[0]) >= kSharp && asked >= 2 && request.cuts() && (request.top_k > 0 || request.top_p <= 0.98 || request.min_p >= 0.02)) {
    shape->sharp += 1;
    shape->sharp_shorter += shorter;
  }
  const auto k = static_cast<size_t>(std::max<int64_t>(0, request.top_k));
  shape->over_top_k += k > 0 && there > k && row.logprobs[k] < row.logprobs[k - 1];
}

LogprobKind Group::seen() const {
  const auto share = [](int64_t k, int64_t n) { return static_cast<double>(k) / static_cast<double>(n); };
  if (shape.over_top_k > 0) return LogprobKind::kRaw;
  if (shape.sharp >= kFewestSharp && share(shape.sharp_shorter, shape.sharp) >= kMost) return LogprobKind::kProcessed;
  if (shape.sharp >= kFewestSharp && share(shape.sharp - shape.sharp_shorter, shape.sharp) >= kMost && request.top_k <= 0) return LogprobKind::kRaw;
  return LogprobKind::kUnknown;
}

LogprobKind Group::kind() const { return request.kind != LogprobKind::kUnknown ? request.kind : seen(); }

DrawChance draw_chance(const ListedRow& row, const Law& law) {
  const size_t surely = legal_bounds(row, law).surely;
  double mass = 0, squares = 0;
  for (size_t i = 0; i < surely; ++i) {
    const double weight = math::exp((row.logprobs[i] - row.logprobs[0]) / law.temperature);
    mass += weight, squares += weight * weight;
  }
  if (row.masked) return {0, squares / (mass * mass)};
  return {std::min(0.0, (row.logprobs[row.chosen] - row.logprobs[0]) / law.temperature - math::log(mass)), squares / (mass * mass)};
}

void count_row(const ListedRow& row, const TokenPlace& place, const CountRules& rules, Reading* reading) {
  const Law& law = reading->law;
  const LegalBounds bounds = legal_bounds(row, law);
  reading->positions += 1;
  if (row.chosen >= bounds.maybe) {
    reading->illegal += 1;
    if (reading->places.size() < rules.max_places) reading->places.push_back({place.sample, place.token, row.chosen_id, row.chosen_logprob(), row.logprobs[0]});
  }
  double surely = 0;
  if (law.greedy) surely = 1;
  else for (size_t i = 0; i < bounds.surely; ++i) surely += math::exp((row.logprobs[i] - row.logprobs[0]) / law.temperature);
  const bool open = !law.greedy && bounds.maybe >= row.listed;  // tokens that are not listed may be legal
  const double tail = open ? most_tail_weight(row, law.temperature, law.vocabulary) : 0;
  reading->outside += !row.masked && row.chosen >= row.listed;
  reading->outside_most += tail / (tail + surely);
  if (!law.cuts() && law.temperature == 1) reading->outside_least += std::max(0.0, 1 - row.mass);
  for (IdCount& one : reading->single) {
    if (one.id < 0) continue;
    one.drawn += row.chosen_id == one.id;
    one.due += most_probable(row, one.id, bounds, law, surely, tail);
  }
  if (!law.greedy && row.chosen < bounds.surely && bounds.surely >= 2 && static_cast<int64_t>(reading->fit.size()) < rules.max_positions)
    reading->fit.add(std::span(row.logprobs).first(bounds.surely), row.chosen, static_cast<uint64_t>(place.answer), place.noise);
}

}  // namespace vaa::sampler
