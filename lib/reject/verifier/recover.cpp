#include "reject/verifier/recover.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "base/failure.h"
#include "base/figures.h"
#include "base/math.h"
#include "reject/verifier/row_passes.h"

namespace vaa {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double single(double value) { return static_cast<double>(static_cast<float>(value)); }

[[noreturn]] void refuse_noise(const RecoverBy& by, size_t id, double value, const char* allowed) {
  fail(VAA_ERROR_ARGUMENT, "request " + std::to_string(by.request) + ", position " + std::to_string(by.position) + ": noise[" + std::to_string(id) + "]: is " + exact_number(value) + ", must be " + allowed);
}

// visit(begin, end) for the runs of ids that are left.
template <class Visit>
void runs_of(const Residual& residual, Visit&& visit) {
  size_t begin = 0;
  for (const int32_t id : residual.without) {
    if (static_cast<size_t>(id) > begin) visit(begin, static_cast<size_t>(id));
    begin = static_cast<size_t>(id) + 1;
  }
  if (begin < residual.p.size) visit(begin, residual.p.size);
}

double weight(const Residual& residual, size_t i, bool fp32) { return fp32 ? single(residual.at(i)) : residual.at(i); }

// The two best scores so far, of equals the first.
struct Best {
  double first = 0, second = 0;
  int32_t id = -1;
  void take(double score, size_t i) {
    if (score > first || id < 0) {
      second = id < 0 ? second : first;
      first = score;
      id = static_cast<int32_t>(i);
    } else if (score > second) {
      second = score;
    }
  }
};

double checked_exponential(const RecoverBy& by, size_t id) {
  const double e = static_cast<double>(by.noise[id]);
  if (!(e >= 0 && e < kInfinity)) refuse_noise(by, id, e, "at least 0 and finite");
  return e;
}

double checked_gumbel(const RecoverBy& by, size_t id) {
  const double g = static_cast<double>(by.noise[id]);
  if (!std::isfinite(g)) refuse_noise(by, id, g, "finite");
  return g;
}

Recovered race(const Residual& residual, const RecoverBy& by) {
  Best best;
  const double slack = std::max(by.boundary, by.fp32 ? 1e-6 : 1e-12);
  const RaceRows rows{residual.p, residual.q.floats, residual.scale, by.noise.data()};
  const auto look = [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      const double e = checked_exponential(by, i);
      const double w = weight(residual, i, by.fp32);
      if (w > 0) best.take(by.fp32 ? single(w / e) : w / e, i);
    }
  };
  runs_of(residual, [&](size_t begin, size_t end) {
    while (begin < end) {
      const size_t block = next_in_race(rows, best.id < 0 ? 0 : best.first * (1 - slack), begin, end), stop = std::min(block + 16, end);
      look(block, stop);
      begin = stop;
    }
  });
  for (const int32_t id : residual.without) checked_exponential(by, static_cast<size_t>(id));
  return {best.id, best.id >= 0 && best.second >= best.first * (1 - by.boundary), best.id < 0};
}

Recovered gumbel(const Residual& residual, const RecoverBy& by) {
  Best best;
  best.first = best.second = -kInfinity;
  runs_of(residual, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      const double g = checked_gumbel(by, i);
      const double w = weight(residual, i, by.fp32);
      if (!(w > 0)) continue;
      const double most = (static_cast<double>(std::bit_cast<int64_t>(w) >> 52) - 1022) * 0.6931471805599454 + g;  // w is below 2^(exponent + 1)
      if (best.id >= 0 && most < best.first - by.boundary - 1e-5) continue;
      const double log_w = math::log(w);
      best.take(by.fp32 ? single(single(log_w) + g) : log_w + g, i);
    }
  });
  for (const int32_t id : residual.without) checked_gumbel(by, static_cast<size_t>(id));
  return {best.id, best.id >= 0 && best.second >= best.first - by.boundary, best.id < 0};
}

Recovered inverse_cdf(const Residual& residual, const RecoverBy& by) {
  const double u = static_cast<double>(by.noise[0]);
  if (!(u >= 0 && u <= 1)) refuse_noise(by, 0, u, "0 to 1");
  double total = 0;
  runs_of(residual, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) total += weight(residual, i, by.fp32);
  });
  if (!(total > 0)) return {-1, false, true};
  const double target = by.fp32 ? single(u * single(total)) : u * total, near = by.boundary * total;
  double mass = 0;
  Recovered out{-1, false, false};
  bool found = false;
  runs_of(residual, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end && !found; ++i) {
      const double w = weight(residual, i, by.fp32);
      if (!(w > 0)) continue;
      out.near_tie = out.id >= 0 && std::fabs(mass - target) <= near;  // the one before would have been taken
      mass += w;
      out.id = static_cast<int32_t>(i);  // the last that can be drawn, where rounding leaves the mass short or u is 1
      found = (by.fp32 ? single(mass) : mass) > target;
      out.near_tie = out.near_tie || (std::fabs(mass - target) <= near && mass < total);
    }
  });
  return out;
}

}  // namespace

Recovered recover(const Residual& residual, const RecoverBy& by) {
  switch (by.rule) {
    case Recovery::kRace: return race(residual, by);
    case Recovery::kGumbel: return gumbel(residual, by);
    default: return inverse_cdf(residual, by);
  }
}

double residual_law(const Residual& residual, std::span<double> out) {
  std::fill(out.begin(), out.end(), 0.0);
  double total = 0;
  runs_of(residual, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) total += out[i] = residual.at(i);
  });
  if (total > 0)
    for (double& one : out) one /= total;
  return total;
}

}  // namespace vaa
