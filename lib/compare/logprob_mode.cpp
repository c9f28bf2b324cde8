#include "compare/logprob_mode.h"

#include <algorithm>
#include <cmath>

#include "base/exact_sum.h"
#include "base/figures.h"
#include "compare/impossible_numbers.h"

namespace vaa {
namespace {

constexpr double kScale = 0.1;               // a temperature that is nearer to 1 is not told from noise
constexpr double kOffset = 0.05, kOverRms = 5;
constexpr double kAlwaysWhole = 0.99, kOftenWhole = 0.9;  // shares of lists that add to 1: renormalised ones always do, raw ones where the model is sure
constexpr double kLargestGap = 8;            // nats: gaps of tokens that nobody draws are the least exact

const Both kSet = {"record both with one mode (vLLM: --logprobs-mode raw_logprobs) and the same sampling parameters", "请两侧使用同一模式记录（vLLM：--logprobs-mode raw_logprobs）并使用相同的采样参数"};

}  // namespace

ModeVerdict mode_of(const TokenEvidence& tokens) {
  ModeVerdict out;
  if (tokens.other_modes > 0) {
    out.mixed = true;
    out.words = {"the modes of the logprobs differ in " + counted(tokens.other_modes, "pairs") + " (" + tokens.first_modes + "): " + kSet.en, grouped(tokens.other_modes) + " 对的对数概率模式不同（" + tokens.first_modes + "）：" + kSet.zh};
    return out;
  }
  const auto whole = [](const SideFaults& side) { return side.lists >= kFewestForMode ? static_cast<double>(side.whole) / static_cast<double>(side.lists) : std::nan(""); };
  const double a = whole(tokens.reference), b = whole(tokens.target);
  if (std::min(a, b) <= kOftenWhole && std::max(a, b) >= kAlwaysWhole) {
    out.mixed = true;
    const Both side = b > a ? Both{"the target's", "目标侧"} : Both{"the reference's", "参考侧"};
    out.words = {"listed probabilities add to 1 at " + percent(std::max(a, b)) + " of " + side.en + " positions and at " + percent(std::min(a, b)) + " of the other's: " + side.en + " logprobs are normalised over what top-k and top-p left (processed); " + kSet.en,
                 side.zh + " " + percent(std::max(a, b), true) + " 的位置所列概率之和为 1，另一侧仅 " + percent(std::min(a, b), true) + "：" + side.zh + "的对数概率在 top-k、top-p 之后归一化（processed）；" + kSet.zh};
    return out;
  }
  const ModeFit& fit = tokens.fit;
  if (fit.scale_most < 1 - kScale || fit.scale_least > 1 + kScale) {
    out.mixed = true;
    const double scale = std::sqrt(fit.scale_least * fit.scale_most);
    out.words = {"the target's gaps between the two likeliest tokens are " + fixed(scale, 2) + " times the reference's: logprobs of one side are processed with a temperature of about " + fixed(scale > 1 ? 1 / scale : scale, 2) + "; " + kSet.en,
                 "目标侧前两名词元的差距是参考侧的 " + fixed(scale, 2) + " 倍：一侧的对数概率经过了约 " + fixed(scale > 1 ? 1 / scale : scale, 2) + " 的温度处理；" + kSet.zh};
    return out;
  }
  if (fit.n >= kFewestForMode && std::abs(fit.slope - 1) <= kScale && std::abs(fit.offset) > kOffset && std::abs(fit.offset) > kOverRms * fit.rms) {
    out.mixed = true;
    out.words = {"the target's logprobs are the reference's and " + fixed(fit.offset, 3) + " nats, at every token: one side is normalised over other tokens (log S); " + kSet.en, "目标侧对数概率处处比参考侧多 " + fixed(fit.offset, 3) + " nats：一侧的归一化范围不同（log S）；" + kSet.zh};
  }
  return out;
}

void fit_gaps(TokenEvidence* tokens) {
  ExactSum xx, xy, yy;
  const TokenRows& rows = tokens->rows;
  for (size_t i = 0; i < rows.size(); ++i) {
    const double x = rows.gap[i], y = rows.target_gap[i];
    if (rows.flip[i] || std::isnan(x) || std::isnan(y) || !(x + y <= 2 * kLargestGap)) continue;
    xx.add(x * x);
    xy.add(x * y);
    yy.add(y * y);
  }
  if (xx.count() < kFewestForMode || !(xx.value() > 0) || !(xy.value() > 0)) return;
  tokens->fit.scale_least = xy.value() / xx.value();
  tokens->fit.scale_most = yy.value() / xy.value();
}

void drop_unusable(TokenEvidence* tokens) {
  tokens->mixed_modes = mode_of(*tokens).mixed;
  if (!tokens->mixed_modes && !too_impossible(*tokens)) return;
  TokenRows& rows = tokens->rows;
  for (auto* column : {&rows.gap, &rows.target_gap, &rows.reference_logprob, &rows.target_logprob, &rows.kl, &rows.kl_rest}) std::fill(column->begin(), column->end(), std::nanf(""));
  for (TokenPair& pair : tokens->pairs) pair.swing_usable = false;
}

}  // namespace vaa
