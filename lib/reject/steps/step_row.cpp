#include "reject/steps/step_row.h"

#include <algorithm>
#include <cmath>

namespace vaa {

const char* row_shape_name(RowShape shape) {
  static constexpr const char* kNames[kRowShapes] = {"right", "empty", "hole", "out_of_vocab", "recovered_equals_draft", "tokens_after_rejection"};
  return kNames[static_cast<size_t>(shape)];
}

ShapedRow shape_of(std::span<const int32_t> drafts, std::span<const int32_t> ids, int64_t vocab_size, bool trimmed) {
  ShapedRow out;
  out.ids = ids.size();
  while (out.ids > 0 && ids[out.ids - 1] == -1) --out.ids;
  const auto live = ids.first(out.ids);
  const auto outside = [&](int32_t id) { return id < 0 || id >= vocab_size; };
  if (out.ids == 0) {
    out.shape = trimmed ? RowShape::kRight : RowShape::kEmpty;
    return out;
  }
  if (std::find(live.begin(), live.end(), -1) != live.end()) out.shape = RowShape::kHole;
  else if (std::any_of(live.begin(), live.end(), outside)) out.shape = RowShape::kOutOfVocabulary;
  if (out.shape != RowShape::kRight) return out;
  size_t equal = 0;
  while (equal < std::min(out.ids, drafts.size()) && live[equal] == drafts[equal]) ++equal;
  if (out.ids > equal + 1) {
    out.shape = RowShape::kTokensAfterRejection;
  } else if (out.ids == equal) {
    out.shape = trimmed ? RowShape::kRight : RowShape::kRecoveredEqualsDraft;
    out.accepted = trimmed ? equal : equal - 1;
    out.judged = trimmed ? out.accepted : equal;
  } else {
    out.accepted = equal;
    out.judged = std::min(equal + 1, drafts.size());
  }
  return out;
}

std::string row_fault(const StepRow& row, const StepHeader& header) {
  for (const int32_t id : row.drafts)
    if (id < -1 || id >= header.vocab_size) return "draft id " + std::to_string(id) + " lies outside the vocabulary of " + std::to_string(header.vocab_size);
  if (!(row.temperature >= 0) || std::isinf(row.temperature)) return "temperature is no number of 0 or above";
  const auto fits = [&](StepRow::Field field, size_t size) { return size == (row.has(field) ? row.drafts.size() : 0); };
  if (!fits(StepRow::kP, row.p.size()) || !fits(StepRow::kQ, row.q.size()) || !fits(StepRow::kArgmax, row.argmax.size()) || !fits(StepRow::kEntropy, row.entropy.size()))
    return "p, q, argmax and entropy must have one number for each of " + std::to_string(row.drafts.size()) + " drafts";
  return "";
}

std::string full_rows_fault(const StepRow& row, const FullRows& full, const StepHeader& header) {
  const size_t drafts = row.drafts.size();
  const auto number = [](size_t n) { return std::to_string(n); };
  if (full.vocab != static_cast<size_t>(header.vocab_size)) return "rows have " + number(full.vocab) + " ids, the header says " + std::to_string(header.vocab_size);
  if (full.p_rows() != drafts && full.p_rows() != drafts + 1) return "p has " + number(full.p_rows()) + " rows, must be " + number(drafts) + " or " + number(drafts + 1);
  if (full.q_rows() != 0 && full.q_rows() != drafts) return "q has " + number(full.q_rows()) + " rows, must be " + number(drafts);
  if (!full.uniforms.empty() && full.uniforms.size() != drafts) return "uniforms: there are " + number(full.uniforms.size()) + ", must be " + number(drafts);
  const size_t noise = header.noise == StepNoise::kNone ? 0 : header.noise == StepNoise::kUniform ? 1 : full.vocab;
  if (!full.noise.empty() && full.noise.size() != noise) return "noise: has " + number(full.noise.size()) + " numbers, must have " + number(noise);
  return "";
}

}  // namespace vaa
