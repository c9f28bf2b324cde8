#include <cmath>
#include <set>

#include "capture/retry.h"
#include "catch.h"

using namespace vaa;
using namespace vaa::capture;
using Kind = HttpEnd::Kind;

namespace {

HttpEnd with_status(int status) {
  HttpEnd end;
  end.status = status;
  end.sent = end.began = true;
  return end;
}
HttpEnd broken(Kind kind, bool sent, bool began) {
  HttpEnd end;
  end.kind = kind;
  end.sent = sent;
  end.began = began;
  end.fault = "broke";
  return end;
}

}  // namespace

TEST_CASE("retry: only what says nothing of the question is asked again", "[capture]") {
  const std::set<int> again = {408, 429, 502, 503, 504};
  for (int status = 100; status < 600; ++status) CHECK(may_ask_again(with_status(status)) == (again.count(status) > 0));
  CHECK(may_ask_again(broken(Kind::kRefused, false, false)));
  CHECK(may_ask_again(broken(Kind::kName, false, false)));
  CHECK(may_ask_again(broken(Kind::kLost, true, false)));
  CHECK(may_ask_again(broken(Kind::kTimeout, false, false)));
  CHECK_FALSE(may_ask_again(broken(Kind::kLost, true, true)));
  CHECK_FALSE(may_ask_again(broken(Kind::kTimeout, true, false)));
  CHECK_FALSE(may_ask_again(broken(Kind::kIdle, true, false)));
  CHECK_FALSE(may_ask_again(broken(Kind::kTls, false, false)));
  CHECK_FALSE(may_ask_again(broken(Kind::kBroken, true, true)));
  CHECK_FALSE(may_ask_again(broken(Kind::kCancelled, true, false)));
}

TEST_CASE("retry: waits are drawn from an interval that doubles, the same for a place", "[capture]") {
  const RetryRules rules{10, 60};
  for (int tries = 1; tries <= 10; ++tries) {
    double sum = 0;
    for (uint64_t place = 0; place < 1000; ++place) {
      const Retry retry = next_try(with_status(503), tries, rules, place);
      REQUIRE(retry.again);
      const double bound = 0.5 * std::ldexp(1.0, tries);
      REQUIRE(retry.wait_s >= 0);
      REQUIRE(retry.wait_s < std::min(bound, 60.0) + (bound > 60 ? 1e-9 : 0));
      REQUIRE(retry.wait_s == next_try(with_status(503), tries, rules, place).wait_s);
      sum += retry.wait_s;
    }
    // Uniform on [0, b): mean b/2 with a standard error of b/sqrt(12000).
    const double bound = 0.5 * std::ldexp(1.0, tries);
    if (bound <= 60) CHECK(sum / 1000 == Approx(bound / 2).margin(5 * bound / std::sqrt(12000.0)));
  }
}

TEST_CASE("retry: Retry-After is waited for, and named where it goes over the longest wait", "[capture]") {
  HttpEnd end = with_status(429);
  end.retry_after_s = 20;
  const Retry retry = next_try(end, 1, {4, 60}, 3);
  CHECK(retry.again);
  CHECK(retry.wait_s >= 20);
  CHECK(retry.wait_s < 21);
  end.retry_after_s = 61;
  const Retry never = next_try(end, 1, {4, 60}, 3);
  CHECK_FALSE(never.again);
  CHECK(never.why_not == "not asked again: the server says Retry-After 61 s, max_retry_wait_s is 60 s");
}

TEST_CASE("retry: tries end, and say so", "[capture]") {
  CHECK(next_try(with_status(503), 4, {4, 60}, 0).again);
  const Retry last = next_try(with_status(503), 5, {4, 60}, 0);
  CHECK_FALSE(last.again);
  CHECK(last.why_not == "given up after 5 tries");
  CHECK(next_try(with_status(503), 1, {0, 60}, 0).why_not == "");
  CHECK(next_try(with_status(400), 1, {4, 60}, 0).why_not == "");
}

TEST_CASE("pace: requests begin evenly, lateness is made up for, a pause is not", "[capture]") {
  Pace pace(10);
  CHECK(pace.free_at() <= 100);
  pace.take(100);
  CHECK(pace.free_at() == Approx(100.1));
  pace.take(100.11);  // 10 ms late
  CHECK(pace.free_at() == Approx(100.2));
  pace.take(105);     // after a pause
  CHECK(pace.free_at() == Approx(105.1));
  Pace none(0);
  for (int i = 0; i < 10; ++i) {
    none.take(1);
    CHECK(none.free_at() <= 1);
  }
}
