// Did both runs get the same prompt ids? Over a tenth of other ones make them not comparable (comparison.cpp); fewer are left out of what compares tokens.
#include "base/figures.h"
#include "compare/prompt_mismatch.h"
#include "compare/step.h"

namespace vaa {
namespace {

StepResult run(const ComparisonView& view) {
  const int64_t all = view.tokens ? prompts_compared(*view.tokens) : 0, other = view.tokens ? prompts_other(*view.tokens) : 0;
  if (all == 0) return not_applicable({"prompt ids are not recorded on both sides: that the prompts are the same is taken from their words", "两侧没有都记录提示词 id：提示词是否相同仅由文字判断"});
  StepResult step;
  step.applies = true;
  step.n = all;
  step.n_unit = "pairs";
  step.unit = "share";
  step.effect = static_cast<double>(other) / static_cast<double>(all);
  if (other == 0) {
    step.words = {"the prompt ids of all " + counted(all, "pairs") + " are the same", "全部 " + grouped(all) + " 对提示词 id 相同"};
  } else {
    const Both words = prompt_words(*view.tokens);
    step.words = {words.en + "; these pairs are left out of all that compares tokens", words.zh + "；这些对不参与词元比较"};
    step.symptom = "other_prompt_ids";
  }
  if (view.tokens->without_prompt > 0) step.section.lines.push_back({{counted(view.tokens->without_prompt, "pairs") + " have no prompt ids on one side", grouped(view.tokens->without_prompt) + " 对有一侧没有提示词 id"}, "", "", "", "unsure"});
  return step;
}

}  // namespace

extern const Step kPromptsStep;
const Step kPromptsStep = {"prompts", "facts", false, {"Prompt ids", "提示词 id"}, run};

}  // namespace vaa
