// One request's row of a verify step: what was drafted and what came out, with what is recorded of the probabilities.
#pragma once
#include <cstdint>
#include <span>
#include <string>

#include "reject/steps/step_header.h"

namespace vaa {

// Views. What has one number a draft token is empty where it is not recorded; `recorded` tells that from a row without drafts.
struct StepRow {
  enum Field : uint8_t { kP = 1, kQ = 2, kArgmax = 4, kEntropy = 8 };
  int64_t request = 0;
  int64_t position = 0;            // tokens before the row's first
  float temperature = 0;           // 0: greedy
  std::span<const int32_t> drafts, ids;
  std::span<const float> p, q, entropy;
  std::span<const int32_t> argmax;
  uint8_t recorded = 0;
  bool has(Field field) const { return (recorded & field) != 0; }
};

// All probabilities of one row: p of [drafts + 1 or drafts, vocab], q of [drafts, vocab] or none, row after row.
struct FullRows {
  std::span<const double> p, q;
  size_t vocab = 0;
  std::span<const double> uniforms, noise;  // empty: not recorded
  size_t p_rows() const { return vocab > 0 ? p.size() / vocab : 0; }
  size_t q_rows() const { return vocab > 0 ? q.size() / vocab : 0; }
  std::span<const double> target(size_t at) const { return p.subspan(at * vocab, vocab); }
  std::span<const double> draft(size_t at) const { return q.subspan(at * vocab, vocab); }
};

// How a row stands to its drafts by ids alone (sampling.md §2.7 has the reasons).
enum class RowShape : uint8_t { kRight, kEmpty, kHole, kOutOfVocabulary, kRecoveredEqualsDraft, kTokensAfterRejection };
constexpr size_t kRowShapes = 6;
const char* row_shape_name(RowShape shape);  // "right", "empty", "hole", "out_of_vocab", "recovered_equals_draft", "tokens_after_rejection"
struct ShapedRow {
  RowShape shape = RowShape::kRight;
  size_t ids = 0;                  // without -1 at the end
  size_t accepted = 0;             // drafts that the row says were accepted: its ids but the last; of trimmed rows all that equal their draft
  size_t judged = 0;               // drafts whose outcome the row tells: the accepted ones, and the one rejected
};
ShapedRow shape_of(std::span<const int32_t> drafts, std::span<const int32_t> ids, int64_t vocab_size, bool trimmed);

// "" or what contradicts itself: "row: draft id 9 lies outside the vocabulary of 8".
std::string row_fault(const StepRow& row, const StepHeader& header);
std::string full_rows_fault(const StepRow& row, const FullRows& full, const StepHeader& header);

// A row as checks see it.
struct StepView {
  const StepHeader& header;
  const StepRow& row;
  ShapedRow shape;
  bool greedy = false;
  bool numbers = true;             // p and q of the judged drafts are probabilities
  // Of each draft: the chance that the declared rule accepts it, given that it is reached. NaN: not known.
  std::span<const double> accept;
  // Sampled, of a shape that tells the outcome, by numbers that are probabilities.
  bool sampled() const { return !greedy && numbers && (shape.shape == RowShape::kRight || shape.shape == RowShape::kRecoveredEqualsDraft); }
  // Laws may be judged by it: its draws are its own, too.
  bool lawful() const { return sampled() && !header.shared_seeds; }
  bool rejected() const { return shape.judged > shape.accepted; }
  size_t rejected_at() const { return shape.accepted; }
};

}  // namespace vaa
