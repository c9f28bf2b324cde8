#include "judging.h"

using namespace vaa;
using judging::Given;

namespace {

std::vector<int32_t> run_of(int32_t id, size_t count, std::vector<int32_t> before = {}, std::vector<int32_t> after = {}) {
  before.insert(before.end(), count, id);
  before.insert(before.end(), after.begin(), after.end());
  return before;
}
const Vocab& vocab() {
  static const Vocab value = judging::make_vocab({"!", " the", "\n", "-", "7", " river", "", "<|endoftext|>", " end"}, {7});
  return value;
}
std::string reason(const judging::Verdicts& said) { return said.first("token_id_run").reason; }

}  // namespace

TEST_CASE("token_id_run: id 0 and the vocabulary's last, eight in a row", "[quality]") {
  const auto said = Given().text("The river!!!!!!!!").ids(run_of(0, 8, {1, 5})).finish("length").judge(&vocab());
  REQUIRE(said.failing("token_id_run"));
  const Finding& finding = said.first("token_id_run");
  CHECK(reason(said) == "id_0");
  CHECK(finding.part == Part::kSample);
  CHECK(finding.onset_token == 2);
  CHECK(finding.length_tokens == 8);
  CHECK(finding.count == 8);
  CHECK(finding.measure == 8);
  CHECK(finding.confidence == Confidence::kCertain);
  CHECK(reason(Given().ids(run_of(8, 8, {1, 5})).finish("length").judge(&vocab())) == "last_id");
  CHECK(Given().ids(run_of(0, 7, {1, 5})).finish("length").judge(&vocab()).clear("token_id_run"));
  CHECK(Given().ids(run_of(5, 8, {1, 2, 3, 4, 1, 2, 3})).finish("length").judge(&vocab()).clear("token_id_run"));
}

TEST_CASE("token_id_run: without a vocabulary sixteen make it certain", "[quality]") {
  CHECK(Given().ids(run_of(0, 15, {1, 5})).finish("length").judge().first("token_id_run").confidence == Confidence::kSuspected);
  CHECK(Given().ids(run_of(0, 16, {1, 5})).finish("length").judge().first("token_id_run").confidence == Confidence::kCertain);
}

TEST_CASE("token_id_run: a short output of one id", "[quality]") {
  const auto said = Given().ids(run_of(5, 12)).finish("length").judge(&vocab());
  REQUIRE(said.failing("token_id_run"));
  CHECK(reason(said) == "one_id");
  // From 40 bytes on it is repetition_loop's.
  CHECK(Given().text(" ice ice ice ice ice ice ice ice").ids(run_of(5, 8)).finish("length").judge().failing("token_id_run"));
}

TEST_CASE("token_id_run: white space, rules and digits come in rows by right", "[quality]") {
  for (const int32_t id : {2, 3, 4}) CHECK(Given().ids(run_of(id, 20)).finish("stop").judge(&vocab()).clear("token_id_run"));
  CHECK(Given().text("--------------------").ids(run_of(900, 20)).finish("stop").judge().clear("token_id_run"));
  const Vocab blank_first = judging::make_vocab({" ", "a", "b"}, {});
  CHECK(Given().ids(run_of(0, 20, {1})).finish("stop").judge(&blank_first).clear("token_id_run"));
}

TEST_CASE("token_id_run: a loop of another id is repetition_loop's", "[quality]") {
  const auto said = Given().ids(run_of(5, 500)).finish("length").judge(&vocab());
  CHECK(said.failing("repetition_loop"));
  CHECK(said.clear("token_id_run"));
}

TEST_CASE("token_id_run: padding behind an answer that ended", "[quality]") {
  const Vocab padded = judging::make_vocab({"<pad>", " the", " river", "<eos>"}, {0, 3});
  const auto said = Given().text("the river").ids(run_of(0, 20, {1, 2, 3})).judge(&padded);
  CHECK(reason(said) == "padding");
  CHECK_FALSE(said.failing("token_id_run"));
  CHECK(said.clear("special_token_leak"));
  CHECK(reason(Given().text("the river is wide").ids(run_of(0, 20, {1, 2, 3})).judge()) == "padding");
  CHECK(Given().text("the river").ids(run_of(0, 20, {1, 2})).finish("length").judge(&padded).failing("token_id_run"));
}

TEST_CASE("token_id_run: tokens without bytes, ids that no vocabulary has", "[quality]") {
  CHECK(reason(Given().text("the river").ids(run_of(6, 9, {1, 5}, {1, 5, 1})).finish("stop").judge(&vocab())) == "no_bytes");
  const auto negative = Given().text("the").ids({1, -1, -1, 5}).judge();
  CHECK(reason(negative) == "negative_id");
  CHECK(negative.first("token_id_run").onset_token == 1);
  CHECK(negative.first("token_id_run").count == 2);
  CHECK(negative.failing("token_id_run"));
  const auto outside = Given().text("the").ids({1, 5, 9, 400}).judge(&vocab());
  CHECK(reason(outside) == "outside_vocabulary");
  CHECK(outside.first("token_id_run").count == 2);
  CHECK(outside.first("token_id_run").confidence == Confidence::kSuspected);
}

TEST_CASE("token_id_run: a row that was asked for", "[quality]") {
  const auto said = Given().prompt("Repeat ! 20 times.").text("!!!!!!!!!!!!!!!!!!!!").ids(run_of(0, 20)).finish("stop").judge(&vocab());
  CHECK_FALSE(said.alarm("token_id_run"));
  CHECK(reason(said) == "asked");
}

TEST_CASE("token_id_run: unknown without ids, no without a run", "[quality]") {
  CHECK(Given().text("!!!!!!!!!!").judge().unknown("token_id_run"));
  CHECK(Given().ids({}).text("x").judge().clear("token_id_run"));
  CHECK(Given().ids({1, 5, 2, 0}).text("x").judge().clear("token_id_run"));
}
