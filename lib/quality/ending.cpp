#include "quality/ending.h"

namespace vaa {

int64_t completion_tokens(const Sample& sample) {
  if (sample.has(IntField::kCompletionTokens)) return sample.ints.get(IntField::kCompletionTokens);
  if (sample.has(IdsField::kOutputTokenIds)) return static_cast<int64_t>(sample.ids.get(IdsField::kOutputTokenIds).size());
  return -1;
}

Ending read_ending(const Sample& sample) {
  using Cut = Ending::Cut;
  const std::string_view finish = sample.text(TextField::kFinishReason);
  if (finish == "length" || finish == "abort" || finish == "error") return {Cut::kCertain, "finish_reason", false, false};
  if (!finish.empty() && finish != "unknown") {
    const bool repetition = finish == "repetition";
    return {Cut::kNo, "", !repetition && finish != "content_filter", repetition};
  }
  const int64_t most = sample.integer(IntField::kMaxTokens, -1);
  if (most > 0 && completion_tokens(sample) >= most) return {Cut::kCertain, "max_tokens", false, false};
  const std::string_view stream = sample.text(TextField::kStreamEnd);
  if (!stream.empty() && stream != "complete") return {Cut::kCertain, "stream_end", false, false};
  if (sample.failed()) return {Cut::kCertain, "request_error", false, false};
  return {};
}

bool excused_as_cut(const Ending& ending, Finding* finding) {
  if (ending.cut == Ending::Cut::kUnknown) {
    finding->severity = Severity::kWarn;
    finding->confidence = Confidence::kSuspected;
    finding->reason = "at_end";
  }
  return ending.cut == Ending::Cut::kCertain;
}

}  // namespace vaa
