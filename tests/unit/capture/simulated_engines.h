// Two engines made of chances: what a search asks them is drawn, or, where they are deterministic, follows from answer and position.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/random.h"
#include "capture/search.h"

namespace vaa::capture::test {

struct SimulatedFault {
  double benign = 0;           // chance of a suspect parting a token, anywhere
  double prefill = 0, decode = 0;  // chance that a first, a later token is wrong where the fault bites
  std::function<bool(int64_t position)> bites = [](int64_t) { return false; };
  bool deterministic = false;
};

class SimulatedEngines : public Oracle {
 public:
  SimulatedEngines(SimulatedFault fault, std::vector<int64_t> lengths, uint64_t seed, int64_t tokens = 32)
      : fault_(std::move(fault)), lengths_(std::move(lengths)), seed_(seed), tokens_(tokens), random_(seed, 1) {}

  std::vector<RungTrial> ask(int64_t at, int64_t) override { return trials(at, fault_); }
  // The reference against itself at both ends.
  std::vector<RungTrial> itself(int64_t low, int64_t high, int repeats) {
    std::vector<RungTrial> out;
    SimulatedFault none;
    none.benign = fault_.deterministic ? 0 : fault_.benign;
    for (const int64_t at : {low, high}) {
      for (int r = 0; r < repeats; ++r) {
        const std::vector<RungTrial> more = trials(at, none);
        out.insert(out.end(), more.begin(), more.end());
      }
    }
    return out;
  }
  int64_t asked = 0;

 private:
  // Deterministic: of answer and position alone, so that first and later tokens there err together.
  double chance(int64_t passage, int64_t position) {
    if (!fault_.deterministic) return random_.uniform();
    return Random(seed_, static_cast<uint64_t>(position) * 4096 + static_cast<uint64_t>(passage)).uniform();
  }
  std::vector<RungTrial> trials(int64_t at, const SimulatedFault& fault) {
    std::vector<RungTrial> out;
    for (size_t p = 0; p < lengths_.size(); ++p) {
      if (lengths_[p] < at) continue;
      RungTrial t;
      t.passage = static_cast<int64_t>(p);
      t.at = at;
      while (t.compared < tokens_ && t.parted < 0) {
        const int64_t i = t.compared++;
        const double wrong = fault.benign + (fault.bites(at + i) ? i == 0 ? fault.prefill : fault.decode : 0);
        if (chance(t.passage, at + i) < wrong) t.parted = i;
      }
      t.swing = t.parted >= 0 ? 3 : 0;
      out.push_back(t);
    }
    asked += static_cast<int64_t>(out.size());
    return out;
  }
  SimulatedFault fault_;
  std::vector<int64_t> lengths_;
  uint64_t seed_;
  int64_t tokens_;
  Random random_;
};

}  // namespace vaa::capture::test
