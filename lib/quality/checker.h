// The configured detectors: const, shared by all threads. What a thread needs while it works is in a Scratch.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "quality/detector.h"
#include "quality/finding.h"
#include "quality/run/trace.h"
#include "records/sample.h"

namespace vaa {

class Vocab;

// What the checks know of one sample. Kept memory: reuse one Judgement for many samples.
struct Judgement {
  std::vector<Finding> findings;  // in the order of detector_table(), within a flag by part and onset
  uint64_t found = 0;             // bit of each flag with a finding of any severity
  uint64_t alarm = 0;             // bit of each flag with a finding of severity fail or warn
  uint64_t failing = 0;           // bit of each flag with a finding of severity fail
  uint64_t unknown = 0;           // bit of each flag whose state is unknown
  int64_t output_bytes = -1;      // text and reasoning; -1: no output recorded
  int64_t output_chars = -1;
  int64_t output_tokens = -1;     // usage, else the number of ids; -1: not recorded
  // Output that is spent in loops, in bytes (text) or tokens (ids alone).
  int64_t wasted = 0;
  Trace trace;  // for the checks of the run
};

class Scratch;  // one a thread
struct ScratchDeleter { void operator()(Scratch*) const; };
using ScratchPointer = std::unique_ptr<Scratch, ScratchDeleter>;

class Checker {
 public:
  // Options of vaa_checker_new (JSON). `vocab` may be null and is borrowed.
  Checker(std::string_view options, const Vocab* vocab);
  ScratchPointer new_scratch() const;
  // Linear in the sample; allocates nothing after warm-up. Replaces *out.
  void judge(const Sample& sample, Scratch* scratch, Judgement* out) const;
  bool enabled(int flag) const { return (enabled_ >> flag) & 1; }
  size_t max_excerpt() const { return max_excerpt_; }
  const Vocab* vocab() const { return vocab_; }

 private:
  uint64_t enabled_ = 0;
  size_t max_excerpt_ = 120;
  const Vocab* vocab_ = nullptr;
};

}  // namespace vaa
