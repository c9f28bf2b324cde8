// Log-probabilities of an answer or a prompt in their normal form (docs/records.md), from the shapes in which servers give them.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "records/format.h"

namespace vaa {

// Tokens and their alternatives as they arrive; record() puts them into a sample: the sampled token first, then the others by falling logprob, no id twice.
// Alternatives without an id stay out and are noted once a run.
class TokenLogprobs {
 public:
  static constexpr int32_t kNoId = -1;

  void clear();  // keeps memory
  bool empty() const { return !seen_; }
  size_t size() const { return logprobs_.size(); }  // tokens
  void begin() { seen_ = true; }  // there is a list, which may have no token
  void token(int32_t id, double logprob);
  void alternative(int32_t id, double logprob);  // of the token that the next end_token() ends
  void end_token() { ends_.push_back(static_cast<int64_t>(other_ids_.size())); }
  // A later piece of the same answer. Linear in the piece.
  void append(const TokenLogprobs& piece);
  // The entries had an `id` of their own, as llama.cpp's have.
  void set_own_ids() { own_ids_ = true; }
  bool own_ids() const { return own_ids_; }
  // One of the logprobs is none: llama.cpp's of a token that was drafted. Then none is recorded.
  void set_placeholder() { placeholder_ = true; }

  // Sets output.logprobs, output.top_logprobs and, where output.token_ids is not recorded and every token has an id, those.
  void record(Sample* sample, Problems* problems) const;

 private:
  friend bool read_logprobs(JsonReader*, TokenLogprobs*, std::string*);
  friend bool read_parallel_logprobs(JsonReader*, std::string_view, TokenLogprobs*, std::string*);
  void record_alternatives(Sample* sample, bool* left_out) const;

  bool seen_ = false, text_only_ = false, own_ids_ = false, placeholder_ = false;
  std::vector<double> logprobs_;
  std::vector<int32_t> ids_;
  std::vector<double> other_logprobs_;
  std::vector<int32_t> other_ids_;
  std::vector<int64_t> ends_;  // in other_*, of token i
};

// -9999.0 stands for minus infinity.
double logprob_value(double written);
// The id in "token_id:171"; kNoId for any other text and for ids past 2^31 - 1.
int32_t token_id_of(std::string_view token);

// The value of `logprobs` in a choice: null, {"content": [{token, logprob, top_logprobs}]} or {"tokens", "token_logprobs", "top_logprobs"}. Adds to *out.
bool read_logprobs(JsonReader* json, TokenLogprobs* out, std::string* why);
// A list of {id?, token?, logprob, top_logprobs}, or null.
bool read_logprob_entries(JsonReader* json, std::string_view name, TokenLogprobs* out, std::string* why);
// SGLang's [[logprob, id, text], …], or null: calls token() or, in a list of such lists, alternative() for each.
bool read_logprob_triples(JsonReader* json, std::string_view name, std::vector<double>* logprobs, std::vector<int32_t>* ids, std::string* why);
// A token's alternatives in [begin, end) with its own first, then the others by falling logprob, no id twice: appended to *ids and *logprobs. Where the own id is not
// among them it is added with own_logprob. O(n log n), linear where they come sorted.
void append_top(int32_t own, double own_logprob, const int32_t* begin_ids, const double* begin_logprobs, size_t n, std::vector<int32_t>* ids, std::vector<double>* logprobs);
// vLLM's prompt_logprobs: [null, {"171": {"logprob", "rank", "decoded_token"}}, …]. Needs prompt.token_ids, which say which of the alternatives is the prompt's own.
bool read_prompt_logprobs(std::string_view raw, Sample* sample, Problems* problems, std::string* why);

}  // namespace vaa
