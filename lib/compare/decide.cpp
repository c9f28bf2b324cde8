#include "compare/decide.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <span>

#include "base/figures.h"
#include "compare/impossible_numbers.h"
#include "compare/verdict_kinds.h"
#include "stats/multiplicity.h"
#include "text/bounded.h"

namespace vaa {
namespace {

bool in_family(const StepOutcome& o, std::string_view family) { return family == o.step->family; }
bool tested(const StepOutcome& o) { return o.gates && o.result.applies && !std::isnan(o.result.p_beyond); }

// Holm over p of the gates: those of the primary family by themselves, and the others.
std::vector<double> adjusted(const std::vector<StepOutcome>& steps, const std::string& primary, double (*p_of)(const StepResult&)) {
  std::vector<double> out(steps.size(), std::nan(""));
  for (const bool lead : {true, false}) {
    std::vector<size_t> which;
    std::vector<double> p;
    for (size_t i = 0; i < steps.size(); ++i) {
      if (!tested(steps[i]) || in_family(steps[i], primary) != lead) continue;
      which.push_back(i);
      p.push_back(p_of(steps[i].result));
    }
    const std::vector<double> together = stats::holm(p);
    for (size_t i = 0; i < which.size(); ++i) out[which[i]] = together[i];
  }
  return out;
}

bool stands_out(const StepOutcome& o) { return (o.result.noise_free ? o.result.p : o.p_differs) < kGateLevel; }

StepStatus status_of(const StepOutcome& o) {
  const StepResult& r = o.result;
  if (!r.applies) return StepStatus::kNotApplicable;
  if (!o.gates) return StepStatus::kShown;
  if (in_family(o, "fixed")) return r.inside ? StepStatus::kPass : r.lower > 0 ? StepStatus::kFail : StepStatus::kUndecided;
  if (std::isnan(r.p_beyond)) return StepStatus::kShown;
  if (o.p_adjusted < kGateLevel) return StepStatus::kFail;
  if (r.inside || (r.p >= kGateLevel && r.detectable < r.margin)) return StepStatus::kPass;
  return StepStatus::kUndecided;
}

void say(Both* reason, const Both& more) {
  if (!reason->en.empty()) reason->en += "; ", reason->zh += "；";
  reason->en += more.en;
  reason->zh += more.zh;
}
std::string lowered(std::string text) {
  if (!text.empty() && text[0] >= 'A' && text[0] <= 'Z') text[0] = static_cast<char>(text[0] - 'A' + 'a');
  return text;
}
// "Score: 91.7 % -> 56.7 %"; without the title where the words begin with it: "broken answers: 0 / 60 -> 18 / 58".
Both named(const StepOutcome& o) {
  const Both &title = o.step->title, &words = o.result.words;
  if (lowered(title.en).rfind(words.en.substr(0, words.en.find(':')), 0) == 0) return words;
  return {title.en + ": " + words.en, title.zh + "：" + words.zh};
}

// Why the step is undecided, in one sentence.
Both left_open(const StepOutcome& o) {
  const StepResult& r = o.result;
  if (!r.open.en.empty()) return {o.step->title.en + ": " + r.open.en, o.step->title.zh + "：" + r.open.zh};
  const bool across = (r.lower < r.margin && r.margin < r.upper) || (r.lower < -r.margin && -r.margin < r.upper);
  if (!across) return named(o);
  const Both range = range_words(r), margin = margin_words(r);
  return {o.step->title.en + ": the 95 % interval, " + range.en + ", reaches across the margin of " + margin.en, o.step->title.zh + "：95% 区间（" + range.zh + "）跨过界限 " + margin.zh};
}

bool unusable(const StepOutcome& o) { return std::string_view(o.result.kind) == "not_comparable"; }

bool same_bits(std::span<const float> a, std::span<const float> b) { return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size_bytes()) == 0); }

