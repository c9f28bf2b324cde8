// Steps verified again with the uniforms and the noise that the engine drew: which token the policy must have put out.
#include <algorithm>
#include <cmath>
#include <memory>

#include "base/failure.h"
#include "base/figures.h"
#include "base/json_writer.h"
#include "engines/engine_data.h"
#include "reject/step_checks/step_checks.h"
#include "reject/verifier/verifier.h"

namespace vaa {
namespace {

constexpr double kOtherwise = 1e-3;  // rows whose decision or race rounding turned further than the boundary knows

// The rules by which the header says that drafts are verified; "" : there is no such policy, or no method of it.
std::string policy_of(const StepHeader& header) {
  const auto known = policy_data();
  if (std::none_of(known.begin(), known.end(), [&](const EngineData& data) { return data.name == header.policy; })) return "";
  std::string method;
  switch (header.rule) {
    case StepRule::kToken: return header.policy;
    case StepRule::kBlock: method = R"("block")"; break;
    case StepRule::kExactMatch: method = R"("exact_match")"; break;
    case StepRule::kEntropy: method = R"("entropy", "entropy_alpha": )"; append_number(&method, header.entropy_alpha); method += R"(, "entropy_cap": )"; append_number(&method, header.entropy_cap); break;
    default: return "";
  }
  return R"({"base": ")" + header.policy + R"(", "method": )" + method + "}";
}

StepNoise noise_of(const Policy& policy) {
  switch (policy.rule<Recovery>(PolicyRule::kRecovery)) {
    case Recovery::kRace: return StepNoise::kRace;
    case Recovery::kGumbel: return StepNoise::kGumbel;
    case Recovery::kInverseCdf: return StepNoise::kUniform;
    default: return StepNoise::kNone;
  }
}

class Replay final : public StepTally {
 public:
  Replay(const std::string& policy, bool one_hot) : verifier_(policy, one_hot ? kOneHot : kRows) {}
  void add_full(const StepView& view, const FullRows& full) override;
  void judge(const RejectAuditOptions&, std::vector<AuditFinding>* out) const override;

