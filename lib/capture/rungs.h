// Answers that can be cut: their ids from the first of the prompt on, and the request that asks how a server goes on after `at` of them.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "capture/owned.h"
#include "capture/request.h"

namespace vaa::capture {

class Reencoder;

struct Passage {
  std::string id, dataset;
  int64_t repeat = 0;
  std::vector<int32_t> ids;         // of the prompt, then of the output
  int64_t prompt_tokens = 0;
  std::vector<double> logprobs;     // of the output ids; empty: not recorded
  bool prompt_reencoded = false, output_reencoded = false;
  int64_t size() const { return static_cast<int64_t>(ids.size()); }
};

struct PassageChoice {
  std::string flag;                 // only answers with it; "any": of severity fail; "" : all
  std::vector<std::string> ids;     // only these ("17" or "gsm8k/17"); empty: all
  int64_t sample = 0;               // that many, drawn without order by `seed`; 0: all
  uint64_t seed = 1;
  int64_t shortest = 1;             // ids; shorter answers are left out before any is drawn
};
struct PassageCounts {
  int64_t samples = 0;              // in the run
  int64_t failed = 0;               // requests without an answer
  int64_t not_chosen = 0;           // by flag or ids
  int64_t without_prompt_ids = 0, without_output_ids = 0;  // an answer may lack both
  int64_t too_short = 0;
  int64_t usable = 0;               // before any was drawn
  int64_t reencoded = 0, reencoded_prompts = 0;  // of the usable: answers, prompts
  std::vector<std::string> problems;  // why ids could not be had, and ids that are not in the run; the first 10
};
// The chosen answers in the order of the run. Memory: 4 bytes an id of those that are chosen. `reencoder` NULL: ids are never made up. Throws Failure: what vaa_records_open throws;
// VAA_ERROR_OPTION for a flag that is none; VAA_ERROR_FORMAT where no answer has ids, with how to get them.
std::vector<Passage> read_passages(const std::string& run, const PassageChoice& choice, Reencoder* reencoder, const vaa_task* task, PassageCounts* counts);

// How a server goes on after the first `at` ids, greedily, `tokens` tokens, with the logprobs of the likeliest 20 and no end before that where the server knows how. Not streamed; no prompt_logprobs: they
// would run prefill alone; no seed: greedy needs none. Throws Failure (VAA_ERROR_UNSUPPORTED) where the server takes no prompt of ids.
std::string rung_body(const Passage& passage, int64_t at, int64_t tokens, const Server& server, std::vector<Both>* notes);
constexpr const char* kRungPath = "/v1/completions";

}  // namespace vaa::capture
