// The k largest logits. The k-th is found in one pass with a short list of the largest so far, which is cut to k when it is full.
#include <algorithm>
#include <limits>

#include "sampler/stages/stage.h"

namespace vaa {
namespace {

// The k-th largest of z; 1 <= k < size. Linear.
double kth_largest(std::span<const double> z, size_t k, std::vector<double>* list) {
  const size_t room = std::min(2 * k + 1024, z.size());
  if (list->size() < room) list->resize(room);
  double* const best = list->data();
  double least = -std::numeric_limits<double>::infinity();
  size_t have = 0;
  const auto shrink = [&] {
    std::nth_element(best, best + (k - 1), best + have, std::greater<>());
    have = k;
    least = best[k - 1];
  };
  for (const double x : z) {
    if (x <= least) continue;
    if (have == room) shrink();
    if (x > least) best[have++] = x;
  }
  shrink();
  return least;
}

bool joins_top_p(const StageInput& input, const LogitRow& row) {
  if (input.params.is_off(Param::kTopP)) return false;
  const Rule rule = input.params.is_off(Param::kMinP) ? Rule::kTopKTopP : Rule::kTopKTopPWithMinP;
  const KThenP how = input.engine.rule<KThenP>(rule);
  if (how == KThenP::kUnknown) fail_unknown(input.engine, rule, row.where() + "top_k and top_p are both on");
  return how == KThenP::kJoint;
}

}  // namespace

void apply_top_k(const StageInput& input, LogitRow* row) {
  const double asked = input.params[Param::kTopK];
  if (asked <= 0 || asked >= static_cast<double>(row->size)) return;
  const size_t k = static_cast<size_t>(asked);
  const bool joint = joins_top_p(input, *row);
  if (joint) row->weigh();  // top-p is about shares of the row as it is here
  const double least = kth_largest({row->z.data(), row->size}, k, &row->reals);
  size_t above = 0, equal = 0;
  for (size_t i = 0; i < row->size; ++i) {
    above += row->z[i] > least;
    equal += row->z[i] == least;
  }
  size_t ties = equal;
  if (above + equal > k) {
    const KTies rule = input.engine.rule<KTies>(Rule::kTopKTies);
    if (rule == KTies::kUnknown) {
      fail_unknown(input.engine, Rule::kTopKTies, row->where() + std::to_string(equal) + " tokens tie at the k-th place for top_k " + std::to_string(k));
    }
    if (rule == KTies::kExact) ties = k - above;
  }
  size_t taken = 0;
  row->keep_if([&](size_t i) { return row->z[i] > least || (row->z[i] == least && taken++ < ties); }, joint);
}

}  // namespace vaa
