// One row of a replay: the token that the engine's rules pick with its noise, and how far the token that it put out lies from that, beside what rounding can account for.
#pragma once
#include <cmath>
#include <cstdint>

#include "sampler/pipeline.h"
#include "sampler/replay/noise_source.h"

namespace vaa {

// Relative errors of one rounding, and the absolute one of fp16 below its smallest normal number.
constexpr double kFp32 = 0x1p-24, kFp16 = 0x1p-11, kBf16 = 0x1p-8, kSmallestFp16 = 0x1p-25;

// How an engine held numbers, as relative errors of one rounding; and how far its logits may lie from those that are given.
struct Precision {
  double logits = 0;          // of the logits themselves: 0 where those given are the engine's own
  double math = kFp32;        // of what is computed of them
  double smallest = 0;        // absolute error of a probability, where the format has no small numbers
  double tolerance = 0;       // of a logit, absolute
};

enum class RowState : uint8_t { kSame, kWithin, kDeparted, kUnknown };

struct RowResult {
  int32_t token = -1;          // that the rules pick; -1: not known
  RowState state = RowState::kUnknown;
  bool greedy = false;
  bool legal = true;           // the engine's token may have been kept, rounding allowed for
  bool tied = false;           // a greedy row has several largest logits
  bool could_differ = false;   // another token could have been picked
  int64_t rank = 0;            // of the engine's token where the choice is made; 0: it was not kept
  double margin = 0, band = 0; // score of our token less that of the engine's (race, Gumbel, greedy), or the distance in u (inverse CDF); infinite: it was not kept
  double difr = 0;             // the margin of Token-DiFR; NaN where it is none: of an inverse CDF, without noise
  double probability = 0;      // of the engine's token in the law
  double collision = 0;        // sum of p^2: the chance that an independent draw agrees
};

// Tokens that a list of the likeliest leaves out.
struct Unlisted {
  bool there = false;
  double most = 0;  // no raw logprob of them is larger
  double mass = 0;  // their raw probability together
};

struct JudgeInput {
  RowInput row;
  int32_t token = 0;                // the engine's
  const NoiseRow* noise = nullptr;  // null: not known
  Unlisted unlisted = {};
};

class RowJudge {
 public:
  RowJudge(const Pipeline& pipeline, const Precision& precision);
  // First of a row: what is left of it. Then whether something is drawn of that, and what became of the engine's token.
  void prepare(const JudgeInput& input);
  bool draws() const { return !exact_.greedy; }
  bool one_is_left() const { return exact_.size == 1; }
  RowResult judge(const JudgeInput& input);
  // The token of another pipeline, other parameters or other noise; -1 where it is not known.
  int32_t pick(const Pipeline& pipeline, const Params& params, const JudgeInput& input);
  // That the last row was divided by.
  double temperature() const { return temperature_; }

 private:
  struct Scored {
    double middle, low, high;
  };
  void scale(const JudgeInput& input);
  double error(const LogitRow& row, size_t place, const Estimate& noise) const;
  double logit_error(double z) const { return relative_ * std::abs(z) + absolute_; }
  Scored scored(LogitRow* row, size_t place, const JudgeInput& input, bool with_band);
  void rank_columns(const Engine& engine, LogitRow* row);
  size_t best_place(const Engine& engine, LogitRow* row, const JudgeInput& input);
  void open_edges(const JudgeInput& input, int32_t token);
  Params shifted(const JudgeInput& input, double sign) const;
  double unlisted_mass(const JudgeInput& input, const LogitRow& row) const;
  double unlisted_bound(const JudgeInput& input) const;
  bool unlisted_kept(const JudgeInput& input) const;
  void judge_scores(const JudgeInput& input, RowResult* result);
  void judge_other(const JudgeInput& input, size_t best, RowResult* result);
  void judge_walk(const JudgeInput& input, RowResult* result);
  void judge_without_noise(const JudgeInput& input, RowResult* result);

  const Pipeline& pipeline_;
  const Precision precision_;
  LogitRow exact_, open_, edge_, other_;
  double temperature_ = 1, relative_ = 0, absolute_ = 0;
  bool filtered_ = false;      // a filter is on
  bool in_loose_ = false;      // the engine's token may have been kept
  size_t loose_size_ = 0;      // candidates that may have been kept
  double surely_above_ = 0;    // logits of edge_ above it, or equal to surely_equal_, were surely kept
  double surely_equal_ = 0;
  double edge_mass_ = 0;       // of what may or may not have been kept, as a share
  std::vector<uint32_t> column_, place_of_rank_;  // of the last row that rank_columns() saw; empty: by id
};

}  // namespace vaa
