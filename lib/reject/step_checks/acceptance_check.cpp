// Accepted drafts against the chances that the rule gives them: over all places, and place by place.
#include "base/figures.h"
#include "reject/step_checks/step_checks.h"

namespace vaa {
namespace {

constexpr size_t kMostPositions = 32;
constexpr double kPositionMargin = 5;  // of one place, in margins of all: there are fewer of them
constexpr int64_t kLeastSteps = 100;

// Drafts whose outcome the row tells, with a known chance.
template <class Take>
void each_outcome(const StepView& view, Take take) {
  if (!view.lawful()) return;
  for (size_t i = 0; i < view.shape.judged; ++i)
    if (!std::isnan(view.accept[i])) take(i, i < view.shape.accepted, view.accept[i]);
}

Both said_excess(const Excess& e) {
  const auto n = static_cast<double>(e.count());
  const double got = e.outcomes() / n, due = e.due() / n;
  return {percent(got) + " of " + counted(e.count(), "drafts") + " accepted, " + percent(due) + " are due", grouped(e.count()) + " 个草稿接受 " + percent(got, true) + "，应为 " + percent(due, true)};
}

// Whether outcomes are of whole rows alone: block verification of drafts that have a law.
bool needs_rows(const StepHeader& header) { return header.rule == StepRule::kBlock && header.draft_probs == DraftProbs::kRecorded; }

class Overall final : public StepTally {
 public:
  explicit Overall(const StepHeader& header) : header_(header) {}
  void add(const StepView& view) override {
    shared_ += header_.shared_seeds && view.sampled();
    if (!needs_rows(header_)) each_outcome(view, [&](size_t, bool accepted, double chance) { all_.add(accepted, chance); });
  }
  void add_full(const StepView& view, const FullRows&) override {
    if (needs_rows(header_)) each_outcome(view, [&](size_t, bool accepted, double chance) { all_.add(accepted, chance); });
  }
  void judge(const RejectAuditOptions& options, std::vector<AuditFinding>* out) const override {
    AuditFinding f;
    if (header_.shared_seeds && shared_ > 0) {
      f.status = FindingStatus::kUndecided;
      f.n = static_cast<double>(shared_);
      f.words = {counted(shared_, "rows") + " are of requests with the seed of another one, so draw the same numbers: no law is judged by them; ask without seeds, or give each request another", grouped(shared_) + " 行来自与其他请求种子相同的请求，随机数相同：不据此判断分布；请不设种子，或为每个请求设不同种子"};
      out->push_back(std::move(f));
    }
    if (all_.count() == 0) return;
    judge_excess(all_, margin_of(header_, options.law_margin), 1, &f);
    f.words = said_excess(all_);
    if (!std::isnan(all_.z())) f.words.en += " (z " + fixed(all_.z(), 1) + ")", f.words.zh += "（z " + fixed(all_.z(), 1) + "）";
    out->push_back(std::move(f));
  }

 private:
  StepHeader header_;
  Excess all_;
  int64_t shared_ = 0;  // rows of shared seeds
};

class Positions final : public StepTally {
 public:
  explicit Positions(const StepHeader& header) : header_(header) {}
  void add(const StepView& view) override {
    if (!needs_rows(header_)) take(view);
  }
  void add_full(const StepView& view, const FullRows&) override {
    if (needs_rows(header_)) take(view);
  }
  void judge(const RejectAuditOptions& options, std::vector<AuditFinding>* out) const override {
    std::vector<size_t> judged;
    for (size_t i = 0; i < at_.size(); ++i)
      if (at_[i].count() >= kLeastSteps) judged.push_back(i);
    if (judged.size() < 2) return;
    AuditFinding worst;
    size_t where = 0;
    for (const size_t i : judged) {
      AuditFinding f;
      judge_excess(at_[i], kPositionMargin * margin_of(header_, options.law_margin), static_cast<double>(judged.size()), &f);
      if (std::isnan(worst.p) || f.p < worst.p || (f.p == worst.p && std::fabs(f.effect) > std::fabs(worst.effect))) worst = f, where = i;
    }
    const Both said = said_excess(at_[where]);
    worst.words = {"of " + counted(static_cast<int64_t>(judged.size()), "places") + " place " + std::to_string(where) + " is the worst: " + said.en, grouped(static_cast<int64_t>(judged.size())) + " 个位置中位置 " + std::to_string(where) + " 偏差最大：" + said.zh};
    out->push_back(std::move(worst));
  }

 private:
  void take(const StepView& view) {
    each_outcome(view, [&](size_t i, bool accepted, double chance) {
      if (i >= kMostPositions) return;
      if (at_.size() <= i) at_.resize(i + 1);
      at_[i].add(accepted, chance);
    });
  }
  StepHeader header_;
  std::vector<Excess> at_;
};

template <class Tally>
std::unique_ptr<StepTally> make(const StepHeader& header) {
  return header.draft_probs == DraftProbs::kUnknown && header.rule != StepRule::kExactMatch && header.rule != StepRule::kSynthetic && header.rule != StepRule::kTypical ? nullptr : std::make_unique<Tally>(header);
}

}  // namespace

extern const StepCheck kStepAcceptance;
const StepCheck kStepAcceptance = {{"acceptance", "drafts are accepted as often as is due", "草稿接受率与应有值", "draft_tokens", true}, make<Overall>};
extern const StepCheck kStepAcceptanceByPosition;
const StepCheck kStepAcceptanceByPosition = {{"acceptance_by_position", "the same, place by place", "各位置草稿接受率与应有值", "draft_tokens", true}, make<Positions>};

}  // namespace vaa
