#include "capture/rungs.h"

#include "capture/json_members.h"
#include "capture/rung_table.h"
#include "catch.h"
#include "refused.h"
#include "run_of_ids.h"
#include "written_file.h"

using namespace vaa;
using namespace vaa::capture;
using vaa::capture::test::run_of_ids;

namespace {

Server server_of(const char* dialect) {
  Server server;
  server.url = server.endpoint = "http://127.0.0.1:1";
  server.dialect = find_dialect(dialect);
  server.model = "toy";
  server.logprobs = server.top_logprobs = server.token_ids = server.prompt_as_ids = 1;
  return server;
}

std::vector<Passage> read(const std::string& lines, const PassageChoice& choice, PassageCounts* counts) {
  const WrittenFile file(lines);
  return read_passages(file.path(), choice, nullptr, nullptr, counts);
}

Passage passage(std::vector<int32_t> ids, int64_t prompt) {
  Passage p;
  p.ids = std::move(ids);
  p.prompt_tokens = prompt;
  return p;
}

}  // namespace

TEST_CASE("rungs: an answer's ids begin with its prompt's", "[capture]") {
  PassageCounts counts;
  const auto passages = read(run_of_ids({40, 30}), {}, &counts);
  REQUIRE(passages.size() == 2);
  CHECK(passages[0].size() == 40);
  CHECK(passages[0].prompt_tokens == 20);
  CHECK(passages[0].ids[0] == 101);
  CHECK(passages[1].id == "1");
  CHECK(passages[1].dataset == "toy");
  CHECK_FALSE(passages[0].output_reencoded);
  CHECK(counts.usable == 2);
}

TEST_CASE("rungs: answers are chosen by id, by length and by drawing, and what is left out is counted", "[capture]") {
  const std::string run = run_of_ids({40, 30, 60, 50});
  PassageCounts counts;
  PassageChoice choice;
  choice.shortest = 45;
  CHECK(read(run, choice, &counts).size() == 2);
  CHECK(counts.too_short == 2);
  choice = {};
  choice.ids = {"2", "toy/3", "9"};
  const auto some = read(run, choice, &counts);
  REQUIRE(some.size() == 2);
  CHECK(some[0].id == "2");
  CHECK(counts.not_chosen == 2);
  REQUIRE(counts.problems.size() == 1);
  CHECK(counts.problems[0] == "ids: \"9\" is not in the run");
  choice = {};
  choice.sample = 2;
  const auto drawn = read(run, choice, &counts), again = read(run, choice, &counts);
  REQUIRE(drawn.size() == 2);
  CHECK(counts.usable == 4);
  CHECK(drawn[0].id == again[0].id);
  CHECK(drawn[1].id == again[1].id);
}

TEST_CASE("rungs: failed requests are no answers", "[capture]") {
  PassageCounts counts;
  CHECK(read(run_of_ids({40}) + R"({"schema": "vaa.record/1", "id": "x", "error": {"message": "refused"}})" + "\n", {}, &counts).size() == 1);
  CHECK(counts.failed == 1);
}

TEST_CASE("rungs: without recorded ids it is said how to get them", "[capture]") {
  PassageCounts counts;
  const std::string message = refused(VAA_ERROR_FORMAT, [&] { read(R"({"schema": "vaa.record/1", "id": "1", "prompt": {"text": "Hi"}, "output": {"text": "there"}})" "\n", {}, &counts); });
  CHECK(holds(message, "of 1, 1 have no prompt.token_ids and 1 no output.token_ids"));
  CHECK(holds(message, "`vaa ask --from "));
  CHECK(holds(message, "reencode"));
  PassageChoice choice;
  choice.shortest = 500;
  CHECK(holds(refused(VAA_ERROR_FORMAT, [&] { read(run_of_ids({40}), choice, &counts); }), "no answer is as long as 500 ids with its prompt (1 are shorter)"));
}

