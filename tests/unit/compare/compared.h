// Runs that are written in a test, compared.
#pragma once
#include <string>

#include "catch.h"
#include "compare/comparison.h"
#include "report/document.h"

struct Answer {
  std::string id;
  int right = -1;            // 1, 0; -1: no score
  std::string text = "The sum of these is 42, as the two steps above show.";
  int repeat = 0;
  std::string extracted = "";
  std::string prompt = "";
  std::string finish = "stop";
  std::string seed = "";
  double temperature = 0.6;
  bool speculated = false, failed = false;
  std::vector<int32_t> ids = {};
};

inline vaa::Sample sample_of(const Answer& a) {
  vaa::Sample s;
  s.set(vaa::TextField::kDataset, "made");
  s.set(vaa::TextField::kId, a.id);
  s.set(vaa::IntField::kRepeat, a.repeat);
  s.set(vaa::RealField::kTemperature, a.temperature);
  if (a.failed) s.set(vaa::TextField::kErrorMessage, "lost");
  else s.set(vaa::TextField::kOutputText, a.text);
  if (!a.finish.empty() && !a.failed) s.set(vaa::TextField::kFinishReason, a.finish);
  if (!a.extracted.empty()) s.set(vaa::TextField::kScoreExtracted, a.extracted);
  if (!a.prompt.empty()) s.set(vaa::TextField::kPromptText, a.prompt);
  if (!a.seed.empty()) s.set(vaa::TextField::kSeed, a.seed);
  if (a.right >= 0) s.set(vaa::IntField::kScoreCorrect, a.right);
  if (a.speculated) s.set(vaa::IntField::kSpecSteps, 5);
  if (!a.ids.empty()) s.ids.put(vaa::IdsField::kOutputTokenIds) = a.ids;
  return s;
}

using Answers = std::vector<Answer>;

class Comparing {
 public:
  Comparing(const Answers& reference, const Answers& target, const std::string& options = "{}") {
    const vaa::Checker checker("{}", nullptr);
    const auto table = vaa::comparison_option_table();
    vaa::Comparison comparison(checker, vaa::comparison_options(vaa::Options(options, table.data(), table.size(), "test")));
    const auto scratch = checker.new_scratch();
    vaa::Judgement judgement;
    for (const bool side : {false, true}) {
      for (const Answer& a : side ? target : reference) {
        const vaa::Sample s = sample_of(a);
        checker.judge(s, scratch.get(), &judgement);
        comparison.add(side, s, judgement);
      }
    }
    const vaa::Report report = comparison.report();
    code = static_cast<int>(report.verdict());
    document = vaa::Document::parse(report.json());
  }
  const vaa::Document& step(const std::string& name) const {
    for (const vaa::Document& s : document.at("comparison", "steps").items()) {
      if (s["name"].text() == name) return s;
    }
    FAIL("no step " << name);
    return document;
  }
  double number(const std::string& of, const std::string& name) const { return step(of)[name].number(); }
  double bound(const std::string& of, size_t end) const { return step(of)["interval"].items()[end].number(); }
  std::string status(const std::string& of) const { return step(of)["status"].text(); }
  std::string name() const { return document.at("comparison", "verdict").text(); }
  std::string reason() const { return document.at("verdict", "reason").text(); }
  bool says(const std::string& words) const {
    for (const vaa::Document& section : document["sections"].items()) {
      for (const vaa::Document& line : section["lines"].items()) {
        if (line.at("text", "en").text().find(words) != std::string::npos) return true;
      }
    }
    return false;
  }
  int code = -1;
  vaa::Document document;
};

// `n` questions, right in a of b's four cells: both, only the reference, only the target, neither.
struct Cells {
  int both, only_reference, only_target, neither;
};
inline std::pair<Answers, Answers> answered(const Cells& c) {
  std::pair<Answers, Answers> out;
  int id = 0;
  const auto add = [&](int n, int a, int b) {
    for (int i = 0; i < n; ++i, ++id) {
      Answer left{std::to_string(id), a}, right{std::to_string(id), b};
      left.text += " Question " + std::to_string(id) + " is closed.";
      right.text += " That ends question " + std::to_string(id) + ".";
      out.first.push_back(left);
      out.second.push_back(right);
    }
  };
  add(c.both, 1, 1);
  add(c.only_reference, 1, 0);
  add(c.only_target, 0, 1);
  add(c.neither, 0, 0);
  return out;
}
