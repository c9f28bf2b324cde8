// Ladder, bisection and asking again against the hash engine (hash_engine.h): the right positions are those that the test plants.
#include "capture/ladder.h"

#include <fstream>
#include <map>

#include "capture/again.h"
#include "capture/bisect.h"
#include "catch.h"
#include "refused.h"
#include "run_of_ids.h"
#include "written_file.h"

using namespace vaa;
using namespace vaa::capture;
using vaa::capture::test::HashEngine;
using vaa::capture::test::HashFault;
using vaa::capture::test::run_of_ids;

namespace {

Asker asker_of(const std::vector<const HashEngine*>& engines) {
  std::string options = R"({"engine": "vllm", "concurrency": 4, "urls": [)";
  for (size_t i = 0; i < engines.size(); ++i) options += (i ? ", \"" : "\"") + engines[i]->url() + "\"";
  return Asker(asker_options(options + "]}"));
}

std::string data_value(const AskReport& report, const std::string& key) {
  const std::string mark = "\"" + key + "\": ";
  const size_t at = report.data.rfind(mark);
  return at == std::string::npos ? "" : report.data.substr(at + mark.size(), report.data.find_first_of(",}]", at + mark.size()) - at - mark.size());
}

const std::vector<double>& column(const AskReport& report, const std::string& name) {
  for (const auto& [key, values] : report.tables.at(0).columns)
    if (key == name) return values;
  FAIL("no column " << name);
  return report.tables.at(0).columns.at(0).second;
}

int lines_of(const std::string& path) {
  std::ifstream in(path);
  std::string line;
  int lines = 0;
  while (std::getline(in, line)) ++lines;
  return lines;
}

// A name for output that does not exist, gone with the test.
class Output {
 public:
  Output() : file_("") { std::filesystem::remove(file_.path()); }
  const std::string& path() const { return file_.path(); }

 private:
  WrittenFile file_;
};

const std::vector<size_t> kSizes = {900, 950, 1000, 1000, 1050, 1100, 1200, 700, 300};

}  // namespace

TEST_CASE("ladder: positions past a fault part at the first token, those before it not at all", "[capture]") {
  const HashEngine a, b(HashFault{512});
  const WrittenFile run(run_of_ids(kSizes));
  const Output out;
  Asker asker = asker_of({&a, &b});
  const AskReport report = ladder(&asker, run.path(), out.path(), R"({"at": ["100,512", 500, 600], "tokens": 16})", nullptr);
  CHECK(report.verdict == VAA_VERDICT_FAIL);
  CHECK(column(report, "at") == std::vector<double>{100, 500, 512, 600});
  CHECK(column(report, "compared") == std::vector<double>{9, 8, 8, 8});
  CHECK(column(report, "suspect") == std::vector<double>{0, 8, 8, 8});
  CHECK(column(report, "first_suspect") == std::vector<double>{0, 0, 8, 8});
  CHECK(lines_of(out.path()) == 1 + 2 * (9 + 3 * 8));
}

TEST_CASE("ladder: a run that was begun goes on without asking twice", "[capture]") {
  HashEngine a, b(HashFault{512});
  const WrittenFile run(run_of_ids({900, 950, 1000}));
  const Output out;
  Asker asker = asker_of({&a, &b});
  const AskReport first = ladder(&asker, run.path(), out.path(), R"({"at": ["400"]})", nullptr);
  const int asked = a.rungs;
  const AskReport all = ladder(&asker, run.path(), out.path(), R"({"at": ["400,600"], "resume": true})", nullptr);
  CHECK(a.rungs == asked + 3);
  CHECK(data_value(all, "resumed") == "6");
  CHECK(column(all, "suspect") == std::vector<double>{0, 3});
  CHECK(holds(refused(VAA_ERROR_ARGUMENT, [&] { ladder(&asker, run.path(), out.path(), R"({"at": ["400"]})", nullptr); }), "resume"));
}

TEST_CASE("ladder: one server is held against what was recorded, and nothing is decided", "[capture]") {
  const HashEngine a(HashFault{512});
  const WrittenFile run(run_of_ids(kSizes));
  const Output out;
  Asker asker = asker_of({&a});
  const AskReport report = ladder(&asker, run.path(), out.path(), R"({"at": ["10,400,600"]})", nullptr);
  CHECK(report.verdict == VAA_VERDICT_UNDECIDED);
  CHECK(column(report, "in_prompt") == std::vector<double>{9, 0, 0});
  CHECK(column(report, "same")[1] == 8);
  CHECK(column(report, "same")[2] == 0);
  CHECK(column(report, "unlisted")[2] == 8);
}

