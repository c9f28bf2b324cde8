// Two runs, one verdict: samples of both go in, in any order, a report comes out.
#pragma once
#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/options.h"
#include "compare/decide.h"
#include "compare/evidence_builder.h"
#include "compare/run_side.h"
#include "report/report.h"
#include "sampler/calibration/calibration.h"

namespace vaa {

struct ComparisonOptions {
  const Margins* margins = nullptr;
  std::string primary;                        // score, tokens, flags, "" : decide.h
  int64_t known_broken = -1, known_all = 0;   // -1: none
  bool text = true;
  bool reference_again = false, target_again = false;  // runs of these sides follow
  std::string noise;                          // vaa.noise/1, "" : none
};
std::span<const OptionSpec> comparison_option_table();
// Reads the names of comparison_option_table(), which may be a part of a larger table. Throws Failure (VAA_ERROR_OPTION).
ComparisonOptions comparison_options(const Options& options);

// The runs of a comparison; the numbers are those of VAA_SIDE_REFERENCE, … (include/vaa/compare.h).
enum RunRole : int32_t { kReferenceRun = 0, kTargetRun = 1, kReferenceAgain = 2, kTargetAgain = 3, kRunRoles = 4 };

class Comparison {
 public:
  // Throws Failure (VAA_ERROR_OPTION) for a noise profile that is none.
  Comparison(const Checker& checker, ComparisonOptions options);
  // Takes what is judged of the sample. Throws Failure: VAA_ERROR_ARGUMENT for a role that the options do not declare, VAA_ERROR_IO where answers that wait for their partners find no room.
  void add(int32_t role, const Sample& sample, const Judgement& judgement);
  // The same with what read_strip() made of it; null: no ids.
  void add(int32_t role, const Sample& sample, const Judgement& judgement, TokenStrip* strip, const SideFaults& faults);
  // Before the first sample: what the engine of the reference or of the target makes of what its requests leave out.
  void take_request(int32_t role, const Input& input);
  RunSide& side(int32_t role) { return sides_[static_cast<size_t>(role)]; }
  Report report() const;
  // The same, and nothing may be added afterwards: the token evidence does not stand twice, 25 bytes a compared position.
  Report finish();

 private:
  Report report(const std::array<TokenEvidence, 3>& evidence) const;
  bool expected(int32_t role) const { return role >= 0 && role < kRunRoles && (role < kReferenceAgain || (role == kReferenceAgain ? options_.reference_again : options_.target_again)); }
  ComparisonOptions options_;
  const Vocab* vocab_;
  std::vector<RunSide> sides_;             // by role
  std::vector<EvidenceBuilder> builders_;  // reference and target, reference and again, target and again
  std::array<Openings, 2> openings_;       // of reference and target, where speculation was changed
  std::vector<sampler::Calibration> draws_;  // of reference and target
  std::optional<NoiseProfile> noise_;      // of the option
};

// What a comparison's document is made from.
struct Compared {
  const ComparisonOptions& options;
  const RunSide& reference;
  const RunSide& target;
  const RunPairing& pairing;
  const Decision& decision;
  const TokenEvidence* tokens;  // null: none
  const NoiseProfile* noise;    // null: none
};
SectionReport comparison_report(const Compared& compared);

}  // namespace vaa
