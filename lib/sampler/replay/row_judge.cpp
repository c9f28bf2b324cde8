#include "sampler/replay/row_judge.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/math.h"
#include "sampler/draw.h"

namespace vaa {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
const double kNone = std::nan("");

// The place of an id; the row's size where it is not there.
size_t place_of(const LogitRow& row, int32_t id) {
  if (!row.cut) return static_cast<size_t>(id);
  const auto end = row.ids.begin() + static_cast<ptrdiff_t>(row.size);
  const auto at = std::lower_bound(row.ids.begin(), end, id);
  return at != end && *at == id ? static_cast<size_t>(at - row.ids.begin()) : row.size;
}

DrawRule draw_of(const Engine& engine) { return engine.rule<DrawRule>(Rule::kDraw); }

bool by_rank(const Engine& engine, const LogitRow& row) {
  const DrawOrder order = engine.rule<DrawOrder>(Rule::kDrawOrder);
  return order == DrawOrder::kRank || (order == DrawOrder::kRankIfCut && row.size < row.vocabulary);
}

}  // namespace

RowJudge::RowJudge(const Pipeline& pipeline, const Precision& precision) : pipeline_(pipeline), precision_(precision) {
  const Params& p = pipeline.params();
  filtered_ = !p.is_off(Param::kTopP) || !p.is_off(Param::kMinP) || !p.is_off(Param::kTypicalP) || p[Param::kTopK] > 0;
}

// What logits go through before they are weighed, as errors of rounding.
void RowJudge::scale(const JudgeInput& input) {
  const Params& p = pipeline_.params();
  const Resolved resolved = p[Param::kGreedy] != 0 ? Resolved{true, 1} : resolve_temperature(pipeline_.engine(), p[Param::kTemperature], exact_.where());
  temperature_ = resolved.temperature;
  const bool counted = !p.is_off(Param::kFrequencyPenalty) || !p.is_off(Param::kPresencePenalty);
  const double steps = !p.is_off(Param::kRepetitionPenalty) + 3 * counted + pipeline_.biased() + (temperature_ != 1);
  relative_ = precision_.logits + steps * precision_.math;
  absolute_ = precision_.tolerance / temperature_;
  if (counted) absolute_ += precision_.math * (std::fabs(p[Param::kFrequencyPenalty]) * static_cast<double>(input.row.output.size()) + std::fabs(p[Param::kPresencePenalty])) / temperature_;
}

double RowJudge::error(const LogitRow& row, size_t place, const Estimate& noise) const {
  const double z = row.z[place];
  if (row.greedy) return logit_error(z);
  // Of the softmax: exp of a rounded difference, the quotients by the sum and by the noise; of a Gumbel score: the sum.
  const double depth = row.max - z, g = std::isfinite(noise.value) ? std::fabs(noise.value) : 0;
  double out = logit_error(z) + precision_.math * (depth + std::fabs(z) + g + 4) + noise.band;
  if (precision_.smallest > 0) {
    const double p = row.probability(place);
    out += p > precision_.smallest ? -math::log1p(-precision_.smallest / p) : kInfinity;
  }
  return out;
}

void RowJudge::rank_columns(const Engine& engine, LogitRow* row) {
  column_.clear();
  if (row->greedy || !by_rank(engine, *row)) return;
  const std::span<const uint32_t> order = row->by_probability();
  place_of_rank_.assign(order.begin(), order.end());
  column_.resize(order.size());
  for (size_t rank = 0; rank < order.size(); ++rank) column_[order[rank]] = static_cast<uint32_t>(rank);
}

// With noise by rank, tokens that rounding may change about share theirs.
RowJudge::Scored RowJudge::scored(LogitRow* row, size_t place, const JudgeInput& input, bool with_band) {
  const double z = row->z[place];
  if (row->greedy) {
    const double e = with_band ? logit_error(z) : 0;
    return {z, z - e, z + e};
  }
  const size_t column = column_.empty() ? static_cast<size_t>(row->id(place)) : column_[place];
  const Estimate own = input.noise->gumbel(column);
  if (!with_band) return {z + own.value, 0, 0};
  const double e = error(*row, place, own);
  Scored out{z + own.value, z + own.value - e, z + own.value + e};
  if (column_.empty()) return out;
  const auto share = [&](size_t rank) {
    const size_t other = place_of_rank_[rank];
    if (std::fabs(row->z[other] - z) > logit_error(z) + logit_error(row->z[other])) return false;
    const Estimate noise = input.noise->gumbel(rank);
    out.low = std::min(out.low, z + noise.value - e - noise.band);
    out.high = std::max(out.high, z + noise.value + e + noise.band);
    return true;
  };
  for (size_t rank = column; rank-- > 0 && share(rank);) {}
  for (size_t rank = column + 1; rank < row->size && share(rank); ++rank) {}
  return out;
}

