// How much noise turns tokens into others, against how much does so in the reference by itself: near ties of the reference are the yardstick.
#include <algorithm>

#include "base/figures.h"
#include "base/math.h"
#include "compare/token_gates.h"

namespace vaa {
namespace {

constexpr double kTwoSided = 1.959963984540054;

void add_row(const Both& name, const TokenScale& s, StepResult* step) {
  std::string interval = "–";
  if (s.flips >= kFewFlips && std::isfinite(s.error)) interval = fixed(s.sigma * math::exp(-kTwoSided * s.error), 4) + " – " + fixed(s.sigma * math::exp(kTwoSided * s.error), 4);
  else if (!std::isnan(s.sigma)) interval = fixed(s.sure.low, 4) + " – " + (std::isfinite(s.sure.high) ? fixed(s.sure.high, 4) : "∞") + " (99.9 %)";
  step->section.rows.push_back({{name, plain(grouped(s.questions)), plain(grouped(s.tokens)), plain(grouped(s.flips)), plain(std::isfinite(s.sigma) ? fixed(s.sigma, 4) : std::isnan(s.sigma) ? "–" : "∞"), plain(interval)}, "plain"});
}

void fill(const ComparisonView& view, const TokenScale& target, StepResult* step) {
  step->section.columns = {{"pairs", "配对"}, {"questions", "题"}, {"tokens with a gap", "有间隔的词元"}, {"flips", "翻转"}, {"sigma, nats", "sigma，nat"}, {"95 %", "95%"}};
  step->section.right = {false, true, true, true, true, true};
  if (view.noise) add_row({"reference against itself", "参考侧与自身"}, view.noise->sigma, step);
  add_row({"reference against target", "参考侧与目标侧"}, target, step);
  NumberTable numbers{"flips", {{"target", {}}, {"questions", {}}, {"tokens", {}}, {"flips", {}}, {"sigma", {}}, {"log_error", {}}}};
  for (const bool second : {false, true}) {
    if (!second && !view.noise) continue;
    const TokenScale& s = second ? target : view.noise->sigma;
    const double values[] = {second ? 1.0 : 0.0, static_cast<double>(s.questions), static_cast<double>(s.tokens), static_cast<double>(s.flips), std::isfinite(s.sigma) ? s.sigma : std::nan(""), std::isfinite(s.error) ? s.error : std::nan("")};
    for (size_t i = 0; i < numbers.columns.size(); ++i) numbers.columns[i].second.push_back(values[i]);
  }
  step->numbers.push_back(std::move(numbers));
  const double grid = logit_step(*view.tokens);
  const std::string steps = grid > 0 && std::isfinite(target.sigma) ? fixed(target.sigma / grid, 2) : "";
  Both seen = {"no grid of the logits is seen in the gaps; a bf16 logit in [16, 32) has steps of 0.125", "间隔中看不出 logits 网格；[16, 32) 内 bf16 logit 步长为 0.125"};
  if (!steps.empty()) seen = {"the logits stand on a grid of " + fixed(grid, 4) + " nats: sigma of the pair is " + steps + " steps", "logits 位于步长 " + fixed(grid, 4) + " nat 的网格上：该对的 sigma 为 " + steps + " 步"};
  step->section.lines.push_back({seen, "", "", "", "faint"});
}

void say_expected(const ComparisonView& view, const TokenScale& target, StepResult* step) {
  const double sigma = view.noise->sigma.sigma;
  if (!(sigma > 0) || !std::isfinite(sigma)) return;
  const stats::HazardTest test = flips_expected(*view.tokens, sigma);
  const std::string text = fixed(test.expected, 1), z = fixed(test.z, 1);
  step->section.lines.push_back({{"at the reference's own sigma " + text + " flips of all gaps are expected, Z = " + z + "; the interval of the ratio also knows how uncertain that sigma is", "以参考侧自身的 sigma，预计全部间隔有 " + text + " 次翻转，Z = " + z + "；比值的区间还计入该 sigma 的不确定性"}, "", "", "", "plain"});
  step->numbers.push_back({"flips_expected", {{"observed", {static_cast<double>(target.flips)}}, {"expected", {test.expected}}, {"variance", {test.variance}}, {"z", {test.z}}}});
}

StepResult shown(const TokenScale& target, Both why, Both needed) {
  StepResult step;
  step.applies = true;
  step.n = target.questions;
  step.n_unit = "questions";
  const std::string sigma = std::isfinite(target.sigma) ? fixed(target.sigma, 4) : std::isnan(target.sigma) ? "–" : "∞";
  const std::string flips = counted(target.flips, "flips"), tokens = counted(target.tokens, "tokens");
  step.words = {"sigma of the pair " + sigma + " nats (" + flips + " in " + tokens + "); " + why.en, "该对的 sigma 为 " + sigma + " nat（" + grouped(target.tokens) + " 个词元中翻转 " + grouped(target.flips) + " 次）；" + why.zh};
  step.needed = std::move(needed);
  return step;
}

StepResult run(const ComparisonView& view) {
  if (Both why = why_no_greedy(view); !why.en.empty()) return not_applicable(std::move(why));
  const TokenScale target = token_scale(*view.tokens);
  if (target.tokens == 0) return not_applicable({"no greedy token has a list of logprobs in the reference", "参考侧没有贪心词元带对数概率列表"});
  StepResult step;
  const Both run_again = {"--aa RUN: the reference once more; " + how_to_vary().en, "--aa RUN：参考侧再运行一次；" + how_to_vary().zh};
  if (!view.noise) {
    step = shown(target, {"no ratio: the reference was not run again", "没有比值：参考侧没有重跑"}, run_again);
  } else if (view.noise->identical) {
    step = shown(target, {"the reference run again is identical, which measures nothing", "参考侧重跑完全相同，什么也没有测到"}, how_to_vary());
  } else if (view.noise->sigma.tokens == 0) {
    step = shown(target, {"the reference run again has no gaps", "参考侧重跑没有记录间隔"}, {"logprobs with the likeliest tokens in the reference and its second run", "参考侧及其重跑都记录概率最高的词元"});
  } else if (const Effect effect = scale_ratio(view.noise->sigma, target); !effect.known()) {
    step = shown(target, {"no token flipped on either side: nothing to compare", "两边都没有词元翻转：没有可比较的内容"}, {"more or longer greedy answers", "更多或更长的贪心回答"});
  } else {
    take_ratio(&step, effect, view.margins.sigma_ratio);
    const Both size = ratio_words(step);
    step.words = {"token noise is " + size.en + " times that of the reference against itself, " + p_words(step.p).en, "词元噪声为参考侧自身的 " + size.zh + "，" + p_words(step.p).zh};
    say_questions_needed(effect, step.margin, &step);
    if (std::min(view.noise->sigma.flips, target.flips) < kFewFlips && !step.inside) {
      step.needed = {"at least " + std::to_string(kFewFlips) + " flips on both sides, here " + grouped(view.noise->sigma.flips) + " and " + grouped(target.flips), "两边至少各 " + std::to_string(kFewFlips) + " 次翻转，现有 " + grouped(view.noise->sigma.flips) + " 与 " + grouped(target.flips)};
    }
    if (step.p_beyond < 0.05) step.symptom = "more_noise";
    say_expected(view, target, &step);
  }
  fill(view, target, &step);
  return step;
}

}  // namespace

extern const Step kFlipNoiseStep;
const Step kFlipNoiseStep = {"flips", "tokens", true, {"Noise of tokens, by near ties that flip", "词元噪声：以翻转的近似并列衡量"}, run};

}  // namespace vaa
