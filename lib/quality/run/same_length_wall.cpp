// A cut that nothing records.
#include <algorithm>
#include <set>

#include "quality/rates.h"
#include "quality/run/run_features.h"
#include "report/figures.h"

namespace vaa {
namespace {

constexpr size_t kFewest = 20;         // answers of a dataset
constexpr int64_t kFewestAtWall = 5;
constexpr int32_t kLeastTokens = 32, kLeastChars = 200;  // of the longest answer
constexpr double kSure = 1e-6;         // p over all thresholds that were tried
constexpr double kOpenShare = 0.4;     // of the long answers end in the middle of a sentence, and
constexpr double kContrast = 5;        // so many times the share of the shorter ones

struct Wall {
  std::vector<uint32_t> answers;
  double p = 1;
  int32_t from = 0, to = 0;
  bool tokens = false, exact = false;
};

// The answers of exactly the longest length. Lengths are spread: of those in the last 5 % below the longest, each length would hold as many as another.
Wall exact_wall(const RunFeatures& run, std::span<const uint32_t> answers, bool tokens) {
  const auto length = [&](uint32_t i) { return tokens ? run.sample(i).tokens : run.sample(i).chars; };
  Wall wall;
  wall.tokens = tokens;
  wall.exact = true;
  for (const uint32_t i : answers) wall.to = std::max(wall.to, length(i));
  wall.from = wall.to;
  if (wall.to < (tokens ? kLeastTokens : kLeastChars)) return wall;
  const int32_t near = wall.to / 20;
  int64_t nearly = 0;
  std::set<uint64_t> different;
  for (const uint32_t i : answers) {
    if (length(i) < wall.to - near) continue;
    ++nearly;
    if (length(i) < wall.to) continue;
    wall.answers.push_back(i);
    different.insert(run.trace(i).answer);
  }
  const auto k = static_cast<int64_t>(different.size()), same = static_cast<int64_t>(wall.answers.size()) - k;
  if (k >= kFewestAtWall) wall.p = binomial_tail(k, nearly - same, 1.0 / (near + 1));
  return wall;
}

// Long answers that end in the middle of a sentence where the shorter ones do not: a token limit, seen through the text. The length that parts them is one of ten quantiles.
Wall open_wall(const RunFeatures& run, std::vector<uint32_t> answers) {
  constexpr size_t kParts = 10;
  const auto length = [&](uint32_t i) { return run.sample(i).chars; };
  const auto open = [&](uint32_t i) { return run.trace(i).is(Trace::kOpenEnd); };
  std::sort(answers.begin(), answers.end(), [&](uint32_t i, uint32_t j) { return length(i) < length(j); });
  Wall best;
  const auto n = static_cast<int64_t>(answers.size());
  const int64_t all_open = std::count_if(answers.begin(), answers.end(), open);
  for (size_t part = 1; part < kParts; ++part) {
    const int32_t from = length(answers[answers.size() * part / kParts]);
    const auto first = std::lower_bound(answers.begin(), answers.end(), from, [&](uint32_t i, int32_t at) { return length(i) < at; });
    const int64_t longer = answers.end() - first, k = std::count_if(first, answers.end(), open), rest = all_open - k, shorter = n - longer;
    if (k < kFewestAtWall || shorter < kFewestAtWall || from < kLeastChars) continue;
    const double share = static_cast<double>(k) / static_cast<double>(longer), other = static_cast<double>(rest) / static_cast<double>(shorter);
    if (share < kOpenShare || share < kContrast * other) continue;
    const double p = std::min(1.0, fisher_more(k, longer, rest, shorter) * (kParts - 1));
    if (p >= best.p) continue;
    best = {{}, p, from, length(answers.back()), false, false};
    std::copy_if(first, answers.end(), std::back_inserter(best.answers), open);
  }
  return best;
}

Said wall_words(const Wall& wall) {
  const Said unit = wall.tokens ? Said{" tokens", " 个 token"} : Said{" characters", " 个字符"};
  if (wall.exact) return {"all of exactly " + grouped(wall.to) + unit.en, "长度均恰为 " + grouped(wall.to) + unit.zh};
  return {"answers of " + grouped(wall.from) + " to " + grouped(wall.to) + unit.en + " that end in the middle of a sentence, as shorter ones do not", "长度 " + grouped(wall.from) + "–" + grouped(wall.to) + unit.zh + "，停在句子中间，而较短的回答并非如此"};
}

RunFound look(const RunFeatures& run) {
  RunFound out;
  out.certain = true;
  for (size_t d = 0; d < run.datasets(); ++d) {
    std::vector<uint32_t> answers;
    bool tokens = true;
    for (const uint32_t i : run.of_dataset(d)) {
      if (!run.answered(i) || !run.trace(i).is(Trace::kCutUnknown)) continue;
      answers.push_back(i);
      tokens = tokens && run.sample(i).tokens >= 0;
    }
    if (answers.size() < kFewest) continue;
    out.n += static_cast<int64_t>(answers.size());
    Wall wall = exact_wall(run, answers, tokens);
    if (wall.p > kSure) wall = open_wall(run, std::move(answers));
    if (wall.p > kSure) continue;
    out.k += static_cast<int64_t>(wall.answers.size());
    out.p = std::isnan(out.p) ? wall.p : std::min(out.p, wall.p);
    for (const uint32_t i : wall.answers) out.samples.push_back({i});
    out.words = out.words.en.empty() ? wall_words(wall) : Said{"in several datasets", "涉及多个数据集"};
  }
  if (out.n == 0) out.words = {"no dataset has 20 answers of which it is not recorded whether they were cut", "没有数据集包含 20 个未记录是否被截断的回答"};
  return out;
}

}  // namespace

extern const RunCheck kSameLengthWall;
const RunCheck kSameLengthWall = {
    "same_length_wall", 0.05, true, look,
    {"answers cut at one length", "在同一长度处被截断的回答"},
    {"The longest answers end at one length or in the middle of a sentence: they were cut, and no finish reason says so.", "最长的回答停在同一长度，或停在句子中间：它们被截断了，而结束原因没有记录。"},
    {}};

}  // namespace vaa
