// What the servers differ in, as data: one row of dialect_table() (dialect_table.cpp) a kind of server. A new kind is one row.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/sections.h"

namespace vaa::capture {

struct Dialect {
  const char* name;             // "vllm"
  const char* title;            // "vLLM"
  // How it is recognised (recognise.h).
  const char* owned_by;         // in the models of /v1/models; "" : says nothing
  const char* own_path;         // a path that only this server answers; ""
  const char* own_word;         // what stands in its answer there; "" : any JSON object will do
  // Members of a request's body, as JSON members without braces; "" : it has none.
  const char* ask_ids;          // "\"return_token_ids\": true"
  const char* ask_usage;        // of a streamed request
  const char* greedy;           // what makes a request greedy
  bool token_names;             // return_tokens_as_token_ids is known: alternatives come with their ids
  bool ids_beside_logprobs;     // streamed token ids come in the logprobs only, and not all of them
  bool prompt_as_ids;           // /v1/completions takes a list of ids
  int most_logprobs;            // top_logprobs that may be asked; 0: none
  const char* tokenize_path;    // "/tokenize", where it returns ids; ""
  const char* tokenize_key;     // "prompt" (vLLM, SGLang), "content" (llama.cpp)
  const char* metrics_path;     // "/metrics"; ""
  // Request members that switch speculative decoding off, keep a request out of it, or are not applied where it runs.
  std::span<const char* const> against_speculation;
  const char *logprobs_trap, *logprobs_trap_zh;  // what asking for logprobs does where speculation is on, one clause; "" : nothing is known
  // Response headers that tell data-parallel rank and replica; lower case.
  std::span<const char* const> rank_headers, replica_headers;
  const char* logprobs_trap_until = "";  // the version that is free of it, "0.14"; "" : all have it
};

std::span<const Dialect> dialect_table();
const Dialect* find_dialect(std::string_view name);  // nullptr: none
std::string dialect_names();                         // "vllm, vllm_ascend, …"

// What a server said about itself, and what its trial requests gave. -1: not known.
struct Server {
  std::string url;              // base, without "/v1" and without a slash at the end
  std::string endpoint;         // the same, to stand in records and messages: without user and password
  const Dialect* dialect = nullptr;
  std::string version, model;
  std::vector<std::string> models;
  int64_t max_model_len = -1;
  int8_t token_ids = -1, prompt_token_ids = -1, finish_reason = -1, logprobs = -1, top_logprobs = -1, stream = -1, usage = -1, prompt_as_ids = -1, tokenize = -1, metrics = -1;
  int8_t streamed_ids = -1;     // 0: token ids come only where the answer is not streamed
  int8_t chat = -1, completions = -1;  // the paths that answer
  int most_logprobs = -1;       // top_logprobs that were given
  std::string config_json;      // what own_path answered (/props, /get_server_info, /server_info); "" : none
  std::vector<Both> problems;   // in words: what was asked, what came
};
void append_server(std::string* out, const Server& server);  // vaa.server/1

}  // namespace vaa::capture
