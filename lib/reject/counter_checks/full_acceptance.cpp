// Drafts that are never rejected: a uniform of 0, or a law that is the draft's own.
#include "base/figures.h"
#include "reject/counter_checks/counter_checks.h"
#include "reject/zero_rate.h"

namespace vaa {
namespace {

constexpr double kRejected = 0.005;  // of draft tokens: no proposer guesses better for long

void run(const CounterEvidence& evidence, std::vector<AuditFinding>* out) {
  for (const SpecSeries& series : evidence.series) {
    const SpecCounts& total = series.total;
    if (!(total.draft_tokens > 0) || std::isnan(total.accepted)) continue;
    AuditFinding f;
    f.engine = series.label();
    f.n = total.draft_tokens;
    const ZeroRate rejected = zero_rate(total.draft_tokens, std::max(0.0, total.draft_tokens - total.accepted), series.ratios ? 1 : kUnknownDesign, kRejected, 1);
    f.effect = 1 - rejected.rate;
    f.lower = 1 - rejected.interval.high;
    f.upper = 1 - rejected.interval.low;
    f.margin = 1 - kRejected;
    f.p = rejected.p;
    f.n_needed = rejected.n_needed;
    const bool all = rejected.interval.high < kRejected;
    f.suspected = all;
    f.status = all ? FindingStatus::kFail : FindingStatus::kPass;
    const Both of = said_count(f.n, "draft tokens", "个草稿词元");
    f.words = all ? Both{"(almost) all of " + of.en + " were accepted: drafts are taken unjudged (a uniform that is 0: vllm-ascend#13730). Synthetic acceptance, and answers that loop, look the same",
                         of.zh + "（几乎）全部被接受：草稿未经检验（均匀数恒为 0：vllm-ascend#13730）。合成接受模式和循环的回答看起来也是这样"}
                  : Both{"drafts are also rejected", "也有草稿被拒绝"};
    out->push_back(std::move(f));
  }
}

}  // namespace

extern const CounterCheck kFullAcceptance;
const CounterCheck kFullAcceptance = {"full_acceptance", "nothing is rejected", "完全不拒绝", "draft_tokens", false, run};

}  // namespace vaa
