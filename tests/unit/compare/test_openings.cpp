// Sampled answers with speculation and without: the law of their first tokens, and whether speculation ran.
#include <cmath>
#include <random>

#include "compare/spec_path.h"
#include "compared.h"

using namespace vaa;

namespace {

// `repeats` answers of four tokens to each question, every token 10 with chance p and else 20 + question.
Answers drawn(int questions, int repeats, double p, uint64_t seed, bool speculated, double temperature = 0.6) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> u(0, 1);
  Answers out;
  for (int q = 0; q < questions; ++q) {
    for (int r = 0; r < repeats; ++r) {
      Answer a{std::to_string(q)};
      a.repeat = r;
      a.text = "Answer " + std::to_string(q) + ", for the " + std::to_string(r) + ". time.";
      a.temperature = temperature;
      a.speculated = speculated;
      for (int t = 0; t < 4; ++t) a.ids.push_back(u(random) < p ? 10 : 20 + q);
      out.push_back(a);
    }
  }
  return out;
}
const std::string kSpec = R"({"change": "spec"})";

RunSide side_with(const Checker& checker, const std::string& header) {
  RunSide side(checker);
  side.header = header;
  return side;
}
std::string counted(const std::string& drafted, int tokens, const std::string& more = "") {
  return R"({"endpoint": "x", "counted": {"engines": [{"generation_tokens": 900, "spec": {"draft_tokens": )" + std::to_string(tokens) + R"(, "accepted_tokens": )" + std::to_string(tokens / 2) + "}}" + more + R"(]}, "proves": {"speculation": {"drafted": )" + drafted + "}}}";
}
std::string header_of(const std::string& servers) { return R"({"schema": "vaa.run/1", "counters": {"servers": [)" + servers + "]}}"; }

}  // namespace

TEST_CASE("openings: the squared distance is that of the laws, and one law passes", "[compare]") {
  const Comparing same(drawn(100, 64, 0.5, 1, false), drawn(100, 64, 0.5, 2, true), kSpec);
  CHECK(same.status("opening_law") == "pass");
  CHECK(same.code == 0);
  CHECK(same.document.at("comparison", "primary").text() == "law");
  CHECK(std::fabs(same.number("opening_law", "effect")) < 0.004);
  const Comparing other(drawn(100, 64, 0.5, 1, false), drawn(100, 64, 0.8, 2, true), kSpec);
  // 2 (0.8 - 0.5)^2 at every token
  CHECK(std::fabs(other.number("opening_law", "effect") - 0.18) < 0.02);
  CHECK(other.status("opening_law") == "fail");
  CHECK(other.code == 1);
  CHECK(other.document.at("comparison", "kinds").items()[0].text() == "speculation_changes_law");
  CHECK(other.step("opening_law").at("words", "en").text().find("begins with the first token") != std::string::npos);
}

TEST_CASE("openings: a difference that spares the first token is named as that of verified drafts", "[compare]") {
  Answers reference = drawn(40, 32, 0.5, 1, false), target = drawn(40, 32, 0.9, 2, true);
  const Answers right = drawn(40, 32, 0.5, 3, true);
  for (size_t i = 0; i < target.size(); ++i) target[i].ids[0] = right[i].ids[0];
  const Comparing c(reference, target, kSpec);
  CHECK(c.status("opening_law") == "fail");
  CHECK(c.step("opening_law").at("words", "en").text().find("it begins where drafts are verified; answers of the target agree with each other more often") != std::string::npos);
  CHECK(c.step("opening_law").at("words", "zh").text().find("差异始于草稿的验证") != std::string::npos);
}

TEST_CASE("openings: sides that drew the same numbers do not pass", "[compare]") {
  // 32 of the 1,024 pairs across agree for certain: 2 x (0.5 - 1) / 32 below what independent draws give.
  const Comparing c(drawn(40, 32, 0.5, 1, false), drawn(40, 32, 0.5, 1, true), kSpec);
  CHECK(c.number("opening_law", "effect") == Approx(-0.03125).margin(0.002));
  CHECK(c.status("opening_law") == "undecided");
  CHECK(c.code == 3);
  CHECK(c.reason().find("more alike than two of one side") != std::string::npos);
}

