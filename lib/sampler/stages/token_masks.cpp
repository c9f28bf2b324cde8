// Stages that forbid tokens by id, before anything is known of probabilities.
#include <algorithm>
#include <limits>

#include "sampler/stages/stage.h"

namespace vaa {
namespace {

constexpr double kMasked = -std::numeric_limits<double>::infinity();

}  // namespace

void apply_allowed_ids(const StageInput& input, LogitRow* row) {
  if (!input.lists.allows_some) return;
  for (const int32_t id : input.lists.allowed_ids) row->marks[static_cast<size_t>(id)] = 1;
  for (size_t i = 0; i < row->size; ++i)
    if (row->marks[i] == 0) row->z[i] = kMasked;
  for (const int32_t id : input.lists.allowed_ids) row->marks[static_cast<size_t>(id)] = 0;
  row->change();
}

// The last id of a word whose others end what was said so far.
void apply_bad_words(const StageInput& input, LogitRow* row) {
  const BadWordsScope scope = input.engine.rule<BadWordsScope>(Rule::kBadWordsScope);
  for (const std::vector<int32_t>& word : input.lists.bad_words) {
    const size_t before = word.size() - 1;
    if (before > 0 && scope == BadWordsScope::kUnknown) fail_unknown(input.engine, Rule::kBadWordsScope, row->where() + "a bad word has several ids");
    const size_t said = input.output.size() + (scope == BadWordsScope::kAll ? input.prompt.size() : 0);
    if (before > said) continue;
    const auto at = [&](size_t from_end) {  // 1: the last id
      return from_end <= input.output.size() ? input.output[input.output.size() - from_end] : input.prompt[input.prompt.size() - (from_end - input.output.size())];
    };
    size_t same = 0;
    while (same < before && word[before - 1 - same] == at(same + 1)) ++same;
    if (same < before) continue;
    row->z[static_cast<size_t>(word.back())] = kMasked;
    row->change();
  }
}

void apply_min_tokens(const StageInput& input, LogitRow* row) {
  if (static_cast<double>(input.output.size()) >= input.params[Param::kMinTokens]) return;
  for (const int32_t id : input.lists.stop_ids) row->z[static_cast<size_t>(id)] = kMasked;
  if (!input.lists.stop_ids.empty()) row->change();
}

void apply_logit_bias(const StageInput& input, LogitRow* row) {
  for (const LogitBias& one : input.lists.logit_bias) {
    double& z = row->z[static_cast<size_t>(one.id)];
    z = row->round(z + row->round(one.bias));
    row->change();
  }
}

}  // namespace vaa
