// What seeds do: answers with one seed should be the same, answers with other seeds part as independent draws do.
#include <algorithm>

#include "base/figures.h"
#include "sampler/calibration/calibration_check.h"
#include "stats/distributions.h"
#include "stats/intervals.h"

namespace vaa::sampler {
namespace {

constexpr double kStray = 1e-3, kPasses = 0.1, kLevel = 0.05;

std::string data_of(const PairCount& pairs) {
  std::string out;
  JsonWriter json(&out);
  json.begin_object().member("pairs", pairs.pairs).member("parted", pairs.parted).member("parted_due", pairs.due).member("parted_by_noise", pairs.noise_due).member("same", pairs.same).member("same_due", pairs.same_due).end_object();
  return out;
}

CheckResult run_one_seed(const GroupView& view) {
  const SeedPairs& seeds = view.group.seeds;
  const PairCount& pairs = seeds.one_seed;
  if (view.reading.law.greedy) return no_check({"temperature 0: nothing is drawn", "温度 0：没有抽样"});
  if (pairs.pairs == 0) return no_check({"no prompt was asked twice with one seed", "没有以同一种子重复请求的提示"});
  if (!(pairs.due > 0)) return no_check({"answers with one seed are so sure that other seeds would not show", "同一种子的回答过于确定，换种子也不会不同"});
  const stats::Interval interval = stats::poisson_mean(pairs.parted);
  CheckResult out;
  out.applies = true;
  out.n = pairs.pairs, out.n_unit = "pairs";
  out.unit = "ratio", out.margin = SeedPairs::kNoisy;
  out.effect = static_cast<double>(pairs.parted) / pairs.due, out.lower = interval.low / pairs.due, out.upper = interval.high / pairs.due;
  out.p_beyond = stats::poisson_at_least(pairs.parted, pairs.noise_due);
  out.inside = stats::poisson_at_most(pairs.parted, SeedPairs::kNoisy * pairs.due) < kLevel;
  out.kind = "seed_ignored";
  const std::string range = fixed(out.lower, 2) + " to " + fixed(out.upper, 2), range_zh = fixed(out.lower, 2) + "–" + fixed(out.upper, 2);
  out.words = {grouped(pairs.parted) + " of " + grouped(pairs.pairs) + " pairs with one seed part: " + fixed(out.effect, 2) + " times as often as draws without a common seed (95 % interval " + range + "); what their lists differ by parts " + fixed(pairs.noise_due, 2) + " at most", "同一种子的 " + grouped(pairs.pairs) + " 对回答中有 " + grouped(pairs.parted) + " 对分叉：是无共同种子抽样的 " + fixed(out.effect, 2) + " 倍（95% 区间 " + range_zh + "）；其列表之差最多造成 " + fixed(pairs.noise_due, 2) + " 对"};
  out.unsure = seeds.speculated > 0;
  if (out.unsure) out.needed = {"answers were drafted: where noise moves what is accepted, later draws are other numbers of the same seed", "使用了投机解码：数值噪声改变接受情况后，同一种子之后的随机数就不同"};
  if (pairs.parted > 0) {
    const std::string ties = grouped(seeds.near_ties) + " of " + grouped(seeds.gaps), zh = grouped(seeds.gaps) + " 处分叉中有 " + grouped(seeds.near_ties) + " 处";
    out.lines.push_back({{"suspected: noise between batches parts answers too; " + ties + " partings that list both tokens are near ties (" + fixed(SeedPairs::kNearTie, 1) + " nats)", "疑似：批次间的数值噪声也会造成分叉；列出两个词元的 " + zh + "为近似并列（" + fixed(SeedPairs::kNearTie, 1) + " nats）"}, "", "", "", "faint"});
  }
  out.data = data_of(pairs);
  return out;
}

CheckResult run_other_seeds(const GroupView& view) {
  const SeedPairs& seeds = view.group.seeds;
  const bool recorded = seeds.other_seeds.pairs > 0;
  const PairCount& pairs = recorded ? seeds.other_seeds : seeds.unrecorded;
  if (view.reading.law.greedy) return no_check({"temperature 0: nothing is drawn", "温度 0：没有抽样"});
  if (pairs.pairs == 0) return no_check({"no prompt was asked twice with other seeds", "没有以不同种子重复请求的提示"});
  const auto n = static_cast<double>(pairs.pairs);
  CheckResult out;
  out.applies = true;
  out.n = pairs.pairs, out.n_unit = "pairs";
  const stats::Interval interval = stats::clopper_pearson(pairs.same, pairs.pairs);
  out.unit = "share", out.margin = kStray;
  out.effect = static_cast<double>(pairs.same) / n, out.lower = interval.low, out.upper = interval.high;
  out.p_beyond = stats::poisson_at_least(pairs.same, pairs.same_due + kStray * n);
  out.inside = stats::poisson_at_most(pairs.same, pairs.same_due + kPasses * n) < kLevel;
  out.kind = "seed_stuck";
  if (!out.inside && pairs.same == 0) out.n_needed = static_cast<int64_t>(std::ceil(3 / kPasses)) - pairs.pairs;
  out.unsure = !recorded || view.kind == LogprobKind::kUnknown || view.fit_off;
  if (out.unsure && out.p_beyond < kLevel) {
    if (!recorded) out.needed = {"no seed is recorded: it may have been the same one", "未记录种子：可能本来就相同"};
    else out.needed = {"by a law that is not known well enough", "所依据的分布不够确定"};
  }
  const Both whose = recorded ? Both{"pairs with other seeds", "对不同种子的回答"} : Both{"pairs without recorded seeds", "对未记录种子的回答"};
  out.words = {grouped(pairs.same) + " of " + grouped(pairs.pairs) + " " + whose.en + " are the same; the probabilities of these answers let expect " + fixed(pairs.same_due, 2) + " at most", grouped(pairs.pairs) + " " + whose.zh + "中有 " + grouped(pairs.same) + " 对完全相同；按回答的概率最多应有 " + fixed(pairs.same_due, 2) + " 对"};
  out.data = data_of(pairs);
  return out;
}

}  // namespace

extern const CalibrationCheck kOneSeedCheck, kOtherSeedsCheck;
const CalibrationCheck kOneSeedCheck = {"one_seed", {"One seed, one answer", "同一种子应得同一回答"}, run_one_seed};
const CalibrationCheck kOtherSeedsCheck = {"other_seeds", {"Other seeds, other answers", "不同种子应得不同回答"}, run_other_seeds};

}  // namespace vaa::sampler
