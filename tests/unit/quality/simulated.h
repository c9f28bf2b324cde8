// A run that is made, judged and tallied: questions with words of their own, answers that speak of them. Seeded, so a test can plant one fault and say what must be found.
#pragma once
#include <random>
#include <string>
#include <vector>

#include "tallied.h"

namespace vaa::tests {

class Simulated {
 public:
  explicit Simulated(uint64_t seed) : random_(seed) {}

  // A word that no other question has.
  std::string rare_word() {
    static const char* const kSyllables[] = {"ba", "ke", "lo", "mi", "nu", "ra", "se", "ti", "vo", "zu", "pla", "gri", "sto", "fle", "dru", "quo"};
    std::string word;
    for (int i = 0; i < 5; ++i) word += kSyllables[random_() % 16];
    return word;
  }
  std::string sentence() {
    static const char* const kNouns[] = {"price", "number", "answer", "total", "group", "value", "table", "reason", "school", "market", "garden", "letter"};
    static const char* const kVerbs[] = {"gives", "takes", "leaves", "shows", "makes", "keeps", "needs", "holds"};
    std::string s = "The ";
    for (int i = 0; i < 3; ++i) s += std::string(kNouns[random_() % 12]) + " " + kVerbs[random_() % 8] + " the " + kNouns[random_() % 12] + (i < 2 ? " and the " : ". ");
    return s;
  }
  // n questions, so many repeats of each, sampled at 0.6; the answers are 3 to 12 sentences long.
  void questions(int n, int repeats, const std::string& dataset = "gsm8k") {
    for (int q = 0; q < n; ++q) {
      std::vector<std::string> words;
      for (int i = 0; i < 6; ++i) words.push_back(rare_word());
      std::string prompt = "Please explain how the total number of things changes when";
      for (const std::string& word : words) prompt += " " + word;
      for (int r = 0; r < repeats; ++r) {
        Sample s;
        s.set(TextField::kId, std::to_string(q));
        s.set(TextField::kDataset, dataset);
        s.set(IntField::kRepeat, r);
        s.set(TextField::kPromptText, prompt + "?");
        s.set(TextField::kOutputText, answer(words));
        s.set(RealField::kTemperature, 0.6);
        s.set(RealField::kStartS, static_cast<double>(samples.size()));
        s.set(RealField::kEndS, static_cast<double>(samples.size()) + 4.5);
        s.set(IntField::kPromptTokens, static_cast<int64_t>(20 + random_() % 200));
        s.set(IntField::kRank, static_cast<int64_t>(random_() % 8));
        samples.push_back(s);
      }
    }
  }
  std::string answer(const std::vector<std::string>& words) {
    std::string text = "So " + words[random_() % words.size()] + " and " + words[random_() % words.size()] + " change. ";
    for (uint64_t i = 3 + random_() % 10; i > 0; --i) text += sentence();
    return text.substr(0, text.size() - 1);
  }
  std::mt19937_64& random() { return random_; }

  Document report(TallyOptions options = quiet()) const {
    Tally tally(all_flags(), std::move(options));
    const ScratchPointer scratch = all_flags().new_scratch();
    Judgement judgement;
    for (const Sample& sample : samples) {
      all_flags().judge(sample, scratch.get(), &judgement);
      tally.add(sample, judgement);
    }
    return Document::parse(tally.report({}).json());
  }

  std::vector<Sample> samples;

 private:
  std::mt19937_64 random_;
};

// The samples that a check of the run names; an empty node where it names none.
inline const Document& named(const Document& report, std::string_view check) {
  for (const Document& finding : report["run_findings"].items()) {
    if (finding["check"].text() == check) return finding["samples"];
  }
  return report["none"];
}

}  // namespace vaa::tests
