// Control tokens of the template or the tokenizer in the text, or in the ids before their end (docs/detectors.md).
#include <algorithm>

#include "quality/features.h"
#include "text/think_tags.h"
#include "text/vocab.h"

namespace vaa {
namespace {

// Special tokens that a parser of reasoning, channels or tool calls takes out of ids that are right.
bool has_a_parser(std::string_view token) {
  constexpr std::string_view kChannels[] = {"<|channel|>", "<|message|>", "<|start|>", "<|end|>", "<|constrain|>"};
  if (std::find(std::begin(kChannels), std::end(kChannels), token) != std::end(kChannels)) return true;
  const auto is_tag = [&](const ThinkTag& family) { return token == family.open || token == family.close; };
  return token.find("tool") != std::string_view::npos || std::any_of(think_tags().begin(), think_tags().end(), is_tag);
}

State detect_ids(const Features& features, std::vector<Finding>* findings) {
  const std::span<const int32_t> ids = features.ids();
  const Vocab& vocab = *features.vocab();
  Finding finding;
  finding.part = Part::kSample;
  finding.count = 0;
  for (size_t i = 0; i + 1 < ids.size(); ++i) {
    if (!vocab.special(ids[i]) || has_a_parser(vocab.token(ids[i]))) continue;
    if (finding.count++ == 0) finding.onset_token = static_cast<int64_t>(i);
  }
  if (finding.count == 0) return State::kNo;
  finding.length_tokens = 1;
  finding.reason = "token_ids";
  if (features.sample().integer(IntField::kIgnoreEos, 0) != 0) {
    finding.severity = Severity::kInfo;
    finding.reason = "ignore_eos";
  }
  findings->push_back(finding);
  return State::kFound;
}

State detect(const Features& features, std::vector<Finding>* findings) {
  State state = features.any_text() ? State::kNo : State::kUnknown;
  for (const TextPart& part : features.parts()) {
    if (part.markup.leaks == 0) continue;
    Finding finding = features.place(part, part.markup.leak.at, part.markup.leak.size);
    finding.count = part.markup.leaks;
    findings->push_back(finding);
    state = State::kFound;
  }
  if (state == State::kFound || !features.vocab() || !features.ids_known()) return state;
  return detect_ids(features, findings);
}

}  // namespace

extern const Detector kSpecialTokenLeak = {
    "special_token_leak", Severity::kFail, 0.001, 5, detect,
    {"leaked special tokens", "特殊标记泄漏"},
    {"Control tokens of the chat template or tokenizer stand in the output.", "输出中出现了对话模板或分词器的控制标记。"}};

}  // namespace vaa
