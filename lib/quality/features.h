// What linear passes over one sample found, shared by all detectors: the parts of the output with their odd characters, tags and loops, how the answer ended, and
// what its reasoning is. A detector is a small function over this.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "quality/answers.h"
#include "quality/detector.h"
#include "quality/ending.h"
#include "quality/json_faults.h"
#include "quality/loops.h"
#include "quality/markup.h"
#include "quality/near_loops.h"
#include "quality/odd_characters.h"
#include "quality/prompt.h"
#include "quality/runs.h"
#include "quality/scripts.h"
#include "quality/token_signs.h"
#include "quality/word_windows.h"
#include "records/sample.h"

namespace vaa {

class Vocab;

struct TextPart {
  Part part = Part::kText;
  bool known = false;     // recorded, or decoded from the ids
  bool decoded = false;   // made from the ids by the vocabulary: not recorded
  std::string_view text;
  OddCharacters odd;
  Markup markup;
};

// Whether the reasoning ended.
struct Thought {
  State unclosed = State::kNo;      // kUnknown: nothing tells
  Confidence confidence = Confidence::kCertain;
  Severity severity = Severity::kFail;
  Part part = Part::kText;
  size_t onset = 0, length = 0;     // bytes: what never ended
  const char* reason = "";          // open_tag, reasoning_only, prompt_tag, token_ids
};

// Memory that a Features works with; one a thread. Not cleared between samples.
struct FeatureMemory {
  RunScratch runs;
  std::vector<Run> found;
  std::vector<Loop> loops;
  std::array<MarkupMemory, 2> markup;  // of text and reasoning
  std::array<Scripts, 2> scripts;
  std::array<WordWindows, 2> words;
  NearLoopMemory near_loops;
  std::array<bool, 2> scripts_read{}, words_read{};
  std::string decoded, unit;
  Prompt prompt;
  AnswerMemory answers;
  JsonFaultMemory json_faults;
  TokenSigns signs;
  bool signs_read = false;
};

class Features {
 public:
  // `sample` and `memory` are borrowed. Linear in the sample.
  Features(const Sample& sample, const Vocab* vocab, FeatureMemory* memory);

  const Sample& sample() const { return *sample_; }
  const Vocab* vocab() const { return vocab_; }
  // False: nothing to judge (a failed request without output, a teacher-forced record, a measurement without an answer); no detector is asked then.
  bool judged() const { return judged_; }

  const std::array<TextPart, 2>& parts() const { return parts_; }  // text, reasoning
  const TextPart& text() const { return parts_[0]; }
  const TextPart& reasoning() const { return parts_[1]; }
  bool any_text() const { return text().known || reasoning().known; }
  // The visible text outside all reasoning.
  std::string_view answer() const { return text().markup.answer(text().text); }
  // Nothing but white space and special tokens is in it.
  bool answer_blank() const { return answer_blank_; }
  // Recorded tool calls: an answer without text.
  bool has_tool_calls() const { return tool_calls_; }

  std::span<const int32_t> ids() const { return ids_; }
  bool ids_known() const { return ids_known_; }

  const Ending& ending() const { return ending_; }
  const Thought& thought() const { return thought_; }
  const std::vector<Loop>& loops() const { return memory_->loops; }  // of all parts and of the ids
  Prompt& prompt() const { return memory_->prompt; }
  AnswerMemory& answers() const { return memory_->answers; }
  NearLoopMemory& near_loops() const { return memory_->near_loops; }
  // The part that the output ends in: nothing comes after it.
  const TextPart& last_part() const { return text().text.empty() || (answer_blank() && !reasoning().text.empty()) ? reasoning() : text(); }
  JsonFaultMemory& json_faults() const { return memory_->json_faults; }
  // Of one of parts(); read the first time that a detector asks.
  const Scripts& scripts(const TextPart& part) const;
  const WordWindows& words(const TextPart& part) const;
  // Of the ids and log-probabilities; read the first time that a detector asks.
  const TokenSigns& signs() const;

  // The prompt, as text, ends in an opening tag: the output begins inside the reasoning.
  bool prompt_opens_thought() const;

  // A finding of a place in a part, characters counted. Linear in the part.
  Finding place(const TextPart& part, size_t at, size_t size) const;

 private:
  void read_parts();
  void decode_ids();
  void read_thought();
  void read_loops();
  const Sample* sample_;
  const Vocab* vocab_;
  FeatureMemory* memory_;
  bool judged_ = false, tool_calls_ = false, ids_known_ = false, answer_blank_ = false;
  std::array<TextPart, 2> parts_;
  std::span<const int32_t> ids_;
  Ending ending_;
  Thought thought_;
};

}  // namespace vaa
