// Whether the uniforms of the acceptance tests are uniform.
#include "base/figures.h"
#include "reject/step_checks/step_checks.h"
#include "reject/steps/value_histogram.h"

namespace vaa {
namespace {

constexpr double kMargin = 5;  // a distance of laws, in margins of a probability

class Uniforms final : public StepTally {
 public:
  void add_full(const StepView& view, const FullRows& full) override {
    if (view.greedy || view.header.shared_seeds) return;
    for (const double u : full.uniforms) u >= 0 && u <= 1 ? values_.add(u) : static_cast<void>(outside_ += 1);
  }
  void judge(const RejectAuditOptions& options, std::vector<AuditFinding>* out) const override {
    if (values_.count() + outside_ == 0) return;
    AuditFinding f;
    if (outside_ > 0) {
      judge_rare(outside_, values_.count() + outside_, kRareRows, &f);
      const Both share = said_share(outside_, values_.count() + outside_, "uniforms", "个均匀数");
      f.words = {share.en + " are none: outside 0 to 1, or NaN", share.zh + "不在 0 到 1 之间，或为 NaN"};
    } else {
      values_.judge(kMargin * options.law_margin, &f);
      f.words = {"uniforms lie " + percent(f.effect) + " from uniform", "均匀数与均匀分布相距 " + percent(f.effect, true)};
    }
    out->push_back(std::move(f));
  }

 private:
  ValueHistogram values_;
  int64_t outside_ = 0;
};

}  // namespace

extern const StepCheck kUniforms;
const StepCheck kUniforms = {{"uniforms", "uniforms of the acceptance tests are uniform", "接受检验的均匀数是否均匀", "draft_tokens", false}, make_tally<Uniforms>};

}  // namespace vaa
