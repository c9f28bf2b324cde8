#include "base/math.h"
#include "reject/bug_laws/bug_law.h"
#include "reject/steps/row_law.h"

namespace vaa {
namespace {

// Probabilities taken for logits.
bool again(std::span<const double> p, std::span<double> out) {
  for (size_t x = 0; x < p.size(); ++x) out[x] = math::exp(p[x]);
  return normalise(out);
}

double accept(const LawView& view, size_t at) {
  const std::span<const double> p = view.full->target(at);
  double sum = 0;
  for (const double x : p) sum += math::exp(x);
  const double mine = math::exp(p[static_cast<size_t>(view.drafts[at])]) / sum;
  return view.q[at] > mine ? mine / view.q[at] : 1;
}

bool recovered(const LawView& view, size_t at, std::span<double> out) {
  if (!again(view.full->target(at), out)) return false;
  if (view.one_hot) out[static_cast<size_t>(view.drafts[at])] = 0;
  else if (view.full->q_rows() <= at) return false;
  for (size_t x = 0; !view.one_hot && x < out.size(); ++x) out[x] = out[x] > view.full->draft(at)[x] ? out[x] - view.full->draft(at)[x] : 0;
  return normalise(out);
}

}  // namespace

extern const BugLaw kDoubleSoftmax;
const BugLaw kDoubleSoftmax = {"", "double_softmax", "probabilities are taken for logits: the target law is nearly uniform", "概率被当作 logits：目标分布近乎均匀", "vllm-ascend#6685, #6805", true, false, accept, recovered, nullptr, nullptr, nullptr};

}  // namespace vaa
