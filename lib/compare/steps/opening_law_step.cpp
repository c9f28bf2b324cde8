// The law of the first tokens with and without speculation, over answers that were drawn again and again: no token of a right one is likelier or rarer than without.
#include <algorithm>
#include <map>

#include "base/figures.h"
#include "compare/openings.h"
#include "compare/step.h"
#include "stats/mmd.h"

namespace vaa {
namespace {

constexpr double kMargin = 0.005;  // what 5 % of the probability moves from one token to another at every place: 2 x 0.05^2
constexpr double kFirstDiffers = 0.01, kFirstAlike = 0.05;  // p of the first token alone: what it points to is not told by one in twenty
constexpr int64_t kPermutations = 999;
constexpr size_t kMostPairs = size_t{1} << 17;  // of the permutation: they tell enough, in half a second

// Answers to one question on both sides, asked at one temperature.
struct Drawn {
  std::vector<Opening> side[2];
};

std::vector<Drawn> drawn_of(const ComparisonView& view) {
  std::vector<Drawn> out;
  for (const SharedQuestion& q : view.shared()) {
    const auto reference = view.openings[0].of(q.reference), target = view.openings[1].of(q.target);
    if (reference.empty()) continue;
    const float asked = reference.front().temperature;
    const auto alike = [&](const Opening& o) { return o.temperature == asked || (std::isnan(o.temperature) && std::isnan(asked)); };
    Drawn drawn;
    std::copy_if(reference.begin(), reference.end(), std::back_inserter(drawn.side[0]), alike);
    std::copy_if(target.begin(), target.end(), std::back_inserter(drawn.side[1]), alike);
    if (drawn.side[0].size() >= 2 && drawn.side[1].size() >= 2) out.push_back(std::move(drawn));
  }
  return out;
}

// How often two answers have the same token at a place: two of the reference, two of the target, one of each.
struct Agreement {
  double within[2] = {}, across = 0;
  double distance() const { return within[0] + within[1] - 2 * across; }
};

Agreement agreement_at(const Drawn& drawn, size_t place) {
  std::map<int32_t, std::array<double, 2>> counts;
  for (const int side : {0, 1}) {
    for (const Opening& o : drawn.side[side]) counts[o.at(place)][static_cast<size_t>(side)] += 1;
  }
  Agreement out;
  const auto n = static_cast<double>(drawn.side[0].size()), m = static_cast<double>(drawn.side[1].size());
  for (const auto& [id, count] : counts) {
    out.within[0] += count[0] * (count[0] - 1) / (n * (n - 1));
    out.within[1] += count[1] * (count[1] - 1) / (m * (m - 1));
    out.across += count[0] * count[1] / (n * m);
  }
  return out;
}

// p by permutation within each question, of the first `tokens` tokens.
double permutation_p(const std::vector<Drawn>& all, size_t tokens) {
  const auto most = static_cast<size_t>(std::max(2.0, std::sqrt(static_cast<double>(kMostPairs) / (2 * static_cast<double>(all.size())))));
  std::vector<int64_t> prompts[2], lengths[2];
  std::vector<int32_t> ids[2];
  size_t pairs = 0;
  for (size_t q = 0; q < all.size() && pairs < kMostPairs; ++q) {
    for (const int side : {0, 1}) {
      const auto& answers = all[q].side[side];
      const size_t n = std::min(answers.size(), most);
      for (size_t i = 0; i < n; ++i) {
        const size_t length = std::min<size_t>(answers[i].length, tokens);
        prompts[side].push_back(static_cast<int64_t>(q));
        lengths[side].push_back(static_cast<int64_t>(length));
        ids[side].insert(ids[side].end(), answers[i].ids.begin(), answers[i].ids.begin() + static_cast<std::ptrdiff_t>(length));
      }
      pairs += n * n;
    }
  }
  return stats::mmd_test({prompts[0], lengths[0], ids[0]}, {prompts[1], lengths[1], ids[1]}, kPermutations, 1).p;
}

// The table of places, and the means that the words need.
struct Places {
  Agreement all;                     // mean over places
  std::vector<double> distances;     // of questions, mean over places
};

Places places_of(const std::vector<Drawn>& all, StepResult* step) {
  size_t longest = 0;
  for (const Drawn& drawn : all) {
    for (const auto& side : drawn.side) {
      for (const Opening& o : side) longest = std::max<size_t>(longest, o.length);
    }
  }
  Places out;
  out.distances.assign(all.size(), 0.0);
  step->section.columns = {{"token", "词元"}, {"two of the reference agree", "参考侧两两一致"}, {"two of the target agree", "目标侧两两一致"}, {"one of each", "两侧各一"}, {"squared distance", "平方距离"}};
  step->section.right = {true, true, true, true, true};
  NumberTable table{"openings", {{"token", {}}, {"within_reference", {}}, {"within_target", {}}, {"across", {}}, {"distance", {}}}};
  const auto questions = static_cast<double>(all.size());
  for (size_t place = 0; place < longest; ++place) {
    Agreement mean;
    for (size_t q = 0; q < all.size(); ++q) {
      const Agreement one = agreement_at(all[q], place);
      for (const int side : {0, 1}) mean.within[side] += one.within[side] / questions;
      mean.across += one.across / questions;
      out.distances[q] += one.distance() / static_cast<double>(longest);
    }
    for (const int side : {0, 1}) out.all.within[side] += mean.within[side] / static_cast<double>(longest);
    out.all.across += mean.across / static_cast<double>(longest);
    const double numbers[] = {static_cast<double>(place + 1), mean.within[0], mean.within[1], mean.across, mean.distance()};
    for (size_t c = 0; c < std::size(numbers); ++c) table.columns[c].second.push_back(numbers[c]);
    const auto share = [](double value) { return Both{percent(value), percent(value, true)}; };
    step->section.rows.push_back({{plain(grouped(static_cast<int64_t>(place + 1))), share(mean.within[0]), share(mean.within[1]), share(mean.across), plain(fixed(mean.distance(), 4))}, "plain"});
  }
  step->numbers.push_back(std::move(table));
  return out;
}

// Where a difference begins: the first token is prefill's, whatever speculates.
Both where(const std::vector<Drawn>& drawn, const Agreement& agreement) {
  const double first = permutation_p(drawn, 1);
  Both out;
  if (first < kFirstDiffers) out = {"; it begins with the first token (" + p_words(first).en + "), which prefill alone draws: look at what the sides were asked and at their weights first", "；从首个词元起就不同（" + p_words(first).zh + "），而它只由预填充决定：先看两侧的请求与权重"};
  else if (first < kFirstAlike) out = {"; whether with the first token already, which prefill alone draws, is not certain (" + p_words(first).en + ")", "；只由预填充决定的首个词元是否已不同，尚不确定（" + p_words(first).zh + "）"};
  else out = {"; the first token, which prefill alone draws, is alike (" + p_words(first).en + "): it begins where drafts are verified", "；只由预填充决定的首个词元相同（" + p_words(first).zh + "）：差异始于草稿的验证"};
  const double more = agreement.within[1] - agreement.within[0];
  if (std::fabs(more) < 0.02) return out;
  out.en += std::string("; answers of the target agree with each other ") + (more > 0 ? "more" : "less") + " often (" + percent(agreement.within[1]) + " against " + percent(agreement.within[0]) + "), as " + (more > 0 ? "colder" : "hotter") + " ones do";
  out.zh += std::string("；目标侧回答彼此一致的比例更") + (more > 0 ? "高" : "低") + "（" + percent(agreement.within[1], true) + " 对 " + percent(agreement.within[0], true) + "），如同温度更" + (more > 0 ? "低" : "高");
  return out;
}

Both said_p(const Both& p) { return {", " + p.en + " by permutation", "，置换检验 " + p.zh}; }

void need_questions(StepResult* step, int64_t questions) {
  if (step->inside || step->p_beyond < 0.05) return;
  const double times = step->detectable / kMargin;
  step->questions_needed = std::max<int64_t>(questions + 1, static_cast<int64_t>(std::ceil(static_cast<double>(questions) * times * times)));
  step->needed = {"about " + counted(step->questions_needed, "questions") + " with as many repeats, or the square root of that many times the repeats", "约 " + grouped(step->questions_needed) + " 道题（重复次数不变），或按其平方根倍数增加重复次数"};
}

// No permutation brings the sides as near as they are: their answers agree because they drew the same numbers, which no record needs to say.
void leave_open_by_likeness(StepResult* step) {
  if (step->p < 1 || !(step->upper < 0)) return;
  step->inside = false;
  step->detectable = std::nan("");
  step->open = {"answers of the two sides are more alike than two of one side, as where both servers draw the same random numbers: that hides a distance", "两侧之间的回答比同侧的两个回答更相似，如同两个服务器使用相同的随机数：分布的差异会因此被掩盖"};
  step->needed = {"the target asked again, its server started with another seed than the reference's (vLLM: --seed)", "目标侧服务器以不同于参考侧的种子启动（vLLM：--seed）后重新询问"};
}

StepResult run(const ComparisonView& view) {
  if (view.openings == nullptr) return not_applicable({"--change spec looks at it", "--change spec 时查看"});
  const std::vector<Drawn> all = drawn_of(view);
  if (all.size() < 2) return not_applicable({"fewer than two questions were sampled at least twice on each side with token ids, each time with a seed of its own or none: vaa ask --repeat 32 on both, --for spec on the one that speculates, --top-logprobs 20 on the other", "两侧都至少采样两次（各有自己的种子或无种子）且有词元 id 的题不足两道：两侧都用 vaa ask --repeat 32，投机一侧加 --for spec，另一侧加 --top-logprobs 20"});
  StepResult step;
  const Places places = places_of(all, &step);
  const Effect effect = effect_of_means(std::vector<double>(all.size(), 0.0), places.distances);
  take_effect(&step, effect);
  step.unit = "mmd2";
  step.n_unit = "questions";
  step.margin = kMargin;
  step.p = permutation_p(all, kOpening);
  step.p_beyond = p_above(effect, kMargin);
  // No distance is below 0: an estimate that is tells no more than one of 0.
  step.inside = effect.upper - std::min(effect.value, 0.0) < kMargin;
  const size_t tokens = step.section.rows.size();
  if (step.p < 0.05) step.symptom = "opening_law";
  need_questions(&step, effect.n);
  leave_open_by_likeness(&step);
  leave_open_by_seeds(view, &step);
  const Both begin = step.p < 0.05 ? where(all, places.all) : Both{}, p = !step.open.en.empty() ? Both{} : said_p(p_words(step.p));
  step.words = {"squared distance of the laws of the first " + counted(static_cast<int64_t>(tokens), "tokens") + " " + fixed(effect.value, 4) + " (95 % interval " + fixed(effect.lower, 4) + " to " + fixed(effect.upper, 4) + ") over " + counted(step.n, "questions") + p.en + begin.en,
                "前 " + grouped(static_cast<int64_t>(tokens)) + " 个词元的分布在 " + grouped(step.n) + " 道题上的平方距离为 " + fixed(effect.value, 4) + "（95% 区间 " + fixed(effect.lower, 4) + " 至 " + fixed(effect.upper, 4) + "）" + p.zh + begin.zh};
  if (const int64_t same = view.openings[0].same_seed() + view.openings[1].same_seed(); same > 0)
    step.section.lines.push_back({{counted(same, "answers") + " with the seed of another one of their question are no draws of their own, and left out", grouped(same) + " 个回答与同题另一回答种子相同，不是独立抽样，未计入"}, "", "", "", "unsure"});
  return step;
}

}  // namespace

extern const Step kOpeningLawStep;
const Step kOpeningLawStep = {"opening_law", "law", true, {"Law of the first tokens", "前几个词元的分布"}, run};

}  // namespace vaa
