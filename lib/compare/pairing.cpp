#include "compare/pairing.h"

#include <algorithm>

namespace vaa {
namespace {

enum class Agreement { kUnknown, kSame, kOther };

std::vector<uint64_t> prompts_of(const RunSide& side, const Question& question, size_t form) {
  std::vector<uint64_t> out;
  for (const int32_t r : question.rows) {
    if (const uint64_t prompt = side.row(r).prompt[form]; prompt != 0) out.push_back(prompt);
  }
  std::sort(out.begin(), out.end());
  return out;
}

// Of one form of the prompt, over the bags of repeats.
Agreement agree(const RunSide& a, const Question& qa, const RunSide& b, const Question& qb, size_t form) {
  const std::vector<uint64_t> left = prompts_of(a, qa, form), right = prompts_of(b, qb, form);
  if (left.empty() || right.empty()) return Agreement::kUnknown;
  return std::any_of(left.begin(), left.end(), [&](uint64_t prompt) { return std::binary_search(right.begin(), right.end(), prompt); }) ? Agreement::kSame : Agreement::kOther;
}

bool same_answers(const RunSide& a, const Question& qa, const RunSide& b, const Question& qb) {
  if (qa.rows.size() != qb.rows.size()) return false;
  std::vector<uint64_t> left, right;
  for (const int32_t i : qa.rows) left.push_back(a.row(i).output);
  for (const int32_t i : qb.rows) right.push_back(b.row(i).output);
  std::sort(left.begin(), left.end());
  std::sort(right.begin(), right.end());
  return left == right && left.front() != 0;
}

}  // namespace

RunPairing pair_questions(const RunSide& reference, const RunSide& target) {
  RunPairing out;
  out.one_each = true;
  for (size_t i = 0; i < reference.questions().size(); ++i) {
    const Question& ours = reference.questions()[i];
    const SharedQuestion pair{static_cast<int32_t>(i), target.find(ours)};
    if (pair.target < 0) {
      out.only_reference.push_back(pair.reference);
      continue;
    }
    const Question& theirs = target.question(pair.target);
    Agreement words = agree(reference, ours, target, theirs, kPromptMessages);
    if (words == Agreement::kUnknown) words = agree(reference, ours, target, theirs, kPromptText);
    const Agreement ids = agree(reference, ours, target, theirs, kPromptIds);
    if (words == Agreement::kOther || (words == Agreement::kUnknown && ids == Agreement::kOther)) {
      out.other_prompt.push_back(pair);
      continue;
    }
    out.shared.push_back(pair);
    out.other_ids += ids == Agreement::kOther;
    out.same_output += same_answers(reference, ours, target, theirs);
    out.one_each = out.one_each && ours.rows.size() == 1 && theirs.rows.size() == 1;
  }
  for (size_t i = 0; i < target.questions().size(); ++i) {
    if (reference.find(target.questions()[i]) < 0) out.only_target.push_back(static_cast<int32_t>(i));
  }
  return out;
}

double missing_share(const RunPairing& pairing) {
  const auto both = static_cast<double>(pairing.shared.size() + pairing.other_prompt.size());
  const auto missing = static_cast<double>(std::max(pairing.only_reference.size(), pairing.only_target.size()));
  return missing == 0 ? 0 : missing / (both + missing);
}

}  // namespace vaa
