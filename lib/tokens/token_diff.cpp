#include "tokens/token_diff.h"

#include <cmath>
#include <limits>
#include <tuple>

#include "base/failure.h"

namespace vaa {
namespace {

constexpr int64_t kNoLimit = std::numeric_limits<int32_t>::max();

// Do both sequences stand for the same bytes? -1 where the vocabulary lacks an id.
int8_t same_bytes(Ids a, Ids b, const Vocab& vocab) {
  const auto known = [&](int32_t id) { return id >= 0 && static_cast<size_t>(id) < vocab.size(); };
  std::string_view left, right;
  size_t i = 0, j = 0;
  bool same = true;
  // Every id is looked up, so that an unknown one is never passed over.
  while (i < a.size() || j < b.size() || !left.empty() || !right.empty()) {
    if (left.empty() && i < a.size()) {
      if (!known(a[i])) return -1;
      left = vocab.token(a[i++]);
      if (left.empty()) continue;
    }
    if (right.empty() && j < b.size()) {
      if (!known(b[j])) return -1;
      right = vocab.token(b[j++]);
      if (right.empty()) continue;
    }
    const size_t size = std::min(left.size(), right.size());
    if (size == 0) {  // one side has ended
      same = false;
      left = right = {};
      continue;
    }
    same = same && left.substr(0, size) == right.substr(0, size);
    left.remove_prefix(size);
    right.remove_prefix(size);
  }
  return same ? 1 : 0;
}

}  // namespace

Divergence TokenDiff::run(Ids reference, Ids target, int64_t max_distance) {
  for (const Ids ids : {reference, target}) {
    if (ids.size() >= static_cast<size_t>(kNoLimit)) fail(VAA_ERROR_ARGUMENT, "ids: " + std::to_string(ids.size()) + " of them, must be fewer than 2147483647");
  }
  Divergence out;
  out.reference_size = static_cast<int64_t>(reference.size());
  out.target_size = static_cast<int64_t>(target.size());
  const size_t prefix = common_prefix(reference, target), longer = std::max(reference.size(), target.size()), shorter = std::min(reference.size(), target.size());
  out.prefix = static_cast<int64_t>(prefix);
  if (longer > 0) out.prefix_ratio = static_cast<double>(prefix) / static_cast<double>(longer);
  const Ids a = reference.subspan(prefix), b = target.subspan(prefix);
  if (prefix == longer) {
    out.levenshtein = out.indel = 0;
    out.lcs = out.prefix;
    return out;
  }
  out.first_divergence = out.prefix;
  out.length_only = prefix == shorter;
  out.suffix = static_cast<int64_t>(common_suffix(a, b));
  measure(a.first(a.size() - static_cast<size_t>(out.suffix)), b.first(b.size() - static_cast<size_t>(out.suffix)), max_distance < 0 ? kNoLimit : max_distance, &out);
  if (out.levenshtein < 0) out.more_than = max_distance;
  out.normalized_levenshtein = out.levenshtein < 0 ? std::nan("") : static_cast<double>(out.levenshtein) / static_cast<double>(longer);
  out.normalized_indel = out.indel < 0 ? std::nan("") : static_cast<double>(out.indel) / static_cast<double>(reference.size() + target.size());
  if (const auto again = reconvergence_.find(reference, target, prefix, static_cast<size_t>(options_.window))) std::tie(out.reconverge_reference, out.reconverge_target) = *again;
  if (vocab_) out.same_bytes = same_bytes(a, b, *vocab_);
  return out;
}

// Diagonals while they promise to end soon, then strips whose band is doubled until it holds the distance (Ukkonen 1985).
void TokenDiff::measure(Ids a, Ids b, int64_t max_distance, Divergence* out) {
  const int64_t longer = static_cast<int64_t>(std::max(a.size(), b.size())), shorter = static_cast<int64_t>(std::min(a.size(), b.size()));
  if (longer - shorter > max_distance) return;
  const bool one_sided = shorter == 0;
  const DiagonalResult near = one_sided ? DiagonalResult{longer, longer} : diagonals_.levenshtein(a, b, max_distance, std::max<int64_t>(32, longer / 40));
  out->levenshtein = near.distance;
  for (int64_t band = std::max<int64_t>(near.predicted + near.predicted / 4, 512); out->levenshtein < 0;) {
    const int64_t limit = std::min({band, max_distance, longer});
    const int64_t distance = strips_.levenshtein(a, b, limit);
    if (distance <= limit) out->levenshtein = distance;
    else if (limit == max_distance) return;
    band = std::max(2 * band, strips_.predicted() + strips_.predicted() / 8);
  }
  if (!options_.lcs) return;
  const int64_t both = longer + shorter;
  const DiagonalResult indel = one_sided ? DiagonalResult{longer, longer} : near.distance >= 0 ? diagonals_.indel(a, b, 2 * near.distance, kNoLimit) : DiagonalResult{};
  const int64_t common = indel.distance >= 0 ? (both - indel.distance) / 2 : strips_.common_subsequence(a, b);
  out->lcs = out->prefix + out->suffix + common;
  out->indel = both - 2 * common;
}

const std::vector<Hunk>& TokenDiff::hunks(Ids reference, Ids target) {
  script_.hunks(reference, target, &hunks_);
  return hunks_;
}

}  // namespace vaa
