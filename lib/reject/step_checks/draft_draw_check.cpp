// Whether drafts are drawn from the law that they are judged with.
#include "base/figures.h"
#include "reject/step_checks/step_checks.h"
#include "reject/steps/value_histogram.h"

namespace vaa {
namespace {

constexpr double kMargin = 5;  // a distance of laws, in margins of a probability

class Draws final : public StepTally {
 public:
  void add_full(const StepView& view, const FullRows& full) override {
    if (!view.lawful()) return;
    for (size_t i = 0; i < std::min(full.q_rows(), view.row.drafts.size()); ++i) {
      if (view.row.drafts[i] < 0 || i >= view.shape.judged) continue;
      values_.add(value_by_rank(full.draft(i), static_cast<size_t>(view.row.drafts[i]), random_share(view.row, full.draft(i), i, 1)));
    }
  }
  void judge(const RejectAuditOptions& options, std::vector<AuditFinding>* out) const override {
    if (values_.count() == 0) return;
    AuditFinding f;
    values_.judge(kMargin * options.law_margin, &f);
    f.words = {"drafts lie " + percent(f.effect) + " from the law q that they are judged with", "草稿与其检验所用分布 q 相距 " + percent(f.effect, true)};
    if (f.status == FindingStatus::kFail) f.words.en += ": they were cut, or the likeliest was taken, after q was kept (transformers#47932, #32867)", f.words.zh += "：保存 q 之后草稿又被截断或取了最大者（transformers#47932、#32867）";
    out->push_back(std::move(f));
  }

 private:
  ValueHistogram values_;
};

std::unique_ptr<StepTally> make(const StepHeader& header) { return header.draft_probs == DraftProbs::kRecorded ? std::make_unique<Draws>() : nullptr; }

}  // namespace

extern const StepCheck kDraftDraws;
const StepCheck kDraftDraws = {{"draft_draws", "drafts are drawn from q", "草稿是否取自 q", "draft_tokens", false}, make};

}  // namespace vaa
