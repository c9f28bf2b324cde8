// Expected intervals: the formulas 1 - (alpha/2)^(1/n) for 0 of n, and Clopper-Pearson's, worked out in the test's own beta quantiles by bisection.
#include <cmath>

#include "capture/again_cells.h"
#include "catch.h"

using namespace vaa;
using namespace vaa::capture;

namespace {

AgainCell cell(const std::string& outcomes) {  // . good, x bad, f failed, - not asked
  AgainCell c;
  for (const char o : outcomes) c.outcomes.push_back(o == 'x' ? Outcome::kBad : o == '.' ? Outcome::kGood : o == 'f' ? Outcome::kFailed : Outcome::kNotAsked);
  return c;
}

// P(Bin(n, p) <= k), summed.
double binomial_below(int k, int n, double p) {
  double sum = 0;
  for (int i = 0; i <= k; ++i) sum += std::exp(std::lgamma(n + 1.0) - std::lgamma(i + 1.0) - std::lgamma(n - i + 1.0) + i * std::log(p) + (n - i) * std::log1p(-p));
  return sum;
}
template <class F>
double root(F f) {  // of a falling function on (0, 1)
  double low = 1e-12, high = 1 - 1e-12;
  for (int i = 0; i < 200; ++i) {
    const double middle = (low + high) / 2;
    (f(middle) > 0 ? low : high) = middle;
  }
  return low;
}

AgainSeen seen_of(std::vector<std::string> servers, int64_t stop_after = 0) {
  AgainSeen seen;
  seen.cases.resize(1);
  seen.cases[0].id = "17";
  seen.concurrencies = {1};
  seen.stop_after = stop_after;
  seen.flag = "any";
  seen.servers.resize(servers.size());
  for (Server& server : seen.servers) server.dialect = find_dialect("vllm");
  for (const std::string& outcomes : servers) {
    seen.cells.push_back(cell(outcomes));
    seen.repeat = static_cast<int64_t>(outcomes.size());
  }
  return seen;
}

}  // namespace

TEST_CASE("again: bad answers among those that came, with the exact interval", "[capture]") {
  const Rate none = cell(std::string(40, '.')).counted(0);
  CHECK(none.k == 0);
  CHECK(none.n == 40);
  CHECK(none.high == Approx(1 - std::pow(0.025, 1 / 40.0)).epsilon(1e-9));  // 8.8 %
  const Rate some = cell("xx.f.x-" + std::string(31, '.')).counted(0);
  CHECK(some.k == 3);
  CHECK(some.n == 36);  // a failed request and one that was not asked are no answers
  CHECK(some.low == Approx(root([](double p) { return 0.025 - (1 - binomial_below(2, 36, p)); })).epsilon(1e-6));
  CHECK(some.high == Approx(root([](double p) { return binomial_below(3, 36, p) - 0.025; })).epsilon(1e-6));
}

TEST_CASE("again: a stop rule counts up to the bad answer that stopped, and knows it in the upper limit", "[capture]") {
  // Two bad ones stop: the second comes as number 5; two that were in flight then do not count.
  const Rate rate = cell(".x..x.x---").counted(2);
  CHECK(rate.k == 2);
  CHECK(rate.n == 5);
  // Inverse binomial sampling: N, when the 2nd comes, exceeds 4 with P(Bin(4, p) <= 1).
  CHECK(rate.low == Approx(root([](double p) { return 0.025 - (1 - binomial_below(1, 5, p)); })).epsilon(1e-6));
  CHECK(rate.high == Approx(root([](double p) { return binomial_below(1, 4, p) - 0.025; })).epsilon(1e-6));
  const Rate never = cell("....x").counted(2);
  CHECK(never.k == 1);
  CHECK(never.n == 5);
  const Rate at_once = cell("x----").counted(1);  // 1 of 1: any rate may do that at once
  CHECK(at_once.n == 1);
  CHECK(at_once.high == 1);
}

TEST_CASE("again: the interval under a stop rule covers the rate as often as it says", "[capture]") {
  // Exact, no simulation: over all N that a rate can give.
  for (const double p : {0.05, 0.2, 0.5, 0.9}) {
    double covered = 0;
    for (int n = 2; n <= 400; ++n) {
      AgainCell c = cell("x" + std::string(static_cast<size_t>(n) - 2, '.') + "x");
      const double chance = (n - 1) * p * p * std::pow(1 - p, n - 2);
      const Rate rate = c.counted(2);
      if (rate.low <= p && p <= rate.high) covered += chance;
    }
    INFO(p);
    CHECK(covered >= 0.95);
  }
}

TEST_CASE("again: verdicts", "[capture]") {
  const std::string good(40, '.'), nine = std::string(9, 'x') + std::string(31, '.'), two = "xx" + std::string(38, '.');
  CHECK(again_verdict(seen_of({good})) == VAA_VERDICT_PASS);
  CHECK(again_verdict(seen_of({two})) == VAA_VERDICT_FAIL);
  CHECK(again_verdict(seen_of({good, nine})) == VAA_VERDICT_FAIL);       // Fisher: p = 0.0024
  CHECK(again_verdict(seen_of({good, two})) == VAA_VERDICT_UNDECIDED);   // p = 0.49
  CHECK(again_verdict(seen_of({nine, nine})) == VAA_VERDICT_UNDECIDED);
  CHECK(again_verdict(seen_of({good, good})) == VAA_VERDICT_PASS);
  CHECK(again_verdict(seen_of({std::string(10, 'f')})) == VAA_VERDICT_NOT_CHECKED);
  AgainSeen few = seen_of({"ff." + std::string(37, 'f')});
  few.failed = 39;
  CHECK(again_verdict(few) == VAA_VERDICT_UNDECIDED);  // what did not come is not good
  CHECK(again_report(few).reason.en.rfind("not one answer is bad again, but 39 requests failed: A 0 of 1", 0) == 0);
}

TEST_CASE("again: the report says who, how many of how many, and the stop rule", "[capture]") {
  const AskReport report = again_report(seen_of({std::string(40, '.'), std::string(9, 'x') + std::string(31, '.')}));
  CHECK(report.verdict == VAA_VERDICT_FAIL);
  CHECK(report.reason.en == "the servers differ in bad answers: A 0 of 40 [0, 8.8 %], B 9 of 40 [11, 38 %]");
  REQUIRE(report.sections.size() >= 2);
  bool rule = false, fisher = false;
  for (const SectionLine& line : report.sections[0].lines) {
    rule = rule || line.text.en.find("stop rule: none, each case is asked 40 times") == 0;
    fisher = fisher || line.text.en == "B against A: p = 0.0024 (Fisher's exact test)";
  }
  CHECK(rule);
  CHECK(fisher);
}
