// Probabilities that are none: NaN logits, logits taken for probabilities.
#include "reject/step_checks/step_checks.h"

namespace vaa {
namespace {

class Numbers final : public StepTally {
 public:
  void add(const StepView& view) override {
    if (!view.row.has(StepRow::kP) || view.greedy) return;
    rows_ += 1;
    wrong_ += !view.numbers;
  }
  void add_full(const StepView& view, const FullRows&) override {
    if (view.greedy) return;
    rows_ += 1;
    wrong_ += !view.numbers;
  }
  void judge(const RejectAuditOptions&, std::vector<AuditFinding>* out) const override {
    if (rows_ == 0) return;
    AuditFinding f;
    judge_rare(wrong_, rows_, kRareRows, &f);
    const Both share = said_share(wrong_, rows_, "rows", "行");
    f.words = wrong_ == 0 ? Both{"p and q are probabilities in all rows", "所有行的 p 与 q 均为概率"}
                          : Both{share.en + " have p or q that are no probabilities: NaN, below 0, above 1, or a law that does not add up to 1", share.zh + "的 p 或 q 不是概率：NaN、负数、大于 1，或总和不为 1"};
    out->push_back(std::move(f));
  }

 private:
  int64_t rows_ = 0, wrong_ = 0;
};

}  // namespace

extern const StepCheck kNumbers;
const StepCheck kNumbers = {{"probabilities", "numbers that are no probabilities", "不是概率的数", "rows", false}, make_tally<Numbers>};

}  // namespace vaa
