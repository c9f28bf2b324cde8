// One data-parallel rank accepts less than the others of its server.
#include <algorithm>
#include <map>

#include "base/figures.h"
#include "reject/counter_checks/counter_checks.h"
#include "stats/power.h"

namespace vaa {
namespace {

bool beside(const SpecSeries& a, const SpecSeries& b) { return a.server == b.server && a.kind == b.kind && a.model == b.model && a.log == b.log; }

constexpr size_t kLeastRanks = 3;

// What the other ranks of a server did at each moment, and in all.
struct Others {
  std::map<std::string, RateCell> at;
  RateCell all;
  std::vector<double> rates;   // of each
};

Others others_of(const CounterEvidence& evidence, const SpecSeries& series) {
  Others out;
  for (const SpecSeries& other : evidence.series) {
    if (&other == &series || !beside(series, other)) continue;
    RateCell sum;
    for (const SpecWindow& w : other.windows) {
      if (!(w.counts.draft_tokens > 0) || std::isnan(w.counts.accepted)) continue;
      RateCell& cell = out.at[w.at];
      const double k = std::min(w.counts.accepted, w.counts.draft_tokens);
      for (RateCell* each : {&cell, &sum, &out.all}) each->n += w.counts.draft_tokens, each->k += k;
    }
    if (sum.n > 0) out.rates.push_back(sum.k / sum.n);
  }
  return out;
}

struct Gap {
  double difference = 0, variance = 0, df = 1, n = 0;
};

// Moment by moment: what all ranks do alike, such as a change of the load, is in none of the differences. Residuals hold the noise of both sides.
Gap gap_of(const SpecSeries& series, const Others& others) {
  Gap out;
  std::vector<size_t> window;
  std::vector<RateCell> cells = cells_of(series, &window);
  double sum = 0, binomial = 0;
  for (size_t i = 0; i < cells.size(); ++i) {
    const auto found = others.at.find(series.windows[window[i]].at);
    const RateCell& with = found == others.at.end() ? others.all : found->second;
    cells[i].fitted = with.k / with.n;
    sum += cells[i].k - cells[i].n * cells[i].fitted;
    out.n += cells[i].n;
  }
  out.difference = sum / out.n;
  for (RateCell& cell : cells) {
    cell.fitted = std::clamp(cell.fitted + out.difference, 0.0, 1.0);
    binomial += cell.n * cell.fitted * (1 - cell.fitted);
  }
  const Design design = design_of(cells, 1);
  const double least = rate_variance(sum + out.n * (others.all.k / others.all.n), out.n), own = std::max(binomial / (out.n * out.n), least);
  out.variance = design.factor * own + (design.measured ? 0 : kUnknownDesign * rate_variance(others.all.k, others.all.n));
  out.df = design.df;
  return out;
}

// Ranks differ by their requests, which may last longer than any window tells: the spread of the other ranks among themselves, where it is wider than what windows say.
void between_ranks(const std::vector<double>& rates, Gap* gap) {
  double mean = 0, squares = 0;
  for (const double rate : rates) mean += rate / static_cast<double>(rates.size());
  for (const double rate : rates) squares += (rate - mean) * (rate - mean);
  const double df = static_cast<double>(rates.size() - 1), variance = squares / df * (1 + 1 / static_cast<double>(rates.size()));
  if (variance <= gap->variance) return;
  gap->variance = variance;
  gap->df = df;
}

void judge(const Gap& gap, const Others& others, double margin, AuditFinding* f) {
  const RateFall fall = rate_fall(gap.difference, gap.variance, gap.df, 0, 1, margin, 0.95);
  f->n = gap.n;
  f->effect = fall.difference;
  f->lower = fall.low;
  f->upper = fall.high;
  f->margin = -margin;
  f->p = fall.p;
  const double half = fall.difference - fall.low;
  f->detectable = half + margin;
  const bool seen_enough = fall.difference > -margin && f->detectable <= kSeenEnough;
  f->status = fall.high < -margin ? FindingStatus::kFail : fall.low > -margin || seen_enough ? FindingStatus::kPass : FindingStatus::kUndecided;
  const double room = std::max(std::fabs(fall.difference + margin), 0.2 * margin), rest = others.all.k / others.all.n;
  if (f->status == FindingStatus::kUndecided) f->n_needed = stats::whole_need(gap.n * std::pow(half / room, 2));
  const std::string size = points(fall.difference) + " points (" + points(fall.low) + " to " + points(fall.high) + ")", size_zh = points(fall.difference) + " 个百分点（" + points(fall.low) + " 至 " + points(fall.high) + "）";
  f->words = {size + " beside the other ranks at the same moments, which accept " + percent(rest), "同一时刻与其他 rank（接受 " + percent(rest, true) + "）相差 " + size_zh};
}

void run(const CounterEvidence& evidence, std::vector<AuditFinding>* out) {
  for (const SpecSeries& series : evidence.series) {
    if (!(series.total.draft_tokens > 0) || std::isnan(series.total.accepted)) continue;
    const Others others = others_of(evidence, series);
    if (!(others.all.n > 0)) continue;
    Gap gap = gap_of(series, others);
    if (others.rates.size() >= kLeastRanks) between_ranks(others.rates, &gap);
    AuditFinding f;
    f.engine = series.label();
    judge(gap, others, evidence.options.margin, &f);
    out->push_back(std::move(f));
  }
}

}  // namespace

extern const CounterCheck kRankFall;
const CounterCheck kRankFall = {"rank_fall", "rank against the others", "与其他 rank 相比", "draft_tokens", true, run};

}  // namespace vaa
