// An engine's stages in its order, over one row: const and shared; the row's memory is a LogitRow of the caller's.
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

// How far a row goes: as it came; to the law that a token is drawn from; to what processed logprobs are of, which differs from it where the row is greedy; to the
// tokens that are weighed against each other, of which a greedy row keeps all.
enum class Until : uint8_t { kLoaded, kDrawn, kReported, kWeighed };

std::vector<OptionSpec> pipeline_options();

class Pipeline {
 public:
  // Options: of a table that has those of pipeline_options(). The engine is copied.
  Pipeline(const Engine& engine, const Options& options, std::string_view what);

  // `row` then holds the tokens that are left, weighed: their probabilities are row->probability(i). What a greedy row's is drawn from is one token.
  void run(const RowInput& input, Until until, LogitRow* row) const;

  const Engine& engine() const { return engine_; }
  const Params& params() const { return params_; }
  bool biased() const { return !lists_.logit_bias.empty(); }
  // Checks a row of numbers in the order of Param, where NaN and what is missing stand for the options.
  Params params_from(std::span<const double> values, int64_t row) const;

 private:
  void apply_stages(const StageInput& input, LogitRow* row) const;
  void settle_greedy(Until until, LogitRow* row) const;

  Engine engine_;
  Params params_;
  TokenLists lists_;
  Rounding rounding_ = Rounding::kExact;
  bool probs_ = false;
  std::vector<const Stage*> order_;
};

}  // namespace vaa
