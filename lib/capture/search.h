// The search for the first absolute position from which two servers part, as a function of what an oracle says when it is asked. The rules are declared in docs/ladder.md.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace vaa::capture {

// One answer, cut at `at` ids and asked of both servers once. Token i of the continuation stands after at + i ids: that is its absolute position.
struct RungTrial {
  int64_t passage = 0;        // which answer
  int64_t at = 0;
  int64_t compared = 0;       // tokens looked at, the parting one included; 0: nothing to compare
  int64_t parted = -1;        // index of the token that parted by more than a near tie; -1: none
  bool undetermined = false;  // parted, by how much could not be told
  double swing = 0;           // where it parted
};

// Asks every answer that reaches `at` of both servers, for the `round`-th time (from 0). Answers without a reply are left out.
class Oracle {
 public:
  virtual ~Oracle() = default;
  virtual std::vector<RungTrial> ask(int64_t at, int64_t round) = 0;
};

struct SearchPlan {
  int64_t low = 1, high = 1;
  int64_t tokens = 32;        // of a continuation
  int64_t end_rounds = 4;     // times the ends are asked
  int64_t rounds = 6;         // times any other position is asked at most
};

// Few answers are asked more often, so that noise can be told from a fault at all: at least 16 times at a position, 12 times against themselves at each end.
SearchPlan plan_for(int64_t low, int64_t high, int64_t tokens, int64_t answers, int64_t repeat);
int64_t itself_repeats(int64_t answers, int64_t repeat);

enum class Call : uint8_t { kAlike, kParts, kOpen };  // kOpen: the asks could not tell
struct PositionSeen {
  int64_t at = 0;
  int64_t rounds = 0, asked = 0, parted = 0, undetermined = 0;
  double low = 0, high = 1;   // Clopper-Pearson interval of parted in asked, at the confidence of the decision; `high` counts the undetermined as parted
  double median_swing = 0;    // of those that parted; NaN: none
  Call call = Call::kOpen;
};

struct Rate {                 // k of n with its 95 % Clopper-Pearson interval
  int64_t k = 0, n = 0;
  double low = 0, high = 1;
};
Rate rate_of(int64_t k, int64_t n, double confidence = 0.95);

enum class Shows : uint8_t { kYes, kNo, kUnknown };
struct PathSeen {
  Rate first;                 // first token wrong, rungs at or past the edge: prefill of that many ids
  Rate crossing;              // rungs that begin before the edge and whose later tokens pass it: decode alone
  Rate later;                 // rungs at or past the edge whose first token was right: decode after such a prefill
  Shows prefill = Shows::kUnknown, decode = Shows::kUnknown;
};

struct SearchResult {
  enum class Kind : uint8_t { kNoDifference, kFromStart, kFound, kUndecided } kind = Kind::kUndecided;
  int64_t lo = 0, hi = 0;     // kFound: the first position that parts lies in (lo, hi]
  bool pinned = false;        // by the tokens themselves, 95 % credible; otherwise by the calls at whole rungs
  Rate itself;                // the reference against itself: continuations with a suspect parting
  double fault_rate = 0;      // share of continuations that part at the end where they do, (k + 1/2) / (n + 1)
  std::vector<PositionSeen> seen;             // in the order of asking
  std::vector<int64_t> contradictions;        // positions outside the interval that say otherwise
  PathSeen path;
  int64_t answers = 0, answers_parted = 0;    // at the highest position, in any round, undetermined ones counted as parted
  int64_t asks = 0;
};

// `itself`: the reference against itself, at the ends, with the same `tokens`.
// A position parts when the lower limit of its rate (Clopper-Pearson, 95 % shared among the looks) is over the upper 95 % limit of `itself`; it is alike when its upper limit is under the rate at
// the end that parts. Until one of them holds it is asked again, `rounds` times at most.
SearchResult search_edge(const SearchPlan& plan, std::span<const RungTrial> itself, Oracle* oracle);

}  // namespace vaa::capture
