// How long the answers of a run are.
#pragma once
#include <cstdint>
#include <vector>

#include "base/json_writer.h"
#include "quality/tally_state.h"

namespace vaa {

struct LengthStats {
  int64_t n = 0;  // answers whose length is recorded
  int64_t shortest = -1, p50 = -1, p90 = -1, p99 = -1, longest = -1;  // of sorted lengths, the one at rank ceil(q n)
  double mean = 0;
  std::vector<int64_t> buckets;  // 0, 1, 2 to 3, 4 to 7, …: the lengths of i bits
};
struct Lengths {
  LengthStats tokens, characters;
  bool in_tokens() const { return tokens.n > 0 && tokens.n * 2 >= characters.n; }  // which of them a person is shown
};
Lengths length_stats(const Tally::State& state);
void append_lengths(JsonWriter* json, const Lengths& lengths, const Tally::State& state);
Table length_table(const Lengths& lengths);

}  // namespace vaa
