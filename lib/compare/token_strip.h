// One answer's tokens with what was recorded of them: all that a comparison token by token needs, small enough to wait for its partner.
#pragma once
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compare/token_evidence.h"
#include "records/sample.h"
#include "text/vocab.h"

namespace vaa {

// The likeliest tokens at one position; empty: not recorded, or unusable.
struct TokenList {
  std::span<const int32_t> ids;
  std::span<const float> logprobs;  // finite, at most 0
  bool bad = false;                 // recorded and unusable
  bool kl = false;                  // its probabilities add to no more than 1: usable for KL
};

// Scores of the ids of a strip. Empty columns: not recorded.
struct TokenScores {
  enum Flag : uint8_t { kBad = 1, kNoKl = 2 };
  std::vector<float> chosen;      // NaN: unusable
  std::vector<uint32_t> ends;     // list i is [ends[i - 1], ends[i]) of ids and logprobs
  std::vector<uint8_t> flags;     // of each list
  std::vector<int32_t> ids;
  std::vector<float> logprobs;

  float logprob(size_t i) const { return i < chosen.size() ? chosen[i] : std::nanf(""); }
  TokenList list(size_t i) const;
};

enum class Draw : uint8_t {
  kGreedy = 0,   // temperature 0, or forced
  kSeeded = 1,   // above 0, with a seed
  kSampled = 2,  // above 0
  kUnknown = 3,  // temperature not recorded
};

// What says which strips are partners, and what they say beside their ids. Plain: written as bytes.
struct StripFacts {
  PairKind kind = PairKind::kFree;
  Draw draw = Draw::kUnknown;
  uint8_t mode = 0;               // of the logprobs: 0 not recorded, else the place in logprobs_mode_names() and 1
  int8_t includes_stop = -1;      // whether the ids hold the token that ended them; -1: not recorded
  bool has_prompt = false;
  bool stopped = false;           // by a stop token
  bool lists = false;             // the scores hold lists
  int32_t question = -1;          // of its own side
  int32_t repeat = -1;            // -1: not recorded
  int64_t at = -1;                // absolute position of the first id of the output
  int64_t cached = -1;            // ids of the prompt that came from a prefix cache; -1: not told
  uint64_t seed = 0;              // hash; 0: none
  uint64_t branch = 0;            // of a rung: which repeat was cut
  int64_t server = 0;             // of a rung: which of those asked; a file may hold several
  double temperature = 0;
  uint64_t text = 0, reasoning = 0, tool_calls = 0, finish = 0;  // hashes; 0: not recorded
  uint64_t answer = 0, thought = 0;                              // hashes of the text taken apart at the end of its thought; 0: none
};

struct TokenStrip {
  StripFacts facts;
  std::string key;                // dataset, NUL, id; of a forced answer the id of the answer that it scores
  std::vector<int32_t> prompt;    // of a forced answer: the ids before those that are scored
  std::vector<int32_t> output;    // forced: the scored ids
  TokenScores scores;             // of the output
};
std::span<const char* const> logprobs_mode_names();
std::string strip_name(std::string_view key);  // "gsm8k/17"

// false: the sample has no ids to compare. Adds what is wrong with its numbers to *faults; a position that is unusable is marked, the others stay. Of samples that were drawn without a seed the
// ids and scores are kept where there are lists: a forced answer may score them. `vocab` may be null. Linear.
bool read_strip(const Sample& sample, const Vocab* vocab, TokenStrip* strip, SideFaults* faults);
void add_faults(SideFaults* to, const SideFaults& more);

std::string strip_bytes(const TokenStrip& strip);
// Of bytes that strip_bytes() made.
TokenStrip strip_from(std::string_view bytes);

}  // namespace vaa
