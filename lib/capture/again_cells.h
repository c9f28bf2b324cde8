// How often a case went bad: counted by server and concurrency, under a stop rule that was declared before.
#pragma once
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "capture/ask_report.h"
#include "capture/request.h"
#include "capture/search.h"

namespace vaa::capture {

enum class Outcome : uint8_t { kNotAsked, kGood, kBad, kFailed };

// One case on one server at one concurrency.
struct AgainCell {
  std::vector<Outcome> outcomes;      // by repeat
  std::set<uint64_t> answers;         // hashes of what was said
  int64_t bad() const;                // of all that came
  // Bad answers among those that count, with its 95 % interval. Without a stop rule: all, Clopper-Pearson. With one: in the order of asking up to the `stop_after`-th bad one; what was still in
  // flight then does not count. Stopping at a bad answer, the upper limit is that of k - 1 in n - 1 (inverse binomial sampling), the lower one stays.
  Rate counted(int64_t stop_after) const;
  int64_t failed() const;
};

struct AgainSeen {
  std::string input, flag;
  int64_t repeat = 10, stop_after = 0;
  std::vector<Request> cases;
  std::vector<int> concurrencies;
  std::vector<Server> servers;
  std::vector<AgainCell> cells;       // case by case, server by server, concurrency by concurrency
  int64_t skipped = 0, answered = 0, failed = 0, resumed = 0;
  std::vector<std::string> problems, failures;
  std::vector<Both> notes;

  AgainCell& cell(size_t c, size_t server, size_t concurrency) { return cells[(c * servers.size() + server) * concurrencies.size() + concurrency]; }
  const AgainCell& cell(size_t c, size_t server, size_t concurrency) const { return cells[(c * servers.size() + server) * concurrencies.size() + concurrency]; }
};

// All cases on a server, at one concurrency (or all: -1).
Rate again_total(const AgainSeen& seen, size_t server, int concurrency);
// pass: no bad answer; fail: one server has some, or two differ by Fisher's exact test at 5 % shared among the servers (under a stop rule: their intervals stand apart); undecided: both have some.
int again_verdict(const AgainSeen& seen);
AskReport again_report(const AgainSeen& seen);

}  // namespace vaa::capture
