// The answer begins with the prompt (docs/detectors.md).
#include <algorithm>

#include "quality/features.h"

namespace vaa {
namespace {

constexpr size_t kLeast = 64;  // bytes of the prompt that the answer repeats

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const size_t begin = text.find_first_not_of(kSpace);
  return begin == std::string_view::npos ? std::string_view() : text.substr(begin, text.find_last_not_of(kSpace) + 1 - begin);
}

State detect(const Features& features, std::vector<Finding>* findings) {
  const TextPart& text = features.text();
  if (!text.known || !features.prompt().recorded()) return State::kUnknown;
  const size_t begin = text.text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos || text.text.size() - begin < kLeast) return State::kNo;
  const std::string_view said = text.text.substr(begin), prompt = trimmed(features.prompt().text());
  const size_t at = prompt.find(said.substr(0, kLeast));
  if (at == std::string_view::npos) return State::kNo;
  const std::string_view rest = prompt.substr(at);
  const auto size = static_cast<size_t>(std::mismatch(said.begin(), said.begin() + static_cast<ptrdiff_t>(std::min(said.size(), rest.size())), rest.begin()).first - said.begin());
  const bool whole = at == 0 && size == prompt.size();
  Finding finding = features.place(text, begin, size);
  finding.severity = Severity::kInfo;
  finding.confidence = whole ? Confidence::kCertain : Confidence::kSuspected;
  finding.reason = whole ? "whole_prompt" : "piece";
  finding.measure = static_cast<double>(size);
  finding.threshold = static_cast<double>(kLeast);
  findings->push_back(finding);
  return State::kFound;
}

}  // namespace

extern const Detector kPromptEcho = {
    "prompt_echo", Severity::kInfo, 1.0, -1, detect,
    {"repeats the prompt", "复述题目"},
    {"The output begins with the prompt or a long piece of it.", "输出以题目或其中一长段原文开头。"}};

}  // namespace vaa
