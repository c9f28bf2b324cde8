// Tokens that the target law gives no chance.
#include "reject/step_checks/step_checks.h"

namespace vaa {
namespace {

constexpr double kOtherEngine = 1e-3;  // tokens at the edge of a cut, where another engine worked out p

class Support final : public StepTally {
 public:
  explicit Support(bool rescored) : rescored_(rescored) {}
  void add(const StepView& view) override {
    if (!view.sampled() || !view.row.has(StepRow::kP)) return;
    for (size_t i = 0; i < view.shape.accepted; ++i) count(view.row.p[i] == 0);
  }
  void add_full(const StepView& view, const FullRows& full) override {
    if (!view.sampled()) return;
    const size_t last = view.shape.ids;
    if (last == 0 || last > full.p_rows() || (view.header.trimmed && last == view.shape.accepted)) return;
    count(full.target(last - 1)[static_cast<size_t>(view.row.ids[last - 1])] == 0);
  }
  void judge(const RejectAuditOptions&, std::vector<AuditFinding>* out) const override {
    if (tokens_ == 0) return;
    AuditFinding f;
    judge_rare(outside_, tokens_, rescored_ ? kOtherEngine : kRareRows, &f);
    const Both share = said_share(outside_, tokens_, "tokens", "个词元");
    f.words = outside_ == 0 ? Both{"no token was put out that has probability 0", "没有输出概率为 0 的词元"} : Both{share.en + " have probability 0 in the law that they are of", share.zh + "在其分布中的概率为 0"};
    out->push_back(std::move(f));
  }

 private:
  void count(bool outside) {
    tokens_ += 1;
    outside_ += outside;
  }
  bool rescored_;
  int64_t tokens_ = 0, outside_ = 0;
};

}  // namespace

extern const StepCheck kSupport;
const StepCheck kSupport = {{"support", "tokens of probability 0", "概率为 0 的词元", "tokens", false}, [](const StepHeader& header) -> std::unique_ptr<StepTally> { return std::make_unique<Support>(header.rescored); }};

}  // namespace vaa
