#include <cmath>
#include <vector>

#include "base/math.h"
#include "reject/bug_laws/bug_law.h"
#include "reject/steps/row_law.h"

namespace vaa {
namespace {

// The law at temperature 1, over what the cuts left.
bool at_one(const LawView& view, size_t at, std::span<double> out) {
  if (view.temperature == 1) return false;
  const std::span<const double> p = view.full->target(at);
  for (size_t x = 0; x < p.size(); ++x) out[x] = p[x] > 0 ? math::exp(view.temperature * math::log(p[x])) : 0;
  return normalise(out);
}

double accept(const LawView& view, size_t at) {
  std::vector<double> law(view.full->vocab);
  if (!at_one(view, at, law)) return std::nan("");
  const double mine = law[static_cast<size_t>(view.drafts[at])];
  return view.q[at] > mine ? mine / view.q[at] : 1;
}

bool recovered(const LawView& view, size_t at, std::span<double> out) {
  if (!at_one(view, at, out)) return false;
  if (view.one_hot) out[static_cast<size_t>(view.drafts[at])] = 0;
  else if (view.full->q_rows() <= at) return false;
  for (size_t x = 0; !view.one_hot && x < out.size(); ++x) out[x] = out[x] > view.full->draft(at)[x] ? out[x] - view.full->draft(at)[x] : 0;
  return normalise(out);
}

bool bonus(const LawView& view, std::span<double> out) { return at_one(view, view.drafts.size(), out); }

}  // namespace

extern const BugLaw kIgnoredTemperature;
const BugLaw kIgnoredTemperature = {"", "ignored_temperature", "drafts are judged at temperature 1, whatever was asked", "无论请求如何，草稿都按温度 1 检验", "vllm#9834", true, false, accept, recovered, nullptr, bonus, nullptr};

}  // namespace vaa