// Of equals the first column wins, as in draw().
size_t RowJudge::best_place(const Engine& engine, LogitRow* row, const JudgeInput& input) {
  rank_columns(engine, row);
  size_t best = 0;
  double most = -kInfinity;
  for (size_t i = 0; i < row->size; ++i) {
    const size_t place = column_.empty() ? i : place_of_rank_[i];
    const double s = scored(row, place, input, false).middle;
    if (s > most) {
      most = s;
      best = place;
    }
  }
  return best;
}

// Where the candidates stop for an engine that rounds: who was surely kept, and whether `token` may have been.
void RowJudge::open_edges(const JudgeInput& input, int32_t token) {
  RowInput row = input.row;
  Params open = pipeline_.params();
  open[Param::kTopK] = 0;
  open[Param::kTopP] = open[Param::kTypicalP] = 1;
  open[Param::kMinP] = 0;
  row.params = &open;
  pipeline_.run(row, Until::kWeighed, &open_);
  const size_t at = place_of(open_, token);
  const bool own = precision_.logits == 0 && precision_.tolerance == 0;
  const bool typical = !pipeline_.params().is_off(Param::kTypicalP);
  const auto run_edge = [&](double sign) {
    const Params params = shifted(input, sign);
    row.params = &params;
    pipeline_.run(row, Until::kWeighed, &edge_);
    return *std::min_element(edge_.z.begin(), edge_.z.begin() + static_cast<ptrdiff_t>(edge_.size));
  };
  const double lowest = run_edge(1), loose_mass = edge_.size < open_.size ? math::exp(edge_.log_mass() - open_.log_mass()) : 1;
  in_loose_ = at < open_.size && (place_of(edge_, token) < edge_.size || (!typical && open_.z[at] >= lowest - 2 * logit_error(lowest) && !(own && open_.z[at] == lowest)));
  loose_size_ = edge_.size;
  const double least = run_edge(-1);
  surely_above_ = least + 2 * logit_error(least);
  surely_equal_ = own || logit_error(least) == 0 ? least : kNone;
  edge_mass_ = std::max(0.0, loose_mass - math::exp(edge_.log_mass() - open_.log_mass()));
}

// The parameters with every filter a little looser (sign 1) or tighter (-1) than its rounding may make it.
Params RowJudge::shifted(const JudgeInput& input, double sign) const {
  Params p = pipeline_.params();
  const auto begin = open_.z.begin(), end = begin + static_cast<ptrdiff_t>(open_.size);
  const double deepest = std::max(std::fabs(open_.max), std::fabs(*std::min_element(begin, end)));
  const double weight = 2 * (relative_ * deepest + absolute_) + precision_.math * (deepest + 4);
  const double mass = weight + 4 * std::sqrt(static_cast<double>(open_.size)) * precision_.math;
  const double asked = p[Param::kTopK];
  if (asked > 0 && asked < static_cast<double>(open_.size)) {
    std::vector<double> sorted(begin, end);
    const size_t k = static_cast<size_t>(asked);
    std::nth_element(sorted.begin(), sorted.begin() + static_cast<ptrdiff_t>(k - 1), sorted.end(), std::greater<>());
    const double kth = sorted[k - 1], near = 2 * logit_error(kth);
    double above = 0, near_above = 0, equal = 0, near_below = 0;
    for (auto z = begin; z != end; ++z) {
      above += *z > kth;
      near_above += *z > kth && *z <= kth + near;
      equal += *z == kth;
      near_below += *z < kth && *z >= kth - near;
    }
    const bool own = precision_.logits == 0 && precision_.tolerance == 0;
    if (sign > 0) p[Param::kTopK] = own ? asked + near_below : above + equal + near_below;
    else if (!own || near_above + near_below > 0) p[Param::kTopK] = std::max(1.0, above - near_above);
  }
  const auto shift = [&](Param which, double by, double least, double most) {
    if (!p.is_off(which)) p[which] = std::clamp(p[which] + sign * by, least, most);
  };
  shift(Param::kTopP, mass, 1e-300, 1);
  shift(Param::kTypicalP, mass, 1e-300, 1);
  shift(Param::kMinP, -p[Param::kMinP] * weight, 0, 1);
  if (sign > 0 && !p.is_off(Param::kTopP)) p[Param::kTopP] = std::min(1.0, p[Param::kTopP] * (1 + unlisted_mass(input, open_)));
  return p;
}

void RowJudge::prepare(const JudgeInput& input) {
  RowInput row = input.row;
  Params listed = pipeline_.params();
  if (input.unlisted.there && !listed.is_off(Param::kTopP)) {  // the boundary is a share of the whole row
    Params open = listed;
    open[Param::kTopP] = 1;
    row.params = &open;
    pipeline_.run(row, Until::kWeighed, &exact_);
    temperature_ = 1;
    scale(input);
    listed[Param::kTopP] = std::min(1.0, listed[Param::kTopP] * (1 + unlisted_mass(input, exact_)));
  }
  row.params = &listed;
  pipeline_.run(row, Until::kWeighed, &exact_);
  scale(input);
}