TEST_CASE("ladder: records say where they come from", "[capture]") {
  const HashEngine a;
  const WrittenFile run(run_of_ids({900}));
  const Output out;
  Asker asker = asker_of({&a});
  ladder(&asker, run.path(), out.path(), R"({"at": ["400"], "tokens": 4})", nullptr);
  std::ifstream in(out.path());
  std::string header, record;
  std::getline(in, header);
  std::getline(in, record);
  CHECK(holds(header, "\"vaa ladder\""));
  CHECK(holds(record, "\"id\": \"0@400\""));
  CHECK(holds(record, R"("rung": {"of": "0", "dataset": "toy", "repeat": 0, "at": 400, "prompt_tokens": 20, "server": 0, "prompt_ids": "engine", "output_ids": "engine"})"));
  CHECK(record.size() < 4000);  // the 400 ids of the prompt stand in the run
}

TEST_CASE("ladder: ids that were not recorded are taken from the tokenizer when asked for, and marked", "[capture]") {
  const HashEngine a;  // its tokenizer makes 1, 2, 3 of any text
  const WrittenFile run(R"({"schema": "vaa.record/1", "id": "1", "prompt": {"messages": [{"role": "user", "content": "Hi"}]}, "output": {"text": "there"}})" "\n"
                        R"({"schema": "vaa.record/1", "id": "2", "prompt": {"text": "Hi"}, "output": {"text": "there", "reasoning": "hm"}})" "\n");
  const Output out;
  Asker asker = asker_of({&a});
  CHECK(holds(refused(VAA_ERROR_FORMAT, [&] { ladder(&asker, run.path(), out.path(), R"({"at": ["5"]})", nullptr); }), "of 2, 2 have no prompt.token_ids"));
  const AskReport report = ladder(&asker, run.path(), out.path(), R"({"at": ["5"], "reencode": true})", nullptr);
  CHECK(data_value(report, "reencoded") == "1");
  CHECK(holds(report.facts.at(1).en, "output ids: re-encoded for 1 answers"));
  std::ifstream in(out.path());
  std::string header, record;
  std::getline(in, header);
  std::getline(in, record);
  CHECK(holds(record, R"("prompt_ids": "re-encoded", "output_ids": "re-encoded")"));
  bool told = false;  // the second answer's reasoning stands apart
  for (const Section& section : report.sections)
    for (const SectionLine& line : section.lines) told = told || holds(line.text.en, "2: its reasoning is recorded apart from the answer");
  CHECK(told);
}

TEST_CASE("bisect: a planted fault is found to the token, with its path and number", "[capture]") {
  const HashEngine a, both(HashFault{641}), decode(HashFault{641, false, true}), prefill(HashFault{641, true, false});
  const WrittenFile run(run_of_ids(kSizes));
  struct Case {
    const HashEngine* engine;
    const char *prefill, *decode;
  };
  for (const Case& c : {Case{&both, "\"yes\"", "\"yes\""}, Case{&decode, "\"no\"", "\"yes\""}, Case{&prefill, "\"yes\"", "\"no\""}}) {
    const Output out;
    Asker asker = asker_of({&a, c.engine});
    const AskReport report = bisect(&asker, run.path(), out.path(), R"({"structure": ["window=640", "other=600"], "low": 20, "high": "700"})", nullptr);
    CHECK(report.verdict == VAA_VERDICT_FAIL);
    CHECK(report.reason.en == "B parts from A from position 641 on");
    CHECK(holds(report.data, R"("lo": 640, "hi": 641)"));
    CHECK(holds(report.data, std::string(R"("prefill": {"shows": )") + c.prefill));
    CHECK(holds(report.data, std::string(R"("decode": {"shows": )") + c.decode));
    CHECK(holds(report.data, R"("name": "window", "number": 640, "offset": 1)"));
    CHECK_FALSE(holds(report.data, "\"other\""));
  }
}

TEST_CASE("bisect: two equal servers have no difference, with the size that would have been seen", "[capture]") {
  const HashEngine a, b;
  const WrittenFile run(run_of_ids(kSizes));
  const Output out;
  Asker asker = asker_of({&a, &b});
  const AskReport report = bisect(&asker, run.path(), out.path(), "{}", nullptr);
  CHECK(report.verdict == VAA_VERDICT_PASS);
  // 8 answers reach 700, none parts: 1 - 0.05^(1/8) = 31 %.
  CHECK(holds(report.reason.en, "a fault in 31 % of answers would have been seen (95 %, 8 answers at 700)"));
}

