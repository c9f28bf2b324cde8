#include <algorithm>

#include "reject/bug_laws/bug_law.h"

namespace vaa {
namespace {

// One uniform for all places: so many are accepted where it is at most the least chance of these and above that of the next.
double accepted(const LawView& view, size_t count) {
  double least = 1;
  for (size_t i = 0; i < count; ++i) least = std::min(least, view.accept[i]);
  return count == view.drafts.size() ? least : std::max(0.0, least - view.accept[count]);
}

}  // namespace

extern const BugLaw kSharedUniform;
const BugLaw kSharedUniform = {"", "shared_uniform", "all places of a row are judged by one uniform", "一行的所有位置共用一个均匀数", "", false, false, nullptr, nullptr, nullptr, nullptr, accepted};

}  // namespace vaa
