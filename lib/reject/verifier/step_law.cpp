// The exact law of a step; Verifier::law and Verifier::marginal.
#include <algorithm>
#include <cmath>
#include <string>

#include "base/failure.h"
#include "base/figures.h"
#include "reject/verifier/row_passes.h"
#include "reject/verifier/verifier.h"

namespace vaa {
namespace {

constexpr size_t kMostTuples = 1000000;

void check_law_row(const std::string& name, std::span<const double> row, double tolerance) {
  const RowSum all = sum_row(row.data(), row.size());
  if (std::fabs(all.sum - 1) <= tolerance && all.least >= 0) return;
  for (size_t i = 0; i < row.size(); ++i)
    if (!(row[i] >= 0 && row[i] <= 1e300)) fail(VAA_ERROR_ARGUMENT, name + ": probability of id " + std::to_string(i) + " is " + exact_number(row[i]) + ", must be 0 to 1");
  fail(VAA_ERROR_ARGUMENT, name + ": the probabilities add up to " + exact_number(all.sum) + ", must be 1 within " + exact_number(tolerance));
}

class LawRows : public StepRows {
 public:
  LawRows(Matrix<const double> target, Matrix<const double> draft_probs, const VerifierSetup& setup) : target_(target), draft_probs_(draft_probs), setup_(setup) {}
  TargetRow target(size_t row) override {
    TargetRow out;
    out.p = ValueRow(target_.row(row));
    if (setup_.method->entropy) out.entropy = entropy_of(out.p, setup_.policy.entropy_shift);
    return out;
  }
  DraftLaw draft(size_t draft) override {
    DraftLaw law;
    if (draft_probs_.rows == 0) return law;
    law.form = DraftLaw::Form::kRow;
    law.row = ValueRow(draft_probs_.row(draft));
    return law;
  }

