#include "compare/onset_cause.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

#include "base/figures.h"
#include "base/structural.h"
#include "compare/recorded_settings.h"

namespace vaa {
namespace {

constexpr std::array<std::string_view, 8> kLimits = {"original_max_position_embeddings", "max_position_embeddings", "sliding_window", "model_max_length",
                                                     "max_model_len", "context_length", "max_seq_len_to_capture", "attention_chunk_size"};
constexpr std::array<std::string_view, 6> kPeriods = {"max_num_batched_tokens", "chunked_prefill_size", "block_size", "page_size", "attention_chunk_size", "long_prefill_token_threshold"};

template <class Names>
bool among(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

struct Recorded {
  std::vector<StructuralNumber> limits, multiples;
};

// Of a period the multiple that lies in the interval, where it would by a chance of at most a quarter.
void add(const std::string& path, const std::string& value, int64_t lo, int64_t hi, Recorded* out) {
  const std::string_view name = std::string_view(path).substr(path.rfind('.') + 1);
  const bool limit = among(kLimits, name) || path == "model.max_length", period = among(kPeriods, name);
  int64_t number = 0;
  const auto [end, fault] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (!(limit || period) || fault != std::errc() || end != value.data() + value.size() || number < 2) return;
  if (limit) out->limits.push_back({path, number});
  const int64_t times = hi / number;
  if (period && times > 0 && 4 * (hi - lo) <= number) out->multiples.push_back({times == 1 ? path : grouped(times) + " x " + path, times * number});
}

Recorded recorded(const ComparisonView& view, int64_t lo, int64_t hi) {
  Recorded out;
  for (const RunSide* side : {&view.reference, &view.target}) {
    for (const auto& [path, value] : recorded_settings(*side, view.text)) add(path, value, lo, hi, &out);
  }
  return out;
}

std::vector<StructuralNumber> common_limits(int64_t lo, int64_t hi) {
  std::vector<StructuralNumber> out;
  for (int64_t n = 2048; n <= 1048576; n *= 2) {
    if (n > lo && n <= hi) out.push_back({"", n});
  }
  return out;
}

// A fault of input position n shows first in the token after it: then n stands before the interval.
Both lies(const StructuralHit& hit, const Both& what) {
  const std::string number = grouped(hit.number);
  if (hit.offset == 0) return {number + ", " + what.en + ", lies in it", "其中包含 " + number + "（" + what.zh + "）"};
  return {number + ", " + what.en + ", is the position before it", "其前一个位置为 " + number + "（" + what.zh + "）"};
}

// The hit that is one of the numbers given, which have no chance.
const StructuralHit* single(const std::vector<StructuralHit>& hits) {
  return !hits.empty() && std::isnan(hits[0].by_chance) ? &hits[0] : nullptr;
}

}  // namespace

OnsetCause onset_cause(const ComparisonView& view, int64_t lo, int64_t hi) {
  const Recorded known = recorded(view, lo, hi);
  const std::vector<StructuralHit> limits = structural_hits(lo, hi, known.limits), multiples = structural_hits(lo, hi, known.multiples);
  if (const StructuralHit* hit = single(limits)) return {lies(*hit, plain(hit->name)), false};
  if (const StructuralHit* hit = single(multiples)) return {lies(*hit, plain(hit->name)), true};
  if (const auto common = common_limits(lo, hi); common.size() == 1) {
    return {lies({"", common[0].number, 0, std::nan("")}, {"a common limit (the runs record no number that lies there)", "常见的上限（两次运行都没有记录落在其中的数值）"}), false};
  }
  if (limits.empty()) return {};
  const std::string chance = percent(limits[0].by_chance), zh = percent(limits[0].by_chance, true);
  return {lies(limits[0], {limits[0].name + ", a multiple of a block (one lies in such an interval by a chance of " + chance + ")", limits[0].name + "，块大小的倍数（随机落入的概率 " + zh + "）"}), true};
}

}  // namespace vaa
