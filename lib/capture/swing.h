// Two servers after the same ids: where what they say parts, and whether that place is a near tie or a fault. The rule and its numbers: docs/ladder.md.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "capture/owned.h"

namespace vaa::capture {

// What one server said after a prefix: one token an id, as a sample's fields hold it.
struct Continuation {
  std::string error;                 // the request failed; "" : it did not
  std::vector<int32_t> ids;
  std::vector<double> logprobs;      // of ids; empty: not given
  std::vector<int32_t> top_ids;      // all alternatives one after another, the sampled one first; empty: not given
  std::vector<double> top_logprobs;
  std::vector<int64_t> top_ends;     // token i's alternatives end here
  bool has_logprobs() const { return !top_ends.empty(); }
};
// Lists of another length than the ids are taken as not given: they cannot be told to belong to them.
Continuation continuation_of(const vaa_sample* sample);

// The logprob of `id` at token i. Where the id stands outside the list it is at most that of the last one: `bound` is set then. NaN: no list, an empty list, or a NaN in it.
struct Looked {
  double logprob = 0;
  bool bound = false;
  int rank = 0;      // from 1, by logprob in the list; 0: outside
};
Looked look_up(const Continuation& said, size_t i, int32_t id);

enum class PartingClass : uint8_t { kAlike, kExactTie, kNearTie, kSuspect, kUndetermined, kNoEvidence };
struct Parting {
  PartingClass what = PartingClass::kAlike;
  int64_t compared = 0;       // tokens looked at, the one that parted included
  int64_t index = -1;         // of the token that parted, from 0; -1: none
  int32_t reference_id = -1, target_id = -1;
  double swing = 0;           // nats; NaN: no evidence
  bool bound = false;         // an id stood outside a list: the swing is at least this
};
// At the first token r != t: swing = [lp_ref(r) - lp_ref(t)] + [lp_tgt(t) - lp_tgt(r)]. Both distributions stand on the same prefix, so the swing is what the two engines disagree by.
// exact tie: 0; near tie: at most tau; suspect: over tau, also as a bound; undetermined: a bound that is not over tau; no evidence: no list, or a NaN. One that stops sooner has not parted.
Parting part(const Continuation& reference, const Continuation& target, double tau);

// How much noise moves the gap between the two likeliest ids, in nats: over the tokens where two answers of one server agree and the second id has at least 1 %.
void append_gap_changes(const Continuation& first, const Continuation& again, std::vector<double>* changes);

struct Tau {
  double value = 0;           // nats
  int64_t tokens = 0;         // that it was measured on; 0: not measured
  double quantile = 0;        // the 99.9 % quantile of these, or the largest where there are fewer than 1,000
};
constexpr double kDefaultTau = 0.5;   // nothing measured: two steps of a bf16 logit in [32, 64)
constexpr double kLeastTau = 0.25;    // two steps of a bf16 logit in [16, 32): a server that repeats itself to the bit says nothing of another one's rounding
constexpr int64_t kLeastTauTokens = 100;
Tau tau_from(std::vector<double> changes);

}  // namespace vaa::capture
