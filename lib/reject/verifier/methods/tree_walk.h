// Follows a tree of drafts: those behind one token are tried one after the other until one is accepted, then those behind it.
#pragma once
#include "reject/verifier/methods/method.h"

namespace vaa {

// Trials judge the drafts of one row: Trials(in, row, target, children); DraftVerdict of(place among the children, p of its id); what all have left in the end: Residual residual().
template <class Trials>
void walk_tree(const StepInput& in, DraftOutcome* out) {
  std::vector<uint32_t>& children = in.scratch->children;
  size_t row = 0;
  for (;;) {
    children_of(in, row, &children);
    if (children.empty()) return finish_bonus(in, row, out);
    const TargetRow target = in.rows->target(row);
    Trials trials(in, row, target, children);
    DraftVerdict verdict{};
    size_t tried = 0;
    while (tried < children.size() && !verdict.accepted) verdict = trials.of(tried++);
    const int boundary = verdict.boundary ? kBoundary : 0;
    if (!verdict.accepted) return finish_rejected(in, row, target, trials.residual(), {kPadding, kRejected | boundary, verdict.margin}, out);
    row = children[tried - 1] + 1;
    const int32_t id = in.drafts[row - 1];
    out->accept(id, boundary | (target.of(id) > 0 ? 0 : kSupportViolation), verdict.margin);
  }
}

}  // namespace vaa
