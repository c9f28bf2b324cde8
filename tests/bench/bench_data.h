// Lines of evaluation runs for the benchmarks: made up, deterministic, of the shapes and sizes that the tools write.
#pragma once
#include <cstdint>
#include <string>

// Writes `megabytes` of lines of a kind to a file, unless it stands there with that size: aisbench (UTF-8), aisbench_escaped (the same with \u escapes, as --reuse appends),
// lm_eval (one filter), responses (chat, token ids, logprobs, top 5). Returns the bytes.
int64_t make_lines(const std::string& path, const std::string& kind, int megabytes);
