// A run sampled again: rows of logits as the engine had them, its parameters and its noise, and the token it put out at each. Teacher-forced: the engine's token is what the next row follows.
#pragma once
#include <cstdint>
#include <map>
#include <span>
#include <string_view>
#include <vector>

#include "base/exact_sum.h"
#include "report/report.h"
#include "sampler/replay/causes.h"

namespace vaa {

// What was counted of all rows.
struct ReplayTally {
  int64_t sequences = 0, rows = 0;
  int64_t states[4] = {};                  // by RowState
  int64_t illegal = 0;                     // tokens that no rounding would have kept
  int64_t drawn = 0, agreed = 0;           // rows in which something was drawn and another token could have been; of these the same
  double expected = 0, variance = 0;       // of `agreed` if the draws were independent: sums of c and c (1 - c), c the sum of p^2
  int64_t tied = 0, tied_otherwise = 0;    // greedy rows with several largest logits; another of these was taken
  struct Share {
    double sum = 0;
    int64_t rows = 0;
  };
  ExactSum difr;                           // clipped
  std::vector<Share> difr_of_sequences;
  std::map<int64_t, int64_t> positions;    // of departures, the first kMostPositions of different ones
  int64_t other_positions = 0;
  std::vector<int64_t> rows_by_bucket, departed_by_bucket;  // of positions, by powers of two
};

// One row that is not the same.
struct ReplayRow {
  RowPlace place;
  int32_t engine_token = 0;
  RowResult result;
};

class Replay {
 public:
  // Options: those of vaa_replay_new.
  Replay(const Engine& engine, std::string_view options);
  Replay(const Replay&) = delete;  // its parts know each other

  void begin(std::string_view seed, std::span<const int32_t> prompt);
  // A row of logits and the engine's token; noise of the caller's where there is no generator, or none.
  const RowResult& push(std::span<const float> logits, int32_t token, std::span<const double> noise);
  // A row of which the likeliest tokens are known by their raw logprobs.
  const RowResult& push_top(std::span<const int32_t> ids, std::span<const double> logprobs, int32_t token, std::span<const double> noise);
  Report report() const;

  const RowPlace& place() const { return place_; }  // of the last row
  int64_t rows() const { return tally_.rows; }

 private:
  struct Limits {
    double clip, departed, illegal;
    size_t rows, vocabulary;
    int64_t noise_position;
  };
  Replay(const Engine& engine, const Options& options);
  const RowResult& take(std::span<const float> logits, int32_t token, std::span<const double> noise, const Unlisted& unlisted);
  void check_token(int32_t token, size_t columns);
  void count(const JudgeInput& input);
  void count_position(int64_t position, bool departed);
  void check_list(std::span<const int32_t> ids, std::span<const double> logprobs) const;

  const Pipeline pipeline_;
  const Limits limits_;
  NoiseSource source_;
  RowJudge judge_;
  Causes causes_;
  std::string noise_words_;
  bool begun_ = false;
  std::vector<int32_t> prompt_, output_;
  size_t columns_ = 0;
  int64_t draws_ = 0;
  NoiseRow captured_;
  std::vector<float> dense_;
  RowPlace place_;
  RowResult result_;
  ReplayTally tally_;
  std::vector<ReplayRow> kept_;

  friend class ReplayReport;
};

}  // namespace vaa
