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
  if (features.sample().real(RealField::kTemperature, 0) > kHot) excuse(&finding, "temperature");
  findings->push_back(finding);
  return State::kFound;
}

}  // namespace

extern const Detector kLowLogprob = {
    "low_logprob", Severity::kFail, 0.01, 5, detect,
    {"improbable tokens", "低概率词元"},
    {"For a stretch the chosen tokens are ones that the model itself held for improbable, down to uniform draws.", "有一段输出选中的都是模型自己认为不可能的词元，甚至等同于均匀随机采样。"},
    {{"Of the log-probabilities of the chosen tokens: 16 in a row that are lower than each of at least 4 others that were returned (certain); a mean of 32 "
      "in a row at most -ln V + 0.5 for a vocabulary of V entries (163,840 where none is given), which is what uniform draws give (certain); a mean of 32 in "
      "a row below -4 (warn, suspected). Info at a temperature above 1.2. Unknown without log-probabilities.",
      "看被选中词元的对数概率：连续 16 个都低于返回的其他候选（至少 4 个）（确定）；连续 32 个的均值不高于 -ln V + 0.5，V 为词表大小（没给词表按 163840）"
      "，相当于均匀随机采样（确定）；连续 32 个的均值低于 -4（警告，疑似）。温度高于 1.2 的只提示。没有对数概率时为“未知”。"},
     {"Not measured: no public set with log-probabilities was at hand. The expectation over uniform draws is at most -ln V whatever the model says (Jensen). "
      "Healthy sampling at temperature 1 has means near -1; a token outside the top 5 comes once in ten or more, sixteen in a row do not. Ceiling 1 %.",
      "没有测过：手头没有带对数概率的公开集。不管模型分布如何，均匀采样的期望都不高于 -ln V（Jensen 不等式）。温度 1 的正常采样均值在 -1 附近；落在前 5 名之"
      "外的词元至多十个里有一个，不会连着十六个。上限 1%。"},
     {"High temperatures draw improbable tokens by right. So does text that was forced on the model. Values that are NaN or -9999 are logprob_invalid and "
      "break a stretch. Where the log-probabilities belong to other positions than the tokens, the text is fine and the numbers are wrong.",
      "高温度本来就会采到低概率词元，强制输出的文本也是。NaN 和 -9999 归 logprob_invalid，并打断一段。对数概率与词元错位时，文本没问题，错的是数字。"},
     {"Rows of NaN that become uniform sampling: salad of many scripts with status 200 (sglang#33187, #33206). A sampler that takes an index of another "
      "batch row or another rank's shard of the vocabulary. Speculative decoding that accepts what the target model would not. Temperature applied twice.",
      "NaN 的行变成均匀采样：状态码 200，输出多种文字的乱码（sglang#33187、#33206）。采样器取了别的 batch 行或别的卡的词表分片的下标。投机解码接受了目标模型"
      "不会给的词元。温度用了两次。"},
     {"Score the recorded ids with a reference engine (teacher forcing): low there too, the sampler chose them; high there, the reported numbers are wrong. "
      "Then greedy, one request at a time, without speculation.",
      "把记录的 id 交给参考引擎打分（teacher forcing）：那边也低，是采样选错；那边正常，是上报的数字错。再试贪心、单并发、关投机解码。"}}};

}  // namespace vaa
