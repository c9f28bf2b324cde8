// What came of an ask, by server: counted as the answers arrive, in memory of 16 bytes an answer.
#pragma once
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "capture/session.h"

namespace vaa::capture {

// What answers may lack; the words and what would bring it: missing_words.h.
enum class Wanted : uint8_t { kTokenIds, kFinishReason, kUsage, kLogprobs, kCachedTokens };
constexpr size_t kWantedCount = 5;

struct ServerTally {
  int64_t answered = 0, failed = 0, resumed = 0;
  int64_t tokens = 0, tries = 0;
  int64_t partial = 0;                         // of failed: a part of an answer had come
  int64_t asked_for[kWantedCount] = {};        // answers that should have it
  int64_t lacking[kWantedCount] = {};          // and do not
  int64_t miscounted = 0;                      // answers of one choice with more token ids than the server counts, or fewer by more than the stop token
  int64_t unread = 0;                          // answers of which a part could not be read
  int64_t cached_answers = 0;                  // with cached_tokens over 0, of second asks (purpose cache)
  int64_t second_answers = 0, second_same = 0; // of them: the same text as the first time
  double spec_draft_tokens = -1;               // as answers themselves say; -1: none does
  std::vector<double> ttft_s, e2e_s;
  std::set<std::string> against_speculation;   // members of requests that went out
};

struct AskTally {
  std::vector<ServerTally> servers;
  std::map<std::string, std::pair<int64_t, std::string>> failures;  // by kind: how many, and the first one's words
  std::string first_miscounted;                // "48 token ids, 24 counted"; "" : none
  std::string first_unread;                    // "line 3: token_ids: …"; "" : none
  double first_start_s = 0, last_end_s = 0;    // Unix time; 0: nothing was answered
  void add(const Answer& answer, bool ids_wanted, bool logprobs_wanted, bool cache_wanted);
  ServerTally counts() const;                  // over the servers, without the times
};

}  // namespace vaa::capture
