// From strips of two runs, in any order, to the token evidence of the two.
#pragma once
#include <array>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "compare/pairing.h"
#include "compare/strip_pair.h"
#include "compare/strip_room.h"

namespace vaa {

// Partners: answers to the same (dataset, id), of one kind, drawn alike, with the same repeat number (of rungs: of the same server), at once; at the end what is left of a question: by seed, then greedy answers in order of
// repeat and arrival, as they are exchangeable. A forced answer that has no forced partner is held against the free answer that it scores, if that has no free partner (at a temperature above 0: and has lists). So the order of
// arrival of the two sides does not matter. Keeps 25 bytes a compared position, and what waits in the room.
class EvidenceBuilder {
 public:
  // `vocab` may be null and is borrowed; the room may be shared with others.
  EvidenceBuilder(const Vocab* vocab, std::shared_ptr<StripRoom> room) : reader_(vocab), room_(std::move(room)) {}
  // strip.facts.question is of that side's run.
  void add(bool target, const TokenStrip& strip, const SideFaults& faults);
  // Of all that was added, as often as one likes: what is kept stays, and stands once more in what is returned.
  TokenEvidence evidence(const RunSide& reference, const RunSide& target, const RunPairing& pairing) const;
  // The same, and what is kept is let go column by column: nothing may be added afterwards.
  TokenEvidence finish(const RunSide& reference, const RunSide& target, const RunPairing& pairing);

 private:
  struct Waiting {
    StripFacts facts;
    int32_t number = -1;   // in the room
    int64_t arrival = 0;
  };
  struct Meeting {
    std::array<std::vector<Waiting>, 2> waiting;
    std::array<int32_t, 2> strips{};  // that came
  };
  EvidenceBuilder(const PairReader& reader, std::shared_ptr<StripRoom> room) : reader_(reader), room_(std::move(room)) {}
  void pair(const TokenStrip& reference, const TokenStrip& target, int64_t arrival);
  void pair(const Waiting& reference, const Waiting& target);
  template <class Fits>
  void pair_waiting(Meeting* meeting, Fits fits);
  void pair_rest(Meeting* meeting);
  // Of pairs_, which are let go, and of those that are kept elsewhere.
  TokenEvidence assembled(const RunSide& reference, const RunSide& target, const RunPairing& pairing, std::span<const ComparedPair> kept);
  PairReader reader_;
  std::shared_ptr<StripRoom> room_;
  std::unordered_map<std::string, Meeting> meetings_;
  std::vector<ComparedPair> pairs_;
  SideFaults faults_[2];
  LineSums fit_;
  int64_t unpaired_ = 0, forced_late_ = 0;
  std::array<int64_t, 2> arrived_{};
};

}  // namespace vaa
