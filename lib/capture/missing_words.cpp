// Sources of the flags: the documentation and sources of vLLM 0.25, SGLang 0.5, llama.cpp's server and MindIE 2.
#include "capture/missing_words.h"

#include <cstring>

namespace vaa::capture {
namespace {

enum class Lack : uint8_t { kTokenIds, kFinishReason, kUsage, kLogprobs, kCachedTokens, kCounters };

struct Row {
  Lack lack;
  const char* dialect;  // the beginning of its name; "" : any
  const char* en;
  const char* zh;
};
// The first row that fits.
constexpr Row kRows[] = {
    {Lack::kTokenIds, "vllm", "return_token_ids needs vLLM 0.10.2 or later", "return_token_ids 需要 vLLM 0.10.2 或更高版本"},
    {Lack::kTokenIds, "sglang", "return_token_ids needs SGLang of 2026-07 or later and an answer that is not streamed (stream false); or top_logprobs 1", "return_token_ids 需要 2026-07 之后的 SGLang 且非流式（stream false）；或使用 top_logprobs 1"},
    {Lack::kTokenIds, "llamacpp", "llama.cpp gives all ids of answers that are not streamed (stream false, --no-stream)", "llama.cpp 只对非流式回答给出全部 id（stream false，--no-stream）"},
    {Lack::kTokenIds, "mindie", "MindIE gives none; texts alone can be checked", "MindIE 不提供；只能检查文本"},
    {Lack::kTokenIds, "", "this server is not known to give any; texts alone can be checked", "不知道该服务器能否提供；只能检查文本"},
    {Lack::kFinishReason, "", "without it an answer that was cut off is not told from one that ended: compare completion tokens with max_tokens", "没有它就无法区分被截断与正常结束的回答：请比较生成词元数与 max_tokens"},
    {Lack::kUsage, "", "stream_options {\"include_usage\": true} is asked for where the server knows it; a proxy may take it out", "在服务器支持时会请求 stream_options {\"include_usage\": true}；代理可能把它去掉"},
    {Lack::kLogprobs, "vllm", "start the server with --max-logprobs of at least the number that is asked for", "以不小于所请求数量的 --max-logprobs 启动服务器"},
    {Lack::kLogprobs, "sglang", "speculation v2 leaves them out in some versions: ask a server without it", "某些版本的投机解码 v2 不返回：请询问未启用它的服务器"},
    {Lack::kLogprobs, "mindie", "0 to 5, and not with MTP, PD separation or the prefix cache", "0 到 5，且不能与 MTP、PD 分离或前缀缓存同时使用"},
    {Lack::kLogprobs, "", "", ""},
    {Lack::kCachedTokens, "vllm", "start the server with --enable-prompt-tokens-details", "以 --enable-prompt-tokens-details 启动服务器"},
    {Lack::kCachedTokens, "sglang", "start the server with --enable-cache-report", "以 --enable-cache-report 启动服务器"},
    {Lack::kCachedTokens, "", "", ""},
    {Lack::kCounters, "vllm", "start the server without --disable-log-stats", "启动服务器时不要使用 --disable-log-stats"},
    {Lack::kCounters, "sglang", "start the server with --enable-metrics", "以 --enable-metrics 启动服务器"},
    {Lack::kCounters, "llamacpp", "start the server with --metrics", "以 --metrics 启动服务器"},
    {Lack::kCounters, "mindie", "MindIE has them at its management port, which is not asked", "MindIE 在管理端口提供，此处不询问"},
    {Lack::kCounters, "", "a path /metrics that shows the engine's counters would prove which path ran", "若 /metrics 能显示引擎计数器，即可证明运行的是哪条路径"},
};

Both advice(Lack lack, const Server& server) {
  const char* name = server.dialect ? server.dialect->name : "";
  for (const Row& row : kRows)
    if (row.lack == lack && std::strncmp(name, row.dialect, std::strlen(row.dialect)) == 0) return {row.en, row.zh};
  return {};
}

}  // namespace

Both wanted_words(Wanted what) {
  switch (what) {
    case Wanted::kTokenIds: return {"token ids", "token id"};
    case Wanted::kFinishReason: return {"finish reason", "结束原因"};
    case Wanted::kUsage: return {"token counts (usage)", "词元计数（usage）"};
    case Wanted::kLogprobs: return {"logprobs", "logprob"};
    default: return {"cached tokens (usage.prompt_tokens_details)", "缓存的词元数（usage.prompt_tokens_details）"};
  }
}

Both wanted_advice(Wanted what, const Server& server) { return advice(static_cast<Lack>(what), server); }
Both counters_advice(const Server& server) { return advice(Lack::kCounters, server); }

}  // namespace vaa::capture
