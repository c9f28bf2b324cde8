// logprob_invalid, low_logprob and entropy_collapse.
#include <cmath>
#include <limits>

#include "judging.h"

using namespace vaa;
using judging::Given;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN(), kInfinity = std::numeric_limits<double>::infinity();

Given with(std::vector<double> logprobs, const char* mode = "raw_logprobs") {
  Given given;
  given.text("The river.").finish("stop").set(TextField::kLogprobsMode, mode);
  std::vector<int32_t> ids;
  for (size_t i = 0; i < logprobs.size(); ++i) ids.push_back(static_cast<int32_t>(i % 50 + 1));
  given.ids(std::move(ids));
  given.sample.real_lists.put(RealsField::kOutputLogprobs) = std::move(logprobs);
  return given;
}
// `values` in the middle of plain ones.
std::vector<double> among(std::vector<double> values, double plain = -0.5, size_t around = 40) {
  values.insert(values.begin(), around, plain);
  values.insert(values.end(), around, plain);
  return values;
}
// The top lists of each token: the chosen one, then `others`.
Given& add_top(Given* given, const std::vector<double>& others) {
  std::vector<int32_t> ids;
  std::vector<double> values;
  std::vector<int64_t> ends;
  for (const double chosen : given->sample.real_lists.get(RealsField::kOutputLogprobs)) {
    values.push_back(chosen);
    values.insert(values.end(), others.begin(), others.end());
    ends.push_back(static_cast<int64_t>(values.size()));
  }
  ids.resize(values.size(), 1);
  given->sample.ids.put(IdsField::kOutputTopIds) = ids;
  given->sample.real_lists.put(RealsField::kOutputTopLogprobs) = values;
  given->sample.int_lists.put(IntsField::kOutputTopEnds) = ends;
  return *given;
}
std::string reason(const judging::Verdicts& said, const char* flag) { return said.first(flag).reason; }

}  // namespace

TEST_CASE("logprob_invalid: values that no softmax gives", "[quality]") {
  for (const auto& [value, why] : std::vector<std::pair<double, const char*>>{
           {kNan, "nan"}, {-9999.0, "minus_infinity"}, {-kInfinity, "minus_infinity"}, {0.25, "positive"}, {kInfinity, "positive"}}) {
    INFO(value);
    const auto said = with(among({value, -0.1, value})).judge();
    REQUIRE(said.failing("logprob_invalid"));
    CHECK(reason(said, "logprob_invalid") == why);
    CHECK(said.first("logprob_invalid").onset_token == 40);
    CHECK(said.first("logprob_invalid").count == 2);
    CHECK(said.first("logprob_invalid").confidence == Confidence::kCertain);
    CHECK(said.clear("low_logprob"));
  }
  CHECK(with(among({0.0, 1e-6, -30.0})).judge().clear("logprob_invalid"));
}

TEST_CASE("logprob_invalid: positive ones may be logits", "[quality]") {
  Given unsaid = with(among({3.5}));
  unsaid.sample.texts.unset(TextField::kLogprobsMode);
  CHECK(unsaid.judge().first("logprob_invalid").confidence == Confidence::kSuspected);
  const auto logits = with(among({3.5}), "raw_logits").judge();
  for (const char* flag : {"logprob_invalid", "low_logprob", "entropy_collapse"}) CHECK(logits.unknown(flag));
}

TEST_CASE("logprob_invalid: as many as the ids, but for the stop token", "[quality]") {
  const auto judge = [](size_t logprobs, size_t ids, const char* finish) {
    Given given = with(std::vector<double>(logprobs, -0.5));
    given.ids(std::vector<int32_t>(ids, 3)).finish(finish);
    return given.judge();
  };
  CHECK(judge(20, 20, "length").clear("logprob_invalid"));
  CHECK(judge(20, 21, "stop").clear("logprob_invalid"));
  CHECK(judge(21, 20, "stop").clear("logprob_invalid"));
  CHECK(judge(20, 21, "length").failing("logprob_invalid"));
  const auto more = judge(25, 20, "stop");
  CHECK(reason(more, "logprob_invalid") == "length");
  CHECK(more.first("logprob_invalid").measure == 25);
  CHECK(more.first("logprob_invalid").threshold == 20);
}

TEST_CASE("logprob_invalid: lists of the top whose ends do not fit", "[quality]") {
  Given given = with(std::vector<double>(20, -0.5));
  CHECK(add_top(&given, {-1, -2}).judge().clear("logprob_invalid"));
  given.sample.int_lists.put(IntsField::kOutputTopEnds)[7] = 900;
  CHECK(reason(given.judge(), "logprob_invalid") == "top_lists");
  add_top(&given, {-1, -2});
  given.sample.int_lists.put(IntsField::kOutputTopEnds).resize(10);
  given.sample.real_lists.put(RealsField::kOutputTopLogprobs).resize(30);
  CHECK(reason(given.judge(), "logprob_invalid") == "top_length");
}

