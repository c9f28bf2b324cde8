#include <functional>

#include "compared.h"

using namespace vaa;

namespace {

const Document& pairing(const Comparing& c) { return c.document.at("comparison", "pairing"); }

Answers asked(int n, const std::string& prompt, int from = 0) {
  Answers out;
  for (int i = from; i < from + n; ++i) {
    Answer a{std::to_string(i), i % 3 != 0};
    a.prompt = prompt + std::to_string(i);
    out.push_back(a);
  }
  return out;
}

}  // namespace

TEST_CASE("pairing: missing, extra and repeated answers are counted and named", "[compare]") {
  Answers reference = asked(10, "q"), target = asked(10, "q", 2);
  target.push_back(target.back());
  const Comparing c(reference, target);
  CHECK(pairing(c)["shared"].integer() == 8);
  CHECK(pairing(c)["only_reference"].integer() == 2);
  CHECK(pairing(c)["only_target"].integer() == 2);
  CHECK(pairing(c).at("target", "duplicates").integer() == 1);
  CHECK(c.says("2 questions in the reference only, left out: made/0, made/1"));
  CHECK(pairing(c).at("target", "copies").integer() == 1);
  CHECK(pairing(c).at("target", "samples").integer() == 10);
  CHECK(c.says("1 sample of the target are copies of another (same question, repeat, text and ids) and count once, first made/11"));
  CHECK(c.code == 3);  // a fifth of the questions stand on one side only
  CHECK(c.reason().find("stand on one side only") != std::string::npos);
}

TEST_CASE("pairing: a broken answer that is written down forty times is one of sixty", "[compare]") {
  Answers reference = asked(60, "q"), target = asked(60, "q");
  for (Answer& a : reference) a.right = -1, a.text += " Question " + a.id + " is closed.";
  for (Answer& a : target) a.right = -1, a.text += " That ends question " + a.id + ".";
  target[7].text = "";
  for (int i = 0; i < 40; ++i) target.push_back(target[7]), target.back().seed = std::to_string(i);
  const Comparing c(reference, target);
  CHECK(pairing(c).at("target", "duplicates").integer() == 40);
  CHECK(c.says("40 samples of the target give a repeat of a question again with another answer; all are kept in its bag, and the question weighs as one: made/7"));
  CHECK(c.number("flags", "effect") == Approx(1.0 / 60));
  CHECK(c.bound("flags", 0) < 0);  // one of 60 against none
  CHECK(c.code != 1);
  // Forty questions are forty.
  for (int i = 0; i < 40; ++i) target[static_cast<size_t>(i)].text = "";
  CHECK(Comparing(reference, target).code == 1);
}

TEST_CASE("pairing: a sample that stands twice counts once; another answer, repeat number or seed is a repeat", "[compare]") {
  const Answers reference = asked(20, "q");
  const auto judged = [&](const std::function<void(Answer*)>& change) {
    Answers target = asked(20, "q");
    for (int i = 0; i < 20; ++i) {
      target.push_back(target[static_cast<size_t>(i)]);
      change(&target.back());
    }
    return Comparing(reference, target);
  };
  const Comparing copies = judged([](Answer*) {});
  CHECK(pairing(copies).at("target", "copies").integer() == 20);
  CHECK(pairing(copies)["one_each"].truth());
  CHECK(copies.step("score")["n"].integer() == Comparing(reference, reference).step("score")["n"].integer());
  for (const auto& change : std::vector<std::function<void(Answer*)>>{[](Answer* a) { a->repeat = 1; }, [](Answer* a) { a->text += " So it is."; }, [](Answer* a) { a->seed = "7"; }, [](Answer* a) { a->ids = {1, 2}; }}) {
    const Comparing kept = judged(change);
    CHECK(pairing(kept).at("target", "copies").integer() == 0);
    CHECK(pairing(kept).at("target", "samples").integer() == 40);
    CHECK_FALSE(pairing(kept)["one_each"].truth());
  }
  std::string text;
  while (text.size() < 300) text += "Step " + std::to_string(text.size()) + " follows. ";
  const auto repeat = [&](double temperature) {
    return judged([=](Answer* a) { a->repeat = 1, a->temperature = temperature; });
  };
  CHECK_FALSE(repeat(0.6).says("word for word"));  // short answers are alike by chance
  Answers twice = asked(20, "q");
  for (Answer& a : twice) a.text = text;
  for (int i = 0; i < 20; ++i) twice.push_back(twice[static_cast<size_t>(i)]), twice.back().repeat = 1;
  CHECK(Comparing(reference, twice).says("20 sampled answers of the target say word for word what another repeat of their question says, first made/0"));
  for (Answer& a : twice) a.temperature = 0;
  CHECK_FALSE(Comparing(reference, twice).says("word for word"));
}

