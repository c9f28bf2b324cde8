// What a tally counts of one sample.
#pragma once
#include <cstdint>
#include <vector>

#include "quality/tally_state.h"

namespace vaa {

// kScored, kRight, kWrong where a score is recorded: a value strictly between 0 and 1 (or beyond) is neither right nor wrong.
uint8_t score_bits(const Sample& sample, double* value);
// Flags that count in their rates: a certain finding of the severity of the flag's row.
uint64_t counted_flags(const Judgement& judgement, const std::vector<Severity>& row);
void count_flags(std::vector<FlagCounts>* flags, uint64_t enabled, const Judgement& judgement, uint64_t counted);
bool fails_for_certain(const Judgement& judgement);
void count_place(Account* account, AccountPlace place, const Judgement& judgement, const PlaceBits& bits, uint64_t enabled, bool broken);

}  // namespace vaa
