#include "sampler/calibration/seed_pairs.h"

#include <algorithm>
#include <cmath>

#include "base/math.h"

namespace vaa::sampler {
namespace {

constexpr size_t kMostTokens = 4'000'000, kMostEntries = 4'000'000;  // kept, at 12 bytes a token and 8 an entry of its law

// Up to where they part; the length of the shorter one where they do not.
size_t common(const DrawnAnswer& held, const DrawnAnswer& answer) {
  const size_t shorter = std::min(held.ids.size(), answer.ids.size());
  return static_cast<size_t>(std::mismatch(held.ids.begin(), held.ids.begin() + static_cast<std::ptrdiff_t>(shorter), answer.ids.begin()).first - held.ids.begin());
}

// Where they part, if they do where both lists are known; the length of the shorter one else.
size_t hold(const DrawnAnswer& held, const DrawnAnswer& answer, PairCount* count) {
  const size_t shorter = std::min(held.ids.size(), answer.ids.size()), at = common(held, answer);
  count->pairs += 1;
  count->same += at == shorter && held.ids.size() == answer.ids.size();
  double logprob = 0;
  for (const float l : held.logprob) logprob += static_cast<double>(l);
  count->same_due += math::exp(logprob);
  for (size_t i = 0; i < std::min(at + 1, shorter); ++i) {
    if (held.agree[i] < 0 || answer.agree[i] < 0) return shorter;
    const double due = 1 - static_cast<double>(held.agree[i]);
    const bool listed = i < held.laws.size() && i < answer.laws.size();
    count->due += due;
    count->noise_due += std::min(SeedPairs::kNoisy * due, listed ? DrawLaws::parting(held.laws, answer.laws, i) + SeedPairs::kUnseen * due : 1);
  }
  count->parted += at < shorter;
  return at < shorter ? at : shorter;
}

}  // namespace

std::vector<Parting> SeedPairs::add(const std::string& prompt, DrawnAnswer answer) {
  std::vector<Parting> partings;
  if (answer.ids.empty()) return partings;
  std::vector<DrawnAnswer>& others = held_[prompt];
  bool keep = others.empty();
  const auto own = std::find_if(others.begin(), others.end(), [&](const DrawnAnswer& held) { return held.seed == answer.seed; });
  if (answer.seed != 0 && own != others.end()) {
    const size_t at = hold(*own, answer, &one_seed);
    if (at < std::min(own->ids.size(), answer.ids.size())) partings.push_back({at, own->ids[at]});
  } else if (!others.empty()) {
    const bool recorded = answer.seed != 0 && others[0].seed != 0;
    hold(others[0], answer, recorded ? &other_seeds : &unrecorded);
    keep = recorded;
  }
  if (keep && !full) {
    tokens_ += answer.ids.size(), entries_ += answer.laws.entries();
    full = tokens_ > kMostTokens;
    if (entries_ > kMostEntries) answer.laws = {};
    if (!full) others.push_back(std::move(answer));
  }
  return partings;
}

void SeedPairs::note_gap(double gap) {
  gaps += 1;
  near_ties += gap <= kNearTie;
}

}  // namespace vaa::sampler
