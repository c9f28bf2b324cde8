// The laws that the tokens of an answer were drawn from, as far as its lists tell: kept to hold answers with one seed against each other.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sampler/calibration/legal_set.h"

namespace vaa::sampler {

// Of the positions that were added in turn.
class DrawLaws {
 public:
  // Shares of the surely legal tokens, and how much of all is open. Where nobody knows when the temperature is applied, the law of either order.
  void add(const ListedRow& row, const Law& law);
  // A position without a usable list: all of it is open.
  void add_unknown();
  size_t size() const { return laws_[0].ends.size(); }
  size_t entries() const { return laws_[0].ids.size() + laws_[1].ids.size(); }

  // How often a common draw makes two tokens of the laws of a position, at most: where tokens race by exponential or Gumbel noise 2 d / (1 + d), d being their distance in total variation; where one uniform number walks the
  // masses, in the order of ids or the likeliest first, what of [0, 1) falls on other tokens. What the lists leave open counts by half of its mass.
  static double parting(const DrawLaws& a, const DrawLaws& b, size_t position);

 private:
  struct Kept {
    std::vector<int32_t> ids;     // of a position in ascending order
    std::vector<float> shares;    // add to 1 over the position's ids
    std::vector<size_t> ends;
    std::vector<float> open;
    void add(const ListedRow& row, const Law& law);
    void add_unknown();
  };
  struct Part {
    std::span<const int32_t> ids;
    std::span<const float> shares;
  };
  static Part part(const Kept& kept, size_t position);
  static double parting(const Kept& a, const Kept& b, size_t position);
  Kept laws_[2];  // the temperature first; last, empty where that is the same
};

}  // namespace vaa::sampler
