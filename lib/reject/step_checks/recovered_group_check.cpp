// Tokens in place of rejected drafts by where their ids lie: token 0, the last tile of the vocabulary, its upper half, the likeliest one.
#include <algorithm>
#include <array>

#include "base/figures.h"
#include "reject/step_checks/step_checks.h"
#include "reject/steps/row_law.h"

namespace vaa {
namespace {

constexpr size_t kTile = 4096;  // of the kernels' scans over the vocabulary

struct GroupName {
  const char* en;
  const char* zh;
};
constexpr GroupName kGroups[] = {{"token 0", "词元 0"}, {"the last tile of 4,096 ids", "最后 4,096 个 id 的分块"}, {"the upper half of the ids", "id 的后一半"}, {"the likeliest token of the residual", "残差中概率最大的词元"}};

class Groups final : public StepTally {
 public:
  explicit Groups(const StepHeader& header) : header_(header) {}
  void add_full(const StepView& view, const FullRows& full) override {
    if (!view.lawful() || !view.rejected()) return;
    law_.resize(full.vocab);
    const size_t at = view.rejected_at();
    if (!residual_law(view.row, view.header, full, at, law_)) return;
    const auto token = static_cast<size_t>(view.row.ids[at]);
    const size_t tile = (full.vocab - 1) / kTile * kTile, best = likeliest(law_);
    const auto from = [&](size_t first) {
      double mass = 0;
      for (size_t x = first; x < full.vocab; ++x) mass += law_[x];
      return std::min(1.0, mass);
    };
    groups_[0].add(token == 0, law_[0]);
    if (tile > 0) groups_[1].add(token >= tile, from(tile));
    groups_[2].add(token >= full.vocab / 2, from(full.vocab / 2));
    groups_[3].add(token == best, law_[best]);
  }
  void judge(const RejectAuditOptions& options, std::vector<AuditFinding>* out) const override {
    AuditFinding worst;
    size_t where = 0;
    for (size_t g = 0; g < groups_.size(); ++g) {
      if (groups_[g].count() == 0) continue;
      AuditFinding f;
      judge_excess(groups_[g], kRowsMargin * margin_of(header_, options.law_margin), static_cast<double>(groups_.size()), &f);
      if (std::isnan(worst.p) || f.p < worst.p || (f.p == worst.p && std::fabs(f.effect) > std::fabs(worst.effect))) worst = f, where = g;
    }
    if (std::isnan(worst.p)) return;
    const Excess& e = groups_[where];
    const auto n = static_cast<double>(e.count());
    const std::string name = kGroups[where].en;
    worst.words = {name + ": " + percent(e.outcomes() / n) + " of " + counted(e.count(), "tokens") + " in place of rejected drafts, " + percent(e.due() / n) + " are due", std::string(kGroups[where].zh) + "：占 " + grouped(e.count()) + " 个替换词元的 " + percent(e.outcomes() / n, true) + "，应为 " + percent(e.due() / n, true)};
    out->push_back(std::move(worst));
  }

 private:
  StepHeader header_;
  std::array<Excess, 4> groups_;
  std::vector<double> law_;
};

}  // namespace

extern const StepCheck kRecoveredGroups;
const StepCheck kRecoveredGroups = {{"recovered_groups", "groups of ids in place of rejected drafts", "替换词元的 id 分组", "tokens", true}, [](const StepHeader& header) -> std::unique_ptr<StepTally> { return std::make_unique<Groups>(header); }};

}  // namespace vaa
