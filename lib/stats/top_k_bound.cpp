// The bound of KL from the likeliest tokens: in a file of its own, as it joins lists by id.
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "base/exact_sum.h"
#include "base/math.h"
#include "stats/arguments.h"
#include "stats/distances.h"
#include "stats/kl_term.h"

namespace vaa::stats {
namespace {

// A rest that is smaller cannot be told from the rounding of float32 logprobs; it counts as this much where it divides.
constexpr double kLeastRest = 1e-6;
constexpr const char* kFunction = "kl_from_top_k";

// A list in the order of its ids.
std::vector<std::pair<int32_t, double>> by_id(const char* side, std::span<const int32_t> ids, std::span<const double> logprobs) {
  const std::string name = std::string(side) + "_ids", values = std::string(side) + "_logprobs";
  check_some(kFunction, name, ids.size());
  check_same_size(kFunction, values, logprobs.size(), ids.size());
  std::vector<std::pair<int32_t, double>> items(ids.size());
  ExactSum sum;
  for (size_t i = 0; i < items.size(); ++i) {
    check_logprob(kFunction, values, i, logprobs[i]);
    items[i] = {ids[i], logprobs[i]};
    sum.add(math::exp(logprobs[i]));
  }
  check_most(kFunction, "the sum of exp(" + values + ")", sum.value(), 1 + kSumSlack);
  std::sort(items.begin(), items.end());
  const auto twice = std::adjacent_find(items.begin(), items.end(), [](const auto& a, const auto& b) { return a.first == b.first; });
  if (twice != items.end()) check_count(kFunction, "the count of id " + std::to_string(twice->first) + " in " + name, 2, 1, 1);
  return items;
}

}  // namespace

TopKBound kl_from_top_k(std::span<const int32_t> reference_ids, std::span<const double> reference_logprobs, std::span<const int32_t> target_ids,
                        std::span<const double> target_logprobs) {
  const auto reference = by_id("reference", reference_ids, reference_logprobs), target = by_id("target", target_ids, target_logprobs);
  TopKBound result;
  ExactSum kl, reference_mass, target_mass;
  for (auto p = reference.begin(), q = target.begin(); p != reference.end() && q != target.end();) {
    if (p->first != q->first) {
      ++(p->first < q->first ? p : q);
      continue;
    }
    const double mass = math::exp(p->second);
    kl.add(kl_term(mass, math::exp(q->second), q->second - p->second));
    reference_mass.add(mass);
    target_mass.add(math::exp(q->second));
    ++result.common;
    ++p;
    ++q;
  }
  result.reference_mass = reference_mass.value();
  result.target_mass = target_mass.value();
  const double p = std::max(0.0, 1 - result.reference_mass), q = std::max(0.0, 1 - result.target_mass);
  // The terms above hold q - p each, which the rest takes off again.
  kl.add(q - p);
  if (p > 0) kl.add(p * (math::log(p) - math::log(std::max(q, kLeastRest))));
  result.kl = kl.value();
  return result;
}

}  // namespace vaa::stats
