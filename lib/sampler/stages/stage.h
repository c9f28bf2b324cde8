// A stage of the pipeline: one file, and one line in the table of stage_table.cpp.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "engines/engine.h"
#include "sampler/params.h"
#include "sampler/row.h"

namespace vaa {

// What stages know of a row besides its logits.
struct StageInput {
  const Engine& engine;
  const Params& params;
  const TokenLists& lists;
  std::span<const int32_t> prompt, output;
};

struct Stage {
  const char* name;
  bool by_id;  // looks at single ids, so it stands before those that take candidates away
  void (*apply)(const StageInput& input, LogitRow* row);
};

void apply_allowed_ids(const StageInput& input, LogitRow* row);
void apply_bad_words(const StageInput& input, LogitRow* row);
void apply_min_tokens(const StageInput& input, LogitRow* row);
void apply_logit_bias(const StageInput& input, LogitRow* row);
void apply_penalties(const StageInput& input, LogitRow* row);
void apply_temperature(const StageInput& input, LogitRow* row);
void apply_top_k(const StageInput& input, LogitRow* row);
void apply_top_p(const StageInput& input, LogitRow* row);
void apply_min_p(const StageInput& input, LogitRow* row);
void apply_typical_p(const StageInput& input, LogitRow* row);

std::span<const Stage> stages();
std::vector<std::string_view> stage_names();

}  // namespace vaa
