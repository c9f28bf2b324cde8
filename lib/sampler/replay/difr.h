// Token-DiFR's margin (Karvonen and others 2025, arXiv 2511.20621): how far the claimed token's score lies below the winner's, in logits: the temperature multiplies the noise.
#pragma once
#include <algorithm>
#include <span>

namespace vaa {

// Its authors' bound on what one token can add to a mean; a token that was filtered out has an infinite margin.
constexpr double kDifrClip = 0.5;
inline double difr_clipped(double margin, double clip = kDifrClip) { return std::min(margin, clip); }

// Scores l - T log E of every token, and the margin of each were it the claimed one. T = 0: the plain logits. VAA_ERROR_ARGUMENT for what is out of range.
void difr_margins(std::span<const double> logits, std::span<const double> exponentials, double temperature, double clip, std::span<double> scores, std::span<double> margins);

}  // namespace vaa
