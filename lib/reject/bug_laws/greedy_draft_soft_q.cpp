#include "reject/bug_laws/bug_law.h"
#include "reject/steps/row_law.h"

namespace vaa {
namespace {

bool drafted(const LawView& view, size_t at, std::span<double> out) { return view.full->q_rows() > at && only(likeliest(view.full->draft(at)), out); }

}  // namespace

extern const BugLaw kGreedyDraftSoftQ;
const BugLaw kGreedyDraftSoftQ = {"B03", "greedy_draft_soft_q", "the likeliest draft is taken and judged by its softmax probability", "草稿取最大者，却按其 softmax 概率检验", "transformers#32867", true, false, nullptr, nullptr, drafted, nullptr, nullptr};

}  // namespace vaa