TEST_CASE("bisect: without logprobs a parting is not called a fault", "[capture]") {
  const HashEngine a({}, false), b(HashFault{512}, false);
  const WrittenFile run(run_of_ids(kSizes));
  const Output out;
  Asker asker = asker_of({&a, &b});
  const AskReport report = bisect(&asker, run.path(), out.path(), "{}", nullptr);
  CHECK(report.verdict == VAA_VERDICT_UNDECIDED);
  CHECK(holds(report.reason.en, "without logprobs a near tie cannot be told from a fault"));
  CHECK(holds(report.data, R"("lo": 511, "hi": 512)"));
}

TEST_CASE("bisect: what it cannot search is refused", "[capture]") {
  const HashEngine a, b;
  const WrittenFile run(run_of_ids({300, 400}));
  const Output out;
  Asker one = asker_of({&a}), two = asker_of({&a, &b});
  const auto said = [&](Asker* asker, const char* options, vaa_status status) { return refused(status, [&] { bisect(asker, run.path(), out.path(), options, nullptr); }); };
  CHECK(holds(said(&one, "{}", VAA_ERROR_ARGUMENT), "it takes two"));
  CHECK(holds(said(&two, R"({"high": "400", "low": "500"})", VAA_ERROR_OPTION), "low: 500 must be below high, which is 400"));
  CHECK(holds(said(&two, R"({"high": "1K"})", VAA_ERROR_FORMAT), "no answer is as long as 1024"));
  CHECK(holds(said(&two, R"({"config": "/no/such/config.json"})", VAA_ERROR_NOT_FOUND), "/no/such/config.json"));
  CHECK(holds(said(&two, R"({"structure": ["window"]})", VAA_ERROR_OPTION), "name=number"));
  CHECK_FALSE(std::filesystem::exists(out.path()));
}

TEST_CASE("again: each case so often on each server at each concurrency, and not again when resumed", "[capture]") {
  const HashEngine a, b;
  const WrittenFile cases(R"({"custom_id": "toy/1/0", "method": "POST", "url": "/v1/completions", "body": {"prompt": "one", "max_tokens": 4}})" "\n"
                          R"({"custom_id": "toy/2/0", "method": "POST", "url": "/v1/completions", "body": {"prompt": "two", "max_tokens": 4}})" "\n");
  const Output out;
  Asker asker = asker_of({&a, &b});
  const char* options = R"({"repeat": 5, "concurrencies": [1, 4], "flag": "empty", "stream": false})";
  const AskReport report = ask_again(&asker, cases.path(), out.path(), options, nullptr);
  CHECK(report.verdict == VAA_VERDICT_PASS);
  CHECK(data_value(report, "answered") == "40");
  CHECK(column(report, "counted") == std::vector<double>(8, 5));
  CHECK(column(report, "distinct") == std::vector<double>(8, 1));
  CHECK(lines_of(out.path()) == 41);
  const AskReport again = ask_again(&asker, cases.path(), out.path(), R"({"repeat": 6, "concurrencies": ["1", "4"], "flag": "empty", "stream": false, "resume": true})", nullptr);
  CHECK(data_value(again, "resumed") == "40");
  CHECK(data_value(again, "answered") == "8");
}

TEST_CASE("again: a stop rule ends the asking of a case that is bad", "[capture]") {
  const HashEngine a;
  const WrittenFile cases(R"({"custom_id": "toy/1/0", "method": "POST", "url": "/v1/completions", "body": {"prompt": "one", "max_tokens": 4}})" "\n");
  const Output out;
  Asker asker = asker_of({&a});
  // Every answer is cut by its limit of tokens.
  const AskReport report = ask_again(&asker, cases.path(), out.path(), R"({"repeat": 50, "concurrencies": ["1"], "flag": "truncated", "stop_after": 3, "stream": false})", nullptr);
  CHECK(report.verdict == VAA_VERDICT_FAIL);
  CHECK(column(report, "bad") == std::vector<double>{3});
  CHECK(column(report, "counted") == std::vector<double>{3});
  CHECK(data_value(report, "answered") == "3");
  CHECK(holds(refused(VAA_ERROR_OPTION, [&] { ask_again(&asker, cases.path(), out.path(), R"({"concurrencies": ["many"]})", nullptr); }), "\"many\" is no concurrency"));
}
