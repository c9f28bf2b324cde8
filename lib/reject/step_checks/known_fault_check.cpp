// The laws of known faults against the right one, by the ratio of their likelihoods.
#include <algorithm>
#include <limits>

#include "base/figures.h"
#include "base/math.h"
#include "reject/bug_laws/law_ratios.h"
#include "reject/step_checks/step_checks.h"
#include "reject/steps/row_law.h"

namespace vaa {
namespace {

constexpr double kConvincing = 3;    // decades of a likelihood ratio
constexpr double kLog10 = 2.30258509299404568402;

bool dependent(const BugLaw& fault) { return !fault.accept && !fault.recovered && !fault.drafted && !fault.bonus && !fault.accepted; }

class Faults final : public StepTally {
 public:
  Faults() : ratios_(bug_law_table().size()) {}
  void add(const StepView& view) override { take(view, nullptr); }
  void add_full(const StepView& view, const FullRows& full) override { take(view, &full); }
  void judge(const RejectAuditOptions&, std::vector<AuditFinding>* out) const override;
  std::vector<FaultFit> fits() const override;

 private:
  void take(const StepView& view, const FullRows* full);
  void take_accepted(const StepView& view, const LawView& law, const BugLaw& fault, LawRatio* ratio);
  void take_tokens(const StepView& view, const LawView& law, const BugLaw& fault, LawRatio* ratio);
  // Given that the target gives the token some chance: what it gives none is the matter of another check, any law would explain it. The right law counts as a thousandth of the target's at least.
  void take_token(size_t token, double right, std::span<const double> target, LawRatio* ratio) const {
    if (!(target[token] > 0)) return;
    double mass = 0;
    for (size_t x = 0; x < target.size(); ++x) mass += target[x] > 0 ? law_[x] : 0;
    if (mass > 0) ratio->add_token(law_[token] / mass, std::max(right, kLeastChance * target[token]));
  }
  std::vector<LawRatio> ratios_;
  AnyAcceptance any_, any_full_;
  SameUniforms same_;
  std::vector<double> p_, q_, right_, law_;
};

void Faults::take_accepted(const StepView& view, const LawView& law, const BugLaw& fault, LawRatio* ratio) {
  const size_t count = view.shape.accepted;
  if (fault.accepted) {
    double right = 1;
    for (size_t i = 0; i < view.shape.judged; ++i) right *= std::max(kLeastChance, i < count ? view.accept[i] : 1 - view.accept[i]);
    if (std::none_of(view.accept.begin(), view.accept.end(), [](double a) { return std::isnan(a); })) ratio->add_accepted(fault.accepted(law, count), right);
  }
  for (size_t i = 0; fault.accept && i < view.shape.judged; ++i) {
    if (view.row.drafts[i] < 0 || !(view.accept[i] > 0)) continue;
    const double chance = fault.accept(law, i), right = view.accept[i];
    ratio->add_accepted(i < count ? chance : 1 - chance, std::max(kLeastChance, i < count ? right : 1 - right));
  }
}

void Faults::take_tokens(const StepView& view, const LawView& law, const BugLaw& fault, LawRatio* ratio) {
  const FullRows& full = *law.full;
  const size_t at = view.rejected_at(), drafts = view.row.drafts.size();
  law_.resize(full.vocab);
  if (fault.recovered && view.rejected() && view.row.drafts[at] >= 0 && !right_.empty() && fault.recovered(law, at, law_)) {
    const auto token = static_cast<size_t>(view.row.ids[at]);
    take_token(token, right_[token], full.target(at), ratio);
  }
  for (size_t i = 0; fault.drafted && i < view.shape.judged; ++i) {
    if (view.row.drafts[i] < 0 || !fault.drafted(law, i, law_)) continue;
    const auto token = static_cast<size_t>(view.row.drafts[i]);
    take_token(token, full.draft(i)[token], full.draft(i), ratio);
  }
  if (fault.bonus && view.shape.accepted == drafts && view.shape.ids == drafts + 1 && full.p_rows() == drafts + 1 && fault.bonus(law, law_)) {
    const auto token = static_cast<size_t>(view.row.ids[drafts]);
    take_token(token, full.target(drafts)[token], full.target(drafts), ratio);
  }
}

void Faults::take(const StepView& view, const FullRows* full) {
  const StepRow& row = view.row;
  if (!view.lawful() || !row.has(StepRow::kP) || view.header.draft_probs == DraftProbs::kUnknown || view.header.lossy()) return;
  const bool one_hot = view.header.draft_probs == DraftProbs::kOneHot;
  if (!one_hot && !row.has(StepRow::kQ)) return;
  p_.assign(row.p.begin(), row.p.end());
  one_hot ? q_.assign(row.drafts.size(), 1.0) : q_.assign(row.q.begin(), row.q.end());
  const LawView law{one_hot, row.temperature, row.drafts, row.argmax, p_, q_, view.accept, full};
  right_.clear();
  if (full && view.rejected()) {
    right_.resize(full->vocab);
    if (!residual_law(row, view.header, *full, view.rejected_at(), right_)) right_.clear();
  }
  for (size_t i = 0; i < view.shape.judged; ++i) {
    if (row.drafts[i] < 0 || !(view.accept[i] > 0)) continue;
    const bool accepted = i < view.shape.accepted;
    full ? any_full_.add(accepted, view.accept[i]) : any_.add(accepted, view.accept[i]);
    if (!full) same_.add(i, accepted, view.accept[i]);
  }
  for (size_t i = 0; i < ratios_.size(); ++i) {
    const BugLaw& fault = *bug_law_table()[i];
    // Acceptances are of all rows, once: of a row with all its probabilities where the fault needs them.
    if (fault.rows == (full != nullptr)) take_accepted(view, law, fault, &ratios_[i]);
    if (full) take_tokens(view, law, fault, &ratios_[i]);
  }
}

std::vector<FaultFit> Faults::fits() const {
  std::vector<FaultFit> out;
  for (size_t i = 0; i < ratios_.size(); ++i) {
    const BugLaw* fault = bug_law_table()[i];
    if (dependent(*fault)) {
      if (same_.events() > 0 && same_.log() > -std::numeric_limits<double>::infinity()) out.push_back({fault, same_.log() / kLog10, same_.events(), true, 1});
      continue;
    }
    const bool accepts = fault->accept || fault->accepted;
    const double any = fault->rows ? any_full_.log() : any_.log();
    // A fault of tokens alone leaves acceptance as it should be.
    const bool fits = (accepts ? ratios_[i].log_accepted() : 0) >= any - kConvincing * kLog10;
    if (ratios_[i].events() > 0) out.push_back({fault, ratios_[i].log() / kLog10, ratios_[i].events(), fits, ratios_[i].share()});
  }
  std::stable_sort(out.begin(), out.end(), [](const FaultFit& a, const FaultFit& b) { return a.log10 > b.log10; });
  return out;
}

std::string named(const FaultFit& f, bool chinese) {
  const std::string where = f.law->references[0] ? std::string(chinese ? "（" : " (") + f.law->references + (chinese ? "）" : ")") : "";
  const std::string part = f.share > 0.95 ? "" : chinese ? "（约 " + percent(f.share, true) + " 的步骤）" : " in about " + percent(f.share) + " of the steps";
  return (f.law->id[0] ? std::string(f.law->id) + ", " : "") + (chinese ? f.law->zh : f.law->en) + where + part + (chinese ? "；似然比 10^" : "; likelihood ratio 10^") + fixed(f.log10, 0);
}

void Faults::judge(const RejectAuditOptions&, std::vector<AuditFinding>* out) const {
  const std::vector<FaultFit> all = fits();
  if (all.empty()) return;
  AuditFinding f;
  const auto laws = static_cast<double>(all.size());
  f.n = static_cast<double>(all.front().events);
  f.p = std::min(1.0, laws * math::exp(-all.front().log10 * kLog10));
  f.status = f.p < 1e-3 ? FindingStatus::kFail : FindingStatus::kPass;
  if (f.status == FindingStatus::kPass) {
    f.words = {"none of " + counted(static_cast<int64_t>(all.size()), "known faults") + " is likelier than the right law", "已知的 " + grouped(static_cast<int64_t>(all.size())) + " 种故障均不比正确的分布更可能"};
    out->push_back(std::move(f));
    return;
  }
  const auto best = std::find_if(all.begin(), all.end(), [](const FaultFit& fit) { return fit.fits; });
  if (best == all.end() || best->log10 < kConvincing) {
    f.words = {"the right law is not in force, and no known fault fits acceptance at all chances; the nearest is " + named(all.front(), false), "正确的分布未生效，已知故障均与各概率处的接受率不符；最接近的是 " + named(all.front(), true)};
  } else {
    f.words = {"consistent with " + named(*best, false), "符合 " + named(*best, true)};
    const auto next = std::find_if(best + 1, all.end(), [](const FaultFit& fit) { return fit.fits; });
    if (next != all.end() && best->log10 - next->log10 < kConvincing) f.words.en += ", or with " + named(*next, false), f.words.zh += "，或 " + named(*next, true);
  }
  out->push_back(std::move(f));
}

std::unique_ptr<StepTally> make(const StepHeader& header) { return header.lossy() ? nullptr : std::make_unique<Faults>(); }

}  // namespace

extern const StepCheck kKnownFaults;
const StepCheck kKnownFaults = {{"known_fault", "the law of a known fault", "已知故障的分布", "draft_tokens", false}, make};

}  // namespace vaa
