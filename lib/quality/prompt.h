// What a sample's prompt says, as far as judging the answer needs it. Read when asked for, once a sample; keeps its memory.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "records/sample.h"

namespace vaa {

class Prompt {
 public:
  void reset(const Sample& sample);
  // Text or messages of the prompt are recorded (ids alone say nothing).
  bool recorded() const { return recorded_; }
  // The prompt's text and the texts of its messages, one after another.
  std::string_view text();
  // Linear in the prompt for each of the first pieces that are asked for, then false: bounded for hostile answers. Equal pieces in a row cost once.
  bool contains(std::string_view piece);
  // Integers and number words, English and Chinese, of at most 1,000,000, at most 256 of them.
  const std::vector<int32_t>& numbers();
  // It speaks of repeating: "times", "repeat", "lines", "重复", "遍", …
  bool asks_repetition();
  // Bits (control_bit) of the control characters in it.
  uint64_t controls();

 private:
  static constexpr int kMaxSearches = 256;
  void join_messages(std::string_view messages);
  const Sample* sample_ = nullptr;
  bool recorded_ = false, joined_ = false, counted_ = false;
  int searches_ = 0;
  std::string_view text_;
  std::string memory_, last_piece_;
  bool last_found_ = false;
  std::vector<int32_t> numbers_;
  std::vector<bool> open_;  // of JSON being read: the containers, true for objects
  JsonReader json_{std::string_view()};
};

// Appends the integers and number words of `text`, in their order, while there are fewer than `max`: "twenty-five", "a hundred", "1,000", "三十", "一百二十".
void find_numbers(std::string_view text, size_t max, std::vector<int32_t>* out);

}  // namespace vaa
