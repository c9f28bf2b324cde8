// Lines of logs as engines write them, and as logs spoil them.
#include "reject/log_lines.h"

#include <cmath>
#include <cstring>
#include <string>

#include "catch.h"

using namespace vaa;

namespace {

constexpr char kVllm[] =
    "(APIServer pid=1) INFO 05-18 11:19:54 [metrics.py:101] SpecDecoding metrics: Mean acceptance length: 3.42, Accepted throughput: 67.60 tokens/s, Drafted throughput: 83.70 tokens/s, Accepted: 676 tokens, Drafted: 837 tokens, "
    "Per-position acceptance rate: 0.921, 0.828, 0.674, Avg Draft acceptance rate: 80.8%\n";

std::vector<SpecSeries> read(const std::string& text, LogOddities* oddities, size_t piece = 1 << 20) {
  LogLines log;
  for (size_t at = 0; at < text.size(); at += piece) log.push("", std::string_view(text).substr(at, piece), false);
  log.push("", "", true);
  return log.series(oddities);
}

}  // namespace

TEST_CASE("reject log: every wording's example is read", "[reject]") {
  for (const LogWording& wording : log_wordings()) {
    size_t at = 0;
    REQUIRE(wording_of(wording.example, &at) == &wording);
    LogReading reading;
    CHECK(wording.read(std::string_view(wording.example).substr(at), &reading));
  }
}

TEST_CASE("reject log: vLLM's three wordings of V1", "[reject]") {
  LogOddities oddities;
  const std::vector<SpecSeries> newest = read(kVllm, &oddities);
  REQUIRE(newest.size() == 1);
  CHECK(newest[0].total.accepted == 676);
  CHECK(newest[0].total.draft_tokens == 837);
  CHECK(newest[0].total.drafts == 279);  // 837 / 3: within what 3.42 = 1 + 676 / drafts allows
  REQUIRE(newest[0].total.at_position.size() == 3);
  CHECK(newest[0].total.at_position[0] == Approx(0.921 * 279));
  CHECK(newest[0].windows[0].at == "05-18 11:19:54");
  const std::vector<SpecSeries> older = read("INFO 07-01 08:00:00 [metrics.py:61] SpecDecoding metrics: Draft acceptance rate: 50.0%, Mean acceptance length: 2.00, Accepted: 100 tokens, Drafted: 200 tokens, Per-position acceptance rate: 0.600, 0.400\n", &oddities);
  CHECK(older.at(0).total.drafts == 100);
  const std::vector<SpecSeries> first = read("SpecDecoding metrics: Draft acceptance rate: 50.0%, Accepted: 100 tokens, Drafted: 200 tokens\n", &oddities);
  CHECK(first.at(0).total.accepted == 100);
  CHECK(std::isnan(first.at(0).total.drafts));
}

TEST_CASE("reject log: vLLM V0 counts since the start, SGLang has rates alone, TensorRT-LLM counts an iteration", "[reject]") {
  LogOddities oddities;
  const std::string v0 = "INFO 10-16 19:05:47 metrics.py:367] Speculative metrics: Draft acceptance rate: 0.642, System efficiency: 0.598, Number of speculative tokens: 3, Number of accepted tokens: 8547, Number of draft tokens: 13311, Number of emitted tokens: 10616.\n"
                         "INFO 10-16 19:05:57 metrics.py:367] Speculative metrics: Draft acceptance rate: 0.640, System efficiency: 0.598, Number of speculative tokens: 3, Number of accepted tokens: 8647, Number of draft tokens: 13611, Number of emitted tokens: 10816.\n";
  const std::vector<SpecSeries> cumulative = read(v0, &oddities);
  REQUIRE(cumulative.at(0).windows.size() == 2);
  CHECK(cumulative[0].windows[1].counts.draft_tokens == 300);
  CHECK(cumulative[0].windows[1].counts.accepted == 100);
  CHECK(cumulative[0].total.draft_tokens == 13611);
  const std::vector<SpecSeries> sglang = read("[2025-07-01 12:00:00 DP3 TP0] Decode batch. #running-req: 8, #token: 10, token usage: 0.02, accept len: 2.41, accept rate: 0.47, cuda graph: True, gen throughput (token/s): 80\n"
                                              "[2025-07-01 12:00:00 DP3 TP1] Decode batch. #running-req: 8, #token: 10, token usage: 0.02, accept len: 2.41, accept rate: 0.47, cuda graph: True, gen throughput (token/s): 80\n", &oddities);
  REQUIRE(sglang.size() == 1);
  CHECK(sglang[0].engine == "3");
  CHECK(sglang[0].ratios);
  CHECK(sglang[0].total.accepted == Approx(0.47));
  CHECK(oddities.copies == 1);
  const std::vector<SpecSeries> old = read("Decode batch. #running-req: 8, accept len: 2.50, gen throughput (token/s): 80\nDecode batch. #running-req: 8, accept len: 4.00, gen throughput (token/s): 80\n", &oddities);
  CHECK(old.at(0).total.accepted == Approx((1.5 + 3) / 3));
  const std::vector<SpecSeries> trt = read("{\"iter\": 1, \"specDecodingStats\": {\"numDraftTokens\": 24, \"numAcceptedTokens\": 13, \"numRequestsWithDraftTokens\": 8}}\n", &oddities);
  CHECK(trt.at(0).total.drafts == 8);
}

