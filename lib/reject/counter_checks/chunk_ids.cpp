// Streams of requests that record no drafts: chunks of several ids come of accepted drafts, if the server sends what a step put out at once.
#include "base/figures.h"
#include "reject/counter_checks/counter_checks.h"

namespace vaa {
namespace {

double share(const SampleCell& cell) { return cell.chunks > 0 ? static_cast<double>(cell.longer_chunks) / static_cast<double>(cell.chunks) : 0; }

void run(const CounterEvidence& evidence, std::vector<AuditFinding>* out) {
  const SampleCell &sampled = evidence.samples.cell(true, true), &greedy = evidence.samples.cell(false, true);
  if (sampled.chunks == 0) return;
  const bool greedy_works = share(greedy) > evidence.options.floor;
  const double floor = floor_beside_greedy(evidence.options.floor, share(greedy));
  AuditFinding f;
  f.suspected = true;
  f.n = static_cast<double>(sampled.chunks);
  judge_zero(zero_rate(f.n, static_cast<double>(sampled.longer_chunks), kUnknownDesign, floor, 1), floor, &f);
  const bool none = f.status == FindingStatus::kFail;
  if (none && !greedy_works) f.status = FindingStatus::kUndecided, f.p = 1;
  const Both of = said_count(f.n, "stream chunks", "个流式分块");
  f.words = {"at T > 0 " + percent(f.effect) + " of " + of.en + " bring several ids", "T > 0 时 " + of.zh + "中 " + percent(f.effect, true) + " 含多个 id"};
  if (f.status == FindingStatus::kFail) {
    f.words.en += ", at T = 0 " + percent(share(greedy)) + ": drafts are accepted in greedy requests alone (the random path of the rejection sampler rejects them: vllm-ascend#1632)";
    f.words.zh += "，T = 0 时 " + percent(share(greedy), true) + "：只有贪心请求接受草稿（拒绝采样的随机路径拒绝草稿：vllm-ascend#1632）";
  } else if (none) {
    f.words.en += ": nothing is accepted, or the server sends ids one by one; greedy requests of the same server would tell";
    f.words.zh += "：没有草稿被接受，或服务端逐个发送 id；同一服务端的贪心请求可以区分";
  }
  out->push_back(std::move(f));
}

}  // namespace

extern const CounterCheck kChunkIds;
const CounterCheck kChunkIds = {"chunk_ids", "streams bring several ids at once at T > 0", "T > 0 时流式分块含多个 id", "chunks", false, run};

}  // namespace vaa