bool both_record_logprobs(const TokenEvidence& tokens) {
  const auto recorded = [](const SideFaults& side) { return side.with_logprobs + side.with_lists > 0; };
  return recorded(tokens.reference) && recorded(tokens.target);
}

// Every answer has its partner, ids are the same, and so is what stands beside them.
bool identical(const ComparisonView& view) {
  const TokenEvidence* tokens = view.tokens;
  const RunPairing& p = view.pairing;
  if (!tokens || !tokens->any() || tokens->unpaired + tokens->sampled + tokens->without_ids > 0) return false;
  if (!p.only_reference.empty() || !p.only_target.empty() || !p.other_prompt.empty()) return false;
  const bool alike = std::all_of(tokens->pairs.begin(), tokens->pairs.end(), [&](const TokenPair& pair) {
    const auto flips = std::span(tokens->rows.flip).subspan(static_cast<size_t>(pair.first_row), static_cast<size_t>(pair.rows));
    return pair.prompt == PromptClass::kSame && pair.first_divergence < 0 && !pair.length_only && pair.same_text && std::all_of(flips.begin(), flips.end(), [](uint8_t flip) { return flip == 0; });
  });
  if (!alike || tokens->mixed_modes || tokens->other_modes > 0) return false;
  for (const auto count : {&SideFaults::nan, &SideFaults::positive, &SideFaults::mass, &SideFaults::rank, &SideFaults::wrong_length, &SideFaults::logits}) {
    if (tokens->reference.*count != tokens->target.*count) return false;  // what cannot be is left out of the columns below
  }
  if (!both_record_logprobs(*tokens)) return true;
  return same_bits(tokens->rows.reference_logprob, tokens->rows.target_logprob) && same_bits(tokens->rows.gap, tokens->rows.target_gap);
}

std::string primary_of(const std::vector<StepOutcome>& steps, const std::string& asked, const ComparisonView& view) {
  const auto any = [&](std::string_view family) { return std::any_of(steps.begin(), steps.end(), [&](const StepOutcome& o) { return in_family(o, family) && tested(o); }); };
  if (!asked.empty()) return asked;
  const bool scored = std::any_of(steps.begin(), steps.end(), [](const StepOutcome& o) { return in_family(o, "score") && o.result.applies; });
  if (scored) return "score";
  if (any("law")) return "law";
  return (view.noise && !view.noise->identical && any("tokens")) || (view.tokens && too_impossible(*view.tokens)) ? "tokens" : "flags";
}

// Why the family cannot be rested on; "" : it can.
Both why_no_primary(const std::vector<StepOutcome>& steps, const std::string& family) {
  const StepOutcome* first = nullptr;
  bool any = false;
  for (const StepOutcome& o : steps) {
    if (!in_family(o, family)) continue;
    if (o.result.applies && unusable(o)) return named(o);
    if (!o.step->gates) continue;
    any = any || (o.result.applies && o.gates);
    if (!first) first = &o;
  }
  if (any) return {};
  return first ? first->result.words : Both{"--primary " + family + ": neither run records what it needs", "--primary " + family + "：两侧都没有记录所需内容"};
}

// The smallest effect that would have been seen, in the step's unit.
Both seen_effect(const StepResult& r) {
  if (std::isnan(r.detectable)) return {};
  const bool share = std::string_view(r.unit) == "share";
  const std::string size = share ? points(r.detectable) : fixed(r.detectable, 3);
  return {"a change of " + size + (share ? " points" : "") + " would have been seen in 80 % of such comparisons", "若变化为 " + size + (share ? " 个百分点" : "") + "，80% 的此类比较会看出"};
}

// A drift that begins at a position is named by that alone.
void name_kinds(const std::vector<StepOutcome>& steps, Decision* d) {
  for (const VerdictKind& kind : verdict_kind_table()) {
    if (std::string_view(kind.name) == "numeric_drift" && !d->kinds.empty() && std::string_view(d->kinds.back()) == "position_dependent_drift") continue;
    const bool fired = std::any_of(steps.begin(), steps.end(), [&](const StepOutcome& o) { return o.status == StepStatus::kFail && &verdict_kind(*o.step, o.result) == &kind; });
    if (fired) d->kinds.push_back(kind.name);
  }
}

}  // namespace

