// Several runs against one reference: what the reports of their comparisons say, in one table.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/options.h"
#include "compare/switches.h"
#include "report/document.h"
#include "report/report.h"

namespace vaa {

struct VariantOptions {
  std::string reference = "reference";  // its name, also in the matrix
  std::string matrix;                   // read_switch_matrix(); "" : none
  bool again = false;                   // A/B/A: the change, the reference once more, the change against that
};
// From the options of vaa_variants_new (JSON). Throws Failure (VAA_ERROR_OPTION).
VariantOptions variant_options(std::string_view json);

struct Variant {
  std::string name;
  Document comparison;              // "comparison" of its report
  int alone = 3, code = 3;          // the verdict of the report, and that among all
  double p = std::nan("");          // the least p_beyond of the primary family
  double p_adjusted = std::nan("");  // under Holm over the primary steps of all variants
  double p_other = std::nan("");    // the least of the other gates, under Holm over those of all variants
  double p_differ = std::nan("");   // two-sided, of the first step of the primary family
  std::vector<FlagRate> reference, target;
};
enum class Again { kNone, kReproducible, kDrift, kNotReproduced, kNoChange };

// What the document is made from.
struct Judged {
  const VariantOptions& options;
  std::vector<Variant> variants;
  SwitchMatrix matrix;              // of the runs that were compared, the reference first
  std::vector<SwitchRow> switches;
  Again again = Again::kNone;
  int code = 3;
};
SectionReport variants_report(const Judged& judged);

class Variants {
 public:
  explicit Variants(VariantOptions options) : options_(std::move(options)) {}
  // Throws Failure (VAA_ERROR_ARGUMENT) for a report of another kind or a name that was given before.
  void push(std::string name, const Report& report);
  // Throws Failure (VAA_ERROR_OPTION) where the matrix does not fit the names, VAA_ERROR_ARGUMENT where nothing, or for A/B/A other than three, was pushed.
  Report report() const;

 private:
  VariantOptions options_;
  std::vector<Variant> variants_;
};

}  // namespace vaa
