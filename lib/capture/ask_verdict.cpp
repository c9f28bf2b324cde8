#include "capture/ask_verdict.h"

#include <algorithm>
#include <string_view>

#include "base/positions.h"
#include "capture/rung_table.h"

namespace vaa::capture {
namespace {

// Why the path that the purpose is about cannot be said to have run; empty: it ran, or the purpose is about none.
Both path_doubt(const AskSeen& seen, const std::vector<PathEvidence>& evidence, const ServerTally& all) {
  const std::string_view purpose = seen.options.purpose->name;
  const bool spec = purpose == "spec", cache = purpose == "cache";
  if (all.answered > 0) {
    for (const PathEvidence& one : evidence) {
      const Ran ran = spec ? one.drafted : cache ? one.cached : Ran::kYes;
      if (ran == Ran::kNo) return spec ? both("0 tokens were drafted: plain decoding was tested", "起草了 0 个词元：测试的是普通解码") : both("the prefix cache did not hit", "前缀缓存没有命中");
      if (ran == Ran::kUnknown) return spec ? both("nothing tells whether tokens were drafted", "无法得知是否起草了词元") : both("nothing tells whether the prefix cache hit", "无法得知前缀缓存是否命中");
    }
  }
  const auto at = static_cast<size_t>(Wanted::kTokenIds);
  if (purpose == "compare" && all.answered > 0 && all.lacking[at] == all.answered) return both("no token ids came: texts alone can be compared", "没有返回词元 id：只能比较文本");
  return {};
}

}  // namespace

int ask_verdict(const AskSeen& seen, const std::vector<PathEvidence>& evidence, Both* reason) {
  const ServerTally all = seen.tally.counts();
  const int64_t there = all.answered + all.resumed;
  const std::string n = grouped(there), of = grouped(there + all.failed);
  if (there == 0) {
    *reason = all.failed > 0 ? both("nothing was answered: all " + grouped(all.failed) + " requests failed", "没有得到任何回答：" + grouped(all.failed) + " 个请求全部失败")
                             : both("there was nothing to ask" + (seen.skipped > 0 ? "; skipped: " + grouped(seen.skipped) : std::string()),
                                    "没有可询问的内容" + (seen.skipped > 0 ? "：跳过了 " + grouped(seen.skipped) + " 个" : std::string()));
    return VAA_VERDICT_NOT_CHECKED;
  }
  Both doubt = path_doubt(seen, evidence, all);
  if (doubt.en.empty() && all.unread > 0) {
    const std::string k = grouped(all.unread);
    doubt = both("a part of " + k + " of them could not be read", "其中 " + k + " 个有一部分无法读取");
  }
  if (doubt.en.empty() && all.miscounted > 0) {
    const std::string k = grouped(all.miscounted);
    doubt = both("the token ids of " + k + " of them are not as many as the server counts", "其中 " + k + " 个的词元 id 数与服务器的计数不符");
  }
  if (all.failed > 0) {
    *reason = both(n + " of " + of + " were answered, " + grouped(all.failed) + " failed", of + " 个中有 " + n + " 个得到回答，" + grouped(all.failed) + " 个失败");
    if (!doubt.en.empty()) *reason = both(reason->en + "; " + doubt.en, reason->zh + "；" + doubt.zh);
    return VAA_VERDICT_UNDECIDED;
  }
  if (!doubt.en.empty()) {
    *reason = both("all " + n + " were answered, but " + doubt.en, n + " 个全部得到回答，但" + doubt.zh);
    return VAA_VERDICT_UNDECIDED;
  }
  const bool plain = std::any_of(evidence.begin(), evidence.end(), [](const PathEvidence& one) { return one.drafted == Ran::kNo; });
  *reason = both("all " + n + " were answered" + (plain ? ", by plain decoding: 0 tokens were drafted" : "") + (seen.skipped > 0 ? "; skipped: " + grouped(seen.skipped) : ""), n + " 个全部得到回答" + (plain ? "，使用普通解码：起草了 0 个词元" : "") +
                     (seen.skipped > 0 ? "；跳过 " + grouped(seen.skipped) + " 个" : ""));
  return VAA_VERDICT_PASS;
}

}  // namespace vaa::capture
