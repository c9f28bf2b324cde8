#include "reject/steps/step_audit.h"

#include <algorithm>
#include <cmath>

#include "base/failure.h"
#include "base/text_hash.h"
#include "reject/steps/row_law.h"

namespace vaa {
namespace {

// fp32 rows of 130,000 ids add up to 1 within 1e-4.
constexpr double kSumBand = 1e-3;

bool probability(double x) { return x >= 0 && x <= 1 + kSumBand; }

// Numbers of the drafts that were reached, as probabilities; those behind a rejection may be anything. A row that goes on after one tells of no draft how far it came: all count.
bool numbers_right(const StepRow& row, const ShapedRow& shape) {
  const size_t reached = shape.shape == RowShape::kTokensAfterRejection ? row.drafts.size() : std::min(shape.judged, row.drafts.size());
  for (size_t i = 0; i < reached; ++i)
    if (row.drafts[i] >= 0 && ((row.has(StepRow::kP) && !probability(row.p[i])) || (row.has(StepRow::kQ) && !probability(row.q[i])))) return false;
  return true;
}

bool law(std::span<const double> row) {
  double sum = 0;
  for (const double x : row) {
    if (!probability(x)) return false;
    sum += x;
  }
  return std::fabs(sum - 1) <= kSumBand;
}

bool laws_right(const FullRows& full, const ShapedRow& shape) {
  for (size_t i = 0; i < std::min(full.p_rows(), shape.judged + 1); ++i)
    if (!law(full.target(i)) || (i < full.q_rows() && i < shape.judged && !law(full.draft(i)))) return false;
  return true;
}

void count_places(const StepRow& row, const ShapedRow& shape, StepGroup* group) {
  group->drafts += !row.drafts.empty();
  group->draft_tokens += static_cast<int64_t>(row.drafts.size());
  group->accepted += static_cast<int64_t>(shape.accepted);
  group->emitted += static_cast<int64_t>(shape.ids);
  if (group->places.size() < row.drafts.size()) group->places.resize(row.drafts.size());
  for (size_t i = 0; i < row.drafts.size(); ++i) {
    group->places[i].drafted += 1;
    group->places[i].reached += i < shape.judged;
    group->places[i].accepted += i < shape.accepted;
  }
}

}  // namespace

StepGroup* StepAudit::group_of(const StepHeader& header) {
  for (const auto& group : groups_)
    if (group->header.same(header)) return group.get();
  if (groups_.size() >= kMostGroups) fail(VAA_ERROR_CAPACITY, "steps: more than " + std::to_string(kMostGroups) + " servers, ranks and headers");
  groups_.push_back(std::make_unique<StepGroup>());
  StepGroup* out = groups_.back().get();
  out->header = header;
  for (const StepCheck* check : step_check_table()) out->tallies.push_back(check->make(header));
  return out;
}

void StepAudit::add(const StepRow& row, StepGroup* group) {
  const ShapedRow shape = shape_of(row.drafts, row.ids, group->header.vocab_size, group->header.trimmed);
  accept_.resize(row.drafts.size());
  accept_chances(row, group->header, nullptr, accept_);
  const StepView view{group->header, row, shape, row.temperature == 0, numbers_right(row, shape), accept_};
  group->rows += 1;
  group->greedy_rows += view.greedy;
  count_places(row, shape, group);
  group->with_p |= row.has(StepRow::kP);
  group->with_q |= row.has(StepRow::kQ);
  group->with_argmax |= row.has(StepRow::kArgmax);
  for (const auto& tally : group->tallies)
    if (tally) tally->add(view);
}

void StepAudit::add_full(const StepRow& row, const FullRows& full, StepGroup* group) {
  const ShapedRow shape = shape_of(row.drafts, row.ids, group->header.vocab_size, group->header.trimmed);
  accept_.resize(row.drafts.size());
  accept_chances(row, group->header, &full, accept_);
  const StepView view{group->header, row, shape, row.temperature == 0, numbers_right(row, shape) && laws_right(full, shape), accept_};
  group->full_rows += 1;
  group->with_noise |= !full.uniforms.empty();
  for (const auto& tally : group->tallies)
    if (tally) tally->add_full(view, full);
}

bool StepAudit::add_or_count(const StepRow& row, const std::string& here, StepGroup* group) {
  const std::string fault = row_fault(row, group->header);
  if (fault.empty()) add(row, group);
  else count_bad(here + ": " + fault);
  return fault.empty();
}

void StepAudit::add_full_or_count(const StepRow& row, const FullRows& full, const std::string& here, StepGroup* group) {
  std::string fault = row_fault(row, group->header);
  if (fault.empty()) fault = full_rows_fault(row, full, group->header);
  if (fault.empty()) add_full(row, full, group);
  else count_bad(here + ": " + fault);
}

bool StepAudit::begin_file(std::string_view head) {
  const uint64_t hash = hash_bytes(0, head);
  const auto place = std::lower_bound(heads_.begin(), heads_.end(), hash);
  const bool repeated = place != heads_.end() && *place == hash;
  if (!repeated) heads_.insert(place, hash);
  ++(repeated ? oddities_.repeated_files : oddities_.files);
  return !repeated;
}

void StepAudit::count_bad(const std::string& what) {
  if (oddities_.bad_rows++ == 0) oddities_.first_bad = what;
}
void StepAudit::count_cut(const std::string& where) {
  if (oddities_.cut_files++ == 0) oddities_.first_cut = where;
}
void StepAudit::count_damaged(const std::string& where) {
  if (oddities_.damaged_files++ == 0) oddities_.first_damaged = where;
}

}  // namespace vaa
