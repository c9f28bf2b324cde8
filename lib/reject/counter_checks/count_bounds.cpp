// Counts that no engine can have: more accepted than drafted, a position accepted more often than there were drafts.
#include "base/figures.h"
#include "reject/counter_checks/counter_checks.h"

namespace vaa {
namespace {

struct Excess {
  double over = 0, bound = 0;
  Both words;
};

std::string whole(double count) { return grouped(static_cast<int64_t>(std::min(count, 9e15))); }

void hold(double count, double bound, double error, const char* en, const char* zh, Excess* most) {
  if (!(count > bound + error) || !(count - bound > most->over)) return;
  most->over = count - bound;
  most->bound = bound;
  most->words = {whole(count) + " " + en + ", " + whole(bound) + " possible", zh + std::string("：") + whole(count) + "，至多可能 " + whole(bound)};
}

Excess excess_of(const SpecCounts& c, double error) {
  Excess most;
  const double positions = static_cast<double>(c.at_position.size());
  hold(c.accepted, c.draft_tokens, 0, "tokens accepted of those drafted", "接受的词元多于起草的词元", &most);
  hold(c.drafts, c.draft_tokens, 0, "drafts counted for the tokens drafted", "起草次数多于起草的词元", &most);
  if (positions == 0) return most;
  double sum = 0;
  for (const double at : c.at_position) {
    hold(at, c.drafts, error, "accepted at one position of the drafts", "某一位置的接受次数多于起草次数", &most);
    sum += at;
  }
  hold(c.accepted, c.drafts * positions, 0, "tokens accepted of drafts times positions", "接受的词元多于起草次数乘以位置数", &most);
  hold(sum, c.accepted, error * positions, "accepted at all positions together of the tokens accepted", "各位置接受次数之和多于接受的词元", &most);
  hold(c.accepted, sum, error * positions, "tokens accepted of those at all positions together", "接受的词元多于各位置接受次数之和", &most);
  return most;
}

void run(const CounterEvidence& evidence, std::vector<AuditFinding>* out) {
  for (const SpecSeries& series : evidence.series) {
    const SpecCounts& total = series.total;
    if (series.ratios || std::isnan(total.draft_tokens) || std::isnan(total.accepted)) continue;
    AuditFinding f;
    f.engine = series.label();
    f.n = total.draft_tokens;
    Excess most;
    double error = 0;
    for (const SpecWindow& w : series.windows) error += w.position_error;
    // Counters are held as they stand: an increase between two scrapes may begin in the middle of a step. A log has increases only.
    for (const SpecCounts& counts : series.standing)
      if (const Excess excess = excess_of(counts, 0); excess.over > most.over) most = excess;
    if (series.log)
      if (const Excess excess = excess_of(total, error); excess.over > most.over) most = excess;
    f.effect = most.bound > 0 ? most.over / most.bound : most.over > 0 ? 1 : 0;
    f.margin = 0;
    f.status = most.over > 0 ? FindingStatus::kFail : FindingStatus::kPass;
    f.words = most.over > 0 ? most.words : Both{"all counts are possible", "所有计数都在可能范围内"};
    out->push_back(std::move(f));
  }
  if (const int64_t answers = evidence.samples.impossible(); answers > 0) {
    AuditFinding f;
    f.n = static_cast<double>(evidence.samples.pushed());
    f.effect = static_cast<double>(answers) / f.n;
    f.status = FindingStatus::kFail;
    f.words = {counted(answers, "answers") + " with counts that cannot be (accepted above drafted, or below 0), the first is " + evidence.samples.first_impossible(), grouped(answers) + " 个回答的计数不可能（接受多于起草，或为负），第一个为 " + evidence.samples.first_impossible()};
    out->push_back(std::move(f));
  }
}

}  // namespace

extern const CounterCheck kCountBounds;
const CounterCheck kCountBounds = {"count_bounds", "above what is possible", "超出可能的上界", "draft_tokens", false, run};

}  // namespace vaa
