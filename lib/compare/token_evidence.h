// What two runs say token by token, kept as numbers: a row a pair of answers, a row a position where both had the same ids before them.
#pragma once
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "stats/near_tie.h"
#include "tokens/prompt_difference.h"

namespace vaa {

enum class PairKind : uint8_t {
  kFree = 0,    // both went on by themselves from the same prompt
  kRung = 1,    // a ladder's: both went on from the same cut of one answer (extra.rung); the first token is prefill at that position, the rest decode
  kForced = 2,  // teacher-forced: both scored the same ids as a prompt, prefill alone
};

// What was made of the same ids, as bits: recorded on both sides, and different.
enum Handling : uint8_t { kTextDiffers = 1, kReasoningDiffers = 2, kToolCallsDiffer = 4, kFinishDiffers = 8 };

// One pair of answers to the same prompt. -1: does not apply, or is not recorded.
struct TokenPair {
  int32_t question = -1;        // index in RunPairing::shared: the cluster
  PairKind kind = PairKind::kFree;
  bool greedy = false;          // both at temperature 0, or forced: gaps say how near a flip was
  bool keyed = false;           // sampled, with one seed on both sides: tokens may be held against each other, gaps not
  PromptClass prompt = PromptClass::kSame;  // another prompt ends the comparison of the pair: nothing below is set
  int64_t start = -1;           // absolute position of the first compared token: ids of the prompt; -1: not known
  int64_t reference_tokens = 0, target_tokens = 0;
  int64_t reference_cached = -1, target_cached = -1;  // ids of the prompt that came from a prefix cache; -1: not told
  int64_t first_divergence = -1;  // index in the output; -1: the same as far as both go, or forced
  bool length_only = false;     // one is the beginning of the other: judged by the step early_end alone. A stop token in the ids is another token than the partner's, and so no such end
  int8_t same_bytes = -1;       // of ids that differ, as Divergence has it
  bool same_text = true;        // the ids are the same and so are text, tool calls and finish reason; false: output handling
  uint8_t handling = 0;         // bits of Handling: what differs of ids that are the same
  bool has_swing = false;       // both have a list at the first divergence
  stats::Swing swing;           // of the first divergence; its class is for the tau that the steps choose
  bool swing_usable = true;     // false: a list is NaN, or the mode of the logprobs differs
  int32_t first_row = 0, rows = 0;  // its positions in the columns below
};

// One row a position where both sides had the same ids before it: up to and with the first divergence; of a forced pair every scored id. 4 bytes a value as engines compute them; NaN: not recorded.
struct TokenRows {
  std::vector<float> gap;         // reference's logprob of its first token less its second, nats, at least 0
  std::vector<float> target_gap;  // the same of the target
  std::vector<float> reference_logprob, target_logprob;  // of the reference's token; NaN where the target does not list it
  std::vector<float> kl;          // KL(reference || target) from below, by top-k (stats::kl_from_top_k)
  std::vector<float> kl_rest;     // probability of the reference outside the common ids: what the bound cannot see
  std::vector<uint8_t> flip;      // 1: the target chose (forced: has as its first) another token; of forced pairs and at the end of free ones
  size_t size() const { return flip.size(); }
};

// What is wrong with the numbers of one side, before anything is compared.
struct SideFaults {
  int64_t answers = 0;            // with ids
  int64_t tokens = 0;
  int64_t with_logprobs = 0, with_lists = 0;  // answers
  int64_t list_size = 0;          // the shortest list met, in entries a position; 0: none
  int64_t nan = 0, positive = 0;  // logprobs, of chosen and listed tokens; above 0 by more than rounding
  int64_t rounded = 0;            // logprobs above 0 by no more than rounding
  int64_t mass = 0;               // positions whose listed probabilities add to over 1 + 1e-3
  int64_t rank = 0;               // positions whose list is not in falling order
  int64_t out_of_range = 0;       // ids below 0, or outside the vocabulary that was given
  int64_t scored = 0, impossible = 0;  // positions with a logprob or a list; of them those with a number that cannot be: impossible_numbers.h
  int64_t wrong_length = 0;       // answers whose logprobs or lists are not one an id
  int64_t reencoded = 0;          // answers whose ids were made from their text
  int64_t logits = 0;             // answers whose scores are recorded as logits: not compared
  int64_t lists = 0, whole = 0;   // positions with a list that can be used; of them those whose listed probabilities add to 1 within 1e-4
  int64_t over_one = 0;           // positions whose listed probabilities add to over 1 + 1e-5, as rounding to few digits makes them: no KL there
  std::string first, first_impossible;  // where the first fault is, and the first of `impossible`: "gsm8k/17, output 812: logprob 0.5"
};

// Target logprob against reference logprob of the same token over positions where both chose it: y = slope x + offset (least squares, exact sums).
struct ModeFit {
  int64_t n = 0;
  double slope = std::nan(""), offset = std::nan(""), rms = std::nan("");  // rms of what is left, nats
  // The target's gaps over the reference's where both chose the same token: by regression of the one on the other and the other way round, which noise draws apart. NaN: too few.
  double scale_least = std::nan(""), scale_most = std::nan("");
};

struct TokenEvidence {
  std::vector<TokenPair> pairs;   // in the order of the shared questions, then of repeats
  TokenRows rows;
  SideFaults reference, target;
  ModeFit fit;
  std::array<int64_t, kPromptClasses> prompts{};  // pairs by the class of their prompts
  std::string first_prompt;       // the first pair whose prompts differ, and how
  int64_t unpaired = 0;           // answers with ids that found no partner
  int64_t sampled = 0;            // pairs at a temperature above 0 without a common seed: not compared token by token
  int64_t without_ids = 0;        // pairs one side of which has no ids
  int64_t temperature_unknown = 0;  // of sampled: the temperature is not recorded on one side
  int64_t without_prompt = 0;     // pairs one side of which records no prompt ids
  bool mixed_modes = false;       // logprob_mode.h: the logprobs are of two kinds, and all columns but flip are NaN
  int64_t other_modes = 0;        // pairs whose logprobs are recorded as of different modes
  std::string first_modes;        // the first such pair, and both modes
  std::string first_handling;     // the first pair of the same ids and another text, and what differs
  int64_t forced_late = 0;        // forced answers whose reference answer has a free partner already: they belong into a run of their own
  int64_t spilled = 0;            // bytes of waiting answers that went to a temporary file

  bool any() const { return !pairs.empty(); }
  std::span<const float> column(const std::vector<float>& of, const TokenPair& pair) const { return {of.data() + pair.first_row, static_cast<size_t>(pair.rows)}; }
};

}  // namespace vaa
