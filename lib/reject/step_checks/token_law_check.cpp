// Tokens against the laws that they are drawn from: those in place of rejected drafts, those after the last draft, all of them.
#include <algorithm>

#include "base/figures.h"
#include "reject/step_checks/step_checks.h"
#include "reject/steps/row_law.h"
#include "reject/steps/value_histogram.h"

namespace vaa {
namespace {

constexpr double kMargin = 5;  // a distance of laws, in margins of a probability

// Values by id and by rank: the first sees tokens that move along the vocabulary, the second a temperature.
class Values {
 public:
  void add(const StepRow& row, size_t at, uint64_t what, std::span<const double> law, size_t token) {
    if (!(law[token] > 0)) return;  // support is a check of its own
    by_id_.add(value_by_id(law, token, random_share(row, law, at, what)));
    by_rank_.add(value_by_rank(law, token, random_share(row, law, at, what + 1)));
  }
  void judge(double margin, const Both& what, std::vector<AuditFinding>* out) const {
    if (by_id_.count() == 0) return;
    AuditFinding id, rank;
    by_id_.judge(margin, &id);
    by_rank_.judge(margin, &rank);
    const bool first = id.p < rank.p || (id.p == rank.p && id.effect >= rank.effect);
    AuditFinding f = first ? id : rank;
    f.p = std::min(1.0, 2 * f.p);
    const double chi = std::min(1.0, 2 * std::min(by_id_.p_chi_square(), by_rank_.p_chi_square()));
    const Both along = first ? Both{"along the ids", "按 id 顺序"} : Both{"from the likeliest on", "按概率顺序"};
    f.words = {what.en + " lie " + percent(f.effect) + " from their law, " + along.en + "; chi-square p " + small_probability(chi), what.zh + "与其分布相距 " + percent(f.effect, true) + "（" + along.zh + "）；卡方 p " + small_probability(chi)};
    out->push_back(std::move(f));
  }

 private:
  ValueHistogram by_id_, by_rank_;
};

size_t token_at(const StepView& view, size_t at) { return static_cast<size_t>(view.row.ids[at]); }

class Recovered final : public StepTally {
 public:
  explicit Recovered(const StepHeader& header) : header_(header) {}
  void add_full(const StepView& view, const FullRows& full) override {
    if (!view.lawful() || !view.rejected()) return;
    law_.resize(full.vocab);
    const size_t at = view.rejected_at();
    if (residual_law(view.row, view.header, full, at, law_)) values_.add(view.row, at, 2, law_, token_at(view, at));
  }
  void judge(const RejectAuditOptions& options, std::vector<AuditFinding>* out) const override { values_.judge(kMargin * margin_of(header_, options.law_margin), {"tokens in place of rejected drafts", "替换被拒草稿的词元"}, out); }

 private:
  StepHeader header_;
  Values values_;
  std::vector<double> law_;
};

class Bonus final : public StepTally {
 public:
  explicit Bonus(const StepHeader& header) : header_(header) {}
  void add_full(const StepView& view, const FullRows& full) override {
    const size_t last = view.row.drafts.size();
    if (view.lawful() && view.shape.accepted == last && view.shape.ids == last + 1 && full.p_rows() == last + 1) values_.add(view.row, last, 4, full.target(last), token_at(view, last));
  }
  void judge(const RejectAuditOptions& options, std::vector<AuditFinding>* out) const override { values_.judge(kMargin * margin_of(header_, options.law_margin), {"tokens after the last draft", "最后一个草稿之后的词元"}, out); }

 private:
  StepHeader header_;
  Values values_;
};

// All tokens that were put out are of the target's law, whatever the drafts were; of rules that are lossy on purpose of the law that the rule gives them after this draft.
class Emitted final : public StepTally {
 public:
  explicit Emitted(const StepHeader& header) : header_(header) {}
  void add_full(const StepView& view, const FullRows& full) override {
    if (!view.lawful() || (view.header.trimmed && view.shape.accepted == view.shape.ids)) return;
    for (size_t i = 0; i < std::min(view.shape.ids, full.p_rows()); ++i) {
      const bool bonus = i >= view.row.drafts.size();
      if (!view.header.lossy() || bonus) values_.add(view.row, i, 6, full.target(i), token_at(view, i));
      else if (lossy_law(view, full, i)) values_.add(view.row, i, 6, law_, token_at(view, i));
    }
  }
  void judge(const RejectAuditOptions& options, std::vector<AuditFinding>* out) const override { values_.judge(kMargin * margin_of(header_, options.law_margin), {"all tokens put out", "全部输出的词元"}, out); }

 private:
  bool lossy_law(const StepView& view, const FullRows& full, size_t at) {
    law_.resize(full.vocab);
    const double accept = view.accept[at];
    if (std::isnan(accept) || !residual_law(view.row, view.header, full, at, law_)) return false;
    for (double& x : law_) x *= 1 - accept;
    law_[static_cast<size_t>(view.row.drafts[at])] += accept;
    return true;
  }
  StepHeader header_;
  Values values_;
  std::vector<double> law_;
};

template <class Tally>
std::unique_ptr<StepTally> make(const StepHeader& header) {
  return std::make_unique<Tally>(header);
}

}  // namespace

extern const StepCheck kRecoveredLaw;
const StepCheck kRecoveredLaw = {{"recovered_law", "tokens in place of rejected drafts are of the residual", "替换词元是否取自残差分布", "tokens", false}, make<Recovered>};
extern const StepCheck kBonusLaw;
const StepCheck kBonusLaw = {{"bonus_law", "tokens after the last draft are of the target", "奖励词元是否取自目标分布", "tokens", false}, make<Bonus>};
extern const StepCheck kEmittedLaw;
const StepCheck kEmittedLaw = {{"emitted_law", "all tokens are of the target's law", "全部词元是否取自目标分布", "tokens", false}, make<Emitted>};

}  // namespace vaa
