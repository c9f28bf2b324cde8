#include "compare/decide.h"

#include <algorithm>
#include <filesystem>

#include "base/figures.h"
#include "stats/multiplicity.h"
#include "text/bounded.h"

namespace vaa {
namespace {

bool in_family(const StepOutcome& o, std::string_view family) { return family == o.step->family; }
bool tested(const StepOutcome& o) { return o.step->gates && o.result.applies && !std::isnan(o.result.p_beyond); }

// Holm over p of the gates but those of the primary family.
std::vector<double> adjusted(const std::vector<StepOutcome>& steps, const std::string& primary, double (*p_of)(const StepResult&)) {
  std::vector<double> p;
  for (const StepOutcome& o : steps) {
    if (tested(o) && !in_family(o, primary)) p.push_back(p_of(o.result));
  }
  const std::vector<double> together = stats::holm(p);
  std::vector<double> out;
  size_t next = 0;
  for (const StepOutcome& o : steps) out.push_back(!tested(o) ? std::nan("") : in_family(o, primary) ? p_of(o.result) : together[next++]);
  return out;
}

StepStatus status_of(const StepOutcome& o) {
  const StepResult& r = o.result;
  if (!r.applies) return StepStatus::kNotApplicable;
  if (!o.step->gates) return StepStatus::kShown;
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
Both named(const StepOutcome& o) { return {o.step->title.en + ": " + o.result.words.en, o.step->title.zh + "：" + o.result.words.zh}; }

// Whatever ways lead there.
bool same_file(const std::string& a, const std::string& b) {
  std::error_code fault;
  return !a.empty() && (a == b || std::filesystem::equivalent(a, b, fault));
}

}  // namespace

Decision not_comparable(Both reason) {
  Decision d;
  d.code = 2;
  d.name = "not_comparable";
  d.reason = std::move(reason);
  return d;
}

Decision decide(std::vector<StepOutcome> steps, const std::string& primary, const RunPairing& pairing) {
  const auto applies = [&](std::string_view family) { return std::any_of(steps.begin(), steps.end(), [&](const StepOutcome& o) { return in_family(o, family) && o.result.applies; }); };
  const std::string family = !primary.empty() ? primary : applies("score") ? "score" : "flags";
  if (!applies(family)) {
    const auto first = std::find_if(steps.begin(), steps.end(), [&](const StepOutcome& o) { return in_family(o, family); });
    Decision d = not_comparable(first->result.words);
    d.primary = family;
    d.steps = std::move(steps);
    return d;
  }
  Decision d;
  d.primary = family;
  const std::vector<double> beyond = adjusted(steps, family, [](const StepResult& r) { return r.p_beyond; }), differ = adjusted(steps, family, [](const StepResult& r) { return r.p; });
  Both worse, open, better;
  bool equal = false;
  for (size_t i = 0; i < steps.size(); ++i) {
    StepOutcome& o = steps[i];
    o.p_adjusted = beyond[i];
    o.status = status_of(o);
    const bool decides = in_family(o, family) || in_family(o, "fixed");
    if (o.status == StepStatus::kFail) say(&worse, named(o));
    else if (decides && (o.status == StepStatus::kUndecided || o.status == StepStatus::kShown)) say(&open, named(o));
    else if (o.status == StepStatus::kUndecided && differ[i] < kGateLevel && !o.result.better) say(&open, named(o));
    if (in_family(o, family) && o.result.inside) equal = true;
    if (o.status == StepStatus::kPass && o.result.better && !in_family(o, "fixed")) say(&better, {"better, " + named(o).en, "更好，" + named(o).zh});
  }
  const double missing = missing_share(pairing);
  if (missing > kMostMissing) say(&open, {percent(missing) + " of the questions stand on one side only, and what is missing may be what died", percent(missing, true) + " 的题只在一侧出现，缺失的可能正是失败的"});
  const auto lead = std::find_if(steps.begin(), steps.end(), [&](const StepOutcome& o) { return in_family(o, family); });
  if (!worse.en.empty()) {
    d.code = 1;
    d.name = "worse";
    d.reason = {"worse: " + worse.en, "变差：" + worse.zh};
  } else if (!open.en.empty()) {
    d.code = 3;
    d.name = "undecided";
    d.reason = {"undecided: " + open.en, "尚无定论：" + open.zh};
    if (lead->status == StepStatus::kUndecided && !lead->result.needed.en.empty()) say(&d.reason, lead->result.needed);
  } else {
    d.code = 0;
    d.name = equal ? "equivalent" : "no_difference_found";
    const Both head = equal ? Both{"not worse by more than the margin: ", "变差不超过界限："} : Both{"no difference found: ", "未发现差异："};
    d.reason = {head.en + named(*lead).en, head.zh + named(*lead).zh};
    if (!better.en.empty()) say(&d.reason, better);
  }
  d.steps = std::move(steps);
  return d;
}

Both why_not_comparable(const RunSide& reference, const RunSide& target, const RunPairing& pairing, const Margins& margins) {
  for (const auto& [side, name] : {std::pair{&reference, Both{"the reference", "参考侧"}}, {&target, {"the target", "目标侧"}}}) {
    if (side->rows().empty()) return {name.en + " has no samples", name.zh + "没有样本"};
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
    return {"the prompts of " + grouped(static_cast<int64_t>(pairing.other_prompt.size())) + " of " + grouped(static_cast<int64_t>(met)) + " shared questions differ: the runs did not ask the same", grouped(static_cast<int64_t>(met)) + " 道共有的题中有 " + grouped(static_cast<int64_t>(pairing.other_prompt.size())) + " 道提示不同：两次运行问的不是同样的内容"};
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
