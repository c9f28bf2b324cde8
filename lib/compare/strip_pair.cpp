#include "compare/strip_pair.h"

#include <algorithm>
#include <cmath>

#include "compare/handled_output.h"
#include "stats/distances.h"

namespace vaa {
namespace {

const float kNone = std::nanf("");

float logprob_of(const TokenList& list, int32_t id) {
  const auto found = std::find(list.ids.begin(), list.ids.end(), id);
  return found == list.ids.end() ? kNone : list.logprobs[static_cast<size_t>(found - list.ids.begin())];
}

// Logprob of token i, its own or that of its list.
float own_logprob(const TokenStrip& strip, size_t i) {
  const float value = strip.scores.logprob(i);
  return std::isnan(value) ? logprob_of(strip.scores.list(i), strip.output[i]) : value;
}

float gap_of(const TokenList& list) {
  if (list.logprobs.size() < 2) return kNone;
  float most = -HUGE_VALF, next = -HUGE_VALF;
  for (const float value : list.logprobs) {
    if (value > most) next = most, most = value;
    else if (value > next) next = value;
  }
  return most - next;
}

int32_t first_of(const TokenList& list) { return list.ids[static_cast<size_t>(std::max_element(list.logprobs.begin(), list.logprobs.end()) - list.logprobs.begin())]; }

// Does the target prefer another token than the reference's first one? A tie is no preference.
bool other_first(const TokenList& reference, const TokenList& target, int32_t scored) {
  if (target.ids.empty()) return false;
  const float most = *std::max_element(target.logprobs.begin(), target.logprobs.end());
  return !(logprob_of(target, reference.ids.empty() ? scored : first_of(reference)) == most);
}

// The list as the swing takes it, with the chosen token in it; false: there is no such list.
bool top_tokens(const TokenStrip& strip, size_t i, std::vector<int32_t>* ids, std::vector<double>* logprobs) {
  const TokenList list = strip.scores.list(i);
  ids->assign(list.ids.begin(), list.ids.end());
  logprobs->assign(list.logprobs.begin(), list.logprobs.end());
  if (ids->empty()) return false;
  if (std::find(ids->begin(), ids->end(), strip.output[i]) == ids->end()) {
    if (std::isnan(strip.scores.logprob(i))) return false;
    ids->push_back(strip.output[i]);
    logprobs->push_back(strip.scores.logprob(i));
  }
  return true;
}

void append(std::string* words, const char* more) { *words += (words->empty() ? "" : ", ") + std::string(more); }

}  // namespace

void LineSums::add(double x, double y) {
  x_.add(x);
  y_.add(y);
  xx_.add(x * x);
  xy_.add(x * y);
  yy_.add(y * y);
}

ModeFit LineSums::fit() const {
  ModeFit fit;
  fit.n = x_.count();
  const auto n = static_cast<double>(fit.n);
  if (fit.n < 3) return fit;
  const double x = x_.value() / n, y = y_.value() / n;
  const double xx = xx_.value() / n - x * x, xy = xy_.value() / n - x * y, yy = yy_.value() / n - y * y;
  if (!(xx > 0)) return fit;
  fit.slope = xy / xx;
  fit.offset = y - fit.slope * x;
  fit.rms = std::sqrt(std::max(0.0, yy - fit.slope * xy));
  return fit;
}

void PairReader::take_prompts(const TokenStrip& reference, const TokenStrip& target, ComparedPair* out) {
  out->without_prompt = out->pair.kind != PairKind::kRung && !(reference.facts.has_prompt && target.facts.has_prompt);
  if (!reference.facts.has_prompt || !target.facts.has_prompt) return;
  const PromptDifference d = prompt_difference(reference.prompt, target.prompt, &diff_);
  out->pair.prompt = d.which;
  if (d.which == PromptClass::kSame) return;
  out->prompt = strip_name(reference.key) + ": " + prompt_class_name(d.which) + (d.longer == 1 ? " in the reference" : d.longer == 2 ? " in the target" : "") + ", from id " + std::to_string(d.divergence.prefix) + " of " +
                std::to_string(reference.prompt.size()) + " and " + std::to_string(target.prompt.size());
}

void PairReader::take_ids(const TokenStrip& reference, const TokenStrip& target, ComparedPair* out) {
  TokenPair& pair = out->pair;
  // An engine that leaves the ending token out of its ids against one that keeps it. Where a side does not say which it does, one token more at the end of an answer that is otherwise the same is that token.
  const auto stop_of = [](const TokenStrip& a, const TokenStrip& b) {
    if (!a.facts.stopped || a.output.empty()) return size_t{0};
    if (a.facts.includes_stop >= 0 && b.facts.includes_stop >= 0) return static_cast<size_t>(a.facts.includes_stop > b.facts.includes_stop);
    return static_cast<size_t>(a.facts.includes_stop != 0 && b.facts.includes_stop != 1 && b.facts.stopped && a.output.size() == b.output.size() + 1 && common_prefix(a.output, b.output) == b.output.size());
  };
  const bool forced = pair.kind == PairKind::kForced;
  const Ids a = Ids(reference.output).first(reference.output.size() - (forced ? 0 : stop_of(reference, target)));
  const Ids b = Ids(target.output).first(target.output.size() - (forced ? 0 : stop_of(target, reference)));
  pair.reference_tokens = static_cast<int64_t>(a.size());
  pair.target_tokens = static_cast<int64_t>(b.size());
  const size_t prefix = common_prefix(a, b), shorter = std::min(a.size(), b.size());
  pair.rows = static_cast<int32_t>(std::min<size_t>(prefix + (prefix < shorter && !forced ? 1 : 0), INT32_MAX));
  if (forced) {
    if (prefix == shorter) return;
    pair.prompt = PromptClass::kOther;  // the ids that are scored are not those of the reference's answer
    out->prompt = strip_name(reference.key) + ": the scored ids differ from scored id " + std::to_string(prefix) + " on";
    return;
  }
  if (a.size() == b.size() && prefix == shorter) return;
  pair.first_divergence = static_cast<int64_t>(prefix);
  pair.length_only = prefix == shorter;
  if (vocab_ != nullptr) pair.same_bytes = bytes_.run(a.subspan(prefix), b.subspan(prefix), 0).same_bytes;
}

void PairReader::take_handling(const TokenStrip& reference, const TokenStrip& target, ComparedPair* out) {
  if (out->pair.first_divergence >= 0 || out->pair.kind == PairKind::kForced) return;
  const auto differ = [](uint64_t a, uint64_t b) { return a != 0 && b != 0 && a != b; };
  const StripFacts &a = reference.facts, &b = target.facts;
  const std::pair<Handling, bool> kinds[] = {{kTextDiffers, texts_differ(a, b)}, {kReasoningDiffers, thoughts_differ(a, b)}, {kToolCallsDiffer, differ(a.tool_calls, b.tool_calls)}, {kFinishDiffers, differ(a.finish, b.finish)}};
  static constexpr const char* kNames[] = {"text", "reasoning", "tool calls", "finish reason"};
  std::string words;
  for (size_t i = 0; i < std::size(kinds); ++i) {
    if (!kinds[i].second) continue;
    out->pair.handling |= kinds[i].first;
    append(&words, kNames[i]);
  }
  out->pair.same_text = out->pair.handling == 0;
  if (!words.empty()) out->handling = strip_name(reference.key) + ": " + words;
}

void PairReader::take_kl(const TokenList& reference, const TokenList& target, TokenRows* rows) {
  if (!reference.kl || !target.kl || reference.ids.empty() || target.ids.empty()) {
    rows->kl.push_back(kNone);
    rows->kl_rest.push_back(kNone);
    return;
  }
  left_.assign(reference.logprobs.begin(), reference.logprobs.end());
  right_.assign(target.logprobs.begin(), target.logprobs.end());
  const stats::TopKBound bound = stats::kl_from_top_k(reference.ids, left_, target.ids, right_);
  rows->kl.push_back(static_cast<float>(std::max(0.0, bound.kl)));  // below 0 by lists whose probabilities are rounded to add to just over 1
  rows->kl_rest.push_back(static_cast<float>(std::max(0.0, 1 - bound.reference_mass)));
}

void PairReader::take_row(const TokenStrip& reference, const TokenStrip& target, size_t i, ComparedPair* out, LineSums* fit) {
  TokenRows& rows = out->rows;
  const TokenList a = reference.scores.list(i), b = target.scores.list(i);
  const bool same = reference.output[i] == target.output[i];
  rows.gap.push_back(gap_of(a));
  rows.target_gap.push_back(gap_of(b));
  const float x = own_logprob(reference, i), y = same ? own_logprob(target, i) : logprob_of(b, reference.output[i]);
  rows.reference_logprob.push_back(x);
  rows.target_logprob.push_back(y);
  take_kl(a, b, &rows);
  rows.flip.push_back(out->pair.kind == PairKind::kForced ? other_first(a, b, reference.output[i]) : !same);
  if (same && !std::isnan(x) && !std::isnan(y)) fit->add(x, y);
}

void PairReader::take_swing(const TokenStrip& reference, const TokenStrip& target, size_t i, ComparedPair* out) {
  TokenPair& pair = out->pair;
  const TokenList a = reference.scores.list(i), b = target.scores.list(i);
  pair.swing_usable = !a.bad && !b.bad && out->modes.empty();
  pair.has_swing = (a.bad || !a.ids.empty()) && (b.bad || !b.ids.empty());
  if (!pair.has_swing || a.bad || b.bad) return;
  pair.has_swing = top_tokens(reference, i, &left_ids_, &left_) && top_tokens(target, i, &right_ids_, &right_);
  if (pair.has_swing) pair.swing = stats::first_divergence_swing({left_ids_, left_, reference.output[i]}, {right_ids_, right_, target.output[i]}, 0);
}

ComparedPair PairReader::compare(const TokenStrip& reference, const TokenStrip& target, LineSums* fit) {
  ComparedPair out;
  TokenPair& pair = out.pair;
  const StripFacts &a = reference.facts, &b = target.facts;
  pair.kind = b.kind;
  pair.greedy = b.kind == PairKind::kForced || (a.draw == Draw::kGreedy && b.draw == Draw::kGreedy);
  pair.keyed = a.draw == Draw::kSeeded && b.draw == Draw::kSeeded && a.seed == b.seed && a.temperature == b.temperature;
  pair.start = a.at >= 0 ? a.at : b.at;
  pair.reference_cached = a.cached;
  pair.target_cached = b.cached;
  out.at = a.at;
  out.repeat = a.repeat;
  out.reference_question = a.question;
  out.listed = pair.greedy || pair.keyed;
  out.temperature_unknown = a.draw == Draw::kUnknown || b.draw == Draw::kUnknown;
  if (a.mode != 0 && b.mode != 0 && a.mode != b.mode) out.modes = strip_name(reference.key) + ": " + logprobs_mode_names()[a.mode - 1] + " and " + logprobs_mode_names()[b.mode - 1];
  take_prompts(reference, target, &out);
  if (!out.listed || pair.prompt != PromptClass::kSame) return out;
  take_ids(reference, target, &out);
  if (pair.prompt != PromptClass::kSame) {
    pair.rows = 0;
    return out;
  }
  take_handling(reference, target, &out);
  for (auto* column : {&out.rows.gap, &out.rows.target_gap, &out.rows.reference_logprob, &out.rows.target_logprob, &out.rows.kl, &out.rows.kl_rest}) column->reserve(static_cast<size_t>(pair.rows));
  out.rows.flip.reserve(static_cast<size_t>(pair.rows));
  for (size_t i = 0; i < static_cast<size_t>(pair.rows); ++i) take_row(reference, target, i, &out, fit);
  if (pair.first_divergence >= 0 && !pair.length_only) take_swing(reference, target, static_cast<size_t>(pair.first_divergence), &out);
  return out;
}

}  // namespace vaa
