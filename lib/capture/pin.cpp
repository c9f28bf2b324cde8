#include "capture/pin.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <vector>

#include "base/math.h"

namespace vaa::capture {
namespace {

constexpr double kCredible = 0.95;

// Weights of right and wrong tokens.
struct Seen {
  double right = 0, wrong = 0;
};
// Where an answer counts once: a first token there and a later one say much the same, for one error of the logits makes both.
struct Place {
  int64_t position, passage;
  auto operator<=>(const Place&) const = default;
};
// All answers' tokens at a position, from the rung `rung`: whether that rung began before the edge tells the path.
struct Token {
  int64_t position, rung;
  double right, wrong;
};

double log_beta(double a, double b) { return math::lgamma(a) + math::lgamma(b) - math::lgamma(a + b); }
// Of `seen` under a rate drawn from Beta(a, b).
double log_evidence(const Seen& seen, double a, double b) { return log_beta(a + seen.wrong, b + seen.right) - log_beta(a, b); }

std::vector<Token> weighted(std::span<const RungTrial> trials) {
  std::map<Place, double> times;
  for (const RungTrial& t : trials) {
    for (int64_t i = 0; i < t.compared; ++i) times[{t.at + i, t.passage}] += 1;
  }
  std::map<std::pair<int64_t, int64_t>, Seen> sums;
  for (const RungTrial& t : trials) {
    for (int64_t i = 0; i < t.compared; ++i) {
      Seen& sum = sums[{t.at + i, t.at}];
      (t.parted == i ? sum.wrong : sum.right) += 1 / times[{t.at + i, t.passage}];
    }
  }
  std::vector<Token> tokens;
  tokens.reserve(sums.size());
  for (const auto& [where, sum] : sums) tokens.push_back({where.first, where.second, sum.right, sum.wrong});
  return tokens;
}

struct Benign {
  double a = 0.5, b = 0.5;
};
Benign benign_of(std::span<const RungTrial> itself) {
  Benign rate;
  for (const RungTrial& t : itself) {
    rate.a += t.parted >= 0 ? 1 : 0;
    rate.b += static_cast<double>(t.compared - (t.parted >= 0 ? 1 : 0));
  }
  return rate;
}

double log_posterior(int64_t edge, const std::vector<Token>& tokens, const Benign& benign) {
  Seen before;
  std::array<Seen, 3> after;  // first, crossing, later
  for (const Token& t : tokens) {
    Seen& seen = t.position < edge ? before : after[t.position == t.rung ? 0 : t.rung < edge ? 1 : 2];
    seen.right += t.right;
    seen.wrong += t.wrong;
  }
  double sum = log_evidence(before, benign.a, benign.b);
  for (const Seen& seen : after) sum += log_evidence(seen, 1, 1);
  return sum;
}

}  // namespace

Pinned pin_edge(int64_t lo, int64_t hi, std::span<const RungTrial> itself, std::span<const RungTrial> trials) {
  const std::vector<Token> tokens = weighted(trials);
  const Benign benign = benign_of(itself);
  std::vector<double> mass;
  for (int64_t edge = lo + 1; edge <= hi; ++edge) mass.push_back(log_posterior(edge, tokens, benign));
  Pinned out{lo, hi, !tokens.empty()};
  if (mass.empty()) return out;
  const double most = *std::max_element(mass.begin(), mass.end());
  double sum = 0;
  for (double& m : mass) sum += m = math::exp(m - most);
  size_t best_begin = 0, best_end = mass.size();
  double best = 0;
  for (size_t begin = 0; begin < mass.size(); ++begin) {
    double held = 0;
    for (size_t end = begin; end < mass.size() && end + 1 - begin <= best_end - best_begin; ++end) {
      held += mass[end];
      if (held < kCredible * sum) continue;
      if (end + 1 - begin < best_end - best_begin || held > best) {
        best_begin = begin;
        best_end = end + 1;
        best = held;
      }
      break;
    }
  }
  out.lo = lo + static_cast<int64_t>(best_begin);
  out.hi = lo + static_cast<int64_t>(best_end);
  return out;
}

}  // namespace vaa::capture
