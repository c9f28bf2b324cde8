// Tokens that the model itself held for improbable: a sampler or logits that are wrong (docs/detectors.md).
#include <algorithm>

#include "base/math.h"
#include "quality/features.h"
#include "text/vocab.h"

namespace vaa {
namespace {

constexpr double kSuspected = -4;    // nats, mean of 32 tokens
constexpr double kNoise = 0.5;       // nats above -ln V that a mean of uniform draws stays below
constexpr double kLargest = 163840;  // entries of the largest vocabularies, where none is given
constexpr size_t kLeastBeyond = 16;  // tokens in a row outside what was returned
constexpr double kHot = 1.2;         // temperature above which such tokens are drawn by right

State detect(const Features& features, std::vector<Finding>* findings) {
  const TokenSigns& signs = features.signs();
  if (!signs.known) return State::kUnknown;
  const double entries = features.vocab() ? static_cast<double>(std::max<size_t>(features.vocab()->size(), 2)) : kLargest;
  const double uniform = -math::log(entries) + kNoise;
  Finding finding;
  finding.part = Part::kSample;
  if (signs.beyond.size >= kLeastBeyond) {
    finding.onset_token = static_cast<int64_t>(signs.beyond.at);
    finding.length_tokens = static_cast<int64_t>(signs.beyond.size);
    finding.measure = static_cast<double>(signs.beyond.size);
    finding.threshold = static_cast<double>(kLeastBeyond);
    finding.reason = "outside_top";
  } else if (signs.lowest_mean < kSuspected) {
    finding.onset_token = static_cast<int64_t>(signs.lowest_at);
    finding.length_tokens = static_cast<int64_t>(TokenSigns::kWindow);
    finding.measure = signs.lowest_mean;
    const bool certain = signs.lowest_mean <= uniform;
    finding.threshold = certain ? uniform : kSuspected;
    finding.reason = certain ? "uniform" : "mean";
    if (!certain) {
      finding.severity = Severity::kWarn;
      finding.confidence = Confidence::kSuspected;
    }
  } else {
    return State::kNo;
  }
  if (features.sample().real(RealField::kTemperature, 0) > kHot) {
    finding.severity = Severity::kInfo;
    finding.reason = "temperature";
  }
  findings->push_back(finding);
  return State::kFound;
}

}  // namespace

extern const Detector kLowLogprob = {
    "low_logprob", Severity::kFail, 0.01, 5, detect,
    {"improbable tokens", "低概率 token"},
    {"For a stretch the chosen tokens are ones that the model itself held for improbable, down to uniform draws.", "有一段输出选中的都是模型自己认为不可能的 token，甚至等同于均匀随机采样。"}};

}  // namespace vaa
