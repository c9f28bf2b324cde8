// Shapes of rows and chances of acceptance that a test works out by hand (sampling.md §2, sampling.json).
#include "reject/steps/step_row.h"

#include <cmath>

#include "base/failure.h"
#include "catch.h"
#include "reject/bug_laws/bug_law.h"
#include "reject/steps/row_law.h"

using namespace vaa;

namespace {

using Ids = std::vector<int32_t>;

StepHeader header(const std::string& more = "") { return step_header(R"({"vocab_size": 10, "draft_probs": "one_hot")" + more + "}", "test"); }

RowShape shape(const Ids& drafts, const Ids& ids, bool trimmed = false) { return shape_of(drafts, ids, 10, trimmed).shape; }

std::vector<double> chances(const StepHeader& of, const std::vector<float>& p, const std::vector<float>& q, const std::vector<float>& entropy) {
  Ids drafts(p.size(), 1);
  StepRow row;
  row.drafts = drafts, row.p = p, row.q = q, row.entropy = entropy;
  row.recorded = static_cast<uint8_t>(StepRow::kP | (q.empty() ? 0 : StepRow::kQ) | (entropy.empty() ? 0 : StepRow::kEntropy));
  std::vector<double> out(p.size());
  accept_chances(row, of, nullptr, out);
  return out;
}

double product_rule(const std::vector<double>& p, size_t count) {
  const Ids drafts(p.size(), 1);
  const std::vector<double> q(p.size(), 1);
  return find_bug_law("D06")->accepted({true, 1, drafts, {}, p, q, p, nullptr}, count);
}

}  // namespace

TEST_CASE("step row: the shapes of sampling.json I01", "[reject]") {
  const Ids drafts = {5, 7, 9};
  CHECK(shape(drafts, {5, 7, 9, 2}) == RowShape::kRight);
  CHECK(shape(drafts, {5, 8, -1, -1}) == RowShape::kRight);
  CHECK(shape(drafts, {5, 7, -1, -1}) == RowShape::kRecoveredEqualsDraft);
  CHECK(shape(drafts, {5, -1, 8, -1}) == RowShape::kHole);
  CHECK(shape(drafts, {-1, -1, -1, -1}) == RowShape::kEmpty);
  CHECK(shape(drafts, {6, 7, 9, 2}) == RowShape::kTokensAfterRejection);
  CHECK(shape(drafts, {5, 10, -1, -1}) == RowShape::kOutOfVocabulary);
  CHECK(shape({}, {4}) == RowShape::kRight);
  CHECK(shape({}, {4, 5}) == RowShape::kTokensAfterRejection);
}

TEST_CASE("step row: what a row says of its drafts, and a row that was cut says no more than it has", "[reject]") {
  const ShapedRow rejected = shape_of(Ids{5, 7, 9}, Ids{5, 8}, 10, false);
  CHECK((rejected.accepted == 1 && rejected.judged == 2));
  const ShapedRow all = shape_of(Ids{5, 7, 9}, Ids{5, 7, 9, 1}, 10, false);
  CHECK((all.accepted == 3 && all.judged == 3));
  const ShapedRow again = shape_of(Ids{5, 7, 9}, Ids{5, 7}, 10, false);  // the draft 7 was rejected, and came out in its own place
  CHECK((again.accepted == 1 && again.judged == 2));
  const ShapedRow cut = shape_of(Ids{5, 7, 9}, Ids{5, 7}, 10, true);
  CHECK((cut.shape == RowShape::kRight && cut.accepted == 2 && cut.judged == 2));
  CHECK(shape({5}, {}, true) == RowShape::kRight);
}

TEST_CASE("step row: chances of acceptance by the declared rule", "[reject]") {
  CHECK(chances(header(), {0.25F, 1}, {}, {}) == std::vector<double>{0.25, 1});
  const StepHeader drawn = step_header(R"({"vocab_size": 10, "draft_probs": "recorded"})", "test");
  CHECK(chances(drawn, {0.25F, 0.5F}, {0.5F, 0.25F}, {}) == std::vector<double>{0.5, 1});
  CHECK(std::isnan(chances(drawn, {0.25F}, {0}, {})[0]));  // engines differ
  CHECK(std::isnan(chances(step_header(R"({"vocab_size": 10})", "test"), {0.25F}, {}, {})[0]));
  CHECK(chances(step_header(R"({"vocab_size": 10, "draft_probs": "recorded", "rule": "exact_match"})", "test"), {0.25F}, {0.5F}, {})[0] == 0.25);
  // D12 and D11: H of (1/2, 1/4, 1/8, 1/8) is 1.213.
  CHECK(chances(header(R"(, "rule": "entropy")"), {0.25F}, {}, {1.2130F})[0] == Approx(0.4061).margin(1e-4));
  CHECK(chances(header(R"(, "rule": "typical", "typical_epsilon": 0.2, "typical_delta": 0.5)"), {0.25F, 0.125F}, {}, {1.2130F, 1.2130F}) == std::vector<double>{1, 0});
  CHECK(chances(header(R"(, "rule": "synthetic", "synthetic_rates": [0.8, 0.4])"), {0.25F, 0.25F, 0.25F}, {}, {}) == std::vector<double>{0.8, 0.5, 0});
}

