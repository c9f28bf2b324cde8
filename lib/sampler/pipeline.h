// An engine's stages in its order, over one row: const and shared; the row's memory is a Row of the caller's.
#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "sampler/stages/stage.h"

namespace vaa {

struct RowInput {
  std::span<const float> logits;  // or probabilities, by the option
  std::span<const int32_t> prompt, output;
  const Params* params = nullptr;  // null: the options'
  int64_t number = 0;              // for messages
};

// How far a row goes: as it came; to the law that a token is drawn from; to what processed logprobs are of, which differs from it where the row is greedy.
enum class Until : uint8_t { kLoaded, kDrawn, kReported };

class Pipeline {
 public:
  // Options: those of vaa_sampler_new. The engine is copied.
  Pipeline(const Engine& engine, std::string_view options, std::string_view what);

  // `row` then holds the tokens that are left, weighed: their probabilities are row->probability(i). What a greedy row's is drawn from is one token.
  void run(const RowInput& input, Until until, Row* row) const;

  const Engine& engine() const { return engine_; }
  const Params& params() const { return params_; }
  int threads() const { return threads_; }
  // Checks a row of numbers in the order of Param, where NaN and what is missing stand for the options.
  Params params_from(std::span<const double> values, int64_t row) const;

 private:
  void apply_stages(const StageInput& input, Row* row) const;
  void settle_greedy(Until until, Row* row) const;

  Engine engine_;
  Params params_;
  TokenLists lists_;
  Rounding rounding_ = Rounding::kExact;
  bool probs_ = false;
  int threads_ = 1;
  std::vector<const Stage*> order_;
};

}  // namespace vaa