 private:
  static constexpr const char* kOneHot = R"({"input": "probs", "layout": "flat", "rounding": "fp32", "sum_tolerance": 1e-3})";
  static constexpr const char* kRows = R"({"input": "probs", "layout": "flat", "rounding": "fp32", "sum_tolerance": 1e-3, "draft_probs": "rows"})";
  bool verify(const StepView& view, const FullRows& full);
  void compare(const StepView& view);
  Verifier verifier_;
  int64_t rows_ = 0, boundary_ = 0, different_ = 0, without_noise_ = 0, refused_ = 0;
  std::string first_en_, first_zh_, refusal_;
  std::vector<float> target_, draft_, noise_;
  std::vector<int32_t> ids_, reasons_;
  std::vector<double> margins_;
};

bool Replay::verify(const StepView& view, const FullRows& full) {
  const size_t drafts = view.row.drafts.size(), vocab = full.vocab;
  target_.assign(full.p.begin(), full.p.begin() + static_cast<std::ptrdiff_t>(drafts * vocab));
  draft_.assign(full.q.begin(), full.q.end());
  const bool noise = !full.noise.empty() && view.header.noise == noise_of(verifier_.policy());
  noise_.clear();
  if (noise) noise_.assign(full.noise.begin(), full.noise.end());
  const bool by_place = verifier_.policy().rule<NoiseUnit>(PolicyRule::kNoise) == NoiseUnit::kPosition;
  const int64_t end = static_cast<int64_t>(drafts);
  const int32_t bonus = view.shape.accepted == drafts && view.shape.ids == drafts + 1 ? view.row.ids[drafts] : kUnknownId;
  DraftBatch batch;
  batch.drafts = view.row.drafts;
  batch.cu = {&end, 1};
  batch.target = {target_.data(), drafts, vocab, vocab};
  if (!full.q.empty()) batch.draft_probs = {draft_.data(), drafts, vocab, vocab};
  batch.uniforms = full.uniforms;
  if (noise) batch.noise = {noise_.data(), by_place ? drafts : 1, noise_.size(), 0};  // the same for each place: the rejected one alone looks at it
  batch.bonus = {&bonus, 1};
  try {
    ids_.resize(verifier_.width_of(batch) + 1);
    reasons_.resize(ids_.size()), margins_.resize(ids_.size());
    int32_t accepted = 0;
    verifier_.run(batch, {ids_, {&accepted, 1}, reasons_, margins_});
    return true;
  } catch (const Failure& failure) {
    if (refused_++ == 0) refusal_ = failure.message();
    return false;
  }
}

// To the first place that differs.
void Replay::compare(const StepView& view) {
  rows_ += 1;
  for (size_t i = 0; i < ids_.size(); ++i) {
    const int32_t theirs = i < view.shape.ids ? view.row.ids[i] : -1;
    if (ids_[i] == kUnknownId) {
      // Whether the draft was accepted is known all the same; what stands in for it is not.
      without_noise_ += 1;
      if (i >= view.row.drafts.size() || (theirs != -1 && theirs != view.row.drafts[i])) return;
    }
    if (ids_[i] == theirs) continue;
    if (reasons_[i] & kBoundary) {
      boundary_ += 1;
      return;
    }
    if (different_++ > 0) return;
    const std::string row = std::to_string(view.row.request), position = std::to_string(view.row.position), place = std::to_string(i), mine = ids_[i] == kUnknownId ? "a recovered token" : std::to_string(ids_[i]), other = std::to_string(theirs);
    const std::string margin = !std::isfinite(margins_[i]) ? "" : fixed(margins_[i], 4);
    first_en_ = "; the first: request " + row + " at position " + position + ", place " + place + ": must be " + mine + ", is " + other + (margin.empty() ? "" : ", log(p/q) - log u is " + margin);
    first_zh_ = "；首例：请求 " + row + " 位置 " + position + " 第 " + place + " 处：应为 " + (ids_[i] == kUnknownId ? "替换词元" : mine) + "，实为 " + other + (margin.empty() ? "" : "，log(p/q) - log u 为 " + margin);
    return;
  }
}

void Replay::add_full(const StepView& view, const FullRows& full) {
  if (view.greedy || !view.numbers || full.uniforms.empty() || view.row.drafts.empty() || full.p_rows() < view.row.drafts.size()) return;
  if (verify(view, full)) compare(view);
}

void Replay::judge(const RejectAuditOptions&, std::vector<AuditFinding>* out) const {
  if (rows_ == 0 && refused_ == 0) return;
  AuditFinding f;
  if (rows_ == 0) {
    f.n = static_cast<double>(refused_);
    f.words = {"no row could be verified again: " + refusal_, "没有一行可以重新验证：" + refusal_};
    out->push_back(std::move(f));
    return;
  }
  judge_rare(different_, rows_, kOtherwise, &f);
  const Both share = said_share(different_, rows_, "rows", "行");
  f.words = {share.en + " are not what " + verifier_.policy().name + " makes of their uniforms" + (without_noise_ > 0 ? "" : " and noise") + first_en_, share.zh + "与 " + verifier_.policy().name + " 按其均匀数" + (without_noise_ > 0 ? "" : "与噪声") + "得出的结果不同" + first_zh_};
  if (boundary_ > 0) f.words.en += "; " + grouped(boundary_) + " more are within rounding", f.words.zh += "；另有 " + grouped(boundary_) + " 行在舍入范围内";
  if (refused_ > 0) f.words.en += "; " + grouped(refused_) + " could not be verified: " + refusal_, f.words.zh += "；" + grouped(refused_) + " 行无法验证：" + refusal_;
  out->push_back(std::move(f));
}

std::unique_ptr<StepTally> make(const StepHeader& header) {
  const std::string policy = policy_of(header);
  return policy.empty() || header.draft_probs == DraftProbs::kUnknown ? nullptr : std::make_unique<Replay>(policy, header.draft_probs == DraftProbs::kOneHot);
}

}  // namespace

extern const StepCheck kExactReplay;
const StepCheck kExactReplay = {{"exact_replay", "rows are what their uniforms and noise make of them", "按均匀数与噪声精确重放", "rows", false}, make};

}  // namespace vaa
