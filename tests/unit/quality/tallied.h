// A run made by hand: judgements are given, not found, so that a test of the tally says what it counts.
#pragma once
#include <initializer_list>
#include <string>
#include <utility>

#include "quality/tally.h"
#include "report/document.h"

namespace vaa::tests {

inline const Checker& all_flags() {
  static const Checker checker("", nullptr);
  return checker;
}

struct Answer {
  Sample sample;
  Judgement judgement;

  explicit Answer(std::string id, std::string dataset = "gsm8k", int64_t repeat = 0) {
    sample.set(TextField::kId, id);
    sample.set(TextField::kDataset, dataset);
    sample.set(IntField::kRepeat, repeat);
    sample.set(TextField::kOutputText, "some answer");
    judgement.output_bytes = judgement.output_chars = 11;
  }
  Answer& found(const char* flag, Confidence confidence = Confidence::kCertain) { return found(flag, detector_table()[static_cast<size_t>(find_flag(flag))]->severity, confidence); }
  Answer& found(const char* flag, Severity severity, Confidence confidence) {
    Finding f;
    f.flag = find_flag(flag);
    f.severity = severity;
    f.confidence = confidence;
    judgement.findings.push_back(f);
    const uint64_t bit = uint64_t{1} << f.flag;
    judgement.found |= bit;
    if (severity >= Severity::kWarn) judgement.alarm |= bit;
    if (severity == Severity::kFail) judgement.failing |= bit;
    return *this;
  }
  Answer& unknown(const char* flag) {
    judgement.unknown |= uint64_t{1} << find_flag(flag);
    return *this;
  }
  Answer& correct(bool right) {
    sample.set(IntField::kScoreCorrect, right);
    sample.set(TextField::kScoreMetric, "accuracy");
    return *this;
  }
  Answer& failed(const char* message) {
    sample.texts.unset(TextField::kOutputText);
    sample.set(TextField::kErrorMessage, message);
    judgement = {};
    judgement.unknown = ~uint64_t{0};
    return *this;
  }
};

inline TallyOptions quiet() {
  TallyOptions options;
  options.max_rows = 0;
  return options;
}
inline void add(Tally* tally, const Answer& answer) { tally->add(answer.sample, answer.judgement); }
// `broken` of n answers have the flag.
inline Tally run_with(int64_t n, int64_t broken, const char* flag, TallyOptions options = quiet()) {
  Tally tally(all_flags(), std::move(options));
  for (int64_t i = 0; i < n; ++i) {
    Answer answer(std::to_string(i));
    if (i < broken) answer.found(flag);
    add(&tally, answer);
  }
  return tally;
}
inline Document document(const Tally& tally, const InputFacts& facts = {}) { return Document::parse(tally.report(facts).json()); }
inline const Document& check_of(const Document& report, std::string_view name) {
  for (const Document& check : report["checks"].items()) {
    if (check["name"].text() == name) return check;
  }
  return report["no such check"];
}

}  // namespace vaa::tests
