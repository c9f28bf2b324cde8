#include "reject/bug_laws/bug_law.h"
#include "reject/steps/row_law.h"

namespace vaa {
namespace {

bool recovered(const LawView& view, size_t at, std::span<double> out) {
  if (at == 0) return false;
  return view.one_hot ? without_draft(view.full->target(0), view.drafts[0], out) : view.full->q_rows() > 0 && positive_part(view.full->target(0), view.full->draft(0), out);
}

}  // namespace

extern const BugLaw kResidualRow0;
const BugLaw kResidualRow0 = {"B08", "residual_row0", "the residual is that of the request's first place", "残差取自请求的第一个位置", "flashinfer#425", true, false, nullptr, recovered, nullptr, nullptr, nullptr};

}  // namespace vaa
