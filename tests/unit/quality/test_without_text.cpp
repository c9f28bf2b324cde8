#include "quality/without_text.h"

#include "catch.h"
#include "report/document.h"
#include "tallied.h"

using namespace vaa;
using namespace vaa::tests;

namespace {

// "quokka" stands wherever a run can hold a text, an address or a place.
const char* const kHeader = R"({"schema":"vaa.run/1","model":{"name":"/home/quokka/models/toy-8b","label":"toy","path":"/home/quokka","max_length":4096,"more":"quokka"},
 "hashes":{"config":"sha256:ab12","more":"quokka"},"engine":{"name":"vllm","version":"0.11","plugins":{"quokka":"1"},"launch":"serve --key quokka"},
 "sampling_defaults":{"temperature":0.6,"top_k":20,"stop":["quokka"],"extra_body":{"k":"quokka"},"system":"quokka"},"concurrency":8,"endpoints":["http://quokka:8000"],
 "tool":{"name":"lm_eval","version":"0.4.9","arguments":{"api_key":"quokka"}},"tasks":[{"dataset":"gsm8k","questions":198,"prompt":"quokka","scores":{"accuracy":60.0,"x":"quokka"}}],
 "counters":{"tokens":5,"note":"quokka"},"start_s":12.5,"extra":{"a":"quokka"},"quokka":1})";

}  // namespace

TEST_CASE("without text: a header keeps names, versions, numbers and hashes, and nothing else", "[quality]") {
  const std::string kept = header_without_text(kHeader);
  CHECK(kept.find("quokka") == std::string::npos);
  const Document header = Document::parse(kept);
  CHECK(header.at("model", "name").text() == "toy-8b");
  CHECK(header.at("model", "max_length").integer() == 4096);
  CHECK(header.at("hashes", "config").text() == "sha256:ab12");
  CHECK(header.at("engine", "version").text() == "0.11");
  CHECK(header.at("sampling_defaults", "temperature").number() == 0.6);
  CHECK(header.at("sampling_defaults", "stop").kind() == JsonKind::kNull);
  CHECK(header.at("tool", "name").text() == "lm_eval");
  CHECK(header["tasks"].items()[0].at("scores", "accuracy").number() == 60);
  CHECK(header["start_s"].number() == 12.5);
}

TEST_CASE("without text: a header that is no object, or of other kinds, is null where it is", "[quality]") {
  for (const char* bad : {"", "[1]", "\"quokka\"", "{\"model\":", "{} {}"}) {
    CAPTURE(bad);
    CHECK(header_without_text(bad) == "null");
  }
  CHECK(header_without_text(R"({"model":"quokka","tasks":{"a":1},"hardware":[1],"concurrency":"quokka"})").find("quokka") == std::string::npos);
}

TEST_CASE("without text: of paths the last part is left", "[quality]") {
  CHECK(base_name("/home/me/run.jsonl") == "run.jsonl");
  CHECK(base_name("run.jsonl") == "run.jsonl");
  CHECK(base_name("a/run/") == "run");
  CHECK(base_name("C:\\me\\run") == "run");
  CHECK(base_name("/") == "/");
  CHECK(base_name("") == "");
}

TEST_CASE("without text: no part of a report tells a text, an address or a folder", "[quality]") {
  RunHeader header;
  header.json = kHeader;
  header.add_scores_command = "ais_bench --work-dir /home/quokka";
  Problems opening, reading;
  opening.add("/home/quokka/a.json", 0, "the key quokka is unknown");
  reading.add("/home/quokka/b.jsonl", 3, "quokka is no number");
  reading.note("quokka: is longer than 1 GiB");
  InputFacts facts;
  facts.path = "/home/quokka/run";
  facts.format = "aisbench";
  facts.header = &header;
  facts.opening = &opening;
  facts.reading = &reading;
  for (const bool text : {true, false}) {
    TallyOptions options;
    options.text = text;
    Tally before(all_flags(), options), tally(all_flags(), options);
    add(&before, Answer("0"));
    tally.set_baseline(&before, "/home/quokka/old");
    Answer looping = Answer("0").found("repetition_loop"), failed = Answer("1").failed("quokka");
    looping.sample.set(TextField::kOutputText, "quokka quokka");
    looping.sample.set(TextField::kPromptText, "quokka");
    looping.sample.set(TextField::kSourceFile, "/home/quokka/b.jsonl");
    failed.sample.set(TextField::kErrorType, "quokka");
    add(&tally, looping);
    add(&tally, failed);
    const Report report = tally.report(facts);
    CAPTURE(text);
    CHECK((report.json().find("quokka") == std::string::npos) == !text);
    CHECK((report.sample_lines().find("quokka") == std::string::npos) == !text);
    const Document document = Document::parse(report.json());
    CHECK(document.at("input", "path").text() == (text ? "/home/quokka/run" : "run"));
    CHECK(document["findings"].items()[0].at("source", "file").text() == (text ? "/home/quokka/b.jsonl" : "b.jsonl"));
    CHECK(document.at("baseline", "name").text() == (text ? "/home/quokka/old" : "old"));
    CHECK(document.at("problems", "count").integer() == 2);
  }
}
