#include "compare/ask_plan.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

#include "base/json_writer.h"

namespace vaa {
namespace {

constexpr int64_t kEnoughPositions = 100;  // compared ones between two powers of two, for a rung there to tell little more

struct Parting {
  const Question* question;
  int32_t repeat;
  int64_t prompt_tokens, at;
};

// The repeats of a question that were compared, in the order of the pairs; none where it is not known which they are.
std::vector<int32_t> repeats_of(const ComparisonView& view, const SharedQuestion& q, size_t pairs) {
  std::vector<int32_t> out;
  for (const int32_t r : view.reference_rows(q)) out.push_back(view.reference.row(r).repeat);
  std::sort(out.begin(), out.end());
  if (out.size() != pairs || std::adjacent_find(out.begin(), out.end()) != out.end()) out.clear();
  return out;
}

// A longer list of the likeliest tokens there would tell a near tie from a fault.
bool open_divergence(const TokenPair& p) {
  return p.kind == PairKind::kFree && p.greedy && p.prompt == PromptClass::kSame && p.start >= 0 && p.first_divergence >= 0 && !p.length_only && (!p.has_swing || !p.swing_usable || p.swing.is_bound);
}

std::vector<Parting> open_divergences(const ComparisonView& view) {
  std::vector<Parting> out;
  if (!view.tokens) return out;
  const std::vector<TokenPair>& pairs = view.tokens->pairs;
  for (size_t begin = 0, end = 0; begin < pairs.size(); begin = end) {
    while (end < pairs.size() && pairs[end].question == pairs[begin].question) ++end;
    const SharedQuestion& q = view.shared()[static_cast<size_t>(pairs[begin].question)];
    const std::vector<int32_t> repeats = repeats_of(view, q, end - begin);
    for (size_t i = begin; i < end && !repeats.empty(); ++i) {
      if (open_divergence(pairs[i])) out.push_back({&view.reference.question(q.reference), repeats[i - begin], pairs[i].start, pairs[i].first_divergence});
    }
  }
  return out;
}

// Powers of two up to the longest answer, from which on hardly a position was compared: both sides had parted.
std::vector<int64_t> untested_positions(const ComparisonView& view) {
  std::vector<int64_t> out;
  if (!view.tokens) return out;
  std::array<int64_t, 64> compared{};
  int64_t longest = 0, shortest_prompt = std::numeric_limits<int64_t>::max();
  for (const TokenPair& p : view.tokens->pairs) {
    if (p.start < 0 || p.prompt != PromptClass::kSame) continue;
    longest = std::max(longest, p.start + std::min(p.reference_tokens, p.target_tokens));
    shortest_prompt = std::min(shortest_prompt, p.start);
    for (int64_t at = std::max<int64_t>(1, p.start), last = p.start + p.rows; at < last;) {
      const auto bucket = static_cast<size_t>(std::bit_width(static_cast<uint64_t>(at)) - 1);
      const int64_t next = std::min(last, int64_t{1} << (bucket + 1));
      compared[bucket] += next - at;
      at = next;
    }
  }
  for (size_t b = 0; b < 62 && (int64_t{1} << b) < longest; ++b) {
    if ((int64_t{1} << b) >= shortest_prompt && compared[b] < kEnoughPositions) out.push_back(int64_t{1} << b);
  }
  return out;
}

bool open_step(const StepOutcome& o, std::string_view family) { return family == o.step->family && o.status == StepStatus::kUndecided; }

// Greedy answers with ids that the reference was not held against itself for, or came out identical.
bool lacks_self(const ComparisonView& view) {
  const auto greedy = [](const TokenPair& p) { return p.greedy && p.kind == PairKind::kFree && p.prompt == PromptClass::kSame; };
  return view.tokens && (!view.noise || view.noise->identical) && std::any_of(view.tokens->pairs.begin(), view.tokens->pairs.end(), greedy);
}

Both what_is_missing(const ComparisonView& view, bool undecided, bool any) {
  if (any || !undecided) return {};
  if (!view.tokens) return {"token ids are not recorded on both sides, so no single token can be asked again: vaa ask --for compare records them", "两侧没有都记录词元 id，无法针对单个词元再次提问：vaa ask --for compare 会记录"};
  if (view.tokens->sampled > 0) return {"answers are sampled: where two of them part says nothing of the engines; greedy answers (vaa ask --for compare) would", "回答为采样所得：分开之处不能说明引擎差异；贪心回答（vaa ask --for compare）可以"};
  return {};
}

}  // namespace

std::string ask_plan(const Decision& decision, const ComparisonView& view) {
  const std::vector<Parting> places = open_divergences(view);
  const bool undecided = decision.code == 3;
  bool answers = false, tokens = false;
  int64_t repeats = -1, questions = -1;
  for (const StepOutcome& o : decision.steps) {
    if (!undecided || o.status != StepStatus::kUndecided) continue;
    answers = answers || open_step(o, "score") || open_step(o, "flags") || open_step(o, "lengths");
    tokens = tokens || open_step(o, "tokens");
    if (open_step(o, "score")) repeats = o.result.repeats_needed;
    if (open_step(o, decision.primary)) questions = std::max(questions, o.result.questions_needed);
  }
  const bool alone = lacks_self(view) && (undecided || std::string_view(decision.name) == "no_difference_found");
  std::string out;
  JsonWriter json(&out);
  json.begin_object().member("settles", !places.empty() ? "tokens" : alone ? "noise" : answers ? "answers" : tokens ? "questions" : "nothing").key("divergences").begin_array();
  for (size_t i = 0; i < std::min(kMostAsked, places.size()); ++i) {
    const Parting& p = places[i];
    json.begin_object().member("dataset", p.question->dataset).member("id", p.question->id).member("repeat", int64_t{p.repeat}).member("prompt_tokens", p.prompt_tokens).member("at", p.at).end_object();
  }
  json.end_array().member("divergences_all", static_cast<int64_t>(places.size())).key("ladder").begin_array();
  for (const int64_t at : untested_positions(view)) json.integer(at);
  json.end_array();
  for (const auto& [name, n] : {std::pair{"repeats", answers ? repeats : -1}, {"questions", questions}}) n > 0 ? json.member(name, n) : json.key(name).null();
  json.member("answers", answers).member("greedy", view.reference.sampled + view.target.sampled == 0).member("ids", view.tokens != nullptr).member("lacks_self", alone);
  json.member("target", view.text ? view.target.path : "");
  const Both missing = what_is_missing(view, undecided, !places.empty());
  json.key("missing").begin_object().member("en", missing.en).member("zh", missing.zh).end_object().end_object();
  return out;
}

}  // namespace vaa
