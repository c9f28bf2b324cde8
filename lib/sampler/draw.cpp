#include "sampler/draw.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/failure.h"
#include "base/json_writer.h"

namespace vaa {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

DrawRule draw_rule(const Engine& engine) {
  const DrawRule rule = engine.rule<DrawRule>(Rule::kDraw);
  if (rule == DrawRule::kUnknown) fail_unknown(engine, Rule::kDraw, "a token is to be drawn");
  if (engine.rule<DrawOrder>(Rule::kDrawOrder) == DrawOrder::kUnknown) fail_unknown(engine, Rule::kDrawOrder, "a token is to be drawn");
  return rule;
}

[[noreturn]] void refuse_noise(const LogitRow& row, size_t column, double value, const char* allowed) {
  std::string shown = std::isnan(value) ? "NaN" : "";
  if (shown.empty()) append_number(&shown, value);
  fail(VAA_ERROR_ARGUMENT, row.where() + "noise[" + std::to_string(column) + "]: is " + shown + ", must be " + allowed);
}

// visit(place, column) for each candidate, in the order of the columns.
template <class Visit>
void in_order(const Engine& engine, LogitRow* row, Visit&& visit) {
  const DrawOrder order = engine.rule<DrawOrder>(Rule::kDrawOrder);
  if (order == DrawOrder::kId || (order == DrawOrder::kRankIfCut && row->size == row->vocabulary)) {
    for (size_t i = 0; i < row->size; ++i)
      if (!visit(i, static_cast<size_t>(row->id(i)))) return;
    return;
  }
  size_t rank = 0;
  for (const uint32_t i : row->by_probability())
    if (!visit(i, rank++)) return;
}

// The place of the largest score, of equals the first.
template <class Score>
size_t largest(const Engine& engine, LogitRow* row, Score&& score) {
  size_t best = 0;
  double most = -kInfinity;
  in_order(engine, row, [&](size_t place, size_t column) {
    const double s = score(place, column);
    if (s > most) {
      most = s;
      best = place;
    }
    return true;
  });
  return best;
}

size_t walk_cdf(const Engine& engine, double u, LogitRow* row) {
  if (!(u >= 0 && u < 1)) refuse_noise(*row, 0, u, "at least 0 and below 1");
  const double target = row->round(u) * row->total;
  double mass = 0;
  size_t found = 0;
  in_order(engine, row, [&](size_t place, size_t) {
    found = row->weights[place] > 0 ? place : found;  // the last that can be drawn, where rounding leaves the mass short
    mass += row->weights[place];
    return !(row->round(mass) > target);
  });
  return found;
}

}  // namespace

size_t noise_size(const Engine& engine, size_t vocabulary) { return draw_rule(engine) == DrawRule::kInverseCdf ? 1 : vocabulary; }

int32_t draw(const Engine& engine, std::span<const double> noise, LogitRow* row) {
  if (row->size == 1) return row->id(0);
  size_t place = 0;
  switch (draw_rule(engine)) {
    case DrawRule::kRace:
      place = largest(engine, row, [&](size_t i, size_t column) {
        const double e = noise[column];
        if (!(e >= 0 && e < kInfinity)) refuse_noise(*row, column, e, "at least 0 and finite");
        return row->weights[i] == 0 ? 0 : row->round(row->weights[i] / row->round(e));
      });
      break;
    case DrawRule::kGumbel:
      place = largest(engine, row, [&](size_t i, size_t column) {
        if (!std::isfinite(noise[column])) refuse_noise(*row, column, noise[column], "finite");
        return row->round(row->z[i] + row->round(noise[column]));
      });
      break;
    case DrawRule::kInverseCdf: place = walk_cdf(engine, noise[0], row); break;
    case DrawRule::kUnknown: break;
  }
  return row->id(place);
}

Logprob logprob_of(int32_t token, LogprobsMode mode, LogitRow* row) {
  const bool logits = mode == LogprobsMode::kRawLogits || mode == LogprobsMode::kProcessedLogits;
  size_t place = static_cast<size_t>(token);
  if (row->cut) {
    const auto end = row->ids.begin() + static_cast<ptrdiff_t>(row->size);
    const auto at = std::lower_bound(row->ids.begin(), end, token);
    place = at != end && *at == token ? static_cast<size_t>(at - row->ids.begin()) : row->size;
  }
  const double z = place < row->size ? row->z[place] : -kInfinity;
  int64_t rank = 1;
  for (size_t i = 0; i < row->size; ++i) rank += row->z[i] > z;
  if (logits || z == -kInfinity) return {z, rank};
  return {row->log_probability(place), rank};
}

}  // namespace vaa
