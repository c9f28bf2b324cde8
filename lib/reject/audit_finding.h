// What a check of the audit says, whatever evidence it looks at.
#pragma once
#include <cmath>
#include <cstdint>
#include <string>

#include "base/sections.h"

namespace vaa {

struct RejectAuditOptions {
  double floor = 0.01;             // drafts of which something is accepted: a share below it is none
  double margin = 0.05;            // of a fall of the acceptance rate
  double law_margin = 0.01;        // of probabilities that steps are held against
  double tokens_per_draft = 8;     // at most, where drafts are not counted
  bool configured = false;         // speculation is known to be configured
};

enum class FindingStatus : int8_t { kPass, kFail, kUndecided, kNotChecked };

// What one check says of one engine (or of the records). NaN: does not apply.
struct AuditFinding {
  std::string engine;              // "" : the records
  FindingStatus status = FindingStatus::kNotChecked;
  bool suspected = false;          // the evidence also fits something that is no fault
  double n = 0;                    // drafts, draft tokens or answers that were looked at
  double effect = std::nan(""), lower = std::nan(""), upper = std::nan(""), margin = std::nan("");  // interval of 95 %, over all that was looked for
  double due = std::nan(""), variance = std::nan(""), z = std::nan("");  // outcomes that were due of n with known chances, the variance of their number, and what came less them over its root
  double p = std::nan(""), p_adjusted = std::nan("");  // before and after Holm's over all findings of the report
  double detectable = std::nan("");                    // of the same kind as effect: what would have been found
  int64_t n_needed = -1;           // of the same kind as n
  std::string onset, onset_from, onset_to;  // the moment, and the interval that holds it
  Both words;
};

struct AuditCheck {
  const char* name;
  const char* title_en;
  const char* title_zh;
  const char* counts;  // what n is: drafts, draft_tokens, answers, tokens, rows
  bool difference;     // effect, interval and margin are a difference of shares
};

// Fails only with a p that Holm's adjustment leaves at 0.05 or below; until then it is undecided.
constexpr double kAuditAlpha = 0.05;

Both said_count(double n, const char* en_plural, const char* zh);   // "12,000 drafts", "12,000 次起草"
Both said_rate(double rate, double lower, double upper);            // "31.2 % (29.0 to 33.5 %)"

}  // namespace vaa
