// A run whose answers were said by the hash engine of the tests, as records.
#pragma once
#include <string>

#include "hash_engine.h"

namespace vaa::capture::test {

inline std::string id_list(const std::vector<int32_t>& ids, size_t from, size_t to) {
  std::string out = "[";
  for (size_t i = from; i < to; ++i) out += (i > from ? ", " : "") + std::to_string(ids[i]);
  return out + "]";
}

// Answers "0", "1", … of `sizes` ids, the first 20 of each its prompt.
inline std::string run_of_ids(const std::vector<size_t>& sizes) {
  std::string lines = "{\"schema\": \"vaa.run/1\"}\n";
  for (size_t i = 0; i < sizes.size(); ++i) {
    std::vector<int32_t> prompt;
    for (int32_t k = 0; k < 20; ++k) prompt.push_back(101 + static_cast<int32_t>(i) * 7 + k * k);
    const std::vector<int32_t> ids = greedy(prompt, sizes[i]);
    lines += R"({"schema": "vaa.record/1", "id": ")" + std::to_string(i) + R"(", "dataset": "toy", "prompt": {"token_ids": )" + id_list(ids, 0, 20) + R"(}, "output": {"text": "an answer", "token_ids": )" +
             id_list(ids, 20, ids.size()) + R"(}, "finish_reason": "length"})" + "\n";
  }
  return lines;
}

}  // namespace vaa::capture::test
