// Acceptance above the sum of min(p, q), over what drafts could have been: drafts are not of the law that they are judged with.
#include <algorithm>

#include "base/figures.h"
#include "reject/step_checks/step_checks.h"

namespace vaa {
namespace {

class Bound final : public StepTally {
 public:
  void add_full(const StepView& view, const FullRows& full) override {
    if (!view.lawful() || full.q_rows() == 0) return;
    for (size_t i = 0; i < view.shape.judged; ++i) {
      double most = 0;
      for (size_t x = 0; x < full.vocab; ++x) most += std::min(full.target(i)[x], full.draft(i)[x]);
      all_.add(i < view.shape.accepted, std::min(1.0, most));
    }
  }
  void judge(const RejectAuditOptions& options, std::vector<AuditFinding>* out) const override {
    if (all_.count() == 0) return;
    AuditFinding f;
    judge_excess(all_, options.law_margin, 1, &f);
    if (f.upper < f.margin) f.status = FindingStatus::kPass;
    if (f.status == FindingStatus::kFail && f.effect < 0) f.status = FindingStatus::kPass;
    if (f.effect < 0) f.p = 1;
    const auto n = static_cast<double>(all_.count());
    f.words = {percent(all_.outcomes() / n) + " of " + counted(all_.count(), "drafts") + " accepted; no lossless rule accepts more than " + percent(all_.due() / n) + ", the mean of sum min(p, q)",
               grouped(all_.count()) + " 个草稿接受 " + percent(all_.outcomes() / n, true) + "；任何无损规则至多接受 " + percent(all_.due() / n, true) + "（Σmin(p,q) 的均值）"};
    out->push_back(std::move(f));
  }

 private:
  Excess all_;
};

std::unique_ptr<StepTally> make(const StepHeader& header) { return header.draft_probs == DraftProbs::kRecorded && header.rule == StepRule::kToken ? std::make_unique<Bound>() : nullptr; }

}  // namespace

extern const StepCheck kAcceptedBound;
const StepCheck kAcceptedBound = {{"accepted_above_bound", "more accepted than any lossless rule can", "接受率超过无损规则的上限", "draft_tokens", true}, make};

}  // namespace vaa
