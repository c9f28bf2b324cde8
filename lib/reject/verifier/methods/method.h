// A method of verification: one file, and one line in the table of method_table.cpp.
#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "reject/verifier/draft_step.h"

namespace vaa {

// A draft is accepted iff numerator / denominator >= u (or > u), whatever u is where `always` is not 0.
struct Odds {
  double numerator, denominator;
  int always = 0;  // 1: accepted, -1: rejected
};
using OddsOf = Odds (*)(const Policy& policy, double p, double q, double entropy);

struct Method {
  const char* name = "";
  bool tree = false;          // several drafts may follow the same one
  bool coins_of_rows = false; // a uniform belongs to a row of the target, and all its drafts share it
  bool uniforms = true;       // are looked at
  bool draws_always = false;  // a token at each position, accepted or not
  bool entropy = false;       // of the row before the pipeline is needed
  OddsOf odds = nullptr;      // null: not of one draft alone
  void (*run)(const StepInput& in, const Method& method, DraftOutcome* out) = nullptr;
  void (*law)(const StepInput& in, const Method& method, StepLaw* out) = nullptr;
};

std::span<const Method> methods();
std::vector<std::string_view> method_names();
const Method& method_of(const Policy& policy);

// Whether a draft is accepted, how far it is from the other decision (log(p/q) - log u), and whether that is within the boundary.
struct DraftVerdict {
  bool accepted, boundary;
  double margin;
};
DraftVerdict judge(const StepInput& in, const Odds& odds, double u);
double acceptance_of(const Odds& odds);

// p / q with the policy's rule for q = 0.
Odds plain_odds(const Policy& policy, double p, double q);

// Draft after draft, each by the method's odds.
void run_chain(const StepInput& in, const Method& method, DraftOutcome* out);
void law_of_chain(const StepInput& in, const Method& method, StepLaw* out);
// What a rejected draft leaves of its row. `without` has room for one id.
Residual residual_of(const TargetRow& target, const DraftLaw& law, const int32_t* draft);
// The children of a row: of the last row that was reached. Ascending.
void children_of(const StepInput& in, size_t row, std::vector<uint32_t>* out);

Odds token_odds(const Policy& policy, double p, double q, double entropy);
Odds entropy_odds(const Policy& policy, double p, double q, double entropy);
Odds typical_odds(const Policy& policy, double p, double q, double entropy);
void run_exact_match(const StepInput& in, const Method& method, DraftOutcome* out);
void law_of_exact_match(const StepInput& in, const Method& method, StepLaw* out);
void run_block(const StepInput& in, const Method& method, DraftOutcome* out);
void law_of_block(const StepInput& in, const Method& method, StepLaw* out);
void run_block_product(const StepInput& in, const Method& method, DraftOutcome* out);
void law_of_block_product(const StepInput& in, const Method& method, StepLaw* out);
void run_siblings(const StepInput& in, const Method& method, DraftOutcome* out);
void law_of_siblings(const StepInput& in, const Method& method, StepLaw* out);
void run_multi_draft(const StepInput& in, const Method& method, DraftOutcome* out);
void law_of_multi_draft(const StepInput& in, const Method& method, StepLaw* out);

}  // namespace vaa
