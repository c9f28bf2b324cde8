// What is known of each kind of server. Sources stand with the facts; what a trial request shows (probe_server) is believed before what stands here.
#include "capture/dialect.h"

namespace vaa::capture {
namespace {

// Streamed answers carry usage where it is asked for: all of these servers (vLLM, SGLang, llama.cpp: stream_options.include_usage of the OpenAI API).
constexpr const char* kUsage = "\"stream_options\": {\"include_usage\": true}";
// Of 0 < T < 0.01 vLLM makes 0.01 and SGLang takes T < 1e-6 for greedy: only 0 is greedy everywhere.
constexpr const char* kGreedy = "\"temperature\": 0";

// vLLM before 0.14 (issue 34497; vllm/v1/spec_decode/utils.py, is_spec_decode_unsupported): a request with a penalty, min_p or logprobs is decoded without drafts; later versions draft for it.
// min_p and logit_bias are not applied to drafted rows (issues 31982, 42744), newer servers refuse them beside speculation.
constexpr const char* kVllmAgainst[] = {"logprobs", "min_p", "frequency_penalty", "presence_penalty", "repetition_penalty", "logit_bias"};
constexpr const char* kVllmTrap = "before vLLM 0.14 a request with logprobs is decoded without drafts";
constexpr const char* kVllmTrapZh = "vLLM 0.14 之前，带 logprobs 的请求不经起草解码";

// In a request a router names the rank in X-data-parallel-rank (vLLM, SGLang); proxies that answer with it send it back under the same name.
constexpr const char* kRank[] = {"x-data-parallel-rank"};
// The pod that answered, where a gateway says it: the Gateway API inference extension, and the usual header of proxies.
constexpr const char* kReplica[] = {"x-gateway-destination-endpoint-served", "x-served-by"};
// min_p and logit_bias do not reach the verification of EAGLE (SGLang, issue 10617).
constexpr const char* kSglangAgainst[] = {"min_p", "logit_bias"};
constexpr const char* kLogprobs[] = {"logprobs"};

constexpr Dialect kTable[] = {
    // return_token_ids: since about 0.10.2 (pull request 22587). top_logprobs: --max-logprobs, 20 unless the server was started with another.
    // /server_info answers only where the server was started for development (VLLM_SERVER_DEV_MODE).
    {"vllm", "vLLM", "vllm", "/server_info", "vllm_config", "\"return_token_ids\": true", kUsage, kGreedy, true, false, true, 20, "/tokenize", "prompt", "/metrics", kVllmAgainst, kVllmTrap, kVllmTrapZh, kRank, kReplica, "0.14"},
    // A plugin of vLLM: the same wire; its device is called npu.
    {"vllm_ascend", "vLLM-Ascend", "vllm", "/server_info", "device_config=npu", "\"return_token_ids\": true", kUsage, kGreedy, true, false, true, 20, "/tokenize", "prompt", "/metrics", kVllmAgainst, kVllmTrap, kVllmTrapZh, kRank, kReplica, "0.14"},
    // return_token_ids: 2026-07, chat that is not streamed; a server that does not know a member ignores it.
    // Speculation v2 gave the logprob of the first token only (pull request 14046), or failed (issue 17349). An unknown token's text is all that its top_logprobs have.
    {"sglang", "SGLang", "sglang", "/get_server_info", "", "\"return_token_ids\": true", kUsage, kGreedy, false, false, true, 20, "/tokenize", "prompt", "/metrics", kSglangAgainst,
     "with speculation v2 some versions give the logprob of the first token only", "投机解码 v2 的某些版本只给出首个词元的 logprob", kRank, kReplica},
    // Ids stand in the entries of logprobs ("id"), one a character: of the tokens that make one the last alone. All of them stand in __verbose.tokens of answers that are not
    // streamed (server-task.cpp). Speculation runs beside logprobs, but drafted tokens come with a placeholder (server-context.cpp: "TODO: set result.probs").
    {"llamacpp", "llama.cpp", "llamacpp", "/props", "", "\"return_tokens\": true, \"verbose\": true", kUsage, kGreedy, false, true, true, 20, "/tokenize", "content", "/metrics", {},
     "tokens that were drafted come with a placeholder instead of their logprob", "起草的词元只带占位值，没有 logprob", {}, kReplica},
    // logprobs 0 to 5, and not with MTP, PD or the prefix cache. /v1/tokenizer returns pieces, not ids. Metrics are at the management port.
    {"mindie", "MindIE", "MindIE Server", "", "", "", kUsage, kGreedy, false, false, false, 5, "", "", "", kLogprobs, "MindIE refuses logprobs beside MTP, PD or the prefix cache", "MindIE 在启用 MTP、PD 分离或前缀缓存时拒绝 logprobs", {}, kReplica},
    // Anything else. Members that it may not know are tried, and left out where it refuses them.
    {"openai", "OpenAI-compatible", "", "", "", "\"return_token_ids\": true", kUsage, kGreedy, false, false, true, 20, "/tokenize", "prompt", "/metrics", kVllmAgainst, "", "", kRank, kReplica},
};

}  // namespace

std::span<const Dialect> dialect_table() { return kTable; }

const Dialect* find_dialect(std::string_view name) {
  for (const Dialect& dialect : kTable)
    if (name == dialect.name) return &dialect;
  return nullptr;
}

std::string dialect_names() {
  std::string names;
  for (const Dialect& dialect : kTable) names += (names.empty() ? "" : ", ") + std::string(dialect.name);
  return names;
}

}  // namespace vaa::capture
