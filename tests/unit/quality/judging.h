// One sample and what the checker says of it, for the tests of detectors.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "catch.h"
#include "quality/checker.h"
#include "text/vocab.h"

namespace judging {

// Calls of operator new so far (test_checker.cpp counts them).
int64_t allocation_count();

class Verdicts {
 public:
  explicit Verdicts(vaa::Judgement judgement) : judgement_(std::move(judgement)) {}
  const vaa::Judgement& judgement() const { return judgement_; }
  bool found(std::string_view flag) const { return bit(judgement_.found, flag); }
  bool alarm(std::string_view flag) const { return bit(judgement_.alarm, flag); }
  bool failing(std::string_view flag) const { return bit(judgement_.failing, flag); }
  bool unknown(std::string_view flag) const { return bit(judgement_.unknown, flag); }
  bool clear(std::string_view flag) const { return !found(flag) && !unknown(flag); }
  // The first finding of a flag; fails the test where there is none.
  const vaa::Finding& first(std::string_view flag) const {
    for (const vaa::Finding& finding : judgement_.findings)
      if (finding.flag == vaa::find_flag(flag)) return finding;
    FAIL("no finding of " << flag);
    return judgement_.findings.front();
  }

 private:
  static bool bit(uint64_t bits, std::string_view flag) {
    const int i = vaa::find_flag(flag);
    if (i < 0) FAIL("no flag " << flag);
    return ((bits >> i) & 1) != 0;
  }
  vaa::Judgement judgement_;
};

class Given {
 public:
  Given& text(std::string_view v) { return set(vaa::TextField::kOutputText, v); }
  Given& reasoning(std::string_view v) { return set(vaa::TextField::kOutputReasoning, v); }
  Given& prompt(std::string_view v) { return set(vaa::TextField::kPromptText, v); }
  Given& finish(std::string_view v) { return set(vaa::TextField::kFinishReason, v); }
  Given& set(vaa::TextField field, std::string_view v) {
    sample.set(field, v);
    return *this;
  }
  Given& set(vaa::IntField field, int64_t v) {
    sample.set(field, v);
    return *this;
  }
  Given& ids(std::vector<int32_t> v) {
    sample.ids.put(vaa::IdsField::kOutputTokenIds) = std::move(v);
    return *this;
  }
  Verdicts judge(const vaa::Vocab* vocab = nullptr) const {
    const vaa::Checker checker("", vocab);
    vaa::Judgement judgement;
    checker.judge(sample, checker.new_scratch().get(), &judgement);
    return Verdicts(std::move(judgement));
  }
  vaa::Sample sample;
};

inline std::string times(std::string_view unit, size_t count) {
  std::string out;
  for (size_t i = 0; i < count; ++i) out += unit;
  return out;
}

// Different sentences, of no repetition: prose with a number in it.
inline std::string prose(size_t sentences) {
  static const char* const kNouns[] = {"river", "engine", "lamp", "orchard", "ledger", "harbour", "violin", "granite", "weaver", "signal", "kettle"};
  static const char* const kVerbs[] = {"carries", "holds", "opens", "measures", "follows", "mends", "reflects", "counts", "shelters"};
  static const char* const kEnds[] = {"before dawn", "without a sound", "near the old wall", "in spite of the rain", "when the market closes"};
  std::string out;
  uint32_t state = 12345;
  for (size_t i = 0; i < sentences; ++i) {
    state = state * 1664525 + 1013904223;
    out += std::string("The ") + kNouns[(state >> 8) % 11] + " of the " + kNouns[(state >> 13) % 11] + " " + kVerbs[(state >> 18) % 9] + " " +
           std::to_string(state >> 22) + " boats " + kEnds[(state >> 24) % 5] + ". ";
  }
  return out;
}

inline vaa::Vocab make_vocab(const std::vector<std::string>& tokens, const std::vector<int32_t>& special) {
  std::string bytes;
  std::vector<int64_t> ends;
  for (const std::string& token : tokens) {
    bytes += token;
    ends.push_back(static_cast<int64_t>(bytes.size()));
  }
  return vaa::Vocab({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()}, ends, special);
}

}  // namespace judging
