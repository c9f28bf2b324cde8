// What the checks of a run need of one sample, small: hashes of its texts, how it begins and ends, which words of its prompt it uses. Filled where a sample is judged, on any thread.
#pragma once
#include <cstdint>
#include <vector>

#include "quality/run/terms.h"

namespace vaa {

class Features;

struct Trace {
  static constexpr size_t kPromptTerms = 64, kAnswerTerms = 128;
  enum Bits : uint16_t {
    kText = 1,        // an answer in text
    kThought = 2,     // reasoning, or a tag of it
    kOpenEnd = 4,     // the last line is long and ends in a letter or a comma
    kCutUnknown = 8,  // nothing recorded tells whether the answer was cut
    kSampled = 16,    // temperature above 0
    kGreedy = 32,     // temperature 0
  };
  uint16_t bits = 0;
  uint64_t answer = 0;                 // of text and reasoning; 0: no text
  uint64_t prompt = 0;                 // of the prompt as it is recorded; 0: it is not
  uint32_t opening = 0;                // of the first word; 0: none
  bool odd_opening = false;            // it holds no letter and no digit, and no markup begins so
  uint64_t used = 0;                   // bits of prompt_terms that the answer uses
  std::vector<uint32_t> prompt_terms;  // at most kPromptTerms
  std::vector<uint32_t> answer_terms;  // at most kAnswerTerms; only where the answer uses so few of prompt_terms that it may be another prompt's
  void clear();
  bool is(Bits bit) const { return (bits & bit) != 0; }
};

// Kept memory: one a thread.
struct TraceMemory {
  TermList prompt, answer;
};

// `out` is clear. Linear in the answer and in the end of the prompt; the terms of an answer are read only until it has used enough of its prompt.
void read_trace(const Features& features, TraceMemory* memory, Trace* out);

}  // namespace vaa
