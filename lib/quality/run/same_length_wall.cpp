// A cut that nothing records.
#include <algorithm>
#include <set>

#include "base/figures.h"
#include "quality/rates.h"
#include "quality/run/run_features.h"

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
  const Said unit = wall.tokens ? Said{" tokens", " 个词元"} : Said{" characters", " 个字符"};
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
    {{"In a dataset with 20 answers of which nothing tells whether they were cut. Either 5 different answers have exactly the longest length (in tokens, else in characters) and lengths so near it are too rare for chance; or answers above some length end in the middle of a sentence (a last line of 40 bytes that ends in a letter, comma, colon) in 40 % and five times as often as the shorter ones. p below 1e-6 over all lengths tried. The run fails above 5 %, like truncation.",
      "数据集中有 20 个以上未记录是否被截断的回答时：或有 5 个不同回答恰为最长长度（按词元，否则按字符），而附近长度过少，不可能是偶然；或超过某一长度的回答有 40% 以上停在句子中间（最后一行 40 字节以上，以字母、逗号、冒号结尾），且为较短回答的五倍以上。对所有尝试过的长度校正后 p 小于 1e-6。与截断相同，超过 5% 不通过。"},
     {"None of 43 strong models (805 answers each); one of 227, whose 37 longest answers do end in the middle. In a genuine AISBench run that cut 34 of 60 answers at max_out_len without a finish reason it names 29.",
      "43 个强模型（各 805 个回答）均无；227 个模型中有 1 个，其最长的 37 个回答确实停在句中。在真实的 AISBench 运行中（60 个回答有 34 个达到 max_out_len 被截断，且无结束原因），指出其中 29 个。"},
     {"It counts too few: a cut at the end of a sentence does not show. Poems, lists and code without closing marks end openly too, but the short ones do so as well.",
      "它会低估：恰在句末的截断看不出来。诗歌、列表、结尾没有标点的代码也像没写完，但短回答同样如此。"},
     {"max_tokens, max_out_len or max_gen_toks too small for a model that thinks; a context window that was used up; a timeout or proxy limit on the length of a response.",
      "对会思考的模型而言 max_tokens、max_out_len 或 max_gen_toks 过小；上下文窗口用尽；超时或代理对响应长度的限制。"},
     {"Run it again with twice the limit, or keep the server's whole response with finish_reason and usage.",
      "把上限加倍再跑一次，或保留服务端的完整响应（finish_reason 与 usage）。"}}};

}  // namespace vaa
