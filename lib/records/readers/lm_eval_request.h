// What lm-eval asked for, the member "arguments" of a line: a prompt with generation settings, or prompts with continuations to rank (docs/formats.md).
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "records/format.h"

namespace vaa {

class LmEvalRequest {
 public:
  void clear();
  // Fills prompt and sampling. {"gen_args_0": {"arg_0", "arg_1"}, …}, or the lists of older releases.
  bool read(JsonReader* json, Sample* sample, std::string* why);
  bool known() const { return known_; }
  bool generates() const { return generates_; }
  // Where nothing says what was asked: texts are answers, pairs are ranks.
  void guess(std::string_view resps);
  // resps of a ranking: extra.choices as [continuation, loglikelihood, is_greedy].
  bool read_choices(JsonReader* json, Sample* sample, std::string* why);

 private:
  bool read_one(JsonReader* json, Sample* sample, std::string* why);
  bool read_prompt(JsonReader* json, Sample* sample, std::string* why);
  bool read_second(JsonReader* json, Sample* sample, std::string* why);
  std::vector<std::string_view> continuations_;  // as they stand in the line
  size_t count_ = 0;
  bool known_ = false, generates_ = false;
  std::string text_;
};

}  // namespace vaa
