// The account of wrong answers: what each answer died of. Every answer has exactly one place, the first that matches in the order below.
#pragma once
#include <array>
#include <cstdint>
#include <span>

#include "quality/checker.h"
#include "quality/detector.h"
#include "records/sample.h"

namespace vaa {

// Detector::account names one of kPlaceEmpty … kPlaceNotExtracted, or -1.
enum AccountPlace : int {
  kPlaceFailed = 0,        // the request failed
  kPlaceEmpty = 1,
  kPlaceCut = 2,           // certainly truncated; suspected to be, without a loop or an open thought that would explain the suspicion
  kPlaceLooping = 3,
  kPlaceUnclosed = 4,      // the thought never ended
  kPlaceGarbled = 5,
  kPlaceNotExtracted = 6,  // the right answer stands in the text, the framework took another one or none
  kPlaceWellFormed = 7,    // none of the above
  kPlaceNoOutput = 8,      // scored, but its output is not recorded (loglikelihood tasks): nothing to look at
  kPlaceCount = 9,
};
struct PlaceInfo {
  const char* name;  // key in the report
  Words title;
};
const PlaceInfo& place_info(int place);

// What the flags of detector_table() mean to the account, as bits of flags. Made once a tally.
struct PlaceBits {
  std::array<uint64_t, kPlaceCount> flags{};
  uint64_t no_final_answer = 0;
  static PlaceBits of(std::span<const Detector* const> table);
};
// A flag counts with a finding of severity fail or warn; those of kPlaceCut count with any severity.
AccountPlace place_of(const Sample& sample, const Judgement& judgement, const PlaceBits& bits);

// Bit set of the places before `place` that the answer could belong to: a flag of theirs was not looked for, or all of them are unknown.
uint32_t possible_places(AccountPlace place, uint64_t unknown, uint64_t enabled, const PlaceBits& bits);

// How many answers stand in each place.
struct Account {
  std::array<int64_t, kPlaceCount> places{};
  int64_t cut_looping = 0, cut_unclosed = 0, cut_suspected = 0;  // of places[kPlaceCut]
  int64_t flagged = 0;    // of places[kPlaceWellFormed]: with a finding of severity fail all the same
  int64_t unfinished = 0; // of places[kPlaceWellFormed]: without the final answer that was asked for
  int64_t cut_unknown = 0;  // of places[kPlaceWellFormed]: that may be cut for all that is recorded
  // Answers that stand in a later place and could belong to this one: all its flags are unknown there, or one was not looked for.
  std::array<int64_t, kPlaceCount> unknown{};
  int64_t total() const;
  int64_t broken() const;  // failed … not extracted
  void add(const Account& other);
};

}  // namespace vaa