 private:
  Matrix<const double> target_, draft_probs_;
  const VerifierSetup& setup_;
};

}  // namespace

void Verifier::check_law(const LawInput& input) const {
  const size_t drafts = input.drafts.size(), vocabulary = input.target.columns;
  if (input.target.rows != drafts && input.target.rows != drafts + 1) {
    fail(VAA_ERROR_ARGUMENT, "target: has " + std::to_string(input.target.rows) + " rows, must have one for each of " + std::to_string(drafts) + " drafts, and may have one more");
  }
  if (setup_.method->tree && input.target.rows != drafts + 1) fail(VAA_ERROR_ARGUMENT, "target: has no row behind the last draft, which method " + std::string(setup_.method->name) + " needs");
  if (input.draft_probs.rows != 0 && (input.draft_probs.rows != drafts || input.draft_probs.columns != vocabulary)) {
    fail(VAA_ERROR_ARGUMENT, "draft_probs: has " + std::to_string(input.draft_probs.rows) + " rows of " + std::to_string(input.draft_probs.columns) + ", must have " + std::to_string(drafts) + " of " +
                                 std::to_string(vocabulary) + ", or none");
  }
  if (!input.parents.empty() && (!setup_.method->tree || input.parents.size() != drafts)) fail(VAA_ERROR_ARGUMENT, "parents: are for methods siblings and multi_draft, one for each draft");
  for (size_t i = 0; i < drafts; ++i) {
    const std::string where = "position " + std::to_string(i) + ": ";
    if (input.drafts[i] < kPadding || (input.drafts[i] >= 0 && static_cast<size_t>(input.drafts[i]) >= vocabulary))
      fail(VAA_ERROR_ARGUMENT, where + "draft " + std::to_string(input.drafts[i]) + " is outside the vocabulary of " + std::to_string(vocabulary) + ", and not -1");
    if (setup_.method->tree && input.drafts[i] < 0) fail(VAA_ERROR_UNSUPPORTED, where + "a draft is -1, which method " + std::string(setup_.method->name) + " does not know: leave it out of the tree");
    if (!input.parents.empty() && (input.parents[i] < -1 || input.parents[i] >= static_cast<int32_t>(i))) fail(VAA_ERROR_ARGUMENT, where + "parent " + std::to_string(input.parents[i]) + " is not a draft before it, nor -1");
  }
  for (size_t row = 0; row < input.target.rows; ++row) check_law_row("position " + std::to_string(row) + ": target", input.target.row(row), setup_.sum_tolerance);
  for (size_t row = 0; row < input.draft_probs.rows; ++row) check_law_row("position " + std::to_string(row) + ": draft", input.draft_probs.row(row), setup_.sum_tolerance);
}

void Verifier::law(const LawInput& input, const LawOutput& out) {
  check_law(input);
  LawRows rows(input.target, input.draft_probs, setup_);
  std::vector<double> room;
  StepLaw law{out.acceptance, out.lengths, {}, {}};
  std::fill(law.acceptance.begin(), law.acceptance.end(), 0.0);
  std::fill(law.lengths.begin(), law.lengths.end(), 0.0);
  const size_t lines = input.target.rows, columns = input.target.columns;
  room.resize((out.emitted.rows ? 0 : lines * columns) + (out.recovered.rows ? 0 : lines * columns));
  double* free_room = room.data();
  for (const auto& [given, to] : {std::pair(&out.emitted, &law.emitted), std::pair(&out.recovered, &law.recovered)}) {
    for (size_t row = 0; row < lines; ++row) {
      to->push_back(given->rows ? given->row(row) : std::span<double>(free_room, columns));
      if (!given->rows) free_room += columns;
      std::fill(to->back().begin(), to->back().end(), 0.0);
    }
  }
  StepInput step;
  step.policy = &setup_.policy;
  step.drafts = input.drafts;
  step.parents = input.parents;
  step.rows = &rows;
  step.scratch = &scratch_;
  step.bonus_row = input.target.rows > input.drafts.size();
  setup_.method->law(step, *setup_.method, &law);
}

// Sum over d of drafted(d) [a(d) at d, else what is left], in one pass where what is left is the same for all d.
double Verifier::marginal_by_odds(const MarginalInput& input, std::span<double> out) const {
  const size_t size = input.target.size();
  const bool one_hot = input.judged.empty() || setup_.policy.method == "exact_match";
  const ValueRow p(input.target), q = one_hot ? ValueRow() : ValueRow(input.judged);
  const double entropy = setup_.method->entropy ? entropy_of(p, setup_.policy.entropy_shift) : 0;
  double accepted = 0, rejected = 0, total = 0;
  for (const double one : input.target) total += one;
  std::vector<double> left(size);
  for (size_t x = 0; x < size; ++x) {
    const double a = input.drafted[x] > 0 ? acceptance_of(setup_.method->odds(setup_.policy, input.target[x], one_hot ? 1 : input.judged[x], entropy)) : 0;
    const double missed = input.drafted[x] * (1 - a), others = total - input.target[x];
    out[x] = input.drafted[x] * a;
    accepted += out[x];
    if (one_hot && missed > 0 && !(others > 0)) fail(VAA_ERROR_ARGUMENT, "target: id " + std::to_string(x) + " has all of it and can be rejected, so nothing is left");
    left[x] = one_hot && missed > 0 ? missed / others : 0;
    rejected += one_hot ? left[x] : missed;
  }
  if (one_hot) {
    for (size_t x = 0; x < size; ++x) out[x] += input.target[x] * (rejected - left[x]);
    return accepted;
  }
  if (!(rejected > 0)) return accepted;
  StepInput step;
  step.policy = &setup_.policy;
  LawRows rows({input.target.data(), 1, size, size}, {input.judged.data(), 1, size, size}, setup_);
  step.rows = &rows;
  recovered_law(step, 0, {p, 1, q, {}}, left);
  for (size_t x = 0; x < size; ++x) out[x] += rejected * left[x];
  return accepted;
}

// Over all tuples of drafts, as they would be drawn.
double Verifier::marginal_by_drafts(const MarginalInput& input, std::span<double> out) {
  const size_t size = input.target.size(), count = static_cast<size_t>(input.candidates);
  double tuples = 1;
  for (size_t k = 0; k < count; ++k) tuples *= static_cast<double>(size);
  if (tuples * static_cast<double>(size) > static_cast<double>(kMostTuples) * 100) fail(VAA_ERROR_ARGUMENT, "candidates: " + std::to_string(count) + " of " + std::to_string(size) + " ids are more tuples than are gone through");
  const bool without = setup_.policy.rule<Replacement>(PolicyRule::kReplacement) == Replacement::kWithout || setup_.policy.method == "siblings";
  std::vector<int32_t> drafts(count, 0), parents(count, -1);
  std::vector<double> target, draft_probs, acceptance(count), lengths(count + 1), emitted((count + 1) * size);
  for (size_t k = 0; k <= count; ++k) target.insert(target.end(), input.target.begin(), input.target.end());
  for (size_t k = 0; k < count && !input.judged.empty(); ++k) draft_probs.insert(draft_probs.end(), input.judged.begin(), input.judged.end());
  const LawInput step{drafts, setup_.method->tree ? std::span<const int32_t>(parents) : std::span<const int32_t>(), {target.data(), count + 1, size, size},
                      {draft_probs.data(), input.judged.empty() ? 0 : count, size, size}};
  double accepted = 0;
  for (bool more = true; more;) {
    double weight = 1, open = 1;
    for (size_t k = 0; k < count; ++k) {
      const double q = input.drafted[static_cast<size_t>(drafts[k])];
      const bool taken = without && std::find(drafts.begin(), drafts.begin() + static_cast<ptrdiff_t>(k), drafts[k]) != drafts.begin() + static_cast<ptrdiff_t>(k);
      weight *= taken || !(open > 0) ? 0 : q / open;
      if (without) open -= q;
    }
    if (weight > 0) {
      law(step, {acceptance, lengths, {emitted.data(), count + 1, size, size}, {}});
      accepted += weight * (1 - lengths[0]);
      for (size_t x = 0; x < size; ++x) out[x] += weight * emitted[x];
    }
    size_t place = 0;
    while (place < count && ++drafts[place] == static_cast<int32_t>(size)) drafts[place++] = 0;
    more = place < count;
  }
  return accepted;
}

double Verifier::marginal(const MarginalInput& input, std::span<double> out) {
  const size_t size = input.target.size();
  if (input.drafted.size() != size || (!input.judged.empty() && input.judged.size() != size)) {
    fail(VAA_ERROR_ARGUMENT, "drafted, judged: have " + std::to_string(input.drafted.size()) + " and " + std::to_string(input.judged.size()) + " ids, must have " + std::to_string(size) + " as target has (judged: or none)");
  }
  if (size == 0) fail(VAA_ERROR_ARGUMENT, "target: is empty");
  if (input.candidates < 1 || input.candidates > 16) fail(VAA_ERROR_ARGUMENT, "candidates: is " + std::to_string(input.candidates) + ", must be 1 to 16");
  if (input.candidates > 1 && !setup_.method->tree) fail(VAA_ERROR_ARGUMENT, "candidates: is " + std::to_string(input.candidates) + ", and method " + setup_.policy.method + " takes one draft a position");
  check_law_row("target", input.target, setup_.sum_tolerance);
  check_law_row("drafted", input.drafted, setup_.sum_tolerance);
  if (!input.judged.empty()) check_law_row("judged", input.judged, setup_.sum_tolerance);
  std::fill(out.begin(), out.end(), 0.0);
  return setup_.method->odds ? marginal_by_odds(input, out) : marginal_by_drafts(input, out);
}

}  // namespace vaa
