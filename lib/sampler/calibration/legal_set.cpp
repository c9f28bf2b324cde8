#include "sampler/calibration/legal_set.h"

#include <algorithm>
#include <cmath>

#include "base/math.h"

namespace vaa::sampler {
namespace {

constexpr double kMassError = 1e-4;  // of a running mass: float32 sums, logprobs written with four digits
constexpr double kRestError = 1e-6;  // of 1 - mass

double rest_of(const ListedRow& row) { return std::max(0.0, 1 - row.mass) + kRestError; }

// The cuts at one temperature, over the listed prefix and the chosen token behind it.
class Cuts {
 public:
  Cuts(const ListedRow& row, const Law& law, double temperature) : row_(row), law_(law), temperature_(temperature), size_(row.ids.size()) {}

  LegalBounds bounds() {
    LegalBounds out{row_.listed, size_};
    if (law_.greedy) return greedy();
    if (law_.top_k > 0) top_k(&out);
    if (law_.min_p > 0) min_p(&out);
    if (law_.top_p < 1) top_p(&out);
    out.surely = std::max<size_t>(out.surely, 1);
    return out;
  }

 private:
  double logprob(size_t i) const { return row_.logprobs[i]; }
  double weight(size_t i) const { return math::exp((logprob(i) - logprob(0)) / temperature_); }
  // Tokens likelier than i beyond doubt, and those that may be as likely, itself left out.
  size_t above(size_t i, double slack) const { return static_cast<size_t>(std::partition_point(row_.logprobs.begin(), row_.logprobs.end(), [&](double l) { return l > logprob(i) + slack; }) - row_.logprobs.begin()); }
  double with_ties(size_t i, double slack) const {
    const auto listed = static_cast<double>(std::partition_point(row_.logprobs.begin(), row_.logprobs.begin() + static_cast<std::ptrdiff_t>(row_.listed), [&](double l) { return l >= logprob(i) - slack; }) - row_.logprobs.begin());
    return listed - 1 + (logprob(i) <= logprob(row_.listed - 1) + slack ? unlisted_ties(slack) : 0);
  }
  double unlisted_ties(double slack) const { return std::floor(rest_of(row_) / math::exp(logprob(row_.listed - 1) - (slack > law_.slack ? slack : 0))); }
  double ranked() const { return std::max(law_.slack, law_.near_tie); }

  LegalBounds greedy() const {
    LegalBounds out{0, size_};
    while (out.maybe > 1 && above(out.maybe - 1, ranked()) > 0) out.maybe -= 1;
    out.surely = std::min<size_t>(1, row_.listed);
    return out;
  }
  void top_k(LegalBounds* out) const {
    const auto k = static_cast<double>(law_.top_k);
    while (out->maybe > 1 && static_cast<double>(above(out->maybe - 1, ranked())) >= k) out->maybe -= 1;
    while (out->surely > 1 && with_ties(out->surely - 1, ranked()) >= k) out->surely -= 1;
  }
  void min_p(LegalBounds* out) const {
    const double least = math::log(law_.min_p), error = kMassError + law_.slack / temperature_;
    const auto gap = [&](size_t i) { return (logprob(i) - logprob(0)) / temperature_; };
    while (out->maybe > 1 && gap(out->maybe - 1) < least - error) out->maybe -= 1;
    while (out->surely > 1 && gap(out->surely - 1) < least + error) out->surely -= 1;
  }
  // A token is legal while the mass of likelier ones is below p: least of all where the cuts before have taken the whole of what they may and ties come first.
  void top_p(LegalBounds* out) const {
    double most = most_tail_weight(row_, temperature_, law_.vocabulary), least = 0;
    for (size_t i = 0; i < row_.listed; ++i) most += weight(i);
    for (size_t i = 0; i < out->surely; ++i) least += weight(i);
    const double p = law_.top_p, uneven = math::exp(2 * law_.slack / temperature_);
    double before = 0;
    size_t counted = 0, legal = 1;
    for (size_t i = 1; i < out->maybe; ++i) {
      for (const size_t likelier = above(i, law_.slack); counted < likelier; ++counted) before += weight(counted);
      if (before >= (p + kMassError) * most * uneven) break;
      legal = i + 1;
    }
    out->maybe = legal;
    before = 0, legal = 1;
    for (size_t i = 0, next = 1; next < out->surely; ++next) {
      for (; i < row_.listed && logprob(i) >= logprob(next) - law_.slack; ++i) before += weight(i);
      const double ties = logprob(next) <= logprob(row_.listed - 1) + law_.slack ? unlisted_ties(law_.slack) * weight(next) : 0;
      if (before - weight(next) + ties >= (p - kMassError) * least / uneven) break;
      legal = next + 1;
    }
    out->surely = legal;
  }

  const ListedRow& row_;
  const Law& law_;
  double temperature_;
  size_t size_;
};

}  // namespace

double most_tail_weight(const ListedRow& row, double temperature, double vocabulary) {
  const double rest = rest_of(row), first = row.logprobs[0], last = row.logprobs[row.listed - 1];
  if (temperature <= 1) return rest * math::exp((last - first) / temperature - last);
  const double left = std::max(1.0, vocabulary - static_cast<double>(row.listed));
  return left * math::exp((std::min(last, math::log(rest / left)) - first) / temperature);
}

LegalBounds legal_bounds(const ListedRow& row, const Law& law) {
  if (law.place == TemperaturePlace::kFirst || law.greedy || law.temperature == 1) return Cuts(row, law, law.temperature).bounds();
  LegalBounds out = Cuts(row, law, 1).bounds();
  if (law.place == TemperaturePlace::kUnknown) {
    const LegalBounds first = Cuts(row, law, law.temperature).bounds();
    out = {std::min(out.surely, first.surely), std::max(out.maybe, first.maybe)};
  }
  return out;
}

}  // namespace vaa::sampler
