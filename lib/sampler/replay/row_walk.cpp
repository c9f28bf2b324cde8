// Rows that are drawn by an inverse CDF, and what a list of the likeliest leaves open.
#include <algorithm>
#include <cmath>
#include <limits>

#include "base/failure.h"
#include "base/math.h"
#include "sampler/draw.h"
#include "sampler/replay/row_judge.h"

namespace vaa {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Where a token lies in the walk over the masses of a row: its share [begin, end), and with those that rounding may put before or behind it.
struct Stretch {
  bool there = false;
  double begin = 0, end = 0, widest_begin = 0, widest_end = 0;
  int64_t step = 0;
};

}  // namespace

// A sum p^(1/T) of what is not listed, over that of what is, at most: each such p is no larger than the least of the list (T <= 1), or by the concavity of the power (T > 1).
double RowJudge::unlisted_mass(const JudgeInput& input, const LogitRow& row) const {
  if (!input.unlisted.there || input.unlisted.mass <= 0) return 0;
  const double left = static_cast<double>(row.vocabulary) - static_cast<double>(row.size), power = 1 / temperature_;
  const double log_rest = math::log(input.unlisted.mass);
  const double log_sum = power >= 1 ? log_rest + (power - 1) * input.unlisted.most : power * log_rest + (1 - power) * math::log(std::max(left, 1.0));
  return math::exp(log_sum - row.log_mass());
}

bool RowJudge::unlisted_kept(const JudgeInput& input) const {
  if (!input.unlisted.there || input.unlisted.mass <= 0) return false;
  const Params& p = pipeline_.params();
  if (p[Param::kTopK] > 0 && p[Param::kTopK] <= static_cast<double>(open_.size)) return false;
  if (!p.is_off(Param::kMinP) && input.unlisted.most / temperature_ + logit_error(input.unlisted.most / temperature_) < open_.max + math::log(p[Param::kMinP])) return false;
  return p.is_off(Param::kTopP) || loose_size_ == open_.size;
}

// No score of what is not listed is larger. open_edges() has run.
double RowJudge::unlisted_bound(const JudgeInput& input) const {
  const double most = input.unlisted.most / temperature_;
  if (open_.greedy) return most < open_.max ? -kInfinity : most + logit_error(most);
  if (!unlisted_kept(input)) return -kInfinity;
  if (!column_.empty()) return kInfinity;  // noise goes by rank, which is not known of them
  double noise = -kInfinity;
  for (size_t id = 0; id < input.row.logits.size(); ++id) {
    if (input.row.logits[id] > -kInfinity) continue;
    const Estimate one = input.noise->gumbel(id);
    noise = std::max(noise, one.value + one.band);
  }
  return most + noise + logit_error(most);
}

void RowJudge::judge_walk(const JudgeInput& input, RowResult* result) {
  const Engine& engine = pipeline_.engine();
  const double u = input.noise->values[0];
  result->token = exact_.size == 1 ? exact_.id(0) : draw(engine, input.noise->values, &exact_);
  if (result->token == input.token) {
    result->state = RowState::kSame;
    result->rank = 1;
    return;
  }
  open_edges(input, input.token);
  const auto find = [&](LogitRow* row, int32_t id) {
    rank_columns(engine, row);
    Stretch out;
    double mass = 0;
    const auto near = [&](size_t a, size_t b) { return std::fabs(row->z[a] - row->z[b]) <= logit_error(row->z[a]) + logit_error(row->z[b]); };
    size_t at = row->size;
    for (size_t i = 0; i < row->size; ++i)
      if (row->id(column_.empty() ? i : place_of_rank_[i]) == id) at = i;
    if (at == row->size) return out;
    size_t first = at, last = at;
    if (!column_.empty()) {
      while (first > 0 && near(place_of_rank_[first - 1], place_of_rank_[at])) --first;
      while (last + 1 < row->size && near(place_of_rank_[last + 1], place_of_rank_[at])) ++last;
    }
    for (size_t i = 0; i <= last; ++i) {
      const double share = row->probability(column_.empty() ? i : place_of_rank_[i]);
      if (i == first) out.widest_begin = mass;
      if (i == at) out.begin = mass;
      mass += share;
      if (i == at) out.end = mass;
    }
    out.widest_end = mass;
    out.there = true;
    out.step = static_cast<int64_t>(at);
    return out;
  };
  const double spread = unlisted_kept(input) ? unlisted_mass(input, open_) : 0;
  const auto distance = [&](double begin, double end) { return u < begin / (1 + spread) ? begin / (1 + spread) - u : u > end ? u - end : 0; };
  const double deepest = std::max(std::fabs(exact_.max), std::fabs(exact_.max - 40));
  result->band = edge_mass_ + relative_ * deepest * 2 + absolute_ * 2 + precision_.math * (44 + deepest + 4 * std::sqrt(static_cast<double>(exact_.size)));
  result->margin = kInfinity;
  double nearest = kInfinity;
  const Stretch ours = find(&exact_, result->token), theirs = find(&exact_, input.token);
  if (theirs.there) {
    result->margin = distance(theirs.begin, theirs.end);
    result->rank = 1 + std::abs(theirs.step - ours.step);
    nearest = distance(theirs.widest_begin, theirs.widest_end);
  } else if (in_loose_) {
    const Stretch open = find(&edge_, input.token);  // of the tighter edge, where it may be too
    result->margin = nearest = open.there ? distance(open.widest_begin, open.widest_end) : std::max(0.0, ours.end - u);
  }
  const bool listed = !input.unlisted.there || input.row.logits[static_cast<size_t>(input.token)] > -kInfinity;
  result->legal = listed ? in_loose_ || theirs.there : unlisted_kept(input);
  if (!result->legal) result->state = RowState::kDeparted;
  else if (!listed || (spread > 0 && column_.empty())) result->state = RowState::kUnknown;
  else result->state = nearest <= result->band ? RowState::kWithin : RowState::kDeparted;
}

}  // namespace vaa