RowResult RowJudge::judge(const JudgeInput& input) {
  RowResult result;
  result.greedy = exact_.greedy;
  result.difr = kNone;
  const size_t at = place_of(exact_, input.token);
  if (!exact_.greedy) {
    for (size_t i = 0; i < exact_.size; ++i) result.collision += exact_.probability(i) * exact_.probability(i);
    result.probability = at < exact_.size ? exact_.probability(at) : 0;
  }
  result.could_differ = exact_.size > 1 || input.unlisted.there;
  if (exact_.greedy) judge_scores(input, &result);
  else if (!input.noise) judge_without_noise(input, &result);
  else if (draw_of(pipeline_.engine()) == DrawRule::kInverseCdf) judge_walk(input, &result);
  else judge_scores(input, &result);
  return result;
}

void RowJudge::judge_scores(const JudgeInput& input, RowResult* result) {
  const size_t best = best_place(pipeline_.engine(), &exact_, input);
  result->token = exact_.id(best);
  if (exact_.greedy) {
    const auto begin = exact_.z.begin(), end = begin + static_cast<ptrdiff_t>(exact_.size);
    result->tied = std::count(begin, end, exact_.z[best]) > 1;
  }
  if (result->token != input.token) return judge_other(input, best, result);
  result->state = RowState::kSame;
  result->rank = 1;
  result->margin = result->difr = 0;
}

void RowJudge::judge_other(const JudgeInput& input, size_t best, RowResult* result) {
  const double most = scored(&exact_, best, input, false).middle;
  const size_t at = place_of(exact_, input.token);
  const bool listed = !input.unlisted.there || input.row.logits[static_cast<size_t>(input.token)] > -kInfinity;
  result->margin = kInfinity;
  if (at < exact_.size) {
    const double own = scored(&exact_, at, input, false).middle;
    result->margin = most == own ? 0 : most - own;
    result->rank = 1;
    for (size_t i = 0; i < exact_.size; ++i) result->rank += scored(&exact_, i, input, false).middle > own;
  }
  open_edges(input, input.token);
  // The largest that some surely kept token must have reached.
  rank_columns(pipeline_.engine(), &edge_);
  double bound = -kInfinity;
  for (size_t i = 0; i < edge_.size; ++i)
    if (edge_.z[i] > surely_above_ || edge_.z[i] == surely_equal_ || edge_.z[i] == edge_.max) bound = std::max(bound, scored(&edge_, i, input, true).low);
  if (!listed) {
    const double high = input.unlisted.most / temperature_ + (exact_.greedy ? 0 : input.noise->gumbel(static_cast<size_t>(input.token)).value) + logit_error(input.unlisted.most / temperature_);
    result->legal = unlisted_kept(input);
    result->state = result->legal && high >= bound ? RowState::kUnknown : RowState::kDeparted;
    result->difr = result->state == RowState::kUnknown ? kNone : kInfinity;
    return;
  }
  result->legal = in_loose_ || exact_.greedy;
  rank_columns(pipeline_.engine(), &open_);
  const Scored claimed = scored(&open_, place_of(open_, input.token), input, true);
  result->state = result->legal && claimed.high >= bound ? RowState::kWithin : RowState::kDeparted;
  if (at >= exact_.size && result->legal) result->margin = std::max(0.0, most - claimed.middle);
  if (std::isfinite(result->margin)) result->band = std::max(0.0, claimed.high - claimed.middle + most - bound);
  result->difr = temperature_ * result->margin;
  if (result->state == RowState::kDeparted || !input.unlisted.there) return;
  if (unlisted_bound(input) > claimed.low) result->state = RowState::kUnknown;
}

void RowJudge::judge_without_noise(const JudgeInput& input, RowResult* result) {
  const size_t at = place_of(exact_, input.token);
  result->margin = kNone;
  if (exact_.size == 1) result->token = exact_.id(0);
  if (at < exact_.size) {
    result->rank = 1;
    for (size_t i = 0; i < exact_.size; ++i) result->rank += exact_.z[i] > exact_.z[at];
    if (exact_.size == 1) {
      result->state = RowState::kSame;
      result->margin = 0;
    }
    return;
  }
  open_edges(input, input.token);
  const bool listed = !input.unlisted.there || input.row.logits[static_cast<size_t>(input.token)] > -kInfinity;
  result->legal = listed ? in_loose_ : unlisted_kept(input);
  if (result->legal) return;
  result->state = RowState::kDeparted;
  result->margin = result->difr = kInfinity;
}

int32_t RowJudge::pick(const Pipeline& pipeline, const Params& params, const JudgeInput& input) {
  RowInput row = input.row;
  row.params = &params;
  pipeline.run(row, Until::kWeighed, &other_);
  if (other_.size == 1) return other_.id(0);
  if (!other_.greedy && !input.noise) return -1;
  if (other_.greedy || draw_of(pipeline.engine()) != DrawRule::kInverseCdf) return other_.id(best_place(pipeline.engine(), &other_, input));
  return draw(pipeline.engine(), input.noise->values, &other_);
}

}  // namespace vaa