TEST_CASE("rungs: the request holds the first ids, is greedy, and asks for ids and logprobs but not for those of the prompt", "[capture]") {
  std::vector<Both> notes;
  const std::string body = rung_body(passage({5, 6, 7, 8, 9}, 2), 3, 32, server_of("vllm"), &notes);
  const auto members = json_members(body);
  CHECK(member_value(members, "prompt") == "[5, 6, 7]");
  CHECK(member_value(members, "max_tokens") == "32");
  CHECK(member_value(members, "temperature") == "0");
  CHECK(member_value(members, "logprobs") == "20");
  CHECK(member_value(members, "return_token_ids") == "true");
  CHECK(member_value(members, "ignore_eos") == "true");
  CHECK(member_value(members, "stream") == "false");
  for (const char* absent : {"prompt_logprobs", "seed", "min_tokens", "echo"}) CHECK(member_value(members, absent).empty());
}

TEST_CASE("rungs: a server that takes no ids as a prompt is refused by name", "[capture]") {
  std::vector<Both> notes;
  CHECK(holds(refused(VAA_ERROR_UNSUPPORTED, [&] { rung_body(passage({5, 6}, 1), 1, 32, server_of("mindie"), &notes); }), "takes no prompt of token ids at /v1/completions"));
}

TEST_CASE("rungs: beside the recorded answer stand rank and logprob of its id, where it has one", "[capture]") {
  Continuation said;
  said.ids = {9, 1};
  said.top_ids = {9, 7, 8, 1};
  said.top_logprobs = {-0.2, -1.5, -2.5, -0.1};
  said.top_ends = {3, 4};
  RecordedRow row;
  row.at = 3;
  Passage recorded = passage({5, 6, 4, 7}, 2);
  recorded.logprobs = {-0.3, -1.0};
  row.add(recorded, said);                        // the id 7 was written at 3: rank 2
  row.add(passage({5, 6, 4, 9}, 2), said);        // the same id
  row.add(passage({5, 6, 4, 2}, 2), said);        // outside the list
  row.add(passage({5, 6, 4, 7}, 4), said);        // in the prompt
  row.add(passage({5, 6, 4}, 2), said);           // at the end of the answer
  said.error = "refused";
  row.add(recorded, said);
  CHECK(row.asked == 5);
  CHECK(row.failed == 1);
  CHECK(row.in_prompt == 2);
  CHECK(row.same == 1);
  CHECK(row.listed == 2);
  CHECK(row.unlisted == 1);
  CHECK(row.ranks == std::vector<double>{2, 1});
  CHECK(row.logprobs == std::vector<double>{-1.5, -0.2});
  REQUIRE(row.shifts.size() == 1);
  CHECK(row.shifts[0] == Approx(0.5));
}

TEST_CASE("rungs: a ladder fails where suspects are surely over 1 % at a position, and never passes what it could not tell", "[capture]") {
  ComparedRow clean, few, many, untold;
  clean.compared = clean.alike = 20;
  few.compared = 200;
  few.suspect = 1;      // lower limit 0.013 %
  many.compared = 20;
  many.suspect = 5;
  untold.compared = 20;
  untold.no_evidence = 1;
  CHECK(ladder_verdict({clean}) == VAA_VERDICT_PASS);
  CHECK(ladder_verdict({clean, few}) == VAA_VERDICT_UNDECIDED);
  CHECK(ladder_verdict({clean, many}) == VAA_VERDICT_FAIL);
  CHECK(ladder_verdict({clean, untold}) == VAA_VERDICT_UNDECIDED);
  CHECK(ladder_verdict({ComparedRow()}) == VAA_VERDICT_NOT_CHECKED);
}

TEST_CASE("rungs: numbers in words", "[capture]") {
  CHECK(number_words(0.5, 2) == "0.50");
  CHECK(number_words(-1.27, 1) == "-1.3");
  CHECK(number_words(12.3456, 0) == "12");
  CHECK(number_words(-0.001, 2) == "0.00");
  CHECK(number_words(0.0999, 2) == "0.10");
}
