// How often the target's likeliest token comes: always at temperature 0, as often as its law says above it.
#include <algorithm>

#include "base/figures.h"
#include "reject/step_checks/step_checks.h"
#include "reject/steps/row_law.h"
#include "stats/intervals.h"

namespace vaa {
namespace {

constexpr double kTies = 1e-3;      // of greedy tokens: logits that are equal but for rounding
constexpr double kAlways = 0.999;

// Temperature 0: what is put out at a draft's place is the argmax there.
class Greedy final : public StepTally {
 public:
  void add(const StepView& view) override {
    if (!view.greedy || !view.row.has(StepRow::kArgmax)) return;
    for (size_t i = 0; i < std::min(view.shape.ids, view.row.drafts.size()); ++i) {
      tokens_ += 1;
      other_ += view.row.ids[i] != view.row.argmax[i];
    }
  }
  void judge(const RejectAuditOptions&, std::vector<AuditFinding>* out) const override {
    if (tokens_ == 0) return;
    AuditFinding f;
    judge_rare(other_, tokens_, kTies, &f);
    const Both share = said_share(other_, tokens_, "greedy tokens", "个贪心词元");
    f.words = {share.en + " are not the target's likeliest", share.zh + "不是目标概率最大的词元"};
    if (f.status == FindingStatus::kFail) f.words.en += ": greedy rows take the random path (the sentinel of greedy requests: vllm#27077)", f.words.zh += "：贪心行走了随机路径（贪心哨兵值：vllm#27077）";
    out->push_back(std::move(f));
  }

 private:
  int64_t tokens_ = 0, other_ = 0;
};

// Above 0, where no p is known: always the argmax.
class Always final : public StepTally {
 public:
  void add(const StepView& view) override {
    if (view.greedy || view.row.has(StepRow::kP) || !view.row.has(StepRow::kArgmax) || view.shape.shape > RowShape::kRight) return;
    for (size_t i = 0; i < std::min(view.shape.ids, view.row.drafts.size()); ++i) {
      tokens_ += 1;
      likeliest_ += view.row.ids[i] == view.row.argmax[i];
    }
  }
  void judge(const RejectAuditOptions&, std::vector<AuditFinding>* out) const override {
    if (tokens_ == 0) return;
    AuditFinding f;
    judge_rare(likeliest_, tokens_, kAlways, &f);
    f.suspected = true;
    const Both share = said_share(likeliest_, tokens_, "tokens", "个词元");
    f.words = {share.en + " at T > 0 are the target's likeliest", "T > 0 时 " + share.zh + "是目标概率最大的词元"};
    if (f.status == FindingStatus::kFail) f.words.en += ": verification is greedy whatever was asked (sglang#32495), or the temperature is nearly 0", f.words.zh += "：无论请求如何都按贪心检验（sglang#32495），或温度接近 0";
    out->push_back(std::move(f));
  }

 private:
  int64_t tokens_ = 0, likeliest_ = 0;
};

// Above 0, with whole rows.
class Share final : public StepTally {
 public:
  explicit Share(const StepHeader& header) : header_(header) {}
  void add_full(const StepView& view, const FullRows& full) override {
    if (!view.lawful() || (view.header.trimmed && view.shape.accepted == view.shape.ids)) return;
    for (size_t i = 0; i < std::min(view.shape.ids, full.p_rows()); ++i) {
      const size_t best = likeliest(full.target(i));
      all_.add(static_cast<size_t>(view.row.ids[i]) == best, std::min(1.0, full.target(i)[best]));
    }
  }
  void judge(const RejectAuditOptions& options, std::vector<AuditFinding>* out) const override {
    if (all_.count() == 0) return;
    AuditFinding f;
    judge_excess(all_, kRowsMargin * margin_of(header_, options.law_margin), 1, &f);
    const auto n = static_cast<double>(all_.count());
    f.words = {percent(all_.outcomes() / n) + " of " + counted(all_.count(), "tokens") + " are the target's likeliest, " + percent(all_.due() / n) + " are due", grouped(all_.count()) + " 个词元中 " + percent(all_.outcomes() / n, true) + " 为目标概率最大者，应为 " + percent(all_.due() / n, true)};
    out->push_back(std::move(f));
  }

 private:
  StepHeader header_;
  Excess all_;
};

std::unique_ptr<StepTally> make_share(const StepHeader& header) { return header.lossy() ? nullptr : std::make_unique<Share>(header); }

}  // namespace

extern const StepCheck kGreedyArgmax;
const StepCheck kGreedyArgmax = {{"greedy_argmax", "greedy rows put out the likeliest token", "贪心行输出概率最大的词元", "tokens", false}, make_tally<Greedy>};
extern const StepCheck kAlwaysArgmax;
const StepCheck kAlwaysArgmax = {{"always_argmax", "sampled rows put out other tokens, too", "采样行也输出其他词元", "tokens", false}, make_tally<Always>};
extern const StepCheck kArgmaxShare;
const StepCheck kArgmaxShare = {{"argmax_share", "the likeliest token comes as often as is due", "最大概率词元的比例", "tokens", true}, make_share};

}  // namespace vaa
