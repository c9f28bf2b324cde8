// What a ladder saw, counted by position, and the report of it.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "capture/ask_report.h"
#include "capture/rungs.h"
#include "capture/search.h"
#include "capture/swing.h"

namespace vaa::capture {

// A server beside the first one, at one position.
struct ComparedRow {
  int64_t at = 0;
  size_t server = 0;
  int64_t compared = 0, failed = 0;   // continuations of both; one of them failed
  int64_t alike = 0, exact_tie = 0, near_tie = 0, suspect = 0, undetermined = 0, no_evidence = 0;
  int64_t first_suspect = 0;          // of the suspects: at the first token, out of prefill
  std::vector<double> swings;         // of the suspects
  void add(const Parting& parting);
};

// One server beside what the run recorded: the id that the recorded answer has at the position, which may have been sampled.
struct RecordedRow {
  int64_t at = 0;
  int64_t asked = 0, failed = 0;
  int64_t in_prompt = 0;              // the position lies within the prompt, or at the answer's end: nothing was written there
  int64_t same = 0;                   // the server's first token is the recorded id
  int64_t listed = 0, unlisted = 0;   // the id stands among the likeliest, or outside them
  int64_t no_list = 0;                // no logprobs
  std::vector<double> ranks, logprobs;  // of the listed: what the server gives the recorded id now
  std::vector<double> shifts;         // |now - recorded| of its logprob, where that was recorded
  void add(const Passage& passage, const Continuation& said);
};

struct LadderSeen {
  std::string run;
  PassageCounts counts;
  int64_t answers = 0, tokens = 32;
  bool drawn = false;                 // the answers are a drawn sample
  std::vector<std::pair<int64_t, int64_t>> shorter;  // position, answers that do not reach it
  std::vector<ComparedRow> compared;
  std::vector<RecordedRow> recorded;
  int64_t answered = 0, failed = 0, resumed = 0;
  std::vector<std::string> failures;
  std::vector<Both> notes;
};

// The verdict: fail where the share of suspects is surely over kSuspectCeiling at a position, undecided where there is one below that, pass where there is none.
constexpr double kSuspectCeiling = 0.01;
int ladder_verdict(const std::vector<ComparedRow>& rows);
AskReport ladder_report(const LadderSeen& seen, const std::vector<Server>& servers);

// Sections that ladder and bisection share. `place`: "/v1/completions" and so on.
Section limits_section(const PassageCounts& counts, const std::vector<std::string>& failures, int64_t failed, const std::vector<Both>& notes);
std::vector<Both> source_facts(const std::string& run, const PassageCounts& counts, int64_t answers, bool drawn, int64_t tokens, const std::vector<Server>& servers);
std::string servers_json(const std::vector<Server>& servers);
double median_of(std::vector<double> values);  // NaN: none
Both both(std::string en, std::string zh);
std::string number_words(double value, int digits);  // fixed; "-" for NaN; "inf"
std::string share_words(double share);         // in percent, without the sign: "6.0", "37"
std::string interval_words(double low, double high);  // "[0, 6.0 %]"
Both rate_words(const Rate& rate);             // "0 of 60 [0, 6.0 %]"

}  // namespace vaa::capture
