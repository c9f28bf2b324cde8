// Engines made of chances (simulated_engines.h): every expected number is the position that the test planted, or a rate that it set.
#include <algorithm>

#include "capture/pin.h"
#include "capture/search.h"
#include "catch.h"
#include "simulated_engines.h"

using namespace vaa;
using namespace vaa::capture;
using vaa::capture::test::SimulatedEngines;
using vaa::capture::test::SimulatedFault;
using Kind = SearchResult::Kind;

namespace {

constexpr int64_t kLow = 64, kHigh = 131072;

SearchResult searched(SimulatedEngines* engines, int64_t low = kLow, int64_t high = kHigh) {
  const auto answers = static_cast<int64_t>(engines->ask(high, 0).size());
  const std::vector<RungTrial> itself = engines->itself(low, high, static_cast<int>(itself_repeats(answers, 4)) - 1);
  return search_edge(plan_for(low, high, 32, answers, 4), itself, engines);
}

struct Score {
  int runs = 0, found = 0, held = 0, one_token = 0;
  int64_t widest = 0, asked = 0;
};

// Faults from a random position on, in `runs` pairs of engines.
Score score(SimulatedFault fault, int answers, int runs, uint64_t seed) {
  Random random(seed);
  Score s;
  for (int run = 0; run < runs; ++run) {
    const int64_t planted = kLow + 1 + static_cast<int64_t>(random.below(kHigh - kLow));
    fault.bites = [planted](int64_t position) { return position >= planted; };
    SimulatedEngines engines(fault, std::vector<int64_t>(answers, kHigh + 100), seed * 100000 + static_cast<uint64_t>(run));
    const SearchResult result = searched(&engines);
    ++s.runs;
    s.asked += engines.asked;
    if (result.kind != Kind::kFound) continue;
    ++s.found;
    s.held += result.lo < planted && planted <= result.hi;
    s.one_token += result.hi - result.lo == 1;
    s.widest = std::max(s.widest, result.hi - result.lo);
  }
  UNSCOPED_INFO("found " << s.found << ", held " << s.held << ", one token " << s.one_token << ", widest " << s.widest << ", asked " << s.asked << " of " << s.runs);
  return s;
}

// The interval promises 95 %: in `runs` runs so many must hold it but in one of a thousand such tests.
bool keeps_its_promise(const Score& s) { return rate_of(s.held, s.runs, 0.998).high >= 0.95; }

}  // namespace

TEST_CASE("bisect search: a fault from a random position on lies in the interval in 1,000 runs", "[capture]") {
  SimulatedFault fault;
  fault.benign = 0.0005;
  fault.prefill = 0.7;
  fault.decode = 0.5;
  const Score s = score(fault, 16, 1000, 1);
  CHECK(s.found == 1000);
  CHECK(keeps_its_promise(s));
  CHECK(s.one_token > 900);
}

TEST_CASE("bisect search: engines that repeat themselves to the bit are searched as well", "[capture]") {
  SimulatedFault fault;
  fault.prefill = fault.decode = 0.5;
  fault.deterministic = true;
  const Score s = score(fault, 16, 500, 2);
  CHECK(s.found == 500);
  CHECK(keeps_its_promise(s));
  CHECK(s.one_token > 400);
}

TEST_CASE("bisect search: a fault that only decode shows is found", "[capture]") {
  SimulatedFault fault;
  fault.benign = 0.0005;
  fault.decode = 0.4;
  const Score s = score(fault, 16, 300, 3);
  CHECK(s.found == 300);
  CHECK(keeps_its_promise(s));
}

TEST_CASE("bisect search: a fault that only prefill shows is found", "[capture]") {
  SimulatedFault fault;
  fault.benign = 0.0005;
  fault.prefill = 0.9;
  const Score s = score(fault, 16, 300, 4);
  CHECK(s.found == 300);
  CHECK(keeps_its_promise(s));
  CHECK(s.one_token > 250);
}

