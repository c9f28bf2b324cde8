#include "base/figures.h"

#include <cmath>
#include <limits>

#include "catch.h"

using namespace vaa;

TEST_CASE("figures: decimals are rounded and negative zero is zero", "[report]") {
  CHECK(fixed(1.005, 1) == "1.0");
  CHECK(fixed(-3.456, 2) == "-3.46");
  CHECK(fixed(0.05, 2) == "0.05");
  CHECK(fixed(-0.001, 2) == "0.00");
  CHECK(fixed(12, 0) == "12");
  CHECK(fixed(std::nan(""), 2) == "–");
  CHECK(fixed(std::numeric_limits<double>::infinity(), 2) == "–");
  CHECK(fixed(1e300, 2) == "–");
}

TEST_CASE("figures: thousands are grouped", "[report]") {
  CHECK(grouped(0) == "0");
  CHECK(grouped(999) == "999");
  CHECK(grouped(14042) == "14,042");
  CHECK(grouped(-1234567) == "-1,234,567");
  CHECK(grouped(std::numeric_limits<int64_t>::min()) == "-9,223,372,036,854,775,808");
}

TEST_CASE("figures: a share has the digits it deserves", "[report]") {
  CHECK(percent(0.1573) == "15.7 %");
  CHECK(percent(0.01) == "1 %");
  CHECK(percent(0.001) == "0.1 %");
  CHECK(percent(0.0002) == "0.02 %");
  CHECK(percent(0) == "0 %");
  CHECK(percent(1) == "100 %");
  CHECK(percent(0.1573, true) == "15.7%");
  CHECK(percent(std::nan("")) == "–");
  CHECK(percent_range(0.112, 0.214) == "11.2 to 21.4 %");
  CHECK(percent_range(0.112, 0.214, true) == "11.2%–21.4%");
  CHECK(points(-0.0303) == "-3.03");
}

TEST_CASE("figures: one of a kind has no plural", "[report]") {
  CHECK(counted(1, "answers") == "1 answer");
  CHECK(counted(2, "answers") == "2 answers");
  CHECK(counted(0, "answers") == "0 answers");
  CHECK(counted(1, "unreadable lines") == "1 unreadable line");
  CHECK(counted(1, "requests failed") == "1 request failed");
  CHECK(counted(1, "more") == "1 more");
}

TEST_CASE("figures: a small p has two digits and its power of ten", "[base]") {
  CHECK(small_probability(0.0421) == "0.0421");
  CHECK(small_probability(1.58e-7) == "1.6e-7");
  CHECK(small_probability(9.96e-5) == "1e-4");
  CHECK(small_probability(2e-300) == "2e-300");
  CHECK(small_probability(0) == "< 1e-300");
  CHECK(small_probability(1) == "1.0000");
}
