// An answer of SGLang's POST /generate, whole or as one event of its stream: text, output_ids and meta_info.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "records/readers/openai_body.h"

namespace vaa {

class SglangBody {
 public:
  // Into the fields, index and logprobs of *part. False where it is malformed or neither an answer nor an error. Memory is kept from one to the next.
  bool read(JsonReader* json, ChoicePart* part, std::string* why);

 private:
  bool read_meta(JsonReader* json, ChoicePart* part, std::string* why);
  bool read_triples(JsonReader* json, std::string_view name, std::string* why);
  bool read_tokens(JsonReader* json, TokenLogprobs* logprobs, std::string* why);
  bool read_alternatives(JsonReader* json, TokenLogprobs* logprobs, std::string* why);
  bool record_prompt(Sample* sample, std::string* why);

  std::vector<double> prompt_logprobs_, list_logprobs_;
  std::vector<int32_t> prompt_ids_, list_ids_;
  std::string_view prompt_top_;  // JSON of input_top_logprobs
};

}  // namespace vaa
