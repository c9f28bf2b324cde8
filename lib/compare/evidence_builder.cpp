#include "compare/evidence_builder.h"

#include <algorithm>
#include <tuple>

#include "compare/logprob_mode.h"

namespace vaa {
namespace {

bool same_kind(const StripFacts& a, const StripFacts& b) { return a.kind == b.kind && a.branch == b.branch && (a.kind != PairKind::kRung || a.at == b.at); }
bool same_seed(const StripFacts& a, const StripFacts& b) { return a.draw == Draw::kSeeded && b.draw == Draw::kSeeded && a.seed == b.seed; }
bool both_greedy(const StripFacts& a, const StripFacts& b) { return a.draw == Draw::kGreedy && b.draw == Draw::kGreedy; }

// Partners whatever else may come.
bool partners(const StripFacts& a, const StripFacts& b) { return same_kind(a, b) && a.server == b.server && a.draw == b.draw && a.seed == b.seed && a.repeat == b.repeat; }

// A pair in its place among all; the cluster is -1 where its question is not shared.
struct Placed {
  const ComparedPair* pair;
  int32_t question;
};

// The column of all pairs; what `own` holds of it is let go at once, so that only one column stands twice.
template <class Column>
void take_column(const std::vector<Placed>& placed, std::vector<ComparedPair>* own, size_t total, Column column, TokenRows* to) {
  auto& out = to->*column;
  out.reserve(total);
  for (const Placed& p : placed) {
    const auto& from = p.pair->rows.*column;
    out.insert(out.end(), from.begin(), from.end());
  }
  for (ComparedPair& p : *own) p.rows.*column = {};
}

// Answers with ids on neither or one side only, of those that could be pairs.
int64_t without_ids(const RunSide& reference, const RunSide& target, const RunPairing& pairing) {
  int64_t n = 0;
  for (const SharedQuestion& q : pairing.shared) {
    const auto count = [](const RunSide& side, int32_t question, bool ids) {
      const auto& rows = side.question(question).rows;
      return std::count_if(rows.begin(), rows.end(), [&](int32_t r) { return side.row(r).has_output && (!ids || side.row(r).has_ids); });
    };
    n += std::min(count(reference, q.reference, false), count(target, q.target, false)) - std::min(count(reference, q.reference, true), count(target, q.target, true));
  }
  return n;
}

}  // namespace

void EvidenceBuilder::pair(const TokenStrip& reference, const TokenStrip& target, int64_t arrival) {
  pairs_.push_back(reader_.compare(reference, target, &fit_));
  pairs_.back().arrival = arrival;
}

void EvidenceBuilder::pair(const Waiting& reference, const Waiting& target) { pair(strip_from(room_->read(reference.number)), strip_from(room_->read(target.number)), reference.arrival); }

void EvidenceBuilder::add(bool target, const TokenStrip& strip, const SideFaults& faults) {
  add_faults(&faults_[target], faults);
  const int64_t arrival = arrived_[target]++;
  Meeting& meeting = meetings_[strip.key];
  ++meeting.strips[target];
  auto& others = meeting.waiting[!target];
  const auto found = std::find_if(others.begin(), others.end(), [&](const Waiting& w) { return partners(w.facts, strip.facts); });
  if (found == others.end()) {
    meeting.waiting[target].push_back({strip.facts, room_->keep(strip_bytes(strip)), arrival});
    return;
  }
  const TokenStrip other = strip_from(room_->read(found->number));
  target ? pair(other, strip, found->arrival) : pair(strip, other, arrival);
  room_->drop(found->number);
  others.erase(found);
}

// The first reference strip with the first target strip that fits it, and so on.
template <class Fits>
void EvidenceBuilder::pair_waiting(Meeting* meeting, Fits fits) {
  auto& [ours, theirs] = meeting->waiting;
  for (auto a = ours.begin(); a != ours.end();) {
    const auto b = std::find_if(theirs.begin(), theirs.end(), [&](const Waiting& w) { return fits(a->facts, w.facts); });
    if (b == theirs.end()) {
      ++a;
      continue;
    }
    pair(*a, *b);
    theirs.erase(b);
    a = ours.erase(a);
  }
}

void EvidenceBuilder::pair_rest(Meeting* meeting) {
  for (auto& side : meeting->waiting) {
    std::stable_sort(side.begin(), side.end(), [](const Waiting& a, const Waiting& b) { return std::tie(a.facts.repeat, a.arrival) < std::tie(b.facts.repeat, b.arrival); });
  }
  pair_waiting(meeting, [](const StripFacts& a, const StripFacts& b) { return same_kind(a, b) && same_seed(a, b); });
  pair_waiting(meeting, [](const StripFacts& a, const StripFacts& b) { return same_kind(a, b) && both_greedy(a, b); });
  pair_waiting(meeting, [](const StripFacts& a, const StripFacts& b) { return same_kind(a, b); });
  pair_waiting(meeting, [](const StripFacts& a, const StripFacts& b) { return a.kind == PairKind::kFree && b.kind == PairKind::kForced && (a.draw == Draw::kGreedy || a.lists); });
  for (const Waiting& w : meeting->waiting[1]) forced_late_ += w.facts.kind == PairKind::kForced && meeting->strips[0] > 0;
  unpaired_ += static_cast<int64_t>(meeting->waiting[0].size() + meeting->waiting[1].size());
}

TokenEvidence EvidenceBuilder::evidence(const RunSide& reference, const RunSide& target, const RunPairing& pairing) const {
  EvidenceBuilder rest(reader_, room_);
  rest.meetings_ = meetings_;
  std::copy(std::begin(faults_), std::end(faults_), std::begin(rest.faults_));
  rest.fit_ = fit_;
  rest.unpaired_ = unpaired_;
  rest.forced_late_ = forced_late_;
  for (auto& [key, meeting] : rest.meetings_) rest.pair_rest(&meeting);
  return rest.assembled(reference, target, pairing, pairs_);
}

TokenEvidence EvidenceBuilder::finish(const RunSide& reference, const RunSide& target, const RunPairing& pairing) {
  for (auto& [key, meeting] : meetings_) pair_rest(&meeting);
  return assembled(reference, target, pairing, {});
}

TokenEvidence EvidenceBuilder::assembled(const RunSide& reference, const RunSide& target, const RunPairing& pairing, std::span<const ComparedPair> kept) {
  TokenEvidence out;
  out.reference = faults_[0];
  out.target = faults_[1];
  out.fit = fit_.fit();
  out.unpaired = unpaired_;
  out.forced_late = forced_late_;
  out.spilled = room_->spilled();
  out.without_ids = without_ids(reference, target, pairing);
  std::vector<int32_t> shared(reference.questions().size(), -1);
  for (size_t i = 0; i < pairing.shared.size(); ++i) shared[static_cast<size_t>(pairing.shared[i].reference)] = static_cast<int32_t>(i);
  std::vector<Placed> all, listed;
  for (const std::span<const ComparedPair> pairs : {kept, std::span<const ComparedPair>(pairs_)}) {
    for (const ComparedPair& p : pairs) all.push_back({&p, p.reference_question < 0 ? -1 : shared[static_cast<size_t>(p.reference_question)]});
  }
  const auto place = [](const Placed& p) { return std::tuple(p.question < 0, p.question, p.pair->pair.kind, p.pair->at, p.pair->repeat, p.pair->arrival); };
  std::sort(all.begin(), all.end(), [&](const Placed& a, const Placed& b) { return place(a) < place(b); });
  const auto take_first = [](std::string* to, const std::string& from) {
    if (to->empty()) *to = from;
  };
  size_t rows = 0;
  for (const Placed& placed : all) {
    const ComparedPair& p = *placed.pair;
    out.prompts[static_cast<size_t>(p.pair.prompt)] += !p.without_prompt;
    take_first(&out.first_prompt, p.prompt);
    out.without_prompt += p.without_prompt;
    out.sampled += !p.listed;
    out.temperature_unknown += !p.listed && p.temperature_unknown;
    if (!p.listed || placed.question < 0) continue;
    out.other_modes += !p.modes.empty();
    take_first(&out.first_modes, p.modes);
    take_first(&out.first_handling, p.handling);
    listed.push_back(placed);
    out.pairs.push_back(p.pair);
    out.pairs.back().question = placed.question;
    out.pairs.back().first_row = static_cast<int32_t>(rows);
    rows += p.rows.size();
  }
  for (const auto column : {&TokenRows::gap, &TokenRows::target_gap, &TokenRows::reference_logprob, &TokenRows::target_logprob, &TokenRows::kl, &TokenRows::kl_rest}) take_column(listed, &pairs_, rows, column, &out.rows);
  take_column(listed, &pairs_, rows, &TokenRows::flip, &out.rows);
  pairs_ = {};
  fit_gaps(&out);
  drop_unusable(&out);
  return out;
}

}  // namespace vaa
