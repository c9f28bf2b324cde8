// Whether answers became longer or shorter, and whether more of them meet the limit.
#include <algorithm>

#include "base/figures.h"
#include "base/math.h"
#include "compare/answer_rates.h"
#include "stats/quantiles.h"

namespace vaa {
namespace {

// Characters a token differ by more than this ratio: the sides count other tokens.
constexpr double kOtherTokens = 1.1;

struct Lengths {
  std::vector<double> reference, target;          // mean log length of questions
  std::vector<double> all_reference, all_target;  // of answers
};

Lengths lengths_of(const ComparisonView& view, bool tokens) {
  Lengths out;
  for (const SharedQuestion& q : view.shared()) {
    double sum[2] = {};
    int64_t n[2] = {};
    std::vector<double> seen[2];
    for (const bool target : {false, true}) {
      const RunSide& side = target ? view.target : view.reference;
      for (const int32_t r : target ? view.target_rows(q) : view.reference_rows(q)) {
        const RunRow& row = side.row(r);
        const int32_t length = tokens ? row.tokens : row.chars;
        if (!row.has_output || length < 0) continue;
        n[target] += 1;
        sum[target] += math::log(std::max(1, length));
        seen[target].push_back(length);
      }
    }
    if (n[0] == 0 || n[1] == 0) continue;
    out.reference.push_back(sum[0] / static_cast<double>(n[0]));
    out.target.push_back(sum[1] / static_cast<double>(n[1]));
    out.all_reference.insert(out.all_reference.end(), seen[0].begin(), seen[0].end());
    out.all_target.insert(out.all_target.end(), seen[1].begin(), seen[1].end());
  }
  return out;
}

// Where answers begin with the same ids, ids are of one tokenizer, and characters a token say how much of the answers is recorded as text.
bool one_tokenizer(const ComparisonView& view) {
  return view.tokens && std::any_of(view.tokens->pairs.begin(), view.tokens->pairs.end(), [](const TokenPair& p) { return p.kind != PairKind::kForced && p.prompt == PromptClass::kSame && p.first_divergence != 0 && p.reference_tokens > 0 && p.target_tokens > 0; });
}

// Characters of all answers over their tokens; NaN: not both are recorded.
double characters_a_token(const RunSide& side) {
  double chars = 0, tokens = 0;
  for (const RunRow& row : side.rows()) {
    if (row.chars <= 0 || row.tokens <= 0) continue;
    chars += row.chars;
    tokens += row.tokens;
  }
  return tokens > 0 ? chars / tokens : std::nan("");
}

std::string quantile_text(std::vector<double>* values, double q) {
  std::sort(values->begin(), values->end());
  const size_t rank = static_cast<size_t>(std::max(1.0, std::ceil(q * static_cast<double>(values->size()))));
  return grouped(static_cast<int64_t>((*values)[rank - 1]));
}

std::string ratio_text(double log_ratio) { return fixed(math::exp(log_ratio), 3); }

StepResult run(const ComparisonView& view) {
  Lengths tokens = lengths_of(view, true), chars = lengths_of(view, false);
  const double per_a = characters_a_token(view.reference), per_b = characters_a_token(view.target);
  const bool other_ratio = !std::isnan(per_a) && !std::isnan(per_b) && std::max(per_a / per_b, per_b / per_a) > kOtherTokens, other_tokens = other_ratio && !one_tokenizer(view);
  const bool in_tokens = tokens.reference.size() * 2 >= chars.reference.size() && !tokens.reference.empty() && !(other_tokens && !chars.reference.empty());
  Lengths& used = in_tokens ? tokens : chars;
  const Effect effect = effect_of_means(used.reference, used.target);
  if (!effect.known()) return not_applicable({"no length is recorded on both sides", "两侧没有都记录长度"});
  StepResult step;
  take_effect(&step, effect);
  step.unit = "log_ratio";
  step.n_unit = "questions";
  step.margin = math::log(view.margins.length_ratio);
  step.p_beyond = std::min(p_above(effect, step.margin), p_below(effect, step.margin));
  step.inside = effect.lower > -step.margin && effect.upper < step.margin;
  const Both unit = in_tokens ? Both{"tokens", "词元"} : Both{"characters", "字符"};
  step.words = {"lengths in " + unit.en + ": ratio " + ratio_text(effect.value) + " (95 % interval " + ratio_text(effect.lower) + " to " + ratio_text(effect.upper) + "), " + p_words(effect.p).en,
                "以" + unit.zh + "计的长度：比值 " + ratio_text(effect.value) + "（95% 区间 " + ratio_text(effect.lower) + " 至 " + ratio_text(effect.upper) + "），" + p_words(effect.p).zh};
  if (!step.inside) {
    const double half = (effect.upper - effect.lower) / 2, times = half / step.margin;
    step.questions_needed = std::max<int64_t>(effect.n + 1, static_cast<int64_t>(std::ceil(static_cast<double>(effect.n) * times * times)));
    step.needed = {"about " + counted(step.questions_needed, "questions") + " would tell a ratio of " + fixed(view.margins.length_ratio, 2) + " from 1", "约 " + grouped(step.questions_needed) + " 道题才能区分比值 " + fixed(view.margins.length_ratio, 2) + " 与 1"};
  }
  step.section.columns = {unit, {"reference", "参考"}, {"target", "目标"}};
  step.section.right = {false, true, true};
  for (const auto& [q, name] : {std::pair{0.5, Both{"median", "中位数"}}, {0.9, {"90 %", "90%"}}, {0.99, {"99 %", "99%"}}, {1.0, {"longest", "最长"}}}) {
    step.section.rows.push_back({{name, plain(quantile_text(&used.all_reference, q)), plain(quantile_text(&used.all_target, q))}, "plain"});
  }
  const AnswerRates limit = answer_rates(view, [](const RunRow& r) { return r.at_limit >= 0; }, [](const RunRow& r, bool) { return r.at_limit == 1; });
  if (limit.effect.known()) {
    const auto text = [](const ClusteredRate& r) { return grouped(r.k) + " / " + grouped(r.n); };
    const bool more = limit.effect.lower > 0;
    step.section.rows.push_back({{{"reached their token limit", "达到长度上限"}, plain(text(limit.reference)), plain(text(limit.target))}, more ? "bad" : "plain"});
    const Both change = points_words(limit.effect.value, limit.effect.lower, limit.effect.upper);
    step.section.lines.push_back({{"answers at their limit: " + change.en, "达到上限的回答：" + change.zh}, "", "", "", more ? "bad" : "plain"});
    if (more) {
      step.symptom = "more_at_limit";
      step.symptom_rule = SymptomRule::kAlways;
    }
  }
  if (other_ratio && !other_tokens) {
    step.section.lines.push_back({{"the sides have " + fixed(per_a, 2) + " and " + fixed(per_b, 2) + " characters a token of the same ids: one records less of its answers as text, as where thoughts are left out", "id 相同而两侧每词元字符数为 " + fixed(per_a, 2) + " 与 " + fixed(per_b, 2) + "：其中一侧记录的文本较少，例如未记录思考部分"}, "", "", "", "unsure"});
  }
  if (other_tokens) {
    step.section.lines.push_back({{"the sides have " + fixed(per_a, 2) + " and " + fixed(per_b, 2) + " characters a token: other tokenizers count other tokens, so characters are compared", "两侧每词元字符数为 " + fixed(per_a, 2) + " 与 " + fixed(per_b, 2) + "：分词器不同，因此比较字符数"}, "", "", "", "unsure"});
  }
  if (step.symptom[0] == '\0' && effect.p < 0.05) step.symptom = effect.value > 0 ? "longer" : "shorter";
  return step;
}

}  // namespace

extern const Step kLengthsStep;
const Step kLengthsStep = {"lengths", "lengths", true, {"Length of answers", "回答长度"}, run};

}  // namespace vaa