TEST_CASE("bisect search: rarely wrong tokens widen the interval, which still holds the fault", "[capture]") {
  SimulatedFault fault;
  fault.benign = 0.0005;
  fault.prefill = fault.decode = 0.06;
  const Score s = score(fault, 16, 300, 5);
  CHECK(s.found >= 285);
  CHECK(rate_of(s.held, s.found, 0.998).high >= 0.95);
}

TEST_CASE("bisect search: rarely wrong tokens of engines that repeat themselves widen it too", "[capture]") {
  for (const int answers : {12, 32}) {
    for (const double wrong : {0.1, 0.2}) {
      SimulatedFault fault;
      fault.prefill = fault.decode = wrong;
      fault.deterministic = true;
      const Score s = score(fault, answers, 300, 15);
      INFO(answers << " answers, " << wrong);
      CHECK(s.found >= 285);
      CHECK(rate_of(s.held, s.found, 0.998).high >= 0.95);
    }
  }
}

TEST_CASE("bisect search: one answer is enough where every token is wrong", "[capture]") {
  SimulatedFault fault;
  fault.prefill = fault.decode = 1;
  fault.deterministic = true;
  const Score s = score(fault, 1, 100, 6);
  CHECK(s.found == 100);
  CHECK(s.held == 100);
}

TEST_CASE("bisect search: two equal noisy engines are told apart in at most 5 % of runs", "[capture]") {
  for (const double benign : {0.0, 0.0005, 0.003, 0.02}) {
    int alarms = 0, passed = 0;
    for (int run = 0; run < 250; ++run) {
      SimulatedFault none;
      none.benign = benign;
      SimulatedEngines engines(none, std::vector<int64_t>(16, kHigh + 100), 7000 + static_cast<uint64_t>(run));
      const SearchResult result = searched(&engines);
      alarms += result.kind == Kind::kFound || result.kind == Kind::kFromStart;
      passed += result.kind == Kind::kNoDifference;
    }
    INFO("benign " << benign << ": " << alarms << " alarms, " << passed << " passed of 250");
    CHECK(rate_of(alarms, 250).high <= 0.05);
    CHECK(passed >= (benign < 0.01 ? 200 : 150));  // at 2 % a token every other continuation parts from itself: more often it cannot tell
  }
}

TEST_CASE("bisect search: a difference from the start is said to be one", "[capture]") {
  SimulatedFault fault;
  fault.prefill = fault.decode = 0.3;
  fault.bites = [](int64_t) { return true; };
  SimulatedEngines engines(fault, std::vector<int64_t>(16, kHigh + 100), 8);
  CHECK(searched(&engines).kind == Kind::kFromStart);
}

TEST_CASE("bisect search: a fault that ends again is said not to stay", "[capture]") {
  SimulatedFault fault;
  fault.prefill = fault.decode = 0.6;
  fault.bites = [](int64_t position) { return position >= 30000 && position < 36000; };
  SimulatedEngines engines(fault, std::vector<int64_t>(16, kHigh + 100), 9);
  const SearchResult result = searched(&engines);
  REQUIRE(result.kind == Kind::kFound);
  CHECK(result.lo < 30000);
  CHECK(30000 <= result.hi);
  CHECK(result.hi - result.lo <= 2);
  REQUIRE_FALSE(result.contradictions.empty());
  CHECK(std::all_of(result.contradictions.begin(), result.contradictions.end(), [](int64_t at) { return at >= 36000; }));
}

TEST_CASE("bisect search: parts below the edge that was found contradict it", "[capture]") {
  SimulatedFault fault;
  fault.prefill = fault.decode = 0.6;
  // Halving looks at 65,568 first and goes up from there; the check at 3/4 of the way up to the edge lands in the first window.
  fault.bites = [](int64_t position) { return position >= 100000 || (position >= 74000 && position < 76000); };
  SimulatedEngines engines(fault, std::vector<int64_t>(16, kHigh + 100), 10);
  const SearchResult result = searched(&engines);
  REQUIRE(result.kind == Kind::kFound);
  CHECK(result.hi >= 100000);
  CHECK(result.hi <= 100001);
  REQUIRE(result.contradictions.size() == 1);
  CHECK(result.contradictions[0] >= 74000 - 31);
  CHECK(result.contradictions[0] < 76000);
}