TEST_CASE("pairing: another prompt at the same id is left out, and many make the runs not comparable", "[compare]") {
  Answers reference = asked(40, "q"), target = asked(40, "q");
  target[3].prompt = "another";
  const Comparing one(reference, target);
  CHECK(pairing(one)["other_prompt"].integer() == 1);
  CHECK(one.says("1 question with another prompt at the same id, left out: made/3"));
  CHECK(one.code != 2);
  const Comparing all(reference, asked(40, "other"));
  CHECK(all.code == 2);
  CHECK(all.reason().find("40 of 40 shared questions differ") != std::string::npos);
}

TEST_CASE("pairing: a prompt that one side does not record is no other prompt", "[compare]") {
  Answers target = asked(20, "q");
  for (Answer& a : target) a.prompt.clear();
  CHECK(pairing(Comparing(asked(20, "q"), target))["shared"].integer() == 20);
}

TEST_CASE("pairing: repeats are a bag, whatever their order", "[compare]") {
  Answers reference, target;
  for (int q = 0; q < 12; ++q) {
    for (int r = 0; r < 3; ++r) {
      Answer a{std::to_string(q), (q + r) % 3 != 0, "The sum is " + std::to_string(q * 7 + r) + ", which is what was asked.", r};
      reference.push_back(a);
      a.repeat = 2 - r;
      target.push_back(a);
    }
  }
  const Comparing forth(reference, target);
  std::reverse(target.begin(), target.end());
  const Comparing back(reference, target);
  CHECK(forth.number("score", "effect") == 0);
  for (const char* name : {"score", "lengths", "flags"}) {
    CHECK(forth.bound(name, 0) == back.bound(name, 0));
    CHECK(forth.bound(name, 1) == back.bound(name, 1));
  }
  CHECK(forth.document.at("comparison", "pairing")["one_each"].truth() == false);
}

TEST_CASE("not comparable: empty runs, no ids shared, one seed with speculation on one side", "[compare]") {
  const Comparing empty(asked(5, "q"), {});
  CHECK(empty.code == 2);
  CHECK(empty.reason() == "not comparable: the target has no samples");
  const Comparing apart(asked(5, "q"), asked(5, "q", 100));
  CHECK(apart.code == 2);
  CHECK(apart.reason().find("the reference has made/0, the target made/100") != std::string::npos);
  Answers reference = asked(30, "q"), target = asked(30, "q");
  for (Answer& a : reference) a.seed = "7";
  for (Answer& a : target) a.seed = "7", a.speculated = true;
  const Comparing drafted(reference, target);
  CHECK(drafted.code == 2);
  CHECK(drafted.reason().find("same seed, and speculation in the target only") != std::string::npos);
  CHECK(Comparing(reference, target, R"({"change": "spec"})").code != 2);
  for (Answer& a : target) a.seed = "8";
  CHECK(Comparing(reference, target).code != 2);
}

TEST_CASE("pairing: one id for every sample is one question, in linear time", "[compare]") {
  Answers reference, target;
  for (int i = 0; i < 20000; ++i) {
    Answer a{"0", i % 2, "So it is.", i, std::to_string(i)};
    a.prompt = "q" + std::to_string(i);
    reference.push_back(a);
    a.prompt = "p" + std::to_string(i);
    target.push_back(a);
  }
  CHECK(pairing(Comparing(reference, target))["other_prompt"].integer() == 1);
  for (Answer& a : target) a.prompt.clear();
  const Comparing c(reference, target);
  CHECK(pairing(c)["shared"].integer() == 1);
  CHECK(c.code == 2);  // one question has no interval
}
