// Numbers of a noise profile that no measurement can give together.
#include <cmath>
#include <numeric>

#include "base/failure.h"
#include "base/json_writer.h"
#include "compare/noise_profile.h"

namespace vaa {
namespace {

constexpr double kRounding = 1e-6;  // relative: sums and estimates are not exact

std::string text_of(double value) {
  if (std::isnan(value)) return "null";
  if (std::isinf(value)) return "inf";
  std::string out;
  append_number(&out, value);
  return out;
}
std::string text_of(int64_t value) { return std::to_string(value); }

template <class Number>
void need(bool holds, const std::string& member, Number value, const std::string& must) {
  if (!holds) fail(VAA_ERROR_FORMAT, "noise: " + member + ": is " + text_of(value) + ", must be " + must);
}

void check_scale(const TokenScale& s) {
  const bool settled = s.sigma > 0 && std::isfinite(s.sigma);
  need(s.flips <= s.tokens, "sigma.flips", s.flips, "at most tokens, " + text_of(s.tokens));
  need(s.questions <= s.tokens && (s.tokens == 0 || s.questions > 0), "sigma.questions", s.questions, "from 1 to tokens, " + text_of(s.tokens) + ", and 0 where there are none");
  need(s.tokens > 0 || std::isnan(s.sigma), "sigma.sigma", s.sigma, "null where there are no tokens");
  need(s.flips == 0 || s.sigma > 0, "sigma.sigma", s.sigma, "above 0 where flips are " + text_of(s.flips));
  need(s.flips > 0 || s.sigma == 0 || std::isnan(s.sigma), "sigma.sigma", s.sigma, "0 or null where no token flipped");
  need(!settled || s.sigma <= kMostNats, "sigma.sigma", s.sigma, "at most " + text_of(kMostNats) + " nats, or \"inf\"");
  need(settled ? s.error > 0 : std::isnan(s.error), "sigma.error", s.error, settled ? "above 0 beside this sigma" : "null beside a sigma of null, 0 or \"inf\"");
  need(s.sure.low <= s.sure.high, "sigma.sure", s.sure.low, "at most its second number, " + text_of(s.sure.high));
  const bool inside = s.sure.low <= s.sigma * (1 + kRounding) && s.sigma <= s.sure.high * (1 + kRounding);
  need(std::isnan(s.sigma) || inside, "sigma.sigma", s.sigma, "within sure, " + text_of(s.sure.low) + " to " + text_of(s.sure.high));
}

void check_cluster(const DriftCluster& d, const std::string& where) {
  const auto n = static_cast<double>(d.n);
  need(d.other_top <= d.lists, where + "other_top", d.other_top, "at most its lists, " + text_of(d.lists));
  need(d.n > 0 || d.absolute == 0, where + "absolute", d.absolute, "0 where n is 0");
  need(d.absolute <= n * kMostNats, where + "absolute", d.absolute, "at most " + text_of(kMostNats) + " nats a position");
  // n numbers of a sum: their squares add to the square of the sum at most, and to an n-th of it at least.
  const double most = d.absolute * d.absolute, least = d.n > 0 ? most / n : 0;
  need(d.square <= most * (1 + kRounding) && d.square >= least * (1 - kRounding), where + "square", d.square, "from " + text_of(least) + " to " + text_of(most) + ", as n and absolute have it");
  need(d.lists > 0 || d.kl == 0, where + "kl", d.kl, "0 where lists is 0");
  need(d.kl <= static_cast<double>(d.lists) * kMostNats, where + "kl", d.kl, "at most " + text_of(kMostNats) + " nats a list");
}

template <class Clusters>
int64_t sum(const Clusters& clusters, int64_t DriftCluster::*of) {
  return std::accumulate(clusters.begin(), clusters.end(), int64_t{0}, [&](int64_t n, const DriftCluster& d) { return n + d.*of; });
}

int64_t parted_in(const Divergences& d) { return std::accumulate(d.events.begin(), d.events.end(), int64_t{0}); }

// Nothing differs: no number may say otherwise.
void check_identical(const NoiseProfile& noise) {
  const std::string must = "0 where identical is true";
  need(noise.diverged == 0, "diverged", noise.diverged, must);
  need(noise.sigma.flips == 0, "sigma.flips", noise.sigma.flips, must);
  need(!(noise.tau > 0), "tau", noise.tau, "0 or null where identical is true");
  need(parted_in(noise.seeded) == 0, "seeded.events", parted_in(noise.seeded), must + ", in sum");
  need(noise.first_other.k == 0, "first_other.k", noise.first_other.k, must);
  for (size_t i = 0; i < noise.drift.size(); ++i) need(noise.drift[i].absolute == 0, "drift[" + std::to_string(i) + "].absolute", noise.drift[i].absolute, must);
}

}  // namespace

void check_noise(const NoiseProfile& noise) {
  need(noise.diverged <= noise.pairs, "diverged", noise.diverged, "at most pairs, " + text_of(noise.pairs));
  need(std::isnan(noise.tau) || noise.tau <= kMostNats, "tau", noise.tau, "at most " + text_of(kMostNats) + " nats, or null");
  check_scale(noise.sigma);
  const std::pair<const char*, const ClusteredRate&> rates[] = {{"suspects", noise.suspects}, {"first_suspects", noise.first_suspects}, {"first_other", noise.first_other}};
  for (const auto& [name, rate] : rates) need(rate.k <= rate.n, std::string(name) + ".k", rate.k, "at most n, " + text_of(rate.n));
  need(noise.suspects.n <= noise.diverged, "suspects.n", noise.suspects.n, "at most diverged, " + text_of(noise.diverged));
  need(noise.first_other.n <= noise.pairs, "first_other.n", noise.first_other.n, "at most pairs, " + text_of(noise.pairs));
  need(noise.first_suspects.k <= noise.first_other.k, "first_suspects.k", noise.first_suspects.k, "at most first_other.k, " + text_of(noise.first_other.k));
  const auto free = static_cast<int64_t>(noise.divergences.events.size());
  const int64_t parted = parted_in(noise.divergences);
  need(free <= noise.pairs, "divergences.entries", free, "at most pairs, " + text_of(noise.pairs) + ", values");
  need(parted <= noise.diverged, "divergences.events", parted, "at most diverged, " + text_of(noise.diverged) + ", in sum");
  need(std::isnan(noise.kl_99) == std::isnan(noise.kl_999), "kl_999", noise.kl_999, "null where kl_99 is, and only there");
  need(!(noise.kl_99 > noise.kl_999), "kl_99", noise.kl_99, "at most kl_999, " + text_of(noise.kl_999));
  for (size_t i = 0; i < noise.drift.size(); ++i) check_cluster(noise.drift[i], "drift[" + std::to_string(i) + "].");
  for (size_t i = 0; i < noise.by_position.size(); ++i) check_cluster(noise.by_position[i], "by_position[" + std::to_string(i) + "].");
  for (const auto& [name, of] : {std::pair{"n", &DriftCluster::n}, {"lists", &DriftCluster::lists}, {"other_top", &DriftCluster::other_top}}) {
    const int64_t placed = sum(noise.by_position, of), all = sum(noise.drift, of);
    need(placed <= all, std::string("by_position.") + name, placed, "at most the sum of drift." + std::string(name) + ", " + text_of(all) + ", in sum");
  }
  if (noise.identical) check_identical(noise);
}

}  // namespace vaa
