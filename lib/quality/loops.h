// Runs that are loops, by the rules of docs/detectors.md.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "quality/ending.h"
#include "quality/finding.h"
#include "quality/loop_units.h"
#include "quality/prompt.h"
#include "quality/runs.h"

namespace vaa {

// Where a run may stand.
struct LoopPlace {
  Part part = Part::kText;
  bool ends_output = true;      // nothing of the output comes after this part
  size_t reasoning_end = 0;     // what lies before it is reasoning (in the text: before the last closing tag)
};

struct Loop {
  Run run;              // in bytes of the text, whole characters; in tokens for ids
  Part part = Part::kText;
  bool tokens = false;  // found on ids
  bool tail = false;    // it lasts to the end of the output
  Severity severity = Severity::kInfo;
  Confidence confidence = Confidence::kCertain;
  const char* reason = "";  // asked, in_prompt, ignore_eos, restated, finish_unknown, symbols, no_text
  Run in_tokens;        // of a tail in a text beside which ids are recorded; period 0: not found
  size_t copies = 0;    // over 0: so many that differ in white space; run.period is about the size of one
};

struct LoopContext {
  Ending ending;
  bool ignore_eos = false;
  Prompt* prompt = nullptr;
};

// Appends the loops of a text; where nothing repeats exactly to its end, copies there that differ in white space. Linear.
void find_text_loops(std::string_view text, const LoopPlace& place, const LoopContext& context, RunScratch* scratch, std::vector<Run>* runs, std::vector<Loop>* out);

// What a unit of ids says in words, where a vocabulary is there.
class Vocab;
// Appends the loops of token ids. Without a vocabulary every unit counts as words, and a loop is suspected.
void find_token_loops(std::span<const int32_t> ids, const Vocab* vocab, const LoopContext& context, RunScratch* scratch, std::vector<Run>* runs, std::string* memory,
                      std::vector<Loop>* out);

}  // namespace vaa