TEST_CASE("low_logprob: 32 tokens below -4 on average", "[quality]") {
  CHECK(with(among(std::vector<double>(32, -3.99))).judge().clear("low_logprob"));
  const auto said = with(among(std::vector<double>(32, -4.5))).judge();
  REQUIRE(said.alarm("low_logprob"));
  const Finding& finding = said.first("low_logprob");
  CHECK(reason(said, "low_logprob") == "mean");
  CHECK(finding.severity == Severity::kWarn);
  CHECK(finding.confidence == Confidence::kSuspected);
  CHECK(finding.onset_token == 40);
  CHECK(finding.length_tokens == 32);
  CHECK(finding.measure == Approx(-4.5));
  CHECK(finding.threshold == -4);
  CHECK(with(among(std::vector<double>(20, -6.0))).judge().clear("low_logprob"));  // (20 * 6 + 12 * 0.5) / 32 = 3.94
}

TEST_CASE("low_logprob: uniform draws", "[quality]") {
  const Vocab vocab = judging::make_vocab(std::vector<std::string>(1000, "a"), {});
  const double uniform = -std::log(1000.0);
  const auto said = with(among(std::vector<double>(32, uniform))).judge(&vocab);
  REQUIRE(said.failing("low_logprob"));
  CHECK(reason(said, "low_logprob") == "uniform");
  CHECK(said.first("low_logprob").confidence == Confidence::kCertain);
  CHECK(said.first("low_logprob").threshold == Approx(uniform + 0.5));
  CHECK_FALSE(with(among(std::vector<double>(32, uniform))).judge().failing("low_logprob"));
  CHECK(with(among(std::vector<double>(32, -11.93))).judge().failing("low_logprob"));  // ln 151,936
}

TEST_CASE("low_logprob: sixteen tokens in a row outside the top that was returned", "[quality]") {
  const auto judge = [](size_t count, const std::vector<double>& others) {
    Given given = with(among(std::vector<double>(count, -3.5)));
    return add_top(&given, others).judge();
  };
  const std::vector<double> five = {-1.5, -1.6, -1.7, -1.8, -1.9};
  CHECK(judge(15, five).clear("low_logprob"));
  const auto said = judge(16, five);
  CHECK(said.failing("low_logprob"));
  CHECK(reason(said, "low_logprob") == "outside_top");
  CHECK(said.first("low_logprob").onset_token == 40);
  CHECK(said.first("low_logprob").length_tokens == 16);
  CHECK(judge(16, {-1.5, -1.6, -1.7}).clear("low_logprob"));
}

TEST_CASE("low_logprob: a high temperature draws such tokens by right", "[quality]") {
  Given given = with(among(std::vector<double>(32, -6.0)));
  given.sample.set(RealField::kTemperature, 1.5);
  CHECK_FALSE(given.judge().alarm("low_logprob"));
  CHECK(reason(given.judge(), "low_logprob") == "temperature");
}

TEST_CASE("entropy_collapse: 3,000 tokens in a row above 0.99", "[quality]") {
  const double sure = std::log(0.995), unsure = std::log(0.985);
  CHECK(with(among(std::vector<double>(2999, sure))).judge().clear("entropy_collapse"));
  const auto said = with(among(std::vector<double>(3000, sure))).judge();
  REQUIRE(said.alarm("entropy_collapse"));
  CHECK_FALSE(said.failing("entropy_collapse"));
  CHECK(said.first("entropy_collapse").onset_token == 40);
  CHECK(said.first("entropy_collapse").length_tokens == 3000);
  CHECK(said.first("entropy_collapse").measure == 3000);
  CHECK(said.first("entropy_collapse").threshold == 3000);
  std::vector<double> broken(4000, sure);
  broken[2000] = unsure;
  CHECK(with(broken).judge().clear("entropy_collapse"));
}

TEST_CASE("entropy_collapse: unknown with processed log-probabilities, with zeros alone, and with none", "[quality]") {
  CHECK(with(std::vector<double>(4000, -0.001), "processed_logprobs").judge().unknown("entropy_collapse"));
  CHECK(with(std::vector<double>(4000, 0.0)).judge().unknown("entropy_collapse"));
  const auto none = Given().text("The river.").ids({1, 2}).judge();
  for (const char* flag : {"logprob_invalid", "low_logprob", "entropy_collapse"}) CHECK(none.unknown(flag));
  const auto empty = with({}).judge();
  for (const char* flag : {"logprob_invalid", "low_logprob", "entropy_collapse"}) CHECK(empty.unknown(flag));
}
