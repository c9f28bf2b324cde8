// What a file of records holds that was cut off at any byte: which answers are there, which failed, and where its whole answers end.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "vaa/task.h"

namespace vaa::capture {

// A key of extra.ask.key in 128 bits: of a billion answers no two are taken for one.
struct KeyDigest {
  uint64_t low, high;
  bool operator==(const KeyDigest&) const = default;
};
KeyDigest key_digest(std::string_view key);
struct KeyDigestHash {
  size_t operator()(const KeyDigest& key) const { return static_cast<size_t>(key.low); }
};
using KeySet = std::unordered_set<KeyDigest, KeyDigestHash>;

struct Resumed {
  KeySet keys;                                          // of answers that are there
  std::string header;                                   // the first line; "" : an empty file
  int64_t end = 0;                                      // bytes of whole answers, with their last line feed
  bool open_line = false;                               // which is not there
  std::vector<std::pair<int64_t, int64_t>> failed;      // [from, to) of answers that failed or lack samples, rising
  int64_t failed_answers = 0;
};
// Reads `fd` from its beginning, once. Throws Failure: VAA_ERROR_IO; VAA_ERROR_FORMAT where it is no file of ours or a line in its midst is none, with the line's number; VAA_ERROR_CANCELLED.
Resumed read_resumed(int fd, const std::string& path, const vaa_task* task);

}  // namespace vaa::capture
