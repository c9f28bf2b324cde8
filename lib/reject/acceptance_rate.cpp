#include "reject/acceptance_rate.h"

#include <algorithm>

#include "stats/distributions.h"

namespace vaa {
namespace {

constexpr double kManyDegrees = 1e6;
constexpr double kLongestMemory = 0.95;  // c_2 / c_1 at most: a run does not tell of requests that last as long as it

// c_0 + 2 c_1 / (1 - c_2 / c_1) of the residuals, over all cells.
double remembered(std::span<const RateCell> cells) {
  double c[3] = {};
  for (size_t lag = 0; lag < 3; ++lag)
    for (size_t i = lag; i < cells.size(); ++i) c[lag] += (cells[i].k - cells[i].n * cells[i].fitted) * (cells[i - lag].k - cells[i - lag].n * cells[i - lag].fitted);
  return c[1] > 0 ? c[0] + 2 * c[1] / (1 - std::clamp(c[2] / c[1], 0.0, kLongestMemory)) : c[0];
}

}  // namespace

double rate_variance(double k, double n) {
  const double r = (k + 1) / (n + 2);
  return r * (1 - r) / n;
}

Design design_of(std::span<const RateCell> cells, double parameters) {
  Design out;
  double binomial = 0;
  for (const RateCell& c : cells) binomial += c.n * c.fitted * (1 - c.fitted);
  if (cells.size() < kLeastCells || !(binomial > 0)) {
    out.factor = kUnknownDesign;
    out.df = kManyDegrees;
    return out;
  }
  out.measured = true;
  for (size_t width = 1; cells.size() / width >= kLeastCells; width *= 2) {
    double squares = 0, blocks = 0;
    for (size_t from = 0; from < cells.size(); from += width, ++blocks) {
      double residual = 0;
      for (size_t i = from; i < std::min(from + width, cells.size()); ++i) residual += cells[i].k - cells[i].n * cells[i].fitted;
      squares += residual * residual;
    }
    const double factor = blocks / (blocks - parameters) * squares / binomial;
    if (width > 1 && factor <= out.factor) continue;
    out.factor = std::max(1.0, factor);
    out.df = blocks - parameters;
  }
  const double cells_count = static_cast<double>(cells.size());
  out.factor = std::max(out.factor, cells_count / (cells_count - parameters) * remembered(cells) / binomial);
  return out;
}

std::vector<RateCell> cells_of(const SpecSeries& series, std::vector<size_t>* window) {
  std::vector<RateCell> out;
  for (size_t i = 0; i < series.windows.size(); ++i) {
    const SpecCounts& c = series.windows[i].counts;
    if (!(c.draft_tokens > 0) || std::isnan(c.accepted)) continue;
    out.push_back({c.draft_tokens, std::min(c.accepted, c.draft_tokens), 0});
    if (window) window->push_back(i);
  }
  return out;
}

AcceptanceRate acceptance_rate(std::span<const RateCell> cells) {
  AcceptanceRate out;
  for (const RateCell& c : cells) out.n += c.n, out.k += c.k;
  if (!(out.n > 0)) return out;
  out.rate = out.k / out.n;
  std::vector<RateCell> fitted(cells.begin(), cells.end());
  for (RateCell& c : fitted) c.fitted = out.rate;
  out.design = design_of(fitted, 1);
  out.variance = out.design.factor * rate_variance(out.k, out.n);
  const double half = stats::student_upper_quantile(0.025, out.design.df) * std::sqrt(out.variance);
  out.interval = {std::max(0.0, out.rate - half), std::min(1.0, out.rate + half)};
  return out;
}

RateFall rate_fall(double difference, double variance_a, double df_a, double variance_b, double df_b, double margin, double confidence) {
  RateFall out;
  out.difference = difference;
  const double both = variance_a + variance_b;
  out.standard_error = std::sqrt(both);
  out.df = std::max(1.0, both * both / (variance_a * variance_a / df_a + variance_b * variance_b / df_b));
  const double half = stats::student_upper_quantile((1 - confidence) / 2, out.df) * out.standard_error;
  out.low = difference - half;
  out.high = difference + half;
  out.p = stats::student_tail(-(difference + margin) / out.standard_error, out.df);
  return out;
}

}  // namespace vaa
