#include "capture/ask_verdict.h"
#include "capture/path_evidence.h"
#include "catch.h"

using namespace vaa;
using namespace vaa::capture;

namespace {

std::string engine(const std::string& drafted, const std::string& accepted, const std::string& hits, int generated = 100) {
  return R"({"engine": "0", "model": "toy", "kind": "vllm", "restarts": 0, "spec": {"drafts": null, "draft_tokens": )" + drafted + R"(, "accepted_tokens": )" + accepted +
         R"(, "accepted_per_position": null}, "prefix_cache": {"queries": 200, "hits": )" + hits + R"(}, "preemptions": 2, "requests": null, "prompt_tokens": 10, "generation_tokens": )" +
         std::to_string(generated) + "}";
}
std::string page(const std::string& engines) { return R"({"schema": "vaa.counters/1", "scrapes": 2, "engines": [)" + engines + "]}"; }

PathEvidence evidence(const std::string& counted, const ServerTally& tally = {}) {
  Server server;
  server.dialect = find_dialect("vllm");
  Scraped scraped;
  scraped.counted = counted;
  scraped.pages = counted.empty() ? 0 : 2;
  return path_evidence(server, scraped, tally);
}

bool says(const PathEvidence& evidence, const std::string& words) {
  for (const SectionLine& line : evidence.lines)
    if (line.text.en.find(words) != std::string::npos) return true;
  return false;
}

int verdict(const char* purpose, ServerTally tally, const PathEvidence& path, std::string* reason) {
  static const std::string kNone;
  AskSeen seen;
  seen.options.purpose = &find_purpose(purpose);
  seen.tally.servers = {std::move(tally)};
  Both said;
  const int got = ask_verdict(seen, {path}, &said);
  *reason = said.en;
  return got;
}

}  // namespace

TEST_CASE("path evidence: sums over engines, and what is not exposed is not 0", "[capture]") {
  const EngineSums sums = engine_sums(page(engine("30", "20", "64") + ", " + engine("10", "5", "0")));
  CHECK(sums.engines == 2);
  CHECK(sums.draft_tokens == 40);
  CHECK(sums.accepted_tokens == 25);
  CHECK(sums.drafts == -1);
  CHECK(sums.cache_queries == 400);
  CHECK(sums.cache_hits == 64);
  CHECK(sums.preemptions == 4);
  CHECK(engine_sums("").draft_tokens == -1);
  CHECK(engine_sums(page(engine("null", "null", "null"))).cache_hits == -1);
}

TEST_CASE("path evidence: speculation ran, did not, or is not exposed", "[capture]") {
  const PathEvidence ran = evidence(page(engine("40", "30", "0")));
  CHECK(ran.drafted == Ran::kYes);
  CHECK(says(ran, "speculation ran: 40 tokens were drafted, 30 accepted (75.0 %)"));
  ServerTally carried;
  carried.against_speculation = {"logprobs", "min_p"};
  const PathEvidence off = evidence(page(engine("0", "0", "0")), carried);
  CHECK(off.drafted == Ran::kNo);
  CHECK(says(off, "speculation is configured, requests carried logprobs, min_p and 0 tokens were drafted: this run tested plain decoding"));
  const PathEvidence unsaid = evidence(page(engine("0", "0", "0")));
  CHECK(says(unsaid, "0 tokens were drafted, though no member of the requests keeps it off"));
  CHECK(evidence(page(engine("null", "null", "0"))).drafted == Ran::kUnknown);
  const PathEvidence half = evidence(page(engine("40", "30", "0") + ", " + engine("0", "0", "0") + ", " + engine("0", "0", "0", 0)));
  CHECK(says(half, "; 1 of 3 engines generated tokens and drafted none"));
}

TEST_CASE("path evidence: counters of llama.cpp stand at 0 where speculation is not configured, and hits without what was asked", "[capture]") {
  Scraped scraped;
  scraped.counted = page(R"({"kind": "llamacpp", "restarts": 0, "spec": {"drafts": 0, "draft_tokens": 0, "accepted_tokens": 0}, "prefix_cache": {"queries": null, "hits": 129}, "generation_tokens": 5})");
  scraped.pages = 2;
  Server server;
  server.dialect = find_dialect("llamacpp");
  const auto configured = [&](const std::string& types) {
    server.config_json = R"({"default_generation_settings": {"params": {"speculative.types": ")" + types + "\"}}}";
    return path_evidence(server, scraped, {});
  };
  CHECK(says(configured("none"), "speculation is not configured"));
  CHECK(says(configured("draft-simple"), "speculation is configured and 0 tokens were drafted"));
  CHECK(configured("none").drafted == Ran::kNo);
  CHECK(says(configured("none"), "prefix cache: 129 tokens hit"));
}

TEST_CASE("path evidence: a server without counters is told what would show them", "[capture]") {
  const PathEvidence none = evidence("");
  CHECK(none.drafted == Ran::kUnknown);
  CHECK(none.cached == Ran::kUnknown);
  CHECK(says(none, "the server's counters are not exposed: start the server without --disable-log-stats"));
}

TEST_CASE("path evidence: answers that tell of drafts prove it where counters do not", "[capture]") {
  ServerTally tally;
  tally.spec_draft_tokens = 12;
  const PathEvidence ran = evidence("", tally);
  CHECK(ran.drafted == Ran::kYes);
  CHECK(says(ran, "speculation ran: 12 tokens were drafted"));
}

TEST_CASE("ask verdict: all answered by the path under test, or why not", "[capture]") {
  ServerTally good;
  good.answered = 10;
  ServerTally some = good;
  some.failed = 2;
  const PathEvidence drafted = evidence(page(engine("40", "30", "64"))), plain = evidence(page(engine("0", "0", "0"))), dark = evidence("");
  std::string reason;
  CHECK(verdict("quality", good, dark, &reason) == VAA_VERDICT_PASS);
  CHECK(reason == "all 10 were answered");
  CHECK(verdict("quality", some, dark, &reason) == VAA_VERDICT_UNDECIDED);
  CHECK(reason == "10 of 12 were answered, 2 failed");
  CHECK(verdict("spec", good, drafted, &reason) == VAA_VERDICT_PASS);
  CHECK(verdict("spec", good, plain, &reason) == VAA_VERDICT_UNDECIDED);
  CHECK(reason == "all 10 were answered, but 0 tokens were drafted: plain decoding was tested");
  CHECK(verdict("spec", good, dark, &reason) == VAA_VERDICT_UNDECIDED);
  CHECK(reason == "all 10 were answered, but nothing tells whether tokens were drafted");
  CHECK(verdict("quality", good, plain, &reason) == VAA_VERDICT_PASS);
  CHECK(reason == "all 10 were answered, by plain decoding: 0 tokens were drafted");
  CHECK(verdict("cache", good, drafted, &reason) == VAA_VERDICT_PASS);
  CHECK(verdict("cache", good, plain, &reason) == VAA_VERDICT_UNDECIDED);
  ServerTally none;
  none.failed = 3;
  CHECK(verdict("quality", none, dark, &reason) == VAA_VERDICT_NOT_CHECKED);
  CHECK(reason == "nothing was answered: all 3 requests failed");
}
