// Acceptance at T > 0 beside that at T = 0, from what requests record: nothing where there should be something, and more than there can be.
#include "base/figures.h"
#include "reject/counter_checks/counter_checks.h"
#include "stats/distributions.h"

namespace vaa {
namespace {

// Verify steps are known where every answer records them.
SpecCounts counts_of(const SampleCell& cell) {
  SpecCounts out;
  if (cell.without_steps == 0 && cell.steps > 0) out.drafts = cell.steps;
  out.draft_tokens = cell.drafted;
  out.accepted = cell.accepted;
  return out;
}

void run_zero(const CounterEvidence& evidence, std::vector<AuditFinding>* out) {
  const SampleCell &sampled = evidence.samples.cell(true, true), &greedy = evidence.samples.cell(false, true);
  if (sampled.counted == 0) return;
  AuditFinding f;
  const SpecCounts counts = counts_of(sampled);
  const bool greedy_works = greedy.counted > 0 && greedy.rate() > evidence.options.floor;
  const double floor = floor_beside_greedy(evidence.options.floor, greedy_works ? greedy.rate() : 0);
  f.n = least_drafts(counts, evidence.options.tokens_per_draft);
  judge_zero(zero_of_drafts(counts, evidence.options.tokens_per_draft, kUnknownDesign, floor, 1), floor, &f);
  const Both of = said_count(f.n, "drafts", "次起草");
  if (f.status != FindingStatus::kFail) {
    f.words = {"at T > 0 " + percent(sampled.rate()) + " of the draft tokens of " + of.en + " are accepted", "T > 0 时 " + of.zh + "的草稿词元中接受 " + percent(sampled.rate(), true)};
  } else if (greedy_works) {
    f.words = {"at T > 0 (almost) nothing of " + of.en + " is accepted, at T = 0 " + percent(greedy.rate()) + ": the random path of the rejection sampler rejects every draft (p(d) lost before the test: vllm-ascend#1632)",
               "T > 0 时 " + of.zh + "（几乎）无一接受，T = 0 时为 " + percent(greedy.rate(), true) + "：拒绝采样的随机路径拒绝所有草稿（检验前 p(d) 丢失：vllm-ascend#1632）"};
  } else {
    f.words = {"at T > 0 (almost) nothing of " + of.en + " is accepted; without answers at T = 0 the drafts themselves may be bad", "T > 0 时 " + of.zh + "（几乎）无一接受；没有 T = 0 的回答，也可能是草稿本身很差"};
  }
  out->push_back(std::move(f));
}

// A draft token d is accepted with p(d) where q is one-hot. At T = 0 it is accepted where it is the likeliest token; elsewhere p(d) is at most 1/2. So with the same contexts the rate at T > 0 is at most
// (1 + the rate at T = 0) / 2.
void run_rise(const CounterEvidence& evidence, std::vector<AuditFinding>* out) {
  const SampleCell &sampled = evidence.samples.cell(true, true), &greedy = evidence.samples.cell(false, true);
  if (sampled.counted < 2 || greedy.counted < 2) return;
  AuditFinding f;
  f.n = static_cast<double>(sampled.counted + greedy.counted);
  const double bound = (1 + greedy.rate()) / 2, floor_s = rate_variance(sampled.accepted, sampled.drafted), floor_g = rate_variance(greedy.accepted, greedy.drafted);
  const double over = sampled.rate() - bound;
  const double variance_s = std::max(sampled.variance(), floor_s), variance_g = std::max(greedy.variance(), floor_g) / 4;
  const RateFall fall = rate_fall(-over, variance_s, static_cast<double>(sampled.counted - 1), variance_g, static_cast<double>(greedy.counted - 1), 0, 0.95);
  f.effect = over;
  f.lower = -fall.high;
  f.upper = -fall.low;
  f.margin = 0;
  f.p = fall.p;
  f.suspected = true;
  f.status = f.lower > 0 ? FindingStatus::kFail : FindingStatus::kPass;
  f.words = {percent(sampled.rate()) + " accepted at T > 0, " + percent(greedy.rate()) + " at T = 0: one-hot drafts allow at most " + percent(bound),
             "T > 0 时接受 " + percent(sampled.rate(), true) + "，T = 0 时 " + percent(greedy.rate(), true) + "：one-hot 草稿至多允许 " + percent(bound, true)};
  if (f.status == FindingStatus::kFail) {
    f.words.en += "; drafts are accepted more often than the model's law lets them (or the requests at T = 0 are harder)";
    f.words.zh += "；草稿的接受多于模型分布所允许（或 T = 0 的请求更难）";
  }
  out->push_back(std::move(f));
}

}  // namespace

extern const CounterCheck kSampledZero;
const CounterCheck kSampledZero = {"sampled_zero", "nothing is accepted at T > 0", "T > 0 时完全不接受", "drafts", false, run_zero};
extern const CounterCheck kSampledRise;
const CounterCheck kSampledRise = {"sampled_rise", "more accepted at T > 0 than possible", "T > 0 时的接受超出可能", "answers", true, run_rise};

}  // namespace vaa
