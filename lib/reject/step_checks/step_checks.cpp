#include "reject/step_checks/step_checks.h"

#include <bit>

#include "base/figures.h"
#include "base/random.h"

namespace vaa {
namespace {

constexpr uint64_t kGolden = 0x9e3779b97f4a7c15u;

}  // namespace

double margin_of(const StepHeader& header, double margin) { return header.rescored ? kRescored * margin : margin; }

double value_by_id(std::span<const double> law, size_t token, double share) {
  double before = 0, mass = 0;
  for (size_t x = 0; x < law.size(); ++x) {
    if (x == token) before = mass;
    mass += law[x];
  }
  return (before + share * law[token]) / mass;
}

double value_by_rank(std::span<const double> law, size_t token, double share) {
  const double own = law[token];
  double before = 0, equal = 0, mass = 0;
  for (const double x : law) {
    before += x > own ? x : 0;
    equal += x == own ? x : 0;
    mass += x;
  }
  return (before + share * equal) / mass;
}

double random_share(const StepRow& row, std::span<const double> law, size_t at, uint64_t what) {
  uint64_t key = static_cast<uint64_t>(row.request) * kGolden + static_cast<uint64_t>(row.position);
  for (const double x : law) key = std::rotl(key ^ std::bit_cast<uint64_t>(x), 29) * kGolden;
  return Random(key, what << 16 | at).uniform();
}

Both said_share(int64_t k, int64_t n, const char* plural, const char* zh) {
  const double share = static_cast<double>(k) / static_cast<double>(n);
  return {grouped(k) + " of " + counted(n, plural) + " (" + percent(share) + ")", grouped(n) + " " + zh + "中有 " + grouped(k) + " " + zh + "（" + percent(share, true) + "）"};
}

}  // namespace vaa
