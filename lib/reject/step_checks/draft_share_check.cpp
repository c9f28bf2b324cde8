// Where no p is recorded: drafts that are never put out, or always.
#include "base/figures.h"
#include "reject/acceptance_rate.h"
#include "reject/step_checks/step_checks.h"
#include "reject/zero_rate.h"

namespace vaa {
namespace {

constexpr double kRejected = 0.005;  // no proposer guesses better for long

class Share final : public StepTally {
 public:
  void add(const StepView& view) override {
    if (!view.lawful() || view.row.has(StepRow::kP)) return;
    judged_ += static_cast<int64_t>(view.shape.judged);
    accepted_ += static_cast<int64_t>(view.shape.accepted);
  }
  void judge(const RejectAuditOptions& options, std::vector<AuditFinding>* out) const override {
    if (judged_ == 0) return;
    const auto n = static_cast<double>(judged_), k = static_cast<double>(accepted_);
    const ZeroRate accepted = zero_rate(n, k, kUnknownDesign, options.floor, 2), rejected = zero_rate(n, n - k, kUnknownDesign, kRejected, 2);
    const bool all = k / n > 0.5;
    const ZeroRate& shown = all ? rejected : accepted;
    AuditFinding f;
    f.n = n;
    f.effect = k / n;
    f.lower = all ? 1 - shown.interval.high : shown.interval.low;
    f.upper = all ? 1 - shown.interval.low : shown.interval.high;
    f.margin = all ? 1 - kRejected : options.floor;
    f.p = shown.p;
    f.n_needed = shown.n_needed;
    f.suspected = all;
    const double margin = all ? kRejected : options.floor;
    f.status = shown.interval.high < margin ? FindingStatus::kFail : shown.interval.low > margin ? FindingStatus::kPass : FindingStatus::kUndecided;
    const Both share = said_share(accepted_, judged_, "drafts", "个草稿");
    f.words = {share.en + " were put out at T > 0", "T > 0 时 " + share.zh + "被输出"};
    if (f.status == FindingStatus::kFail && !all) f.words.en += ": every draft is rejected (p(d) lost before the test: vllm-ascend#1632)", f.words.zh += "：所有草稿都被拒绝（检验前 p(d) 丢失：vllm-ascend#1632）";
    if (f.status == FindingStatus::kFail && all) f.words.en += ": drafts are taken unjudged (vllm-ascend#13730), or they are that good", f.words.zh += "：草稿未经检验（vllm-ascend#13730），或草稿确实很准";
    out->push_back(std::move(f));
  }

 private:
  int64_t judged_ = 0, accepted_ = 0;
};

}  // namespace

extern const StepCheck kDraftShare;
const StepCheck kDraftShare = {{"draft_share", "drafts are put out, and not always", "草稿有时被输出，但非总是", "draft_tokens", false}, make_tally<Share>};

}  // namespace vaa
