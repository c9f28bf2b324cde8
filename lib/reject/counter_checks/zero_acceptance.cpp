// Drafts of which nothing is accepted: over all, and in a stretch of time between others where something is.
#include "base/figures.h"
#include "reject/counter_checks/counter_checks.h"

namespace vaa {
namespace {

constexpr double kOfTheRest = 0.1;  // a stretch is held against this share of what is accepted outside of it

// Over all. Without windows that tell how alike drafts are, kUnknownDesign of them are taken for one.
void run_all(const CounterEvidence& evidence, std::vector<AuditFinding>* out) {
  for (const SpecSeries& series : evidence.series) {
    const double drafts = least_drafts(series.total, evidence.options.tokens_per_draft);
    if (!(drafts > 0) || std::isnan(draft_share(series.total))) continue;
    AuditFinding f;
    f.engine = series.label();
    f.n = drafts;
    judge_zero(zero_of_drafts(series.total, evidence.options.tokens_per_draft, series.ratios ? 1 : kUnknownDesign, evidence.options.floor, 1), evidence.options.floor, &f);
    const Both of = said_count(drafts, "drafts", "次起草"), rate = said_rate(f.effect, f.lower, f.upper);
    f.words = f.status == FindingStatus::kFail ? Both{"of " + of.en + " (almost) none was accepted: every draft is rejected", of.zh + "中（几乎）没有一次被接受：所有草稿都被拒绝"}
                                               : Both{"something was accepted of " + rate.en + " of " + of.en, of.zh + "中有 " + rate.zh + " 被接受"};
    out->push_back(std::move(f));
  }
}

struct Stretch {
  size_t first = 0, last = 0;
  double drafts = 0;
};
struct Stretches {
  Stretch longest;
  double windows = 0;                 // with drafts
  SpecCounts others{0, 0, 0, 0, {}};  // of windows where something was accepted
};

// The stretch of windows with the most drafts and nothing accepted, within one segment.
Stretches stretches(const SpecSeries& series, double tokens_per_draft) {
  Stretches out;
  Stretch now;
  for (size_t i = 0; i < series.windows.size(); ++i) {
    const SpecCounts& c = series.windows[i].counts;
    const double drafts = least_drafts(c, tokens_per_draft), accepted = c.accepted;
    if (i > 0 && series.windows[i].segment != series.windows[i - 1].segment) now = Stretch();
    if (!(drafts > 0)) continue;
    ++out.windows;
    if (!(accepted == 0)) {
      now = Stretch();
      if (accepted > 0) add_counts(&out.others, c);
      continue;
    }
    if (now.drafts == 0) now.first = i;
    now.last = i;
    now.drafts += drafts;
    if (now.drafts > out.longest.drafts) out.longest = now;
  }
  return out;
}

void run_stretch(const CounterEvidence& evidence, std::vector<AuditFinding>* out) {
  for (const SpecSeries& series : evidence.series) {
    const Stretches all = stretches(series, evidence.options.tokens_per_draft);
    const Stretch& stretch = all.longest;
    if (all.windows < 2 || !(all.others.accepted > 0)) continue;
    const double floor = std::max(evidence.options.floor, kOfTheRest * draft_share(all.others));
    AuditFinding f;
    f.engine = series.label();
    f.n = stretch.drafts;
    // Any run of windows could have been the longest.
    judge_zero(zero_rate(stretch.drafts, 0, series.ratios ? 1 : kUnknownDesign, floor, all.windows), floor, &f);
    if (f.status != FindingStatus::kFail) f.status = FindingStatus::kPass;
    const Both of = said_count(stretch.drafts, "drafts", "次起草");
    if (f.status == FindingStatus::kPass) {
      f.words = stretch.drafts > 0 ? Both{"the longest stretch without one accepted has " + of.en, "没有一次接受的最长区间有 " + of.zh} : Both{"something was accepted in each window", "每个窗口都有接受"};
    } else {
      f.onset = window_start(series, stretch.first);
      if (stretch.first > 0) {
        f.onset_from = window_start(series, stretch.first - 1);
        f.onset_to = f.onset;
      }
      const std::string from = f.onset, to = series.windows[stretch.last].at;
      f.words = {"nothing of " + of.en + " was accepted from " + from + " to " + to + ", and something before or after it: requests of that time take another path, such as T > 0 (the draft's own probability lost: vllm-ascend#1632)",
                 from + " 至 " + to + " 的 " + of.zh + "无一被接受，而其前或其后有接受：这段时间的请求走了另一条路径，例如 T > 0（草稿自身的概率丢失：vllm-ascend#1632）"};
    }
    out->push_back(std::move(f));
  }
}

}  // namespace

extern const CounterCheck kZeroAcceptance;
const CounterCheck kZeroAcceptance = {"zero_acceptance", "nothing is accepted", "完全不接受", "drafts", false, run_all};
extern const CounterCheck kZeroStretch;
const CounterCheck kZeroStretch = {"zero_stretch", "nothing is accepted for a time", "一段时间内完全不接受", "drafts", false, run_stretch};

}  // namespace vaa