bool same_file(const std::string& a, const std::string& b) {
  std::error_code fault;
  return !a.empty() && (a == b || std::filesystem::equivalent(a, b, fault));
}

Decision not_comparable(Both reason) {
  Decision d;
  d.code = 2;
  d.name = "not_comparable";
  d.reason = std::move(reason);
  return d;
}

Decision decide(std::vector<StepOutcome> steps, const std::string& primary, const ComparisonView& view) {
  for (StepOutcome& o : steps) o.gates = o.step->gates && !unusable(o) && !(in_family(o, "tokens") && !view.margins.gates_tokens && verdict_kind(*o.step, o.result).distance);
  Decision d;
  const std::string family = primary_of(steps, primary, view);
  if (Both why = why_no_primary(steps, family); !why.en.empty()) {
    d = not_comparable(std::move(why));
    d.primary = family;
    d.steps = std::move(steps);
    return d;
  }
  d.primary = family;
  const bool tokens = family == "tokens", same = identical(view);
  const std::vector<double> beyond = adjusted(steps, family, [](const StepResult& r) { return r.p_beyond; }), differ = adjusted(steps, family, [](const StepResult& r) { return r.p; });
  Both worse, open, better, loose;  // loose: of the primary family, neither inside the margin nor different for certain
  const StepOutcome* lead = nullptr;  // what the primary family rests on: the first of its steps that can be tested
  bool equal = !tokens || (view.noise && !view.noise->identical);
  for (size_t i = 0; i < steps.size(); ++i) {
    StepOutcome& o = steps[i];
    o.p_adjusted = beyond[i];
    o.p_differs = differ[i];
    o.status = status_of(o);
    const bool first = in_family(o, family) && o.gates && o.result.applies && !(tokens && o.status == StepStatus::kShown), fixed = in_family(o, "fixed");
    const bool unsettled = o.status == StepStatus::kUndecided || (o.status == StepStatus::kShown && o.gates && !tokens);
    if (o.status == StepStatus::kFail) say(&worse, named(o));
    else if ((fixed || (first && !lead && !same)) && unsettled) say(&open, left_open(o));
    else if (o.status == StepStatus::kUndecided && !same && stands_out(o) && !o.result.better) say(&open, left_open(o));
    else if (o.status == StepStatus::kUndecided && first && !same) say(&loose, {lowered(o.step->title.en), o.step->title.zh});
    if (first) equal = equal && o.result.inside;
    if (first && !lead) lead = &o;
    if (o.status == StepStatus::kPass && o.result.better && !fixed) say(&better, {"better, " + named(o).en, "更好，" + named(o).zh});
  }
  if (!lead && !same) say(&open, {"no step of the primary family could be tested", "首要类别中没有可检验的步骤"});
  const double missing = missing_share(view.pairing);
  if (missing > kMostMissing) say(&open, {percent(missing) + " of the questions stand on one side only, and what is missing may be what died", percent(missing, true) + " 的题只在一侧出现，缺失的可能正是失败的"});
  if (!worse.en.empty()) {
    d.code = 1;
    d.name = "worse";
    d.reason = {"worse: " + worse.en, "变差：" + worse.zh};
    name_kinds(steps, &d);
  } else if (!open.en.empty()) {
    d.code = 3;
    d.name = "undecided";
    d.reason = open;
  } else if (same) {
    d.code = 0;
    d.name = "identical";
    d.reason = {"identical: every token id of every answer is the same", "完全相同：每个回答的每个词元 id 都相同"};
    if (both_record_logprobs(*view.tokens)) d.reason = {d.reason.en + ", and so are the logprobs that both record", d.reason.zh + "，两侧都记录的对数概率也相同"};
  } else {
    d.code = 0;
    d.name = equal ? "equivalent" : "no_difference_found";
    const Both head = equal ? Both{"not worse by more than the margin: ", "变差不超过界限："} : Both{"no difference found: ", "未发现差异："};
    d.reason = {head.en + named(*lead).en, head.zh + named(*lead).zh};
    if (!equal) {
      if (const Both seen = seen_effect(lead->result); !seen.en.empty()) say(&d.reason, seen);
      if (!loose.en.empty()) say(&d.reason, {"too few answers to bound " + loose.en, "回答太少，无法给出上限：" + loose.zh});
    } else if (tokens) {
      d.kinds.push_back("equivalent_within_noise");
    }
    if (!better.en.empty()) say(&d.reason, better);
  }
  for (const StepOutcome& o : steps) {
    if (o.result.applies && unusable(o)) say(&d.reason, {"not comparable by tokens: " + named(o).en, "词元无法比较：" + named(o).zh});
  }
  d.steps = std::move(steps);
  return d;
}

