#include "sampler/row.h"

#include <bit>
#include <cmath>
#include <limits>

#include "base/exp_row.h"
#include "base/failure.h"
#include "base/json_writer.h"
#include "base/math.h"

namespace vaa {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Nearest even, as hardware rounds a float to bfloat16. No NaN comes here.
float to_bf16(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  return std::bit_cast<float>((bits + 0x7FFF + (bits >> 16 & 1)) & 0xFFFF0000u);
}

std::string shown(double value) {
  if (std::isnan(value)) return "NaN";
  std::string out;
  append_number(&out, value);
  return out;
}

[[noreturn]] void refuse_value(const LogitRow& row, std::span<const float> values, bool probs) {
  size_t i = 0;
  while (std::isfinite(values[i]) && (!probs || values[i] >= 0)) ++i;
  if (!probs)
    while (values[i] == -std::numeric_limits<float>::infinity() || std::isfinite(values[i])) ++i;
  fail(VAA_ERROR_ARGUMENT, row.where() + (probs ? "probability" : "logit") + " of id " + std::to_string(i) + " is " + shown(static_cast<double>(values[i])) +
                               (probs ? ", must be 0 to 1" : ", must be finite, or -infinity for a masked token"));
}

}  // namespace

double rounded(double value, Rounding rounding) {
  if (rounding == Rounding::kExact) return value;
  const float single = static_cast<float>(value);
  return static_cast<double>(rounding == Rounding::kFp32 ? single : to_bf16(single));
}

void LogitRow::load(std::span<const float> values, bool probs, int64_t row_number, Rounding how) {
  number = row_number;
  rounding = how;
  vocabulary = size = values.size();
  cut = weighed = greedy = of_more_ = false;
  if (z.size() < size) {
    z.resize(size);
    weights.resize(size);
    counts.resize(size);
    marks.resize(size);
  }
  const float most = probs ? max_row(values.data(), size) : widen_row(values.data(), size, z.data(), &masked_);
  if (!(most < std::numeric_limits<float>::infinity())) refuse_value(*this, values, probs);
  if (most == -std::numeric_limits<float>::infinity()) fail(VAA_ERROR_ARGUMENT, where() + "every logit is -infinity: no token is left");
  max = static_cast<double>(most);
  as_loaded_ = !probs;
  if (!probs) {
    if (rounding == Rounding::kBf16) {
      for (size_t i = 0; i < size; ++i) z[i] = round(z[i]);
      max = round(max);
    }
    return;
  }
  total = 0;
  for (size_t i = 0; i < size; ++i) {
    if (!(values[i] >= 0)) refuse_value(*this, values, true);
    weights[i] = static_cast<double>(values[i]);
    total += weights[i];
    z[i] = math::log(weights[i]);
  }
  if (!(std::fabs(total - 1) <= 1e-5)) fail(VAA_ERROR_ARGUMENT, where() + "the probabilities add up to " + shown(total) + ", must be 1 within 1e-5");
  max = math::log(max);
  reference = 0;
  weighed = true;
}

double LogitRow::log_probability(size_t i) const { return round((z[i] - reference) - math::log(total)); }
double LogitRow::log_mass() const { return reference + math::log(total); }

void LogitRow::drop_masked(const char* stage) {
  if (as_loaded_ && !masked_) return;
  max = -kInfinity;
  bool masked = false;
  for (size_t i = 0; i < size; ++i) {
    masked |= z[i] == -kInfinity;
    max = z[i] > max ? z[i] : max;
  }
  if (max == -kInfinity) fail(VAA_ERROR_ARGUMENT, where() + stage + " leaves no token");
  if (!(max < kInfinity)) fail(VAA_ERROR_ARGUMENT, where() + stage + " takes a logit beyond what its precision holds");
  if (masked) keep_if([&](size_t i) { return z[i] > -kInfinity; });
}

void LogitRow::weigh() {
  if (weighed) return;
  weighed = true;
  if (rounding == Rounding::kExact) {
    reference = max;
    total = exp_row(z.data(), size, max, weights.data());
    return;
  }
  floats_in_.resize(std::max(floats_in_.size(), size));
  floats_out_.resize(std::max(floats_out_.size(), size));
  for (size_t i = 0; i < size; ++i) floats_in_[i] = static_cast<float>(z[i]);
  const double sum = rounded(exp_row_float(floats_in_.data(), size, static_cast<float>(max), floats_out_.data()), Rounding::kFp32);
  for (size_t i = 0; i < size; ++i) weights[i] = round(static_cast<double>(floats_out_[i]) / sum);
  reference = max + math::log(sum);
  total = 1;
}

void LogitRow::after_cut(size_t kept, bool same_total) {
  size = kept;
  cut = true;
  of_more_ = weighed && (same_total || of_more_);
  if (!weighed || same_total) return;
  of_more_ = false;
  weighed = rounding == Rounding::kExact;
  total = 0;
  for (size_t i = 0; i < size; ++i) total += weights[i];
}

}  // namespace vaa