TEST_CASE("reject log: an engine is that of the throughput line before, of the same process", "[reject]") {
  LogOddities oddities;
  const std::string text = std::string("(APIServer pid=1) INFO 05-18 11:19:54 [loggers.py:1] Engine 001: Avg prompt throughput: 1.0 tokens/s, Avg generation throughput: 2.0 tokens/s\n") + kVllm +
                           "\x1b[1;36m(APIServer pid=1)\x1b[0;0m INFO 05-18 11:19:54 [loggers.py:1] Engine 002: Avg prompt throughput: 1.0 tokens/s\n\x1b[1;36m(APIServer pid=1)\x1b[0;0m " + (std::strchr(kVllm, 'I') + 0);
  std::vector<SpecSeries> series = read(text, &oddities);
  REQUIRE(series.size() == 2);
  CHECK(series[0].engine == "1");
  CHECK(series[1].engine == "2");
}

TEST_CASE("reject log: a line cut anywhere is whole or bad, never another number", "[reject]") {
  for (const LogWording& wording : log_wordings()) {
    const std::string_view line = wording.example;
    LogReading whole;
    REQUIRE(wording.read(line.substr(line.find(wording.mark)), &whole));
    for (size_t n = wording.mark.size() + line.find(wording.mark); n < line.size(); ++n) {
      LogReading cut;
      if (!wording.read(line.substr(line.find(wording.mark), n - line.find(wording.mark)), &cut)) continue;
      INFO(wording.kind << " cut at " << n);
      CHECK(cut.counts.accepted == whole.counts.accepted);
      CHECK(cut.counts.draft_tokens == whole.counts.draft_tokens);
    }
  }
}

TEST_CASE("reject log: cut lines, contradictions, long lines and repeats are counted, in pieces of any size", "[reject]") {
  const std::string line = kVllm;
  const std::string text = "noise\n" + line + line.substr(0, 200) + "\n" + std::string(200000, 'x') + "\n" + line + "SpecDecoding metrics: Accepted: 10 tokens, Drafted: 5 tok\nSpecDecoding metrics: Draft acceptance rate: 90.0%, Accepted: 1 tokens, Drafted: 5 tokens\r\n";
  LogOddities whole;
  const std::vector<SpecSeries> at_once = read(text, &whole);
  CHECK(whole.bad == 3);         // the cut lines, and 1 of 5 that says 90 %
  CHECK(whole.long_lines == 1);
  CHECK(whole.duplicates == 1);
  for (const size_t piece : {1u, 7u, 4096u}) {
    LogOddities oddities;
    const std::vector<SpecSeries> series = read(text, &oddities, piece);
    CHECK(oddities.lines == whole.lines);
    CHECK(oddities.readings == whole.readings);
    CHECK(oddities.long_lines == whole.long_lines);
    REQUIRE(series.size() == at_once.size());
    CHECK(series[0].total.draft_tokens == at_once[0].total.draft_tokens);
  }
}
