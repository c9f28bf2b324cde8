// Answers to one prompt, two by two: with one seed they should be the same, with other seeds part as soon as their draws do.
#pragma once
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "sampler/calibration/draw_law.h"

namespace vaa::sampler {

// An answer's tokens, and of each position what two independent draws make of it.
struct DrawnAnswer {
  uint64_t seed = 0;               // a hash; 0: not recorded
  std::vector<int32_t> ids;
  std::vector<float> logprob;      // of the chosen token under the law it was drawn from, at most
  std::vector<float> agree;        // chance that two draws are the same token; below 0: no usable list
  DrawLaws laws;                   // of the first positions; empty where the lists are not those of the engine that drew
};

struct PairCount {
  int64_t pairs = 0, parted = 0, same = 0;
  double due = 0;                  // partings of independent draws, up to where these parted or a list is missing
  double noise_due = 0;            // partings of a common draw under the laws of both answers, at most
  double same_due = 0;             // pairs that independent draws would make the same, at most
};

// Where two answers with one seed part: index of the token and the other one's id.
struct Parting {
  size_t at;
  int32_t other;
};

class SeedPairs {
 public:
  // Holds the answer against those of its prompt: those of its seed, and one of another.
  std::vector<Parting> add(const std::string& prompt, DrawnAnswer answer);
  void note_gap(double gap);       // of logprobs of the two tokens at a parting

  PairCount one_seed, other_seeds, unrecorded;
  int64_t gaps = 0, near_ties = 0; // partings whose lists hold both tokens; within kNearTie nats
  int64_t speculated = 0;          // answers that were drafted: what a step draws depends on its drafts
  bool full = false;               // later answers are not kept

  static constexpr double kNearTie = 0.1;
  static constexpr double kNoisy = 0.5;     // of the partings that are due without a common seed: where no lists tell, noise between batches makes no more
  static constexpr double kUnseen = 0.01;   // the same of noise that the lists do not show
  static constexpr size_t kLawPositions = 128;

 private:
  std::map<std::string, std::vector<DrawnAnswer>> held_;
  size_t tokens_ = 0, entries_ = 0;
};

}  // namespace vaa::sampler
