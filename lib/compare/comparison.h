// Two runs, one verdict: samples of both go in, in any order, a report comes out.
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "base/options.h"
#include "compare/decide.h"
#include "compare/run_side.h"
#include "report/report.h"

namespace vaa {

struct ComparisonOptions {
  const Margins* margins = nullptr;
  std::string primary;                        // score, tokens, flags, "" : decide.h
  int64_t known_broken = -1, known_all = 0;   // -1: none
  bool text = true;
};
std::span<const OptionSpec> comparison_option_table();
// Reads the names of comparison_option_table(), which may be a part of a larger table. Throws Failure (VAA_ERROR_OPTION).
ComparisonOptions comparison_options(const Options& options);

class Comparison {
 public:
  Comparison(const Checker& checker, ComparisonOptions options) : options_(std::move(options)), reference_(checker), target_(checker) {}
  RunSide& side(bool target) { return target ? target_ : reference_; }
  Report report() const;

 private:
  ComparisonOptions options_;
  RunSide reference_, target_;
};

// What a comparison's document is made from.
struct Compared {
  const ComparisonOptions& options;
  const RunSide& reference;
  const RunSide& target;
  const RunPairing& pairing;
  const Decision& decision;
};
SectionReport comparison_report(const Compared& compared);

}  // namespace vaa
