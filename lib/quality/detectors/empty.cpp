// Nothing visible was answered (docs/detectors.md).
#include <algorithm>

#include "quality/features.h"
#include "text/vocab.h"

namespace vaa {
namespace {

bool no_visible_ids(const Features& features) {
  const std::span<const int32_t> ids = features.ids();
  if (const Vocab* vocab = features.vocab())
    return std::all_of(ids.begin(), ids.end(), [&](int32_t id) { return vocab->special(id); });
  return ids.empty() || (ids.size() == 1 && features.sample().integer(IntField::kIdsIncludeStop, 0) == 1);
}

State detect(const Features& features, std::vector<Finding>* findings) {
  if (features.has_tool_calls()) return State::kNo;
  Finding finding;
  const TextPart& text = features.text();
  if (text.known && !text.decoded) {
    if (!features.answer_blank()) return State::kNo;
    if (features.thought().unclosed == State::kFound) return State::kNo;  // no answer for another reason
    const size_t begin = text.markup.answer_begin;
    finding = features.place(text, begin, text.text.size() - begin);
  } else if (!features.reasoning().known && features.ids_known()) {
    if (!no_visible_ids(features)) return State::kNo;
    finding.part = Part::kSample;
    finding.onset_token = 0;
    finding.length_tokens = static_cast<int64_t>(features.ids().size());
  } else {
    return State::kUnknown;
  }
  if (features.sample().failed()) return State::kUnknown;  // the request failed: no empty answer
  findings->push_back(finding);
  return State::kFound;
}

}  // namespace

extern const Detector kEmpty = {
    "empty", Severity::kFail, 0.01, 1, detect,
    {"empty", "空回答"},
    {"Nothing is left of the answer but white space and control tokens.", "除空白和控制符外，回答里没有任何内容。"}};

}  // namespace vaa
