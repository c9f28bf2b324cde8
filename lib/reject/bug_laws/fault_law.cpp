#include "reject/bug_laws/fault_law.h"

#include <algorithm>
#include <cmath>

#include "base/failure.h"
#include "reject/bug_laws/bug_law.h"
#include "reject/steps/row_law.h"

namespace vaa {
namespace {

const BugLaw* named(std::string_view fault) {
  if (fault.empty()) return nullptr;
  const BugLaw* out = find_bug_law(fault);
  if (out) return out;
  std::string known;
  for (const BugLaw* law : bug_law_table()) known += (known.empty() ? "" : ", ") + std::string(law->name);
  fail(VAA_ERROR_ARGUMENT, "fault: " + quoted(fault) + " is no known fault; known: " + known);
}

void check(const FullRows& rows, std::span<const int32_t> drafts, std::span<const double> draft_law, size_t at) {
  const auto law = [&](const char* name, std::span<const double> of) {
    double sum = 0;
    for (const double x : of) sum += x >= 0 ? x : std::nan("");
    if (!(std::fabs(sum - 1) <= 1e-6)) fail(VAA_ERROR_ARGUMENT, std::string(name) + ": a row does not add up to 1");
  };
  if (at >= rows.p_rows()) fail(VAA_ERROR_ARGUMENT, "at: is " + std::to_string(at) + ", p has " + std::to_string(rows.p_rows()) + " rows");
  if (rows.q_rows() != 0 && rows.q_rows() <= at) fail(VAA_ERROR_ARGUMENT, "q: has " + std::to_string(rows.q_rows()) + " rows, needs one for each draft");
  if (!draft_law.empty() && draft_law.size() != rows.vocab) fail(VAA_ERROR_ARGUMENT, "draft_law: has " + std::to_string(draft_law.size()) + " numbers, must have " + std::to_string(rows.vocab));
  for (const int32_t draft : drafts)
    if (draft < 0 || static_cast<size_t>(draft) >= rows.vocab) fail(VAA_ERROR_ARGUMENT, "drafts: " + std::to_string(draft) + " lies outside the vocabulary of " + std::to_string(rows.vocab));
  for (size_t i = 0; i < rows.p_rows(); ++i) law("p", rows.target(i));
  for (size_t i = 0; i < rows.q_rows(); ++i) law("q", rows.draft(i));
  if (!draft_law.empty()) law("draft_law", draft_law);
}

// The step with `draft` at the place that is looked at.
class Place {
 public:
  Place(const FullRows& rows, std::span<const int32_t> drafts, size_t at, double temperature) : rows_(rows), at_(at), drafts_(drafts.begin(), drafts.end()), p_(at + 1), q_(at + 1, 1), accept_(at + 1), argmax_(at + 1) {
    drafts_.resize(at + 1);
    view_ = {rows.q.empty(), temperature, drafts_, argmax_, p_, q_, accept_, &rows_};
  }
  const LawView& with(int32_t draft) {
    drafts_[at_] = draft;
    for (size_t i = 0; i <= at_; ++i) {
      const auto token = static_cast<size_t>(drafts_[i]);
      p_[i] = rows_.target(i)[token];
      if (!rows_.q.empty()) q_[i] = rows_.draft(i)[token];
      accept_[i] = q_[i] > p_[i] ? p_[i] / q_[i] : 1;
      argmax_[i] = static_cast<int32_t>(likeliest(rows_.target(i)));
    }
    return view_;
  }

 private:
  const FullRows& rows_;
  size_t at_;
  std::vector<int32_t> drafts_;
  std::vector<double> p_, q_, accept_;
  std::vector<int32_t> argmax_;
  LawView view_;
};

bool right_residual(const LawView& view, size_t at, std::span<double> out) {
  return view.one_hot ? without_draft(view.full->target(at), view.drafts[at], out) : positive_part(view.full->target(at), view.full->draft(at), out);
}

}  // namespace

PlaceLaw place_law(std::string_view fault, const FullRows& rows, std::span<const int32_t> drafts, std::span<const double> draft_law, size_t at, double temperature) {
  check(rows, drafts, draft_law, at);
  const BugLaw* law = named(fault);
  if (law && law->accepted) fail(VAA_ERROR_ARGUMENT, "fault: " + std::string(law->name) + " judges all places together, and has no law of one of them");
  Place place(rows, drafts, at, temperature);
  std::vector<double> chances(rows.vocab), residual(rows.vocab);
  if (drafts.size() > at) {
    only(static_cast<size_t>(drafts[at]), chances);
  } else if (!draft_law.empty()) {
    std::copy(draft_law.begin(), draft_law.end(), chances.begin());
  } else {
    if (rows.q.empty()) fail(VAA_ERROR_ARGUMENT, "drafts: the draft at the place is needed where drafts have no law");
    const LawView& view = place.with(0);
    if (!law || !law->drafted || !law->drafted(view, at, chances)) std::copy_n(rows.draft(at).begin(), rows.vocab, chances.begin());
  }
  PlaceLaw out{0, std::vector<double>(rows.vocab), std::vector<double>(rows.vocab)};
  for (size_t draft = 0; draft < rows.vocab; ++draft) {
    if (!(chances[draft] > 0)) continue;
    const LawView& view = place.with(static_cast<int32_t>(draft));
    const double changed = law && law->accept ? law->accept(view, at) : std::nan(""), accept = std::isnan(changed) ? view.accept[at] : changed;
    out.accept += chances[draft] * accept;
    out.emitted[draft] += chances[draft] * accept;
    if (!(accept < 1)) continue;
    if (!(law && law->recovered && law->recovered(view, at, residual)) && !right_residual(view, at, residual)) continue;
    for (size_t x = 0; x < rows.vocab; ++x) out.recovered[x] += chances[draft] * (1 - accept) * residual[x];
  }
  for (size_t x = 0; x < rows.vocab; ++x) out.emitted[x] += out.recovered[x];
  normalise(out.recovered);
  return out;
}

}  // namespace vaa