TEST_CASE("openings: repeats of one seed are one draw", "[compare]") {
  // Without that, 16 copies of one answer on each side would be 16 draws of two laws.
  Answers reference = drawn(30, 1, 0.5, 1, false), target = drawn(30, 1, 0.5, 2, true), left, right;
  for (int r = 0; r < 16; ++r) {
    for (size_t q = 0; q < reference.size(); ++q) {
      reference[q].repeat = target[q].repeat = r;
      reference[q].seed = target[q].seed = "7";
      left.push_back(reference[q]);
      right.push_back(target[q]);
    }
  }
  const Comparing c(left, right, kSpec);
  CHECK(c.status("opening_law") == "not_applicable");
  CHECK(c.code != 1);
}

TEST_CASE("openings: answers at another temperature are no draws of one law", "[compare]") {
  CHECK(Comparing(drawn(30, 8, 0.5, 1, false, 0.6), drawn(30, 8, 0.9, 2, true, 1.0), kSpec).status("opening_law") == "not_applicable");
  CHECK(Comparing(drawn(30, 8, 0.5, 1, false, 0), drawn(30, 8, 0.9, 2, true, 0), kSpec).status("opening_law") == "not_applicable");
}

TEST_CASE("openings: only where speculation is what changed", "[compare]") {
  const Comparing c(drawn(40, 32, 0.5, 1, false), drawn(40, 32, 0.9, 2, true));
  CHECK(c.status("opening_law") == "not_applicable");
  CHECK(c.status("speculation") == "not_applicable");
}

TEST_CASE("openings: the temperature of the first tokens is told by the reference's lists", "[compare]") {
  // Two tokens one nat apart: at temperature t the likelier one has 1 / (1 + exp(-1 / t)).
  const auto share = [](double t) { return 1 / (1 + std::exp(-1 / t)); };
  const double raw = std::log(share(1.0)), lesser = std::log(1 - share(1.0));
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> u(0, 1);
  Openings with_lists;
  sampler::TemperatureFit fit;
  for (int i = 0; i < 2000; ++i) {
    Sample s;
    s.set(TextField::kId, "1");
    s.set(RealField::kTemperature, 0.5);
    auto& ids = s.ids.put(IdsField::kOutputTokenIds);
    auto& top = s.ids.put(IdsField::kOutputTopIds);
    auto& logprobs = s.real_lists.put(RealsField::kOutputTopLogprobs);
    auto& ends = s.int_lists.put(IntsField::kOutputTopEnds);
    for (int t = 0; t < 3; ++t) {
      ids.push_back(u(random) < share(0.5) ? 4 : 9);
      top.insert(top.end(), {4, 9});
      logprobs.insert(logprobs.end(), {raw, lesser});
      ends.push_back(static_cast<int64_t>(top.size()));
    }
    Opening plain;
    plain.length = 3;
    plain.temperature = 0.5;
    for (size_t t = 0; t < 3; ++t) plain.ids[t] = u(random) < share(1.0) ? 4 : 9;  // drawn at temperature 1
    with_lists.add(s, 0);
    with_lists.add_to_fit(0, plain, static_cast<uint64_t>(i), &fit);
  }
  const auto found = fit.estimate(0.95);
  CHECK(fit.size() > 5000);
  CHECK((found.low < 1.0 && 1.0 < found.high));
  CHECK(found.high < 1.15);
}

