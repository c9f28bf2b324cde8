// Acceptance by position. Counts are cumulative: a position is accepted only where the one before it was, so they never rise; and no position falls off a cliff where all drafts are of full length.
#include "base/figures.h"
#include "reject/counter_checks/counter_checks.h"
#include "reject/zero_rate.h"

namespace vaa {
namespace {

constexpr double kCliff = 0.1;       // of the first position's rate: the share of the position before that goes on
constexpr double kFullLength = 0.9;  // of drafts times positions that were drafted

std::string rates(const SpecCounts& c, bool chinese) {
  std::string out;
  for (size_t i = 0; i < std::min<size_t>(c.at_position.size(), 16); ++i) out += (i ? chinese ? "、" : ", " : "") + percent(c.at_position[i] / c.drafts, chinese);
  return out + (c.at_position.size() > 16 ? ", …" : "");
}

void rising(const SpecSeries& series, AuditFinding* f) {
  const auto look = [&](const SpecCounts& c, double error) {
    for (size_t i = 1; i < c.at_position.size(); ++i) {
      const double rise = c.at_position[i] - c.at_position[i - 1];
      if (!(rise > 2 * error)) continue;
      f->status = FindingStatus::kFail;
      f->effect = c.drafts > 0 ? rise / c.drafts : 1;
      f->words = {"position " + std::to_string(i) + " is accepted more often than the one before it, of which it is a part", "位置 " + std::to_string(i) + " 的接受次数多于其前一位置，而它只能是后者的一部分"};
      return;
    }
  };
  double error = 0;
  for (const SpecWindow& w : series.windows) error += w.position_error;
  for (const SpecCounts& counts : series.standing) look(counts, 0);
  if (series.log) look(series.total, error);
}

void cliff(const SpecCounts& c, double design, AuditFinding* f) {
  const double positions = static_cast<double>(c.at_position.size()), first = c.at_position[0] / c.drafts;
  if (!(c.draft_tokens >= kFullLength * c.drafts * positions) || !(first > 0)) return;
  for (size_t i = 1; i < c.at_position.size(); ++i) {
    const ZeroRate zero = zero_rate(c.at_position[i - 1], c.at_position[i], design, kCliff * first, positions - 1);
    if (!std::isnan(f->p) && zero.p >= f->p) continue;
    f->p = zero.p;
    f->effect = zero.rate;
    f->lower = zero.interval.low;
    f->upper = zero.interval.high;
    f->margin = kCliff * first;
    f->n_needed = zero.n_needed;
    if (!(zero.interval.high < f->margin)) continue;
    f->status = FindingStatus::kFail;
    f->words = {"from position " + std::to_string(i) + " on almost nothing is accepted, though the position before it was: states or positions of later drafts are not carried on",
                "从位置 " + std::to_string(i) + " 起几乎不再接受，尽管其前一位置被接受：后续草稿的状态或位置没有延续"};
  }
}

void run(const CounterEvidence& evidence, std::vector<AuditFinding>* out) {
  for (const SpecSeries& series : evidence.series) {
    const SpecCounts& total = series.total;
    if (total.at_position.size() < 2 || !(total.drafts > 0)) continue;
    AuditFinding f;
    f.engine = series.label();
    f.n = total.drafts;
    f.status = FindingStatus::kPass;
    f.words = {"accepted by position: " + rates(total, false), "各位置接受率：" + rates(total, true)};
    rising(series, &f);
    if (f.status == FindingStatus::kPass) cliff(total, kUnknownDesign, &f);
    out->push_back(std::move(f));
  }
}

}  // namespace

extern const CounterCheck kPositionShape;
const CounterCheck kPositionShape = {"position_shape", "acceptance by position", "各位置的接受率", "drafts", false, run};

}  // namespace vaa
