// How much likelier steps are under the laws of known faults than under the right one. Sums that do not depend on the order of steps.
#pragma once
#include <array>
#include <vector>

#include "base/exact_sum.h"
#include "reject/bug_laws/bug_law.h"

namespace vaa {

// A fault may show in a part of the rows only (one path of several): each law is held against steps with so much of the right law mixed in, and the mean of these ratios counts.
constexpr std::array<double, 6> kMixed = {1e-6, 0.1, 0.25, 0.5, 0.75, 0.9};

// Under the right law the mean of a ratio is at most 1, so it exceeds x with a chance of at most 1 / x, however many steps there are (Markov; Ville).
class LawRatio {
 public:
  // Chances of what happened. The right law's counts as `least` at least: what it rules out but for rounding weighs no more than that.
  void add_accepted(double fault, double right) { add(fault, right, &accepted_); }
  void add_token(double fault, double right) { add(fault, right, &tokens_); }
  int64_t events() const { return events_; }
  double log() const;
  double log_accepted() const;      // of acceptances alone, with the mixture that fits all of it best
  double share() const;             // of the steps that have the fault, by that mixture

 private:
  using Sums = std::array<ExactSum, kMixed.size()>;
  void add(double fault, double right, Sums* sums);
  size_t best() const;
  Sums accepted_, tokens_;
  int64_t events_ = 0;
};

// Acceptances as any function of their due chance: in ten classes of it any share (Jeffreys' prior). A fault that fits much worse is not the one.
class AnyAcceptance {
 public:
  void add(bool accepted, double due);
  double log() const;

 private:
  static constexpr size_t kClasses = 10;
  std::array<int64_t, kClasses> n_{}, k_{};
  ExactSum right_;
};

// One uniform for each place, the same at all steps: it lies above every chance that it rejected and below every one that it accepted.
class SameUniforms {
 public:
  void add(size_t place, bool accepted, double due);
  int64_t events() const { return events_; }
  double log() const;               // -infinity: no such uniforms, or no place where some were accepted and some rejected

 private:
  std::vector<double> rejected_, accepted_;  // the greatest and the least chance; -1 and 2: none
  ExactSum right_;
  int64_t events_ = 0;
};

// The least chance of the right law that counts, of acceptances: what rounding of p / q can do.
constexpr double kLeastChance = 1e-3;

}  // namespace vaa