TEST_CASE("step row: block verification of drafts that have a law, worked out in D05", "[reject]") {
  const StepHeader of = step_header(R"({"vocab_size": 2, "draft_probs": "recorded", "rule": "block"})", "test");
  const std::vector<double> p = {1 / 3., 2 / 3., 1 / 3., 2 / 3., 1 / 3., 2 / 3.}, q = {2 / 3., 1 / 3., 2 / 3., 1 / 3.};
  const auto law = [&](const Ids& drafts) {
    std::vector<float> mine, theirs;
    for (const int32_t d : drafts) mine.push_back(static_cast<float>(p[static_cast<size_t>(d)])), theirs.push_back(static_cast<float>(q[static_cast<size_t>(d)]));
    StepRow row;
    row.drafts = drafts, row.p = mine, row.q = theirs, row.recorded = StepRow::kP | StepRow::kQ;
    std::vector<double> out(2);
    const FullRows full{p, q, 2, {}, {}};
    accept_chances(row, of, &full, out);
    return out;
  };
  // h of "00" is (0, 1/4): some place is taken with 1/4, and then it is the last one.
  CHECK(law({0, 0})[0] == Approx(0.25));
  CHECK(law({0, 0})[1] == Approx(1));
  // h of "10" is (1, 1/2).
  CHECK(law({1, 0})[0] == Approx(1));
  CHECK(law({1, 0})[1] == Approx(0.5));
  CHECK(law({0, 1})[0] == Approx(1));
}

TEST_CASE("step row: the product rule's law, closed and by the vectors D06 and D07", "[reject]") {
  CHECK(product_rule({0.5, 0.5, 0.5}, 3) == Approx(0.655).margin(5e-4));
  CHECK(product_rule({0.5, 0.5, 0.5}, 0) == Approx(1 - 0.763).margin(5e-4));
  CHECK(product_rule({1, 1, 0.5}, 3) == Approx(0.9667).margin(1e-4));
  double sum = 0;
  for (size_t count = 0; count <= 4; ++count) sum += product_rule({0.9, 0.3, 0.7, 0.05}, count);
  CHECK(sum == Approx(1));
  // Two drafts: none where u1 > P1 and u1 u2 > P2, which is the integral of 1 - P2 / u from P1 to 1.
  CHECK(product_rule({0.6, 0.5}, 0) == Approx(0.4 + 0.3 * std::log(0.6)));
  CHECK(std::isnan(product_rule({0.5}, 0)));
}

TEST_CASE("step row: what contradicts itself is named", "[reject]") {
  StepRow row;
  const Ids drafts = {3, 11};
  row.drafts = drafts;
  CHECK(row_fault(row, header()) == "draft id 11 lies outside the vocabulary of 10");
  const Ids good = {3, -1};
  row.drafts = good;
  CHECK(row_fault(row, header()).empty());
  row.recorded = StepRow::kP;
  CHECK(row_fault(row, header()).find("one number for each of 2 drafts") != std::string::npos);
  row.recorded = 0, row.temperature = std::nanf("");
  CHECK(row_fault(row, header()).find("temperature") != std::string::npos);
}

TEST_CASE("step header: unknown members, wrong values and a missing vocabulary are refused", "[reject]") {
  const auto message = [](const char* json) {
    try {
      step_header(json, "header");
    } catch (const Failure& failure) {
      return failure.message();
    }
    return std::string();
  };
  CHECK(message("{}") == "header: vocab_size: is needed");
  CHECK(message(R"({"vocab_size": 10, "draft_prob": "one_hot"})").find("did you mean draft_probs") != std::string::npos);
  CHECK(message(R"({"vocab_size": 10, "rule": "magic"})").find("rule") != std::string::npos);
  CHECK(message(R"({"vocab_size": 10, "rule": "synthetic"})").find("synthetic_rates") != std::string::npos);
  CHECK(message(R"({"vocab_size": 10, "rule": "synthetic", "synthetic_rates": [0.5, 0.6]})").find("synthetic_rates") != std::string::npos);
  CHECK(message(R"({"vocab_size": 10, "extra": {"any": [1]}, "sampling": {"temperature": 0.6}, "part": 3})").empty());
}
