#include "sampler/calibration/draw_law.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/math.h"

namespace vaa::sampler {

namespace {

struct Stretch {
  int32_t id;
  double share;
};

// What of [0, 1) falls on other tokens where one number walks both rows of masses.
double walked_apart(std::span<const Stretch> p, std::span<const Stretch> q) {
  double same = 0, p_end = 0, q_end = 0, at = 0;
  size_t i = 0, j = 0;
  while (i < p.size() && j < q.size()) {
    const double p_next = p_end + p[i].share, q_next = q_end + q[j].share, next = std::min(p_next, q_next);
    if (p[i].id == q[j].id) same += next - at;
    at = next;
    if (p_next <= next) p_end = p_next, ++i;
    if (q_next <= next) q_end = q_next, ++j;
  }
  return std::max(0.0, 1 - same);
}

double distance_of(std::span<const Stretch> p, std::span<const Stretch> q) {
  double twice = 0;
  for (size_t i = 0, j = 0; i < p.size() || j < q.size();) {
    if (j == q.size() || (i < p.size() && p[i].id < q[j].id)) twice += p[i++].share;
    else if (i == p.size() || q[j].id < p[i].id) twice += q[j++].share;
    else twice += std::fabs(p[i++].share - q[j++].share);
  }
  return twice / 2;
}

void likeliest_first(std::vector<Stretch>* law) {
  std::stable_sort(law->begin(), law->end(), [](const Stretch& a, const Stretch& b) { return a.share > b.share; });
}

}  // namespace

void DrawLaws::Kept::add(const ListedRow& row, const Law& law) {
  const LegalBounds bounds = legal_bounds(row, law);
  const auto weight = [&](size_t i) { return math::exp((row.logprobs[i] - row.logprobs[0]) / law.temperature); };
  double surely = 0, unsure = bounds.maybe >= row.listed ? most_tail_weight(row, law.temperature, law.vocabulary) : 0;
  for (size_t i = 0; i < bounds.surely; ++i) surely += weight(i);
  for (size_t i = bounds.surely; i < std::min(bounds.maybe, row.listed); ++i) unsure += weight(i);
  std::vector<size_t> order(bounds.surely);
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return row.ids[a] < row.ids[b]; });
  for (const size_t i : order) {
    ids.push_back(row.ids[i]);
    shares.push_back(static_cast<float>(weight(i) / surely));
  }
  ends.push_back(ids.size());
  open.push_back(static_cast<float>(unsure / (surely + unsure)));
}

void DrawLaws::Kept::add_unknown() {
  ends.push_back(ids.size());
  open.push_back(1);
}

void DrawLaws::add(const ListedRow& row, const Law& law) {
  const bool either = law.place == TemperaturePlace::kUnknown && law.temperature != 1 && (law.top_p < 1 || law.min_p > 0);
  Law first = law, last = law;
  if (either) first.place = TemperaturePlace::kFirst, last.place = TemperaturePlace::kLast;
  laws_[0].add(row, first);
  if (either) laws_[1].add(row, last);
}

void DrawLaws::add_unknown() {
  for (Kept& kept : laws_) kept.add_unknown();
}

DrawLaws::Part DrawLaws::part(const Kept& kept, size_t position) {
  const size_t begin = position == 0 ? 0 : kept.ends[position - 1], size = kept.ends[position] - begin;
  return {std::span(kept.ids).subspan(begin, size), std::span(kept.shares).subspan(begin, size)};
}

double DrawLaws::parting(const Kept& a, const Kept& b, size_t position) {
  const auto law = [&](const Kept& kept) {
    const Part part = DrawLaws::part(kept, position);
    std::vector<Stretch> out;
    for (size_t i = 0; i < part.ids.size(); ++i) out.push_back({part.ids[i], static_cast<double>(part.shares[i])});
    return out;
  };
  std::vector<Stretch> p = law(a), q = law(b);
  const double open = static_cast<double>(a.open[position]) + static_cast<double>(b.open[position]);
  const double distance = std::min(1.0, distance_of(p, q) + open / 2), by_id = walked_apart(p, q);
  likeliest_first(&p), likeliest_first(&q);
  return std::max(2 * distance / (1 + distance), std::min(1.0, std::max(by_id, walked_apart(p, q)) + open / 2));
}

double DrawLaws::parting(const DrawLaws& a, const DrawLaws& b, size_t position) {
  double most = 0;
  for (size_t order = 0; order < std::size(a.laws_); ++order) {
    const Kept &p = a.laws_[order], &q = b.laws_[order];
    if (position < p.ends.size() && position < q.ends.size()) most = std::max(most, parting(p, q, position));
  }
  return most;
}

}  // namespace vaa::sampler
