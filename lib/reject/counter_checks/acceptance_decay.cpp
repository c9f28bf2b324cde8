// From some moment on less is accepted, on one rank and not on the others of its server.
#include <algorithm>

#include "base/figures.h"
#include "reject/counter_checks/counter_checks.h"
#include "stats/change_point.h"
#include "stats/distributions.h"
#include "stats/power.h"

namespace vaa {
namespace {

constexpr size_t kMostCells = 2048;      // neighbours are joined above it

struct Side {
  double n = 0, k = 0;
  double rate() const { return k / n; }
};
struct Split {
  Side before, after;
  bool good() const { return before.n > 0 && after.n > 0; }
  double fall() const { return after.rate() - before.rate(); }
  double variance() const { return rate_variance(before.k, before.n) + rate_variance(after.k, after.n); }
};

struct Step {
  bool tested = false;
  double cells = 0;
  Split split;
  Design design;
  RateFall fall;
  int64_t at_order = 0;
  double at_s = 0;
  size_t at = 0, lo = 0, hi = 0;       // windows of the series
};

struct Cells {
  std::vector<RateCell> cells;
  std::vector<size_t> first;           // window of each
};

Cells joined(const SpecSeries& series) {
  std::vector<size_t> window;
  const std::vector<RateCell> each = cells_of(series, &window);
  const size_t width = (each.size() + kMostCells - 1) / kMostCells;
  Cells out;
  for (size_t i = 0; i < each.size(); ++i) {
    if (width == 0 || i % width == 0) {
      out.cells.push_back({});
      out.first.push_back(window[i]);
    }
    out.cells.back().n += each[i].n;
    out.cells.back().k += each[i].k;
  }
  return out;
}

Step step_of(const SpecSeries& series, double margin) {
  Step out;
  Cells all = joined(series);
  const size_t count = all.cells.size();
  if (count < 2 * kLeastCells) return out;
  std::vector<stats::PositionSum> sums;
  for (size_t i = 0; i < count; ++i) sums.push_back({static_cast<int64_t>(i), static_cast<int64_t>(i), all.cells[i].n, all.cells[i].k, all.cells[i].k});
  stats::ChangePoint point = stats::change_point(sums, 1);
  if (!point.found) return out;
  const auto split_at = [&](size_t at) {
    Split split;
    for (size_t i = 0; i < count; ++i) {
      Side& side = i < at ? split.before : split.after;
      side.n += all.cells[i].n;
      side.k += all.cells[i].k;
    }
    return split;
  };
  out.split = split_at(static_cast<size_t>(point.at));
  if (!out.split.good()) return out;
  for (size_t i = 0; i < count; ++i) all.cells[i].fitted = i < static_cast<size_t>(point.at) ? out.split.before.rate() : out.split.after.rate();
  out.design = design_of(all.cells, 2);
  point = stats::change_point(sums, out.design.factor);
  out.tested = true;
  out.cells = static_cast<double>(count);
  out.at = all.first[static_cast<size_t>(point.at)];
  out.lo = all.first[static_cast<size_t>(point.lo)];
  out.hi = all.first[static_cast<size_t>(point.hi)];
  out.at_order = series.windows[out.at].order;
  out.at_s = series.windows[out.at].from_s;
  // Any split could have been the largest: Bonferroni's correction over all of them.
  out.fall = rate_fall(out.split.fall(), out.design.factor * out.split.variance(), out.design.df, 0, 1, margin, 1 - 0.05 / (out.cells - 1));
  out.fall.p = std::min(1.0, out.fall.p * (out.cells - 1));
  return out;
}

// The same split on the other engines of the server.
Split peers_at(const CounterEvidence& evidence, const SpecSeries& series, const Step& step) {
  Split out;
  for (const SpecSeries& other : evidence.series) {
    if (&other == &series || other.server != series.server || other.kind != series.kind || other.model != series.model) continue;
    for (const SpecWindow& w : other.windows) {
      if (!(w.counts.draft_tokens > 0) || std::isnan(w.counts.accepted)) continue;
      const bool timed = !std::isnan(step.at_s) && !std::isnan(w.from_s);
      Side& side = (timed ? w.from_s < step.at_s : w.order < step.at_order) ? out.before : out.after;
      side.n += w.counts.draft_tokens;
      side.k += std::min(w.counts.accepted, w.counts.draft_tokens);
    }
  }
  return out;
}

// A fall by half of the windows that is found in 80 % of such runs.
double detectable(const Step& step, double n, double rate, double margin) {
  const double t = stats::student_upper_quantile(0.025 / (step.cells - 1), step.design.df) + stats::student_upper_quantile(0.2, step.design.df);
  return margin + t * std::sqrt(step.design.factor * std::max(rate * (1 - rate), 1 / n) * 4 / n);
}

void say_fall(const Step& step, const Split& peers, bool alone, AuditFinding* f) {
  const double from = step.split.before.rate(), to = step.split.after.rate();
  f->words = {"acceptance fell from " + percent(from) + " to " + percent(to) + " at " + f->onset, "接受率在 " + f->onset + " 从 " + percent(from, true) + " 降到 " + percent(to, true)};
  if (peers.good()) {
    const std::string there = points(peers.fall());
    f->words.en += alone ? "; the other ranks of its server moved by " + there + " points at that moment" : "; the other ranks moved with it (" + there + " points): the load changed, or all of them";
    f->words.zh += alone ? "；同一服务器的其他 rank 在该时刻变化 " + there + " 个百分点" : "；其他 rank 同时变化（" + there + " 个百分点）：负载变了，或全部都变了";
  } else {
    f->words.en += "; no other rank tells whether the load changed then: ask the same requests again";
    f->words.zh += "；没有其他 rank 可判断当时负载是否改变：请用相同请求重测";
  }
}

void judge(const CounterEvidence& evidence, const SpecSeries& series, const Step& step, AuditFinding* f) {
  const double margin = evidence.options.margin;
  const AcceptanceRate whole = acceptance_rate(cells_of(series));
  f->n = whole.n;
  f->effect = step.fall.difference;
  f->lower = step.fall.low;
  f->upper = step.fall.high;
  f->margin = -margin;
  f->p = step.fall.p;
  f->detectable = detectable(step, whole.n, whole.rate, margin);
  f->n_needed = stats::whole_need(whole.n * std::pow((f->detectable - margin) / (kSeenEnough - margin), 2));
  if (step.fall.high < -margin) {
    f->onset = window_start(series, step.at);
    f->onset_from = window_start(series, step.lo);
    f->onset_to = window_start(series, step.hi);
    const Split peers = peers_at(evidence, series, step);
    bool alone = false;
    if (peers.good()) {
      const RateFall more = rate_fall(step.split.fall() - peers.fall(), step.design.factor * step.split.variance(), step.design.df, step.design.factor * peers.variance(), step.design.df, margin,
                                      1 - 0.05 / (step.cells - 1));
      alone = more.high < -margin;
      if (alone) f->p = std::min(1.0, std::max(f->p, more.p * (step.cells - 1)));
    }
    f->status = alone ? FindingStatus::kFail : FindingStatus::kUndecided;
    f->suspected = !alone;
    if (!alone) f->n_needed = -1;  // more drafts do not tell whose fall it is
    say_fall(step, peers, alone, f);
    return;
  }
  f->status = f->detectable <= kSeenEnough || step.fall.difference > 0 ? FindingStatus::kPass : FindingStatus::kUndecided;
  f->words = {"no fall; one of " + points(f->detectable) + " points halfway would have been found", "没有下降；若中途下降 " + points(f->detectable) + " 个百分点，本可发现"};
}

void run(const CounterEvidence& evidence, std::vector<AuditFinding>* out) {
  for (const SpecSeries& series : evidence.series) {
    if (!(series.total.draft_tokens > 0) || std::isnan(series.total.accepted)) continue;
    AuditFinding f;
    f.engine = series.label();
    const Step step = step_of(series, evidence.options.margin);
    if (step.tested) {
      judge(evidence, series, step, &f);
    } else {
      f.n = static_cast<double>(cells_of(series).size());
      f.n_needed = static_cast<int64_t>(2 * kLeastCells);
      const std::string have = grouped(static_cast<int64_t>(f.n)), need = grouped(f.n_needed);
      f.words = {have + " windows with drafts; a fall over time needs " + need, "有草稿的窗口 " + have + " 个；判断随时间下降需要 " + need + " 个"};
    }
    out->push_back(std::move(f));
  }
}

}  // namespace

extern const CounterCheck kAcceptanceDecay;
const CounterCheck kAcceptanceDecay = {"acceptance_decay", "acceptance over time", "接受率随时间变化", "draft_tokens", true, run};

}  // namespace vaa
