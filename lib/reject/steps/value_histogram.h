// Values of the randomised probability integral transform in fixed bins: uniform where tokens are drawn by their law. Counts, so the same in any order and of fixed size.
#pragma once
#include <array>
#include <cstdint>

#include "reject/audit_finding.h"

namespace vaa {

class ValueHistogram {
 public:
  static constexpr size_t kBins = 1024;
  void add(double value);               // in [0, 1]
  int64_t count() const { return count_; }
  double distance() const;              // Kolmogorov and Smirnov's at the edges of bins: at least the true one less a bin's width
  double p_chi_square() const;          // of 16 equal classes
  // Fails where the law surely lies further than `margin` from uniform (Dvoretzky, Kiefer and Wolfowitz with Massart's constant).
  void judge(double margin, AuditFinding* out) const;

 private:
  std::array<int64_t, kBins> bins_{};
  int64_t count_ = 0;
};

}  // namespace vaa
