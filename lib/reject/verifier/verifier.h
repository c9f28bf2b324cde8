// A batch of drafts under a policy, on threads; and the exact law of a step.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/options.h"
#include "reject/verifier/step_worker.h"

namespace vaa {

// Where the rows of a batch go: `width` columns a request.
struct VerifiedRows {
  std::span<int32_t> ids, accepted, reasons;
  std::span<double> margins;
};

// The law of a step whose drafts are known; see StepLaw. Rows of the target: one a draft, and one behind the last where there is a bonus token.
struct LawInput {
  std::span<const int32_t> drafts, parents;
  Matrix<const double> target, draft_probs;  // no rows of the latter: one-hot
};
struct LawOutput {
  std::span<double> acceptance, lengths;
  Matrix<double> emitted, recovered;  // as many rows as the target, or none
};

// The first token where the draft of a position is drawn from `drafted` and judged as if from `judged`, which is empty where it is judged as one-hot.
struct MarginalInput {
  std::span<const double> target, drafted, judged;
  int64_t candidates;  // drafts of the position, with method multi_draft
};

class Verifier {
 public:
  Verifier(std::string_view policy, std::string_view options);

  // Most drafts of a request, after the checks of shapes: rows put out have one more column.
  size_t width_of(const DraftBatch& batch);
  size_t requests() const { return places_.size(); }
  // Of the batch that was just measured.
  void run(const DraftBatch& batch, const VerifiedRows& out);

  void law(const LawInput& input, const LawOutput& out);
  // Into `out`, as long as the target; the expected share of accepted drafts.
  double marginal(const MarginalInput& input, std::span<double> out);

  const Policy& policy() const { return setup_.policy; }

 private:
  Verifier(std::string_view policy, const Options& options);
  void check_law(const LawInput& input) const;
  double marginal_by_odds(const MarginalInput& input, std::span<double> out) const;
  double marginal_by_drafts(const MarginalInput& input, std::span<double> out);

  VerifierSetup setup_;
  Pipeline pipeline_;
  std::vector<StepWorker> workers_;
  std::vector<RequestPlace> places_;
  size_t width_ = 0;
  StepScratch scratch_;
};

}  // namespace vaa
