// A sample of any text, reasoning, prompt, ids and ending: judged twice alike, every finding inside its part, every loop a repetition.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "must.h"
#include "quality/checker.h"
#include "text/utf8.h"
#include "text/vocab.h"

using namespace vaa;

namespace {

constexpr const char* kFinish[] = {"", "stop", "length", "abort", "unknown", "repetition", "tool_calls", "content_filter"};
constexpr const char* kFormats[] = {"", "aisbench"};

const Vocab& toy_vocab() {
  static const std::unique_ptr<const Vocab> vocab = [] {
    const std::vector<std::string> tokens = {"<think>", "</think>", "<eos>", "a", " the", "\xE6", "\xB0", "\xB4", "\xEF\xBF\xBD", "水", "-", "\n", "<|im_end|>", "\\boxed{", "}", ""};
    std::string bytes;
    std::vector<int64_t> ends;
    for (const std::string& token : tokens) ends.push_back(static_cast<int64_t>((bytes += token).size()));
    const std::vector<int32_t> special = {2, 12};
    return std::make_unique<const Vocab>(std::span<const uint8_t>(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()), ends, special);
  }();
  return *vocab;
}

// The bytes up to the next 0xFC, which is in no UTF-8.
std::string_view piece(std::string_view* rest) {
  const size_t end = rest->find('\xFC');
  const std::string_view out = rest->substr(0, end);
  *rest = end == std::string_view::npos ? std::string_view() : rest->substr(end + 1);
  return out;
}

// A value a byte, what no softmax gives among them; lists of the top where they fit, and where they do not.
void add_logprobs(std::string_view bytes, int repeat, bool top, Sample* sample) {
  constexpr double kOdd[] = {std::numeric_limits<double>::quiet_NaN(), -std::numeric_limits<double>::infinity(), -9999.0, 0.5, 1e300, -1e300, 0.0, -0.001};
  std::vector<double>& values = sample->real_lists.put(RealsField::kOutputLogprobs);
  values.clear();
  for (const char c : bytes) values.push_back(c < 0 ? kOdd[c & 7] : -static_cast<double>(c) / 8);
  values.insert(values.end(), static_cast<size_t>(repeat) * 16, -0.001);
  if (!top) return;
  std::vector<double>& lists = sample->real_lists.put(RealsField::kOutputTopLogprobs);
  std::vector<int64_t>& ends = sample->int_lists.put(IntsField::kOutputTopEnds);
  lists.clear();
  ends.clear();
  for (const double value : values) {
    for (int others = 0; others < 6; ++others) lists.push_back(value - others);
    ends.push_back(static_cast<int64_t>(lists.size()) - (bytes.size() % 5 == 0 ? 1 : 0));
  }
}

void check(const Finding& finding, const Sample& sample, bool decoded) {
  VAA_MUST(finding.flag >= 0 && static_cast<size_t>(finding.flag) < detector_table().size());
  VAA_MUST(finding.severity <= detector_table()[static_cast<size_t>(finding.flag)]->severity);
  if (finding.onset_byte >= 0 && !decoded) {
    const std::string_view text = sample.text(finding.part == Part::kReasoning ? TextField::kOutputReasoning : TextField::kOutputText);
    const auto at = static_cast<size_t>(finding.onset_byte), size = static_cast<size_t>(finding.length_bytes);
    VAA_MUST(finding.length_bytes >= 0 && at <= text.size() && size <= text.size() - at);
    VAA_MUST(finding.onset_char == static_cast<int64_t>(utf8_count(text.substr(0, at))));
    if (finding.period_bytes > 0) {
      const auto period = static_cast<size_t>(finding.period_bytes);
      VAA_MUST(finding.count == static_cast<int64_t>(size / period));
      for (size_t i = at; i + period < at + size; ++i) VAA_MUST(text[i] == text[i + period]);
    }
  }
  if (finding.onset_token >= 0) {
    static const std::vector<int32_t> none;
    const std::vector<int32_t>& ids = sample.has(IdsField::kOutputTokenIds) ? sample.ids.get(IdsField::kOutputTokenIds) : none;
    const auto at = static_cast<size_t>(finding.onset_token), size = static_cast<size_t>(finding.length_tokens);
    const size_t logprobs = sample.has(RealsField::kOutputLogprobs) ? sample.real_lists.get(RealsField::kOutputLogprobs).size() : 0;
    VAA_MUST(finding.length_tokens >= 0 && at + size <= std::max(ids.size(), logprobs));
    if (finding.period_tokens > 0)
      for (size_t i = at, period = static_cast<size_t>(finding.period_tokens); i + period < at + size; ++i) VAA_MUST(ids[i] == ids[i + period]);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 4) return 0;
  const uint8_t recorded = data[0], ending = data[1], more = data[2], repeat = data[3];
  std::string_view rest(reinterpret_cast<const char*>(data) + 4, size - 4);
  Sample sample;
  std::string text(piece(&rest));
  const std::string_view unit = piece(&rest);
  for (int i = 0; i < repeat && text.size() < (1 << 16); ++i) text += unit;
  text += piece(&rest);
  if (recorded & 1) sample.set(TextField::kOutputText, text);
  if (recorded & 2) sample.set(TextField::kOutputReasoning, piece(&rest));
  if (recorded & 4) sample.set(TextField::kPromptText, piece(&rest));
  if (recorded & 8) sample.set(TextField::kPromptMessages, piece(&rest));
  if (recorded & 16) sample.set(TextField::kScoreGold, piece(&rest));
  if (recorded & 32) sample.set(TextField::kScoreExtracted, piece(&rest));
  if (recorded & 64) {
    std::vector<int32_t>& ids = sample.ids.put(IdsField::kOutputTokenIds);
    ids.clear();
    for (const char c : rest) ids.push_back(static_cast<signed char>(c) % 18);
    for (int i = 0; i < repeat; ++i) ids.insert(ids.end(), {3, 4, more % 16});
  }
  if (recorded & 128) sample.set(TextField::kErrorMessage, "reset");
  // Beside the ids, of `more`: tool calls, and log-probabilities with or without lists of the top.
  if (more & 64) sample.set(TextField::kToolCalls, text);
  if (more & 16) add_logprobs(rest, repeat, (more & 32) != 0, &sample);
  sample.set(TextField::kFinishReason, kFinish[ending % 8]);
  sample.set(TextField::kSourceFormat, kFormats[ending / 8 % 2]);
  if (ending & 16) sample.set(IntField::kMaxTokens, 100);
  if (ending & 32) sample.set(IntField::kIgnoreEos, 1);
  if (ending & 64) sample.set(TextField::kStreamEnd, "cut");
  if (ending & 128) sample.set(IntField::kScoreExtractionFailed, 1);

  const Vocab* const vocab = more & 128 ? &toy_vocab() : nullptr;
  const Checker checker("", vocab);
  static const ScratchPointer scratch = checker.new_scratch();  // used, as in a long run
  Judgement first, second;
  checker.judge(sample, scratch.get(), &first);
  checker.judge(sample, scratch.get(), &second);
  VAA_MUST(first.found == second.found && first.alarm == second.alarm && first.failing == second.failing && first.unknown == second.unknown);
  VAA_MUST(first.findings.size() == second.findings.size() && first.wasted == second.wasted);
  VAA_MUST((first.found & first.unknown) == 0 && (first.failing & ~first.alarm) == 0 && (first.alarm & ~first.found) == 0);
  const bool decoded = !sample.has(TextField::kOutputText) && !sample.has(TextField::kOutputReasoning);
  for (const Finding& finding : first.findings) check(finding, sample, decoded);
  return 0;
}
