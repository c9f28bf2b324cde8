#include <algorithm>

#include "base/figures.h"
#include "reject/counter_report.h"
#include "text/bounded.h"

namespace vaa {
namespace {

void say(Section* out, std::string en, std::string zh, const char* tone = "plain", std::string command = "") { out->lines.push_back({{std::move(en), std::move(zh)}, "", std::move(command), "", tone}); }

void say_count(int64_t n, const char* plural, const char* en, const char* zh, Section* out) {
  if (n > 0) say(out, counted(n, plural) + " " + en, grouped(n) + " " + zh, "unsure");
}

void about_pages(const ScrapeOddities& pages, Section* out) {
  say_count(pages.bad_lines, "lines", "of metrics pages are no metric, or have a value that no counter can have (NaN, infinite, below 0): passed over", "行 metrics 不是指标，或其值不可能是计数（NaN、无穷、负数）：已跳过", out);
  say_count(pages.duplicates, "pages", "came twice with the same time and counts: taken once", "个页面以相同时间和计数出现两次：只取一次", out);
  say_count(pages.out_of_order, "pages", "came after a later one: put into the order of time", "个页面晚于更新的页面到来：已按时间排序", out);
  say_count(pages.failed, "pages", "could not be read as metrics: failed scrapes, other files", "个页面无法读作 metrics：抓取失败或其他文件", out);
  say_count(pages.no_counters, "pages", "without a counter of speculation", "个页面没有投机解码计数", out);
}

void about_log(const LogOddities& log, Section* out) {
  say_count(log.bad, "log lines", "about speculation are cut or contradict themselves: passed over", "行投机解码日志被截断或自相矛盾：已跳过", out);
  say_count(log.duplicates, "log lines", "came twice with the same time: taken once", "行日志以相同时间出现两次：只取一次", out);
  say_count(log.back, "log lines", "are earlier than the line before: several logs in one, or a clock that was set", "行日志早于前一行：多个日志混在一起，或时钟被调整", out);
  say_count(log.copies, "log lines", "of tensor-parallel ranks above 0 say the same once more: passed over", "行日志来自编号大于 0 的张量并行 rank，内容重复：已跳过", out);
  say_count(log.long_lines, "log lines", "are over 65,536 bytes: their beginning was read", "行日志超过 65,536 字节：只读了开头", out);
}

void about_engines(const CounterEvidence& evidence, Section* out) {
  for (const SpecSeries& s : evidence.series) {
    if (s.restarts > 0) {
      std::string when;
      for (size_t i = 0; i < std::min<size_t>(s.restarted_at.size(), 3); ++i) when += (i ? ", " : "") + s.restarted_at[i];
      if (s.restarted_at.size() > 3) when += ", …";
      const std::string name = bounded(s.label(), kMaxName), times = counted(s.restarts, "times");
      say(out, name + " restarted " + times + ": its counters went back at " + when + "; counted on from 0 there, stretches are kept apart", name + " 重启 " + grouped(s.restarts) + " 次：计数于 " + when + " 回退；从 0 继续计数，各段分开", "unsure");
    }
    if (out->lines.size() > 64) return;
  }
  const auto any = [&](auto is) { return std::any_of(evidence.series.begin(), evidence.series.end(), is); };
  if (any([](const SpecSeries& s) { return s.ratios; }))
    say(out, "lines with rates and no counts (SGLang): each line counts as one draft token, intervals are wide", "只有比率没有计数的行（SGLang）：每行按一个草稿词元计，区间较宽", "faint");
  if (any([](const SpecSeries& s) { return s.total.draft_tokens > 0 && std::isnan(s.total.drafts); }))
    say(out, "drafts are not counted: a draft is taken to have " + grouped(static_cast<int64_t>(evidence.options.tokens_per_draft)) + " tokens at most (--tokens-per-draft)",
        "未统计起草次数：按每次至多 " + grouped(static_cast<int64_t>(evidence.options.tokens_per_draft)) + " 个词元计（--tokens-per-draft）", "faint");
  if (any([](const SpecSeries& s) { return s.moments == 1 && !s.log; })) say(out, "of one page the counters since the start are taken: nothing is known over time; scrape again, or let vaa do it", "只有一个页面时取启动以来的计数：无法判断随时间的变化；请再次抓取，或交给 vaa", "plain", "vaa reject --url URL --every 10s --for 10m");
}

void about_steps(const StepOddities& steps, Section* out) {
  const auto first = [&](const std::string& what) { return "; the first: " + bounded(what, 2 * kMaxName); };
  const auto first_zh = [&](const std::string& what) { return "；首例：" + bounded(what, 2 * kMaxName); };
  if (steps.repeated_files > 0) say(out, counted(steps.repeated_files, "files") + " of steps begin as one that was read before: passed over", grouped(steps.repeated_files) + " 个步骤文件与已读文件的开头相同：已跳过", "unsure");
  if (steps.cut_files > 0) say(out, counted(steps.cut_files, "files") + " of steps end inside a record: read to the record before" + first(steps.first_cut), grouped(steps.cut_files) + " 个步骤文件在记录中间结束：读到前一条记录" + first_zh(steps.first_cut), "unsure");
  if (steps.damaged_files > 0) say(out, counted(steps.damaged_files, "files") + " of steps go on with what is no record: the rest was passed over" + first(steps.first_damaged), grouped(steps.damaged_files) + " 个步骤文件的后续内容不是记录：其余已跳过" + first_zh(steps.first_damaged), "unsure");
  if (steps.bad_rows > 0) say(out, counted(steps.bad_rows, "rows") + " of steps contradict themselves: passed over" + first(steps.first_bad), "步骤中有 " + grouped(steps.bad_rows) + " 行自相矛盾：已跳过" + first_zh(steps.first_bad), "unsure");
  say_count(steps.unknown_records, "records", "of steps are of a kind that this version does not know: passed over", "条步骤记录的类型未知：已跳过", out);
}

// What steps would have to record for checks that could not be made.
void about_evidence(const StepAudit& steps, Section* out) {
  bool p = true, rows = true;
  for (const auto& group : steps.groups()) p = p && (group->with_p || group->rows == group->greedy_rows), rows = rows && group->full_rows > 0;
  if (!p) say(out, "without p of the draft tokens the acceptance rate has nothing that it could be held against", "没有草稿词元的 p，接受率无从对照", "faint");
  if (!rows) say(out, "without rows of all probabilities the tokens in place of rejected drafts are not judged: a normal acceptance rate does not prove a right law", "没有完整概率的行，替换被拒草稿的词元未被检验：接受率正常不能证明分布正确", "faint");
}

void about_samples(const SampleCells& samples, Section* out) {
  if (samples.pushed() == 0) {
    say(out, "the 2 x 2 of temperature and speculation needs records with both (vaa ask --for spec); ids and laws are not looked at here: normal counters do not prove a right law",
        "温度与投机解码的 2 x 2 需要含两者的记录（vaa ask --for spec）；此处不看 id 与分布：计数正常不能证明分布正确", "faint");
    return;
  }
  if (samples.no_temperature() > 0) say(out, counted(samples.no_temperature(), "answers") + " without temperature are in no cell", grouped(samples.no_temperature()) + " 个回答没有温度，不计入任何格", "unsure");
  if (samples.drafted_none() > 0) {
    std::string en = counted(samples.drafted_none(), "answers") + " drafted nothing", zh = grouped(samples.drafted_none()) + " 个回答没有起草";
    for (const OffSwitch& off : off_switches()) {
      const auto found = samples.switches().find(off.field);
      if (found == samples.switches().end()) continue;
      en += "; " + grouped(found->second) + " carry " + off.field + " (" + off.en + ")";
      zh += "；" + grouped(found->second) + " 个带有 " + off.field + "（" + off.zh + "）";
    }
    say(out, std::move(en), std::move(zh), "unsure");
  }
  if (samples.bad_lines() > 0) say(out, counted(samples.bad_lines(), "lines") + " of records could not be read", "记录中有 " + grouped(samples.bad_lines()) + " 行无法读取", "unsure");
}

// Which request fields could be the reason where nothing is drafted.
void about_switches(const CounterJudgement& judgement, Section* out) {
  for (const JudgedCheck& check : judgement.checks) {
    if (std::string_view(check.check->name) != "nothing_drafted") continue;
    for (const AuditFinding& f : check.findings) {
      if (f.status != FindingStatus::kFail) continue;
      for (const OffSwitch& off : off_switches()) say(out, std::string("a request with ") + off.field + ": " + off.en, std::string("带 ") + off.field + " 的请求：" + off.zh, "plain");
      say(out, "a batch over speculative_disable_by_batch_size, or a --speculative-config that the engine did not take", "批大小超过 speculative_disable_by_batch_size，或引擎未采用 --speculative-config", "plain");
      return;
    }
  }
}

}  // namespace

Section limit_section(const CounterJudgement& judgement) {
  Section out;
  out.heading = {"What stands in the way, and what was passed over", "限制与跳过的内容"};
  about_switches(judgement, &out);
  about_pages(judgement.pages, &out);
  about_log(judgement.log, &out);
  about_engines(*judgement.evidence, &out);
  about_steps(judgement.steps->oddities(), &out);
  about_evidence(*judgement.steps, &out);
  if (judgement.steps->empty() || judgement.evidence->samples.pushed() > 0) about_samples(judgement.evidence->samples, &out);
  return out;
}

}  // namespace vaa
