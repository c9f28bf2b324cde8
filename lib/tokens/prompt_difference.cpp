#include "tokens/prompt_difference.h"

namespace vaa {
namespace {

constexpr int64_t kGenerationPrompt = 16;  // ids that a generation prompt has at most ("<|im_start|>assistant\n<think>\n" has 5)

// What is left of a block when both sides were trimmed: its ids stand on one side only, or on both.
PromptClass class_of(Ids longer, Ids shorter, const Divergence& d, int64_t block) {
  const bool one_sided = d.prefix + d.suffix == static_cast<int64_t>(shorter.size());
  const bool at_end = d.prefix == static_cast<int64_t>(shorter.size());
  const bool at_begin = common_suffix(longer, shorter) == shorter.size();
  if (one_sided && block == 1 && longer.size() >= 2 && longer[0] == longer[1] && (at_begin || d.prefix <= 1)) return PromptClass::kBosTwice;
  if (one_sided && at_begin && block == 1) return PromptClass::kBosMissing;
  if (one_sided && at_end) return block <= kGenerationPrompt ? PromptClass::kGenerationPrompt : PromptClass::kCutRight;
  if (one_sided && at_begin) return PromptClass::kCutLeft;
  if (d.same_bytes == 1) return PromptClass::kOtherSegmentation;
  return one_sided ? PromptClass::kBlockInserted : PromptClass::kOther;
}

}  // namespace

const char* prompt_class_name(PromptClass which) {
  static constexpr const char* kNames[kPromptClasses] = {"same", "bos_twice", "bos_missing", "generation_prompt", "cut_right", "cut_left", "other_segmentation", "block_inserted", "block_replaced", "other"};
  const auto i = static_cast<int32_t>(which);
  return i >= 0 && i < kPromptClasses ? kNames[i] : "";
}

PromptDifference prompt_difference(Ids reference, Ids target, TokenDiff* diff) {
  PromptDifference out;
  out.divergence = diff->run(reference, target, -1);
  const Divergence& d = out.divergence;
  if (d.first_divergence < 0) return out;
  const int64_t in_reference = d.reference_size - d.prefix - d.suffix, in_target = d.target_size - d.prefix - d.suffix;
  out.hunk = {d.prefix, in_reference, d.prefix, in_target};
  out.longer = in_reference > in_target ? 1 : in_target > in_reference ? 2 : 0;
  const bool reference_longer = reference.size() >= target.size();
  out.which = class_of(reference_longer ? reference : target, reference_longer ? target : reference, d, std::max(in_reference, in_target));
  // Two blocks that have nothing in common, with the same ids before and after them.
  if (out.which == PromptClass::kOther && d.prefix > 0 && d.suffix > 0 && diff->hunks(reference, target).size() == 1) out.which = PromptClass::kBlockReplaced;
  return out;
}

}  // namespace vaa