Both why_not_comparable(const RunSide& reference, const RunSide& target, const RunPairing& pairing, const Margins& margins) {
  for (const auto& [side, name] : {std::pair{&reference, Both{"the reference", "参考侧"}}, {&target, {"the target", "目标侧"}}}) {
    if (side->rows().empty()) return {name.en + " has no samples" + (side->bad_lines > 0 ? ": " + counted(side->bad_lines, "problems") + " while reading, first " + side->first_problem : ""), name.zh + "没有样本" + (side->bad_lines > 0 ? "：读取时有 " + grouped(side->bad_lines) + " 处问题，第一处：" + side->first_problem : "")};
    if (side->questions().empty()) return {name.en + " records no id, so its answers have no partner: --id-field names it", name.zh + "没有记录题目 id，回答无法配对：用 --id-field 指定"};
  }
  if (same_file(reference.path, target.path)) return {"reference and target are the same file: nothing was compared", "参考与目标是同一个文件：没有可比较的内容"};
  const size_t met = pairing.shared.size() + pairing.other_prompt.size();
  if (met == 0) {
    const Question &a = reference.questions()[0], &b = target.questions()[0];
    const auto shown = [](const Question& q) { return bounded((q.dataset.empty() ? "" : q.dataset + "/") + q.id, kMaxName); };
    return {"the runs share no question by dataset and id: the reference has " + shown(a) + ", the target " + shown(b), "按数据集与 id 没有共有的题：参考侧如 " + shown(a) + "，目标侧如 " + shown(b)};
  }
  if (static_cast<double>(pairing.other_prompt.size()) > kMostMissing * static_cast<double>(met)) {
    return {"the prompts of " + grouped(static_cast<int64_t>(pairing.other_prompt.size())) + " of " + grouped(static_cast<int64_t>(met)) + " shared questions differ: the runs did not ask the same", grouped(static_cast<int64_t>(met)) + " 道共有的题中有 " + grouped(static_cast<int64_t>(pairing.other_prompt.size())) + " 道提示词不同：两次运行问的不是同样的内容"};
  }
  const bool drafts = (reference.speculated > 0) != (target.speculated > 0);
  if (!drafts || std::string_view(margins.change) == "spec" || reference.sampled + target.sampled == 0) return {};
  for (const SharedQuestion& q : pairing.shared) {
    const uint64_t a = reference.row(reference.question(q.reference).rows[0]).seed, b = target.row(target.question(q.target).rows[0]).seed;
    if (a == 0 || a != b) continue;
    const Both who = target.speculated > 0 ? Both{"the target", "目标侧"} : Both{"the reference", "参考侧"};
    return {"same seed, and speculation in " + who.en + " only: it draws other numbers by design, so answers of one seed are no pair; --change spec compares them as answers of their own",
            "种子相同，但仅" + who.zh + "使用投机解码：其随机数本就不同，同种子的回答不成对；--change spec 将其作为独立回答比较"};
  }
  return {};
}

}  // namespace vaa
