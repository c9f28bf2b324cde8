// A run's rates held against the ceilings that healthy engines reach, and against what the caller said fails.
#pragma once
#include <vector>

#include "quality/score.h"
#include "report/check.h"

namespace vaa {

// One check a flag in the order of detector_table(), then those about the run: broken, request_failed, request_missing, and "any" where fail_on asks for it.
std::vector<Check> ceiling_checks(const Tally::State& state, const MissingQuestions& missing, const InputFacts& facts);
// A rate of the run held against its ceiling, or that of fail_on. `of`: what the n are, plural in English, with its counter in Chinese.
Check rate_check(const Tally::State& state, const char* name, Said title, int64_t k, int64_t n, double ceiling, const Said& of);
// k in all the answers that it is judged among; NaN where there is none.
double judged_share(const Check& check);
// The framework's own name of the token limit.
const char* limit_name(std::string_view format);
// "at max_out_len 512", in Chinese to stand between "因达到" and "而被截断", of the certainly cut answers.
Said cut_limit(const Tally::State& state, std::string_view format);

}  // namespace vaa
