#include "quality/verdict.h"

#include <algorithm>
#include <bit>

#include "base/figures.h"
#include "quality/ceilings.h"
#include "quality/limits.h"
#include "quality/rates.h"
#include "quality/run/run_check.h"

namespace vaa {
namespace {

constexpr size_t kNamed = 4;  // causes of one kind that the reason names

void join(Said* all, const Said& part, const char* en, const char* zh) {
  all->en += (all->en.empty() ? "" : en) + part.en;
  all->zh += (all->zh.empty() ? "" : zh) + part.zh;
}

Said flag_words(const Check& c) {
  const std::string k = grouped(c.k), n = grouped(c.all);
  const double share = judged_share(c);
  const Said head = {c.title.en + " " + k + " of " + n + " (" + percent(share) + ", ", c.title.zh + " " + k + "/" + n + "（" + percent(share, true) + "，"};
  if (c.ceiling == 0) return {head.en + "fail_on allows none)", head.zh + "fail_on 不允许）"};
  const bool asked = std::string_view(c.ceiling_from) == "fail_on";
  return {head.en + (asked ? "fail_on allows " : "healthy engines up to ") + percent(c.ceiling) + ")",
          head.zh + (asked ? "fail_on 允许 " : "正常引擎至多 ") + percent(c.ceiling, true) + "）"};
}

// "the score is not valid: 79 of 198 answers were cut at max_out_len 512"
Said invalid_score_words(const Check& c, const Tally::State& state, const InputFacts& facts) {
  const std::string k = grouped(c.k), n = grouped(c.all);
  if (c.name == kRequestFailed) return {k + " of " + counted(c.all, "requests") + " failed", n + " 个请求中有 " + k + " 个失败"};
  if (c.name == kRequestMissing) return {k + " of " + counted(c.all, "answers") + (c.k == 1 ? " is missing" : " are missing"), n + " 个回答中缺少 " + k + " 个"};
  if (find_run_check(c.name) >= 0) return flag_words(c);
  const Said limit = cut_limit(state, facts.format);
  return {k + " of " + counted(c.all, "answers") + (c.k == 1 ? " was cut " : " were cut ") + limit.en, n + " 个回答中有 " + k + " 个因达到" + limit.zh + "而被截断"};
}

bool is_cut(const Check& c) {
  const int flag = find_flag(c.name);
  return std::string_view(c.kind) == "flag" && flag >= 0 && detector_table()[static_cast<size_t>(flag)]->account == kPlaceCut;
}
bool is_about_run(const Check& c) {
  const int row = find_run_check(c.name);
  return c.name == kRequestFailed || c.name == kRequestMissing || is_cut(c) || (row >= 0 && run_check_table()[static_cast<size_t>(row)]->score);
}

// The causes of one kind as one part of the reason.
void add_part(Said* reason, const std::vector<Said>& parts, const Said& head, const Said& tail, size_t named = kNamed) {
  if (parts.empty()) return;
  Said list;
  for (size_t i = 0; i < std::min(parts.size(), named); ++i) join(&list, parts[i], ", ", "、");
  if (parts.size() > named) {
    const std::string more = std::to_string(parts.size() - named);
    join(&list, {"and " + more + " more", "等另外 " + more + " 项"}, ", ", "、");
  }
  join(reason, {head.en + list.en + tail.en, head.zh + list.zh + tail.zh}, "; ", "；");
}

void collect_failures(const Tally::State& state, const RunChecks& all, const InputFacts& facts, RunVerdict* out) {
  std::vector<Said> run, flags, worse, score;
  Said all_broken;
  for (const Check& c : all.checks) {
    if (!c.gates || c.status != Verdict::kFail) continue;
    const bool about_run = is_about_run(c);
    const Said words = about_run ? invalid_score_words(c, state, facts) : flag_words(c);
    (about_run ? run : flags).push_back(words);
    if (c.name == kBroken) all_broken = words;
    out->causes.push_back({about_run || find_run_check(c.name) >= 0 ? "run" : "flag", c.name, words});
  }
  if (all.baseline) {
    for (const Check& c : all.baseline->checks) {
      if (!c.gates || c.status != Verdict::kFail) continue;
      worse.push_back({c.title.en + " " + c.words.en, c.title.zh + " " + c.words.zh});
      out->causes.push_back({"baseline", c.name, worse.back()});
    }
  }
  if (all.expect && all.expect->check.status == Verdict::kFail) {
    score.push_back(all.expect->check.words);
    out->causes.push_back({"expect", all.expect->check.name, all.expect->check.words});
  }
  if (out->causes.empty()) return;
  out->verdict = Verdict::kFail;
  // The sum says no more where its parts are named.
  if (flags.size() > 1) flags.erase(std::remove_if(flags.begin(), flags.end(), [&](const Said& s) { return s.en == all_broken.en; }), flags.end());
  const bool scored = std::any_of(state.datasets.begin(), state.datasets.end(), [](const DatasetTally& d) { return d.scored > 0; });
  add_part(&out->reason, run, scored ? Said{"the score is not valid: ", "得分无效："} : Said{"the run is not what was asked for: ", "运行结果不完整："}, {});
  add_part(&out->reason, flags, {"answers are broken: ", "回答已损坏："}, {"; model or engine is not known without a reference", "；没有参照，无法区分是模型还是引擎的问题"});
  add_part(&out->reason, worse, {"worse than the baseline: ", "比基线差："}, {});
  add_part(&out->reason, score, {"the score is below the published one: ", "得分低于公布值："}, {});
}

// What could not be read: lines, and files as a whole.
struct Unread {
  int64_t count = 0;
  Said words;
};
Unread unread_input(const InputFacts& facts) {
  Unread out;
  if (!facts.reading) return out;
  out.count = facts.reading->count;
  const int64_t files = std::count_if(facts.reading->first.begin(), facts.reading->first.end(), [](const Problem& p) { return p.line == 0; });
  if (out.count > files) out.words = {counted(out.count - files, "unreadable lines"), grouped(out.count - files) + " 行无法解析"};
  if (files > 0) join(&out.words, {files == 1 ? "1 file without answers" : grouped(files) + " files without answers", grouped(files) + " 个文件没有回答"}, ", ", "，");
  return out;
}

void add_cause(RunVerdict* out, const char* kind, std::string name, Said words) {
  join(&out->reason, words, "; ", "；");
  out->causes.push_back({kind, std::move(name), std::move(words)});
}

void collect_unchecked(const Tally::State& state, const RunChecks& all, const InputFacts& facts, RunVerdict* out) {
  const auto samples = static_cast<int64_t>(state.kept.size());
  const Unread unread = unread_input(facts);
  if (samples == 0) {
    add_cause(out, "input", "samples", unread.count ? Said{"nothing could be read: " + unread.words.en, "没有可读取的内容：" + unread.words.zh} : Said{"the input holds no sample", "输入中没有样本"});
  } else if (unread.count > samples) {
    add_cause(out, "input", "lines", {"most of the input could not be read: " + unread.words.en + ", " + counted(samples, "samples"), "输入大部分无法解析：" + unread.words.zh + "，" + grouped(samples) + " 个样本"});
  } else if (state.with_output == 0) {
    add_cause(out, "input", "output", state.failed == samples ? Said{"there is no answer to judge: " + (samples == 1 ? "the request" : "all " + grouped(samples) + " requests") + " failed", "没有可判断的回答：" + grouped(samples) + " 个请求全部失败"}
                                                              : Said{"there is no answer to judge: no output is recorded in " + counted(samples, "samples"), "没有可判断的回答：" + grouped(samples) + " 个样本均未记录输出"});
  }
  for (const int flag : state.gates.require) {
    const auto index = static_cast<size_t>(flag);
    if (state.flags[index].tested > 0) continue;
    const std::string name = detector_table()[index]->name;
    const Said how = how_to_record(flag, facts.format);
    const bool off = !(state.enabled >> index & 1);
    add_cause(out, "require", name, off ? Said{name + " is required and switched off", "要求检测 " + name + "，但它已被关闭"}
                                        : Said{name + " is required and could not be tested on any answer; " + how.en, "要求检测 " + name + "，但没有任何回答可检测；" + how.zh});
  }
  if (all.expect && !all.expect->found) add_cause(out, "expect", all.expect->check.name, all.expect->check.words);
  if (all.baseline && all.baseline->all == 0) add_cause(out, "baseline", "broken", {"the baseline holds no answer", "基线中没有回答"});
  if (!out->causes.empty()) out->verdict = Verdict::kNotChecked;
}

void collect_undecided(const RunChecks& all, RunVerdict* out) {
  if (all.baseline) {
    for (const Check& c : all.baseline->checks) {
      if (c.gates && c.status == Verdict::kUndecided) add_cause(out, "baseline", c.name, {"against the baseline: " + c.title.en + " " + c.words.en, "与基线相比：" + c.title.zh + " " + c.words.zh});
    }
  }
  if (all.expect && all.expect->check.status == Verdict::kUndecided) add_cause(out, "expect", all.expect->check.name, {"score " + all.expect->check.words.en, "得分 " + all.expect->check.words.zh});
  if (!out->causes.empty()) out->verdict = Verdict::kUndecided;
}

// Checks of the run, and flags, that would have failed it if suspected findings counted.
void add_suspected(Said* words, const Tally::State& state, const RunChecks& all) {
  std::vector<Said> parts;
  const auto add = [&](const Check& c, int64_t k, int64_t n) { parts.push_back({c.title.en + " " + grouped(k) + " of " + grouped(n), c.title.zh + " " + grouped(k) + "/" + grouped(n)}); };
  for (const Check& c : all.checks) {
    if (find_run_check(c.name) >= 0 && !c.gates && c.status == Verdict::kFail) add(c, c.k, c.all);
    const int flag = std::string_view(c.kind) == "flag" ? find_flag(c.name) : -1;
    if (flag < 0 || !c.gates || detector_table()[static_cast<size_t>(flag)]->severity != Severity::kFail) continue;
    const int64_t alarm = state.flags[static_cast<size_t>(flag)].alarm;
    if (alarm > c.k && lower_limit(alarm, state.with_output, fail_level(c.ceiling)) > c.ceiling) add(c, alarm, state.with_output);
  }
  add_part(words, parts, {"suspected and not counted: ", "疑似、未计入："}, {}, 2);
}

Said pass_words(const Tally::State& state, const RunChecks& all) {
  const std::string n = grouped(state.with_output), k = grouped(state.broken);
  const auto broken = std::find_if(all.checks.begin(), all.checks.end(), [](const Check& c) { return c.name == kBroken; });
  Said words;
  if (all.baseline) {
    words = {"not more broken answers than the baseline in " + counted(state.with_output, "answers"), n + " 个回答中的损坏不多于基线"};
  } else if (state.broken > 0) {
    const bool asked = !state.gates.fail_on.empty();
    words = {k + " of " + counted(state.with_output, "answers") + " broken: not shown to be more than healthy engines reach" + (asked ? " or fail_on allows" : ""),
             n + " 个回答中有 " + k + " 个损坏：不足以证明多于正常引擎" + (asked ? "或 fail_on 所允许的" : "")};
  } else {
    words = {"nothing in " + counted(state.with_output, "answers") + " beyond what healthy engines show", n + " 个回答中没有超出正常引擎水平的问题"};
  }
  const auto looked = std::popcount(state.enabled);
  if (static_cast<size_t>(looked) < detector_table().size()) {
    const std::string some = std::to_string(looked), every = std::to_string(detector_table().size());
    words = {"only " + some + " of " + every + " flags looked for: " + words.en, "仅检测了 " + every + " 个标记中的 " + some + " 个：" + words.zh};
  }
  if (!all.baseline && broken != all.checks.end()) {
    const bool seen = broken->detectable < 1;
    words.en += seen ? "; broken answers at a rate of " + percent(broken->detectable) + " would have shown" : "; in so few, no rate would have shown";
    words.zh += seen ? "；若损坏比例达到 " + percent(broken->detectable, true) + " 即可被发现" : "；回答太少，比例再高也无法发现";
  }
  if (all.expect) {
    words.en += "; score " + all.expect->check.words.en;
    words.zh += "；得分 " + all.expect->check.words.zh;
  }
  // A cut that nothing records cannot fail a run, but its trace is said.
  const int unfinished = find_flag("no_final_answer");
  const int64_t without = unfinished < 0 ? 0 : state.flags[static_cast<size_t>(unfinished)].alarm;
  if (state.cut_known == 0 && without > 0) {
    words.en += "; " + grouped(without) + (without == 1 ? " lacks" : " lack") + " the final answer that was asked for, and whether answers were cut is not recorded";
    words.zh += "；有 " + grouped(without) + " 个回答缺少提示词要求的最终答案，而是否被截断没有记录";
  }
  add_suspected(&words, state, all);
  return words;
}

}  // namespace

RunVerdict decide_run(const Tally::State& state, const RunChecks& checks, const InputFacts& facts) {
  RunVerdict out;
  collect_failures(state, checks, facts, &out);
  if (out.causes.empty()) collect_unchecked(state, checks, facts, &out);
  if (out.causes.empty()) collect_undecided(checks, &out);
  if (out.causes.empty()) out.reason = pass_words(state, checks);
  return out;
}

}  // namespace vaa
