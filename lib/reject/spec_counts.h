// What engines counted of speculation, over time: the one form that scrapes and logs are brought into, and that every check of counters reads.
#pragma once
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace vaa {

// NaN: not counted there, which is not 0.
struct SpecCounts {
  double drafts = std::nan("");        // verify steps that had at least one draft token
  double draft_tokens = std::nan("");
  double accepted = std::nan("");      // draft tokens that were accepted
  double generated = std::nan("");     // tokens of answers
  std::vector<double> at_position;     // accepted at each position; empty: not counted
};
// Each count of `from` added to that of `to`; what one of them does not count is not counted.
void add_counts(SpecCounts* to, const SpecCounts& from);

// An increase between two moments.
struct SpecWindow {
  double from_s = std::nan(""), to_s = std::nan("");  // Unix time; NaN: not known
  std::string at;                 // its end, as a person reads it
  int64_t order = 0;              // of its page or line; windows at one order are of one moment
  int64_t segment = 0;            // grows with each restart
  SpecCounts counts;
  double position_error = 0;      // what a count of at_position may be off by, where it was printed as a rounded rate
};

// One engine (data-parallel rank) of one server. Never a sum over engines.
struct SpecSeries {
  std::string server, engine, model, kind;   // "" : the input does not say
  bool log = false;               // from lines of a log
  bool ratios = false;            // the input has rates without counts: each window counts as one draft token
  std::vector<SpecWindow> windows;   // in the order of time, restarts included
  SpecCounts total;               // of all windows
  std::vector<SpecCounts> standing;  // pages: what the counters stood at, at the end of each segment
  int64_t restarts = 0;
  std::vector<std::string> restarted_at;
  int64_t moments = 0;            // pages or lines that say something of it
  bool vanished = false;          // its server's later pages do not have it
  std::string last_at;            // when it was last seen
  std::string label() const;      // "engine 3", "node1: engine 3"
};

// Drafts, or where they are not counted what draft tokens leave at least: a draft has `tokens_per_draft` at most.
double least_drafts(const SpecCounts& counts, double tokens_per_draft);

}  // namespace vaa