TEST_CASE("speculation: what the counters of a capture prove", "[compare]") {
  const Checker checker("{}", nullptr);
  CHECK(spec_path(side_with(checker, "")).drafted == Drafted::kUnknown);
  const SpecPath ran = spec_path(side_with(checker, header_of(counted("true", 400))));
  CHECK(ran.drafted == Drafted::kYes);
  CHECK(ran.draft_tokens == 400);
  CHECK(spec_path_words(ran).en == "speculation ran: 400 tokens drafted, 200 accepted (50 %)");
  CHECK(spec_path(side_with(checker, header_of(counted("false", 0)))).drafted == Drafted::kNo);
  CHECK(spec_path(side_with(checker, header_of(counted("true", 400) + "," + counted("false", 0)))).drafted == Drafted::kPartly);
  CHECK(spec_path(side_with(checker, header_of(counted("true", 400, R"(, {"generation_tokens": 5, "spec": {"draft_tokens": 0}})")))).drafted == Drafted::kPartly);
  CHECK(spec_path(side_with(checker, header_of(counted("null", 0)))).drafted == Drafted::kUnknown);
  CHECK(spec_path(side_with(checker, header_of(R"({"endpoint": "x", "counted": null, "proves": null})"))).drafted == Drafted::kUnknown);
}

TEST_CASE("speculation: without evidence that it ran nothing passes, and what was not tested is not compared", "[compare]") {
  const Comparing unknown(drawn(100, 64, 0.5, 1, false), drawn(100, 64, 0.5, 2, false), kSpec);
  CHECK(unknown.code == 3);
  CHECK(unknown.reason().find("nothing shows that speculation ran") == 0);
  CHECK(Comparing(drawn(40, 32, 0.5, 1, false), drawn(40, 32, 0.9, 2, false), kSpec).code == 1);
  const Checker checker("{}", nullptr);
  const RunSide plain = side_with(checker, header_of(counted("false", 0))), drafting = side_with(checker, header_of(counted("true", 9))), silent = side_with(checker, "");
  const RunPairing pairing;
  const auto refused = [&](const RunSide& reference, const RunSide& target, const char* change) {
    return !why_no_speculation(ComparisonView{reference, target, pairing, find_margins(change)}).en.empty();
  };
  CHECK(refused(plain, plain, "spec"));
  CHECK(refused(silent, plain, "spec"));
  CHECK(!refused(drafting, plain, "spec"));
  CHECK(!refused(plain, drafting, "spec"));
  CHECK(!refused(plain, silent, "spec"));
  CHECK(!refused(plain, plain, "version"));
}

TEST_CASE("openings: seeds that several questions share neither pass nor fail, and it is said why", "[compare]") {
  Answers reference = drawn(40, 32, 0.5, 1, false), target = drawn(40, 32, 0.9, 2, true);
  const auto seed = [](Answers* answers, bool shared) {
    int64_t at = 0;
    for (Answer& a : *answers) a.seed = shared ? std::to_string(a.repeat) : std::to_string(at++);
  };
  seed(&reference, true), seed(&target, true);
  const Comparing shared(reference, target, kSpec);
  CHECK(shared.status("opening_law") == "undecided");
  CHECK(shared.code == 3);
  CHECK(shared.reason().find("have the same seed and draw the same numbers") != std::string::npos);
  seed(&reference, false), seed(&target, false);
  CHECK(Comparing(reference, target, kSpec).status("opening_law") == "fail");
}

TEST_CASE("openings: an estimate below 0 is no evidence of a small distance", "[compare]") {
  // Both sides have 10 twice and 20 twice: two of one side agree in 1 of 3, one of each in 1 of 2, so the distance of each question is -1/3 and has no spread.
  Answers reference, target;
  for (int q = 0; q < 12; ++q) {
    for (int r = 0; r < 4; ++r) {
      Answer a{std::to_string(q)};
      a.repeat = r;
      a.text = "Answer " + std::to_string(q) + ", for the " + std::to_string(r) + ". time.";
      a.ids = {r % 2 == 0 ? 10 : 20};
      if (q == 0 && r == 0) a.ids = {30};  // not all the same
      reference.push_back(a);
      a.speculated = true;
      target.push_back(a);
    }
  }
  const Comparing compared(reference, target, kSpec);
  CHECK(compared.number("opening_law", "effect") < -0.2);
  CHECK(compared.status("opening_law") != "pass");
}
