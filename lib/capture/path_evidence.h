// What the counters of a server and the answers themselves prove of the path that ran: speculation, prefix cache, preemption, restarts.
#pragma once
#include <string>
#include <vector>

#include "capture/ask_report.h"
#include "capture/ask_tally.h"
#include "capture/scraper.h"

namespace vaa::capture {

// Sums over the engines (data-parallel ranks) of a server; -1: not exposed.
struct EngineSums {
  double drafts = -1, draft_tokens = -1, accepted_tokens = -1, cache_queries = -1, cache_hits = -1, preemptions = -1;
  int64_t engines = 0, restarts = 0;
  int64_t idle_drafters = 0;    // engines that generated tokens and drafted none, where others drafted
};
// Of a vaa.counters/1 document; "" : nothing is exposed.
EngineSums engine_sums(const std::string& counted);

enum class Ran : int8_t { kUnknown, kNo, kYes };

struct PathEvidence {
  EngineSums sums;
  Ran drafted = Ran::kUnknown;          // tokens were drafted; kNo: none were, whether speculation is configured or not
  Ran cached = Ran::kUnknown;           // the prefix cache hit
  std::vector<SectionLine> lines;       // in words
  std::string json;                     // {"speculation": {"drafted", "words"}, "prefix_cache": {"hit", "words"}, "preempted", "restarts"}
};
PathEvidence path_evidence(const Server& server, const Scraped& scraped, const ServerTally& tally);

}  // namespace vaa::capture