TEST_CASE("bisect search: names the path that shows the fault", "[capture]") {
  const auto path = [](double prefill, double decode, uint64_t seed) {
    SimulatedFault fault;
    fault.prefill = prefill;
    fault.decode = decode;
    fault.bites = [](int64_t position) { return position >= 4097; };
    SimulatedEngines engines(fault, std::vector<int64_t>(16, kHigh + 100), seed);
    return searched(&engines).path;
  };
  const PathSeen both = path(0.5, 0.5, 11), decode = path(0, 0.5, 12), prefill = path(0.8, 0, 13);
  CHECK(both.prefill == Shows::kYes);
  CHECK(both.decode == Shows::kYes);
  CHECK(decode.prefill == Shows::kNo);
  CHECK(decode.decode == Shows::kYes);
  CHECK(prefill.prefill == Shows::kYes);
  CHECK(prefill.decode == Shows::kNo);
}

TEST_CASE("bisect search: asks only answers that are long enough, and says how many there were", "[capture]") {
  SimulatedFault fault;
  fault.prefill = fault.decode = 0.7;
  fault.bites = [](int64_t position) { return position >= 4097; };
  std::vector<int64_t> lengths(8, 2000);
  lengths.insert(lengths.end(), 12, 9000);
  SimulatedEngines engines(fault, lengths, 14);
  const SearchResult result = searched(&engines, 64, 9000);
  REQUIRE(result.kind == Kind::kFound);
  CHECK(result.lo < 4097);
  CHECK(4097 <= result.hi);
  CHECK(result.answers == 12);
  CHECK(result.answers_parted == 12);
  for (const PositionSeen& seen : result.seen) CHECK(seen.asked == seen.rounds * (seen.at <= 2000 ? 20 : 12));
}

TEST_CASE("bisect search: what could not be told apart is undecided, never passed", "[capture]") {
  class Unsure : public Oracle {
    std::vector<RungTrial> ask(int64_t at, int64_t) override {
      std::vector<RungTrial> all;
      for (int64_t p = 0; p < 8; ++p) all.push_back({p, at, 4, -1, true, 0});
      return all;
    }
  };
  class Silent : public Oracle {
    std::vector<RungTrial> ask(int64_t, int64_t) override { return {}; }
  };
  std::vector<RungTrial> itself;
  for (int64_t p = 0; p < 24; ++p) itself.push_back({p % 8, 64, 32, -1, false, 0});
  SearchPlan plan;
  plan.low = 64;
  plan.high = 4096;
  Unsure unsure;
  Silent silent;
  CHECK(search_edge(plan, itself, &unsure).kind == Kind::kUndecided);
  CHECK(search_edge(plan, itself, &silent).kind == Kind::kUndecided);
}

TEST_CASE("bisect pin: an answer that is asked again at the same place brings nothing new", "[capture]") {
  std::vector<RungTrial> itself(30, RungTrial{0, 10, 32, -1, false, 0});
  const std::vector<RungTrial> once = {{0, 100, 9, 8, false, 3}, {1, 104, 3, 2, false, 3}, {2, 90, 20, 19, false, 3}, {3, 108, 1, 0, false, 3}, {4, 80, 32, 31, false, 3}};
  std::vector<RungTrial> often;
  for (int r = 0; r < 20; ++r) often.insert(often.end(), once.begin(), once.end());
  const Pinned a = pin_edge(70, 120, itself, once), b = pin_edge(70, 120, itself, often);
  CHECK(a.lo == b.lo);
  CHECK(a.hi == b.hi);
  CHECK(a.hi <= 106);
  CHECK(a.hi - a.lo > 1);
}
