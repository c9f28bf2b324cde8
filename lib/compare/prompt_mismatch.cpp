#include "compare/prompt_mismatch.h"

#include <algorithm>
#include <numeric>

#include "base/figures.h"
#include "compare/pairing.h"

namespace vaa {
namespace {

Both class_words(PromptClass which) {
  switch (which) {
    case PromptClass::kBosTwice: return {"BOS twice", "BOS 出现两次"};
    case PromptClass::kBosMissing: return {"BOS missing", "缺少 BOS"};
    case PromptClass::kGenerationPrompt: return {"generation prompt missing", "缺少生成提示"};
    case PromptClass::kCutRight: return {"prompt cut on the right", "提示词右侧被截断"};
    case PromptClass::kCutLeft: return {"prompt cut on the left", "提示词左侧被截断"};
    case PromptClass::kOtherSegmentation: return {"the same bytes in other tokens", "字节相同而分词不同"};
    case PromptClass::kBlockInserted: return {"one block more on one side", "一侧多出一段"};
    case PromptClass::kBlockReplaced: return {"one block stands for another", "一段被另一段替换"};
    default: return {"other ids", "id 不同"};
  }
}

}  // namespace

int64_t prompts_compared(const TokenEvidence& tokens) { return std::accumulate(tokens.prompts.begin(), tokens.prompts.end(), int64_t{0}); }
int64_t prompts_other(const TokenEvidence& tokens) { return prompts_compared(tokens) - tokens.prompts[static_cast<size_t>(PromptClass::kSame)]; }
bool prompts_differ(const TokenEvidence& tokens) { return static_cast<double>(prompts_other(tokens)) > kMostMissing * static_cast<double>(prompts_compared(tokens)); }

Both prompt_words(const TokenEvidence& tokens) {
  const int64_t all = prompts_compared(tokens);
  if (prompts_other(tokens) == 0) return {};
  std::vector<size_t> classes;
  for (size_t i = 1; i < tokens.prompts.size(); ++i) {
    if (tokens.prompts[i] > 0) classes.push_back(i);
  }
  std::stable_sort(classes.begin(), classes.end(), [&](size_t a, size_t b) { return tokens.prompts[a] > tokens.prompts[b]; });
  Both out;
  for (const size_t i : classes) {
    const Both name = class_words(static_cast<PromptClass>(i));
    out.en += (out.en.empty() ? "" : ", ") + name.en + " in " + grouped(tokens.prompts[i]) + " of " + grouped(all) + " pairs";
    out.zh += (out.zh.empty() ? "" : "，") + grouped(all) + " 对中有 " + grouped(tokens.prompts[i]) + " 对" + name.zh;
  }
  return {out.en + " (" + tokens.first_prompt + "): send the reference's ids", out.zh + "（" + tokens.first_prompt + "）：请发送参考侧的 id"};
}

}  // namespace vaa
