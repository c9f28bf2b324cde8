// Failures that are crowded in a stretch of time.
#include <algorithm>
#include <cmath>
#include <tuple>

#include "base/figures.h"
#include "quality/rates.h"
#include "quality/run/run_features.h"

namespace vaa {
namespace {

constexpr int64_t kFewest = 5;   // failures
constexpr size_t kLeastWindow = 8;  // samples
constexpr double kSure = 1e-4;   // p of the crowd, over all windows that were looked at

double time_of(const KeptTrace& trace) { return std::isnan(trace.start) ? trace.end : trace.start; }

// The most crowded window of 2^i samples, in order of time, that steps by half its size. p is the chance that any of the windows looked at is so crowded by chance, at most:
// the sum of their hypergeometric tails.
struct Crowd {
  size_t begin = 0, size = 0;
  int64_t failures = 0;
  double p = 1;
};
Crowd most_crowded(const std::vector<uint8_t>& bad, int64_t all_bad) {
  Crowd best;
  const size_t n = bad.size();
  std::vector<int64_t> before(n + 1, 0);
  for (size_t i = 0; i < n; ++i) before[i + 1] = before[i] + bad[i];
  double windows = 0;
  for (size_t size = kLeastWindow; size <= n / 2; size *= 2) {
    Crowd most;
    for (size_t step = 0;; step += size / 2) {
      const size_t begin = std::min(step, n - size);  // the last window ends with the last sample
      const int64_t failures = before[begin + size] - before[begin];
      if (failures > most.failures) most = {begin, size, failures, 1};
      windows += 1;
      if (begin < step || begin == n - size) break;
    }
    if (most.failures < kFewest) continue;
    const auto inside = static_cast<int64_t>(size);
    most.p = fisher_more(most.failures, inside, all_bad - most.failures, static_cast<int64_t>(n) - inside);
    if (most.p < best.p) best = most;
  }
  if (best.size > 0) best.p = std::min(1.0, best.p * windows);
  return best;
}

RunFound look(const RunFeatures& run) {
  RunFound out;
  out.of_en = "failures";
  out.of_zh = "个故障";
  std::vector<uint32_t> timed;
  for (uint32_t i = 0; i < run.size(); ++i) {
    const bool tells = run.sample(i).is(KeptSample::kFailed) || run.sample(i).is(KeptSample::kOutput);
    if (tells && std::isfinite(time_of(run.trace(i)))) timed.push_back(i);
  }
  const auto is_bad = [&](uint32_t i) { return run.sample(i).is(KeptSample::kFailed) || run.sample(i).is(KeptSample::kBroken); };
  std::sort(timed.begin(), timed.end(), [&](uint32_t i, uint32_t j) {
    const auto key = [&](uint32_t at) { return std::make_tuple(time_of(run.trace(at)), run.sample(at).question, run.sample(at).repeat, is_bad(at)); };
    return key(i) < key(j);
  });
  std::vector<uint8_t> bad;
  int64_t all_bad = 0;
  for (const uint32_t i : timed) {
    bad.push_back(is_bad(i));
    all_bad += bad.back();
  }
  if (timed.empty()) {
    out.words = {"no time is recorded", "未记录时间"};
    return out;
  }
  if (all_bad < kFewest) {
    out.words = {"fewer than 5 failures", "故障少于 5 个"};
    return out;
  }
  out.n = all_bad;
  const Crowd crowd = most_crowded(bad, all_bad);
  if (crowd.p > kSure) return out;
  // From the first to the last failure of the window.
  size_t begin = crowd.begin, end = crowd.begin + crowd.size;
  while (!bad[begin]) ++begin;
  while (!bad[end - 1]) --end;
  for (size_t i = begin; i < end; ++i) {
    if (bad[i]) out.samples.push_back({timed[i]});
  }
  out.k = crowd.failures;
  out.p = crowd.p;
  const double from = time_of(run.trace(timed[begin])), to = time_of(run.trace(timed[end - 1])), origin = time_of(run.trace(timed[0]));
  const std::string count = grouped(static_cast<int64_t>(end - begin)), seconds = fixed(to - from, 1), after = fixed(from - origin, 1);
  out.words = {"among " + count + " samples that began within " + seconds + " s, " + after + " s after the first", "集中在 " + seconds + " 秒内开始的 " + count + " 个样本中，距首个样本 " + after + " 秒"};
  return out;
}

}  // namespace

extern const RunCheck kTimeBurst;
const RunCheck kTimeBurst = {
    "time_burst", 1.0, false, look,
    {"failures crowded in time", "集中出现的故障"},
    {"Failed requests and broken answers are crowded in a stretch of time, more than chance would put there.", "失败的请求与损坏的回答集中在一段时间内，密集程度超出偶然。"},
    {{"Failed requests and broken answers in the order in which they began: the most crowded window of 8, 16, 32, … samples, in steps of half a window. p is the sum of the hypergeometric tails of all windows looked at, an upper bound; a burst has 5 failures and p below 1e-4. Shown only: rates decide.",
      "按开始时间排列失败的请求与损坏的回答，在 8、16、32……个样本的窗口中（步长为半个窗口）找最密集的一个。p 为所有窗口超几何尾概率之和（上界）；至少 5 个故障且 p 小于 1e-4 即为集中出现。仅列出：是否通过由比例决定。"},
     {"By construction fewer than one healthy run in 10,000 is named; simulated runs are in the tests.",
      "按构造，正常运行中被误报的不到万分之一；模拟运行见测试。"},
     {"Datasets that run one after another, where one is harder. Requests of one prompt length sent together.",
      "数据集依次运行而其中一个更难；同一长度的请求集中发送。"},
     {"A node that fell out and came back, an out-of-memory or preemption storm, a KV transfer fault in disaggregated serving (vllm-ascend#5660, vllm-ascend#8853), a deployment in the middle of the run.",
      "节点掉线后恢复、显存不足或抢占风暴、PD 分离的 KV 传输故障（vllm-ascend#5660、vllm-ascend#8853）、运行中途的部署变更。"},
     {"Look into the server's log and metrics of that time; run the named requests again now.",
      "查看该时段的服务端日志与指标；现在重发点名的请求。"}}};

}  // namespace vaa
