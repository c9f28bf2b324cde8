#include "capture/search.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "capture/owned.h"
#include "capture/path_seen.h"
#include "capture/pin.h"
#include "vaa/stats.h"

namespace vaa::capture {
namespace {

constexpr double kError = 0.05;  // of one position's call, shared among its looks
// Rungs before the edge that the fine search asks: near ones weigh the edge by many answers, far ones let a slow fault show.
constexpr std::array<int64_t, 8> kBefore = {0, 1, 2, 3, 5, 8, 13, 21};

double median(std::vector<double> values) {
  if (values.empty()) return std::nan("");
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

class Search {
 public:
  Search(const SearchPlan& plan, std::span<const RungTrial> itself, Oracle* oracle) : plan_(plan), itself_(itself), oracle_(oracle) {
    const auto parted = std::count_if(itself.begin(), itself.end(), [](const RungTrial& t) { return t.parted >= 0; });
    result_.itself = rate_of(parted, static_cast<int64_t>(itself.size()));
  }

  SearchResult run() {
    result_.kind = search();
    result_.path = path_seen(result_.lo, result_.hi, itself_, trials_);
    result_.asks = static_cast<int64_t>(trials_.size());
    return std::move(result_);
  }

 private:
  using Kind = SearchResult::Kind;

  Kind search() {
    const Call top = visit(plan_.high, plan_.end_rounds, all_rounds());
    count_answers();
    const Call bottom = plan_.low < plan_.high ? visit(plan_.low, plan_.end_rounds, all_rounds()) : top;
    if (bottom == Call::kParts) {
      if (top == Call::kAlike) result_.contradictions.push_back(plan_.high);
      result_.lo = plan_.low - 1;
      result_.hi = plan_.low;
      return Kind::kFromStart;
    }
    int64_t faulty = plan_.high;
    Call call = top;
    bool open = top == Call::kOpen || bottom == Call::kOpen;
    for (int quarter = 1; quarter < 4 && call != Call::kParts; ++quarter) {
      faulty = plan_.low + (plan_.high - plan_.low) / 4 * quarter;
      if (faulty <= plan_.low) continue;
      call = visit(faulty, plan_.end_rounds, all_rounds());
      open = open || call == Call::kOpen;
    }
    if (call != Call::kParts) return open ? Kind::kUndecided : Kind::kNoDifference;
    if (faulty != plan_.high && top == Call::kAlike) result_.contradictions.push_back(plan_.high);
    if (bottom == Call::kOpen) return Kind::kUndecided;  // it parts, and whether it did from the start is not known
    halve(faulty);
    look_closely();
    check_around();
    return Kind::kFound;
  }

  int64_t all_rounds() const { return std::max(plan_.rounds, plan_.end_rounds); }

  // Asks until the call is made, at least `least` rounds and at most `most`. A position that was asked goes on where it stood.
  Call visit(int64_t at, int64_t least, int64_t most) {
    auto [found, fresh] = place_.try_emplace(at, result_.seen.size());
    if (fresh) {
      result_.seen.push_back({});
      result_.seen.back().at = at;
    }
    PositionSeen& seen = result_.seen[found->second];
    while (seen.rounds < most && (seen.rounds < least || seen.call == Call::kOpen)) {
      std::vector<RungTrial> trials = oracle_->ask(at, seen.rounds);
      ++seen.rounds;
      if (trials.empty()) break;
      trials_.insert(trials_.end(), trials.begin(), trials.end());
      judge(&seen);
    }
    // What a faulty position shows is learnt from the first one that parts.
    if (seen.call == Call::kParts && result_.fault_rate == 0) result_.fault_rate = (static_cast<double>(seen.parted) + 0.5) / (static_cast<double>(seen.asked) + 1);
    return seen.call;
  }

  void judge(PositionSeen* seen) const {
    seen->asked = seen->parted = seen->undetermined = 0;
    std::vector<double> swings;
    for (const RungTrial& t : trials_) {
      if (t.at != seen->at) continue;
      ++seen->asked;
      seen->undetermined += t.undetermined;
      if (t.parted < 0) continue;
      ++seen->parted;
      swings.push_back(t.swing);
    }
    seen->median_swing = median(std::move(swings));
    const double confidence = 1 - kError / static_cast<double>(all_rounds());
    seen->low = rate_of(seen->parted, seen->asked, confidence).low;
    const int64_t at_most = seen->parted + seen->undetermined;
    seen->high = rate_of(at_most, seen->asked, confidence).high;
    const double share = static_cast<double>(at_most) / static_cast<double>(seen->asked);
    if (seen->low > result_.itself.high) {
      seen->call = Call::kParts;
    } else if (result_.fault_rate > 0 ? seen->high < result_.fault_rate : share <= result_.itself.high) {
      seen->call = Call::kAlike;
    } else {
      seen->call = Call::kOpen;
    }
  }

  // The first token position up to which so many continuations parted that the rung would part by those alone.
  int64_t reached(int64_t at) const {
    std::vector<int64_t> positions;
    int64_t asked = 0;
    for (const RungTrial& t : trials_) {
      if (t.at != at) continue;
      ++asked;
      if (t.parted >= 0) positions.push_back(at + t.parted);
    }
    std::sort(positions.begin(), positions.end());
    const double confidence = 1 - kError / static_cast<double>(all_rounds());
    for (size_t k = 0; k < positions.size(); ++k) {
      if (rate_of(static_cast<int64_t>(k) + 1, asked, confidence).low > result_.itself.high) return positions[k];
    }
    return at + plan_.tokens - 1;
  }

  void halve(int64_t faulty) {
    result_.lo = plan_.low;
    for (const PositionSeen& seen : result_.seen) {
      if (seen.at < faulty && seen.call == Call::kAlike) result_.lo = std::max(result_.lo, seen.at);
    }
    result_.hi = reached(faulty);
    while (result_.hi - result_.lo > 1) {
      const int64_t middle = result_.lo + (result_.hi - result_.lo) / 2;
      const Call call = visit(middle, 1, plan_.rounds);
      if (call == Call::kOpen) return;
      if (call == Call::kAlike) {
        result_.lo = middle;
        continue;
      }
      const int64_t at = reached(middle);
      if (at >= result_.hi) return;  // it parts by tokens past the edge only: the single tokens tell more
      result_.hi = at;
    }
  }

  void look_closely() {
    if (result_.hi - result_.lo > 2 * plan_.tokens + 1) return;
    for (const int64_t before : kBefore) {
      if (before < plan_.tokens && result_.hi - before >= 1) visit(result_.hi - before, 1, 1);
    }
    std::vector<RungTrial> near;
    for (const RungTrial& t : trials_) {
      if (t.at >= result_.lo - plan_.tokens && t.at <= result_.hi + 2 * plan_.tokens) near.push_back(t);
    }
    const Pinned pinned = pin_edge(result_.lo, result_.hi, itself_, near);
    if (!pinned.told) return;
    result_.lo = pinned.lo;
    result_.hi = pinned.hi;
    result_.pinned = true;
  }

  // A fault need not stay: a window, a chunk, a capture size has two ends.
  void check_around() {
    const int64_t lo = result_.lo, hi = result_.hi, below = lo + 1 - plan_.tokens;
    const std::array<int64_t, 3> under = {below, plan_.low + (below - plan_.low) / 2, plan_.low + (below - plan_.low) / 4 * 3};
    const std::array<int64_t, 3> over = {hi + plan_.tokens, hi + (plan_.high - hi) / 2, hi + (plan_.high - hi) / 4 * 3};
    for (const int64_t at : under) {
      if (at > plan_.low && visit(at, 1, plan_.rounds) == Call::kParts) contradict(at);
    }
    for (const int64_t at : over) {
      if (at > hi && at < plan_.high && visit(at, 1, plan_.rounds) == Call::kAlike) contradict(at);
    }
  }

  void contradict(int64_t at) {
    auto& all = result_.contradictions;
    if (std::find(all.begin(), all.end(), at) == all.end()) all.push_back(at);
    std::sort(all.begin(), all.end());
  }

  void count_answers() {
    std::set<int64_t> all, parted;
    for (const RungTrial& t : trials_) {
      all.insert(t.passage);
      if (t.parted >= 0 || t.undetermined) parted.insert(t.passage);
    }
    result_.answers = static_cast<int64_t>(all.size());
    result_.answers_parted = static_cast<int64_t>(parted.size());
  }

  const SearchPlan& plan_;
  std::span<const RungTrial> itself_;
  Oracle* oracle_;
  SearchResult result_;
  std::vector<RungTrial> trials_;
  std::map<int64_t, size_t> place_;  // of a position in result_.seen
};

}  // namespace

Rate rate_of(int64_t k, int64_t n, double confidence) {
  Rate rate{k, n, 0, 1};
  must([&](vaa_error** err) { return vaa_stats_clopper_pearson(k, n, confidence, &rate.low, &rate.high, err); });
  return rate;
}

SearchPlan plan_for(int64_t low, int64_t high, int64_t tokens, int64_t answers, int64_t repeat) {
  SearchPlan plan;
  plan.low = low;
  plan.high = high;
  plan.tokens = tokens;
  plan.end_rounds = repeat;
  plan.rounds = std::max(plan.rounds, (15 + answers) / std::max<int64_t>(answers, 1));
  return plan;
}

int64_t itself_repeats(int64_t answers, int64_t repeat) { return std::max(repeat, 1 + (11 + answers) / std::max<int64_t>(answers, 1)); }

SearchResult search_edge(const SearchPlan& plan, std::span<const RungTrial> itself, Oracle* oracle) { return Search(plan, itself, oracle).run(); }

}  // namespace vaa::capture
