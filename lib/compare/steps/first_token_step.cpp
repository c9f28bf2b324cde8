// The law of the first token, which depends on prefill alone: where ids are recorded and questions are repeated.
#include "base/figures.h"
#include "compare/step.h"
#include "stats/mmd.h"

namespace vaa {
namespace {

constexpr int64_t kPermutations = 1999;
constexpr size_t kMostPairs = size_t{1} << 17, kMostAnswers = 32;  // in all, and of a question: they tell more than enough, in a second

struct FirstTokens {
  std::vector<int64_t> prompts, lengths;
  std::vector<int32_t> ids;
  stats::Answers answers() const { return {prompts, lengths, ids}; }
  void add(int64_t prompt, const std::vector<int32_t>& tokens) {
    prompts.insert(prompts.end(), tokens.size(), prompt);
    lengths.insert(lengths.end(), tokens.size(), 1);
    ids.insert(ids.end(), tokens.begin(), tokens.end());
  }
};

std::vector<int32_t> tokens_of(const RunSide& side, const std::vector<int32_t>& rows) {
  std::vector<int32_t> out;
  for (const int32_t r : rows) {
    if (side.row(r).first_token >= 0 && out.size() < kMostAnswers) out.push_back(side.row(r).first_token);
  }
  return out;
}

StepResult run(const ComparisonView& view) {
  FirstTokens a, b;
  size_t pairs = 0;
  int64_t questions = 0;
  bool repeated_a = false, repeated_b = false;
  for (const SharedQuestion& q : view.shared()) {
    const auto left = tokens_of(view.reference, view.reference_rows(q)), right = tokens_of(view.target, view.target_rows(q));
    if (left.empty() || right.empty()) continue;
    const size_t more = (left.size() + right.size()) * (left.size() + right.size()) / 2;
    if (pairs + more > kMostPairs) break;
    pairs += more;
    repeated_a = repeated_a || left.size() > 1;
    repeated_b = repeated_b || right.size() > 1;
    a.add(questions, left);
    b.add(questions, right);
    questions += 1;
  }
  if (questions == 0) return not_applicable({"no token ids on both sides", "两侧没有都记录词元 id"});
  if (!repeated_a || !repeated_b) return not_applicable({"no question was answered twice on each side", "没有一道题在每一侧都回答了两次"});
  const stats::TwoSample test = stats::mmd_test(a.answers(), b.answers(), kPermutations, 1);
  StepResult step;
  step.applies = true;
  step.n = questions;
  step.n_unit = "questions";
  step.unit = "mmd2";
  step.effect = test.mmd2;
  step.p = test.p;
  const std::string size = fixed(test.mmd2, 4);
  const Both p = p_words(test.p);
  step.words = {"squared distance of the laws " + size + " over " + counted(questions, "questions") + ", " + p.en + " by permutation" + (test.p < 0.05 ? ": the runs begin differently" : ""),
                "在 " + grouped(questions) + " 道题上，两个分布的平方距离为 " + size + "，置换检验 " + p.zh + (test.p < 0.05 ? "：两次运行的开头不同" : "")};
  if (test.p < 0.05) step.symptom = "first_token";
  return step;
}

}  // namespace

extern const Step kFirstTokenStep;
const Step kFirstTokenStep = {"first_token", "facts", false, {"First token: its law over repeats", "首个词元：重复回答的分布"}, run};

}  // namespace vaa
