// Rows of a batch for the methods, made as they ask: memory of one thread.
#pragma once
#include <vector>

#include "reject/verifier/batch.h"
#include "sampler/pipeline.h"

namespace vaa {

struct VerifierSetup {
  Policy policy;
  const Method* method;
  BatchShape shape;
  bool logits;        // the target's rows are logits
  bool check_all;     // also what no decision needs
  bool fp32;
  double boundary, sum_tolerance;
};

class StepWorker : public StepRows {
 public:
  // The places of a request; borrowed until the next call.
  const DraftOutcome& verify(const VerifierSetup& setup, const Pipeline& pipeline, const DraftBatch& batch, const RequestPlace& place, size_t request);

  TargetRow target(size_t row) override;
  DraftLaw draft(size_t draft) override;
  std::span<const float> noise(size_t row) override;
  void check(size_t row) override;

 private:
  void begin(const VerifierSetup& setup, const Pipeline& pipeline, const DraftBatch& batch, const RequestPlace& place, size_t request);
  void refuse_missing() const;
  bool is_greedy() const;
  void run_pipeline(size_t row);
  void check_probs(const char* what, std::span<const float> values, size_t position) const;
  void check_draft(size_t draft);
  void check_rest();

  const VerifierSetup* setup_ = nullptr;
  const Pipeline* pipeline_ = nullptr;
  const DraftBatch* batch_ = nullptr;
  RequestPlace place_{};
  StepInput input_;
  StepScratch scratch_;
  DraftOutcome result_;
  std::vector<StepPlace> places_;
  std::vector<uint8_t> checked_, draft_checked_, noise_checked_;  // rows
  Params params_;
  bool greedy_ = false, lazy_ = false;
  int64_t made_ = -1;             // the row that row_ holds
  LogitRow row_, raw_;
  std::vector<double> dense_;
  TargetRow target_;
};

// -sum p log(p + shift).
double entropy_of(const ValueRow& row, double shift);

}  // namespace vaa
