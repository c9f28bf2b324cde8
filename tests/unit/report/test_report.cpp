#include "report/report.h"

#include "base/failure.h"
#include "catch.h"
#include "report/check.h"
#include "report/document.h"
#include "report/words.h"

using namespace vaa;

namespace {

Report sample_report() {
  return Report(Verdict::kFail, R"({"counts":{"samples":198,"a/b":2,"m~n":3,"":4},"list":[10,{"x":1.5},true,false,null,"text"],"verdict":{"code":1}})",
                {{"checks", {{"n", {1, 2}}, {"k", {0, 1}}}}}, "");
}
vaa_status status_of(const Report& report, const char* pointer) {
  try {
    report.number(pointer);
  } catch (const Failure& failure) {
    CHECK(failure.message().find("pointer: ") == 0);
    return failure.status();
  }
  return VAA_OK;
}

}  // namespace

TEST_CASE("report: numbers by JSON pointer, escapes of RFC 6901 too", "[report]") {
  const Report report = sample_report();
  CHECK(report.number("/counts/samples") == 198);
  CHECK(report.number("/counts/a~1b") == 2);
  CHECK(report.number("/counts/m~0n") == 3);
  CHECK(report.number("/counts/") == 4);
  CHECK(report.number("/list/0") == 10);
  CHECK(report.number("/list/1/x") == 1.5);
  CHECK(report.number("/list/2") == 1);
  CHECK(report.number("/list/3") == 0);
}

TEST_CASE("report: a pointer that leads nowhere is not found, one to no number or no pointer is an argument", "[report]") {
  const Report report = sample_report();
  for (const char* nowhere : {"/count", "/counts/samples/0", "/list/6", "/list/01", "/list/-", "/list/-1", "/list/x", "/list/99999999999999999999", "/"}) {
    CAPTURE(nowhere);
    CHECK(status_of(report, nowhere) == VAA_ERROR_NOT_FOUND);
  }
  for (const char* wrong : {"", "/counts", "/list", "/list/4", "/list/5", "counts", "/counts/a~2b", "/counts/~"}) {
    CAPTURE(wrong);
    CHECK(status_of(report, wrong) == VAA_ERROR_ARGUMENT);
  }
}

TEST_CASE("report: columns by name, and the names there are where there is none", "[report]") {
  const Report report = sample_report();
  CHECK(report.column("checks", "k") == std::vector<double>{0, 1});
  try {
    report.column("checks", "rate");
    FAIL("no failure");
  } catch (const Failure& failure) {
    CHECK(failure.status() == VAA_ERROR_NOT_FOUND);
    CHECK(failure.message() == "column: table checks has no column \"rate\"; there are n, k");
  }
  CHECK_THROWS_AS(report.column("scores", "n"), Failure);
}

TEST_CASE("document: what is missing answers empty, at any depth", "[report]") {
  const Document document = Document::parse(R"({"a":{"b":[1,"x",null,{"c":true}]},"n":-3.5})");
  CHECK(document["a"]["b"].items()[1].text() == "x");
  CHECK(document["a"]["b"].items()[3]["c"].truth());
  CHECK(document["n"].number() == -3.5);
  CHECK(document["n"].integer() == -3);
  CHECK(std::isnan(document["z"]["y"]["x"].number()));
  CHECK_FALSE(document["a"]["b"].items()[2].there());
  CHECK(document["z"].items().empty());
  CHECK_THROWS_AS(Document::parse("{\"a\":"), Failure);
  CHECK_THROWS_AS(Document::parse(""), Failure);
}

TEST_CASE("words: every word is there in both languages", "[report]") {
  for (size_t i = 0; i < kWordCount; ++i) {
    CAPTURE(i);
    CHECK(*word(static_cast<Word>(i), false) != '\0');
    CHECK(*word(static_cast<Word>(i), true) != '\0');
  }
}

TEST_CASE("check: its numbers stand in the table and the document, unknown ones as null", "[report]") {
  Check check;
  check.name = "empty";
  check.severity = "fail";
  check.n = 198;
  check.k = 3;
  check.rate = 3.0 / 198;
  check.status = Verdict::kPass;
  std::string text;
  JsonWriter json(&text);
  append_check(&json, check);
  const Document document = Document::parse(text);
  CHECK(document["flag"].text() == "empty");
  CHECK(document["k"].integer() == 3);
  CHECK(document["p"].kind() == JsonKind::kNull);
  CHECK(document["interval"].kind() == JsonKind::kNull);
  CHECK(document["n_needed"].kind() == JsonKind::kNull);
  const Table table = check_table({check});
  for (const Column& column : table.columns) {
    CAPTURE(column.name);
    REQUIRE(column.values.size() == 1);
    if (column.name == "k") CHECK(column.values[0] == 3);
    if (column.name == "p") CHECK(std::isnan(column.values[0]));
  }
}
