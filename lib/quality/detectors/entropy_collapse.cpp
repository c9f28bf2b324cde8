// Thousands of tokens in a row without any doubt: a loop that need not be literal (docs/detectors.md).
#include "quality/features.h"

namespace vaa {
namespace {

constexpr size_t kLeast = 3000;  // tokens in a row with probability above 0.99 (MiniMax-M1, arXiv:2506.13585)

State detect(const Features& features, std::vector<Finding>* findings) {
  const TokenSigns& signs = features.signs();
  if (!signs.known) return State::kUnknown;
  if (signs.sure.size < kLeast) return State::kNo;
  // Processed log-probabilities are those of what top-k, top-p and temperature leave: of greedy decoding 0.
  const std::string_view mode = features.sample().text(TextField::kLogprobsMode);
  if (signs.all_zero || mode.find("processed") != std::string_view::npos) return State::kUnknown;
  Finding finding;
  finding.severity = Severity::kWarn;
  finding.part = Part::kSample;
  finding.onset_token = static_cast<int64_t>(signs.sure.at);
  finding.length_tokens = static_cast<int64_t>(signs.sure.size);
  finding.count = finding.length_tokens;
  finding.measure = static_cast<double>(signs.sure.size);
  finding.threshold = static_cast<double>(kLeast);
  findings->push_back(finding);
  return State::kFound;
}

}  // namespace

extern const Detector kEntropyCollapse = {
    "entropy_collapse", Severity::kWarn, 1.0, -1, detect,
    {"collapsed entropy", "熵坍缩"},
    {"Thousands of tokens in a row have a probability above 0.99: the model goes round in what it said.", "连续数千个 token 的概率都高于 0.99：模型在已说过的内容里打转。"}};

}  // namespace vaa
