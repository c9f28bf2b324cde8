#include "sampler/calibration/temperature_fit.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "base/failure.h"
#include "base/math.h"
#include "stats/distributions.h"

namespace vaa::sampler {
namespace {

constexpr double kLeast = 1e-3, kGreatest = 1e3;  // of 1 / T
constexpr double kSettled = 1e-13;  // relative: what is left of a step
constexpr int kMostSteps = 60;

struct Rise {
  double value, slope;
};
// Where a function that rises through 0 does so in [low, high]: Newton's steps from `start`, halved on a logarithmic scale where one leads outside of what is left.
template <class F>
double crossing(const F& at, double low, double high, double start) {
  double b = start > low && start < high ? start : std::sqrt(low * high);
  for (int i = 0; i < kMostSteps; ++i) {
    const Rise rise = at(b);
    (rise.value < 0 ? low : high) = b;
    double next = b - rise.value / rise.slope;
    if (!(next > low && next < high)) next = std::sqrt(low * high);
    if (std::fabs(next - b) <= kSettled * b) return next;
    b = next;
  }
  return b;
}

}  // namespace

void TemperatureFit::add(std::span<const double> logprobs, size_t chosen, uint64_t answer, uint64_t noise) {
  if (chosen >= logprobs.size()) throw Failure(VAA_ERROR_ARGUMENT, "chosen must be an index into the logprobs listed");
  for (double l : logprobs)
    if (!std::isfinite(l)) throw Failure(VAA_ERROR_ARGUMENT, "logprobs must be finite");
  if (logprobs.size() < 2) return;
  const double top = *std::max_element(logprobs.begin(), logprobs.end());
  chosen_.push_back(gaps_.size() + chosen);
  for (double l : logprobs) gaps_.push_back(l - top);
  ends_.push_back(gaps_.size());
  answers_ += answer_.empty() || answer_.back() != answer;
  answer_.push_back(answer);
  noise_.push_back(noise);
}

double TemperatureFit::alike() const {
  std::unordered_map<uint64_t, double> sharing;
  double squares = 0;
  for (const uint64_t noise : noise_) noise == 0 ? squares += 1 : sharing[noise] += 1;
  for (const auto& [noise, n] : sharing) squares += n * n;
  return noise_.empty() ? 1 : squares / static_cast<double>(noise_.size());
}

// Sum of squares of the scores of positions that share their noise.
double TemperatureFit::clustered_by_noise(double inverse) const {
  std::unordered_map<uint64_t, double> scores;
  double squares = 0;
  for (size_t i = 0; i < ends_.size(); ++i) {
    double mass = 0, first = 0;
    for (const double gap : gaps(i)) {
      const double weight = math::exp(inverse * gap);
      mass += weight, first += weight * gap;
    }
    const double score = gaps_[chosen_[i]] - first / mass;
    noise_[i] == 0 ? squares += score * score : scores[noise_[i]] += score;
  }
  for (const auto& [noise, score] : scores) squares += score * score;
  return squares;
}

TemperatureFit::At TemperatureFit::at(double inverse) const {
  At all{};
  double of_answer = 0;
  for (size_t i = 0, j = 0; i < ends_.size(); ++i) {
    double mass = 0, first = 0, second = 0;
    for (; j < ends_[i]; ++j) {
      const double weight = math::exp(inverse * gaps_[j]);
      mass += weight, first += weight * gaps_[j], second += weight * gaps_[j] * gaps_[j];
    }
    const double mean = first / mass, gap = gaps_[chosen_[i]];
    all.likelihood += inverse * gap - math::log(mass);
    all.score += gap - mean, of_answer += gap - mean;
    all.information += std::max(0.0, second / mass - mean * mean);
    if (i + 1 == ends_.size() || answer_[i + 1] != answer_[i]) all.clustered += of_answer * of_answer, of_answer = 0;
  }
  return all;
}

TemperatureFit::Estimate TemperatureFit::estimate(double confidence) const {
  if (!(confidence > 0 && confidence < 1)) throw Failure(VAA_ERROR_ARGUMENT, "confidence must lie between 0 and 1");
  if (answers_ < 2) throw Failure(VAA_ERROR_ARGUMENT, "a temperature needs at least two answers with lists of two tokens or more");
  const bool infinite = at(kLeast).score <= 0, zero = !infinite && at(kGreatest).score >= 0;
  const double best = infinite ? kLeast : zero ? kGreatest : crossing([&](double b) {
    const At here = at(b);
    return Rise{-here.score, here.information};
  }, kLeast, kGreatest, 1);
  const At peak = at(best);
  const double answers = static_cast<double>(answers_), shared = alike(), spread = std::max(peak.clustered * answers / (answers - 1), shared > 1 ? clustered_by_noise(best) : 0);
  const double inflation = infinite || zero || !(peak.information > 0) ? shared : std::max(1.0, spread / peak.information);
  const double quantile = stats::student_upper_quantile((1 - confidence) / 2, answers - 1), drop = quantile * quantile * inflation / 2;
  const auto beyond = [&](double b) { return peak.likelihood - at(b).likelihood - drop; };
  const double infinity = std::numeric_limits<double>::infinity();
  Estimate found{infinite ? infinity : zero ? 0 : 1 / best, 0, infinity, inflation, ends_.size(), answers_};
  const double half = std::sqrt(2 * drop / peak.information);
  const auto rise = [&](double b, double side) {
    const At here = at(b);
    return Rise{side * (peak.likelihood - here.likelihood - drop), -side * here.score};
  };
  if (beyond(kGreatest) > 0) found.low = 1 / crossing([&](double b) { return rise(b, 1); }, best, kGreatest, best + half);
  if (beyond(kLeast) > 0) found.high = 1 / crossing([&](double b) { return rise(b, -1); }, kLeast, best, best - half);
  return found;
}

double TemperatureFit::tail(const Estimate& estimate, double temperature) const {
  const double best = std::clamp(1 / estimate.temperature, kLeast, kGreatest);
  const double drop = std::max(0.0, at(best).likelihood - at(std::clamp(1 / temperature, kLeast, kGreatest)).likelihood);
  return stats::student_tail(std::sqrt(2 * drop / estimate.inflation), static_cast<double>(answers_ - 1));
}

}  // namespace vaa::sampler
