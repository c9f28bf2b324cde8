#include "stats/multiplicity.h"

#include <algorithm>
#include <limits>

#include "base/failure.h"
#include "catch.h"
#include "reference.h"

using namespace vaa::stats;
using vaa::test::Tree;

namespace {

void check_all(const std::vector<double>& got, const std::vector<double>& want) {
  REQUIRE(got.size() == want.size());
  for (size_t i = 0; i < got.size(); ++i) CHECK_CLOSE(got[i], want[i], 1e-14);
}

int64_t rejected(const std::vector<double>& adjusted, double level) {
  return std::count_if(adjusted.begin(), adjusted.end(), [level](double p) { return p <= level; });
}

}  // namespace

TEST_CASE("multiplicity: Benjamini-Hochberg and Holm as statsmodels has them", "[stats]") {
  const Tree reference = vaa::test::read_golden("stats_reference.json");
  for (const Tree& c : reference["multiplicity"].items) {
    check_all(benjamini_hochberg(c.reals("p")), c.reals("bh"));
    check_all(holm(c.reals("p")), c.reals("holm"));
  }
}

TEST_CASE("multiplicity: the example of Benjamini and Hochberg", "[stats]") {
  for (const Tree& vector : vaa::test::verification_group("multiplicity")) {
    const std::vector<double> p = vector["inputs"].reals("p");
    check_all(benjamini_hochberg(p), vector["expected"].reals("bh"));
    check_all(holm(p), vector["expected"].reals("holm"));
    CHECK(rejected(benjamini_hochberg(p), 0.05) == vector["expected"].count("bh_rejects_at_0.05"));
    CHECK(rejected(holm(p), 0.05) == vector["expected"].count("holm_rejects_at_0.05"));
  }
}

TEST_CASE("multiplicity: none, and what is no p value", "[stats]") {
  CHECK(benjamini_hochberg({}).empty());
  CHECK(holm({}).empty());
  const std::vector<double> bad = {0.5, std::numeric_limits<double>::quiet_NaN()};
  try {
    holm(bad);
    FAIL("no failure");
  } catch (const vaa::Failure& failure) {
    CHECK(failure.message() == "holm: p[1] is nan, must be in [0, 1]");
  }
}
