#include <cmath>

#include "reject/bug_laws/bug_law.h"
#include "reject/steps/row_law.h"

namespace vaa {
namespace {

double accept(const LawView& view, size_t at) {
  if (view.full->p_rows() <= at + 1) return std::nan("");
  const double mine = view.full->target(at + 1)[static_cast<size_t>(view.drafts[at])];
  return view.q[at] > mine ? mine / view.q[at] : 1;
}

bool recovered(const LawView& view, size_t at, std::span<double> out) {
  if (view.full->p_rows() <= at + 1) return false;
  return view.one_hot ? without_draft(view.full->target(at + 1), view.drafts[at], out) : view.full->q_rows() > at && positive_part(view.full->target(at + 1), view.full->draft(at), out);
}

}  // namespace

extern const BugLaw kNextRow;
const BugLaw kNextRow = {"", "next_row", "drafts are judged by the target's row of the place after theirs", "草稿按下一位置的目标分布检验", "TensorRT-LLM#15098", true, false, accept, recovered, nullptr, nullptr, nullptr};

}  // namespace vaa
