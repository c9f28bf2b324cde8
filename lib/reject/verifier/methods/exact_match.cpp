// The draft must be the token that the target itself draws (HF without draft logits, TensorRT-LLM, llama.cpp, vLLM V2 "strict"): lossless, accepted with p(d).
#include <limits>

#include "base/failure.h"
#include "reject/verifier/methods/method.h"

namespace vaa {

void run_exact_match(const StepInput& in, const Method&, DraftOutcome* out) {
  if (in.drafts.size() > 1 && in.policy->known<NoiseUnit>(PolicyRule::kNoise, "a token is drawn at each position") == NoiseUnit::kRequest) {
    fail(VAA_ERROR_UNSUPPORTED, in.where(1) + "exact_match draws a token at each position, so the policy's noise must be that of a position, not of a request");
  }
  for (size_t i = 0; i < in.drafts.size(); ++i) {
    DraftOutcome drawn = *out;
    const TargetRow target = in.rows->target(i);
    finish_rejected(in, i, target, {target.p, 1, {}, {}}, {kPadding, in.drafts[i] < 0 ? kPadded : kRejected}, &drawn);
    const StepPlace& place = out->places[static_cast<size_t>(out->accepted)];
    if (in.drafts[i] < 0 || place.id != in.drafts[i]) {
      *out = drawn;
      return;
    }
    out->accept(place.id, place.reason & ~kRejected, std::numeric_limits<double>::quiet_NaN());
  }
  finish_bonus(in, in.drafts.size(), out);
}

void law_of_exact_match(const StepInput& in, const Method& method, StepLaw* out) {
  class OneHot : public StepRows {
   public:
    explicit OneHot(StepRows* rows) : rows_(rows) {}
    TargetRow target(size_t row) override { return rows_->target(row); }
    DraftLaw draft(size_t) override { return {}; }

   private:
    StepRows* rows_;
  };
  OneHot rows(in.rows);  // how a draft was drawn does not matter
  StepInput as_one_hot = in;
  as_one_hot.rows = &rows;
  law_of_chain(as_one_hot, method, out);
}

}  // namespace vaa
