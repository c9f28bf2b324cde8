#include "reject/counter_report.h"

#include <algorithm>
#include <limits>

#include "base/figures.h"
#include "base/json_writer.h"
#include "text/bounded.h"

namespace vaa {
namespace {

constexpr size_t kMostFindings = 256;   // of one check in the document; failing ones first
constexpr size_t kMostWindows = 10000;  // rows of the table

const char* status_name(FindingStatus status) {
  return status == FindingStatus::kPass ? "pass" : status == FindingStatus::kFail ? "fail" : status == FindingStatus::kUndecided ? "undecided" : "not_checked";
}
const char* status_tone(FindingStatus status) {
  return status == FindingStatus::kPass ? "good" : status == FindingStatus::kFail ? "bad" : status == FindingStatus::kUndecided ? "unsure" : "faint";
}
Both status_words(FindingStatus status) {
  switch (status) {
    case FindingStatus::kPass: return {"pass", "通过"};
    case FindingStatus::kFail: return {"fail", "不通过"};
    case FindingStatus::kUndecided: return {"undecided", "尚无定论"};
    default: return {"not checked", "未检查"};
  }
}

int rank_of(FindingStatus status) { return status == FindingStatus::kFail ? 0 : status == FindingStatus::kUndecided ? 1 : status == FindingStatus::kPass ? 2 : 3; }

struct Named {
  const AuditCheck* check;
  const AuditFinding* finding;
};
std::vector<Named> by_status(const CounterJudgement& judgement) {
  std::vector<Named> out;
  for (const JudgedCheck& check : judgement.checks)
    for (const AuditFinding& f : check.findings) out.push_back({check.check, &f});
  std::stable_sort(out.begin(), out.end(), [](const Named& a, const Named& b) { return rank_of(a.finding->status) < rank_of(b.finding->status); });
  return out;
}

Both subject(const AuditFinding& f) { return f.engine.empty() ? Both{"records", "记录"} : plain(bounded(f.engine, kMaxName)); }

Both size_cell(const AuditFinding& f, bool difference) {
  if (std::isnan(f.effect)) return plain("–");
  if (std::isnan(f.lower)) return {percent(f.effect), percent(f.effect, true)};
  if (difference) return {points(f.effect) + " (" + points(f.lower) + " to " + points(f.upper) + ")", points(f.effect) + "（" + points(f.lower) + " 至 " + points(f.upper) + "）"};
  return said_rate(f.effect, f.lower, f.upper);
}

// Of engines that pass the one nearest to failing stands for all.
const AuditFinding* nearest(const CounterJudgement& judgement, const AuditCheck* check, int64_t* count) {
  const AuditFinding* out = nullptr;
  for (const JudgedCheck& judged : judgement.checks) {
    if (judged.check != check) continue;
    for (const AuditFinding& f : judged.findings) {
      if (f.status != FindingStatus::kPass) continue;
      ++*count;
      if (!out || f.p < out->p || (f.p == out->p && f.n > out->n)) out = &f;
    }
  }
  return out;
}

SectionRow check_row(const AuditCheck& check, const AuditFinding& f, Both of) {
  Both status = status_words(f.status);
  if (f.suspected && f.status == FindingStatus::kFail) status = {"fail, suspected", "不通过（疑似）"};
  const bool open = f.status == FindingStatus::kUndecided || f.status == FindingStatus::kNotChecked;
  const Both margin = std::isnan(f.margin) ? plain("–") : check.difference ? plain(points(f.margin)) : Both{percent(f.margin), percent(f.margin, true)};
  return {{{check.title_en, check.title_zh}, std::move(of), status, size_cell(f, check.difference), margin, plain(std::isnan(f.p_adjusted) ? "–" : small_probability(f.p_adjusted)),
           plain(f.n > 0 ? grouped(static_cast<int64_t>(std::min(f.n, 9e15))) : "–"), plain(f.n_needed > 0 && open ? grouped(f.n_needed) : "–")},
          status_tone(f.status)};
}

Section check_section(const CounterJudgement& judgement, const std::vector<Named>& all) {
  Section out;
  out.heading = {"Checks", "检查"};
  out.columns = {{"check", "检查"}, {"of", "对象"}, {"status", "结论"}, {"size, with 95 % interval", "大小（95% 区间）"}, {"margin", "界限"}, {"adjusted p", "校正后 p"}, {"looked at", "检查量"}, {"needed", "所需"}};
  out.right = {false, false, false, true, true, true, true, true};
  for (const Named& each : all) {
    if (out.rows.size() >= kMostFindings || each.finding->status == FindingStatus::kPass) continue;
    out.rows.push_back(check_row(*each.check, *each.finding, subject(*each.finding)));
  }
  for (const JudgedCheck& judged : judgement.checks) {
    int64_t count = 0;
    const AuditFinding* f = nearest(judgement, judged.check, &count);
    if (!f) continue;
    const std::string n = grouped(count), name = subject(*f).en;
    out.rows.push_back(check_row(*judged.check, *f, count == 1 ? subject(*f) : Both{n + " engines, nearest " + name, n + " 个引擎，最接近者 " + name}));
  }
  const auto in_points = [](const Named& each) { return each.check->difference && !std::isnan(each.finding->lower); };
  if (std::any_of(all.begin(), all.end(), in_points)) out.lines.push_back({{"size and margin without %: percentage points", "大小与界限未带 % 者：百分点"}, "", "", "", "faint"});
  return out;
}

Section finding_section(const std::vector<Named>& all) {
  Section out;
  out.heading = {"What that says", "含义"};
  for (const Named& each : all) {
    const AuditFinding& f = *each.finding;
    if (f.status == FindingStatus::kPass || out.lines.size() >= kMostFindings) continue;
    const Both of = subject(f);
    SectionLine line{{of.en + ": " + f.words.en, of.zh + "：" + f.words.zh}, "", "", "", status_tone(f.status)};
    if (!f.onset_from.empty()) {
      line.text.en += "; it began between " + f.onset_from + " and " + f.onset_to;
      line.text.zh += "；始于 " + f.onset_from + " 与 " + f.onset_to + " 之间";
    }
    out.lines.push_back(std::move(line));
  }
  return out;
}

void append_finding(JsonWriter* json, const Named& each) {
  const AuditFinding& f = *each.finding;
  json->begin_object().member("check", each.check->name).key("engine");
  f.engine.empty() ? json->null() : json->string(bounded(f.engine, kMaxName));
  json->member("status", status_name(f.status)).member("suspected", f.suspected).member("counts", each.check->counts).member("n", f.n).member("effect", f.effect).member("lower", f.lower).member("upper", f.upper);
  json->member("margin", f.margin).member("due", f.due).member("variance", f.variance).member("z", f.z).member("p", f.p).member("p_adjusted", f.p_adjusted).member("detectable", f.detectable).key("n_needed");
  f.n_needed < 0 ? json->null() : json->integer(f.n_needed);
  json->key("onset");
  if (f.onset.empty()) {
    json->null();
  } else {
    json->begin_object().member("at", f.onset).member("from", f.onset_from).member("to", f.onset_to).end_object();
  }
  json->key("words").begin_object().member("en", f.words.en).member("zh", f.words.zh).end_object().end_object();
}

void append_counts(JsonWriter* json, const SpecCounts& c) {
  json->member("drafts", c.drafts).member("draft_tokens", c.draft_tokens).member("accepted", c.accepted).member("generated", c.generated).key("accepted_per_position").begin_array();
  for (const double at : c.at_position) json->real(at);
  json->end_array();
}

void append_series(JsonWriter* json, const SpecSeries& s) {
  const auto name = [&](const char* key, const std::string& text) {
    json->key(key);
    text.empty() ? json->null() : json->string(bounded(text, kMaxName));
  };
  json->begin_object();
  name("server", s.server);
  name("engine", s.engine);
  name("model", s.model);
  json->member("kind", s.kind).member("from", s.log ? "log" : "pages").member("ratios", s.ratios).member("moments", s.moments).member("restarts", s.restarts).key("restarted_at").begin_array();
  for (size_t i = 0; i < std::min<size_t>(s.restarted_at.size(), 100); ++i) json->string(s.restarted_at[i]);
  json->end_array().member("vanished", s.vanished);
  append_counts(json, s.total);
  json->end_object();
}

void append_cells(JsonWriter* json, const SampleCells& samples) {
  json->begin_object().member("answers", samples.pushed()).member("no_temperature", samples.no_temperature()).member("impossible", samples.impossible()).member("drafted_none", samples.drafted_none());
  json->member("bad_lines", samples.bad_lines()).key("switches").begin_object();
  for (const auto& [field, count] : samples.switches()) json->member(field, count);
  json->end_object().key("cells").begin_array();
  for (const bool speculation : {false, true}) {
    for (const bool sampled : {false, true}) {
      const SampleCell& c = samples.cell(sampled, speculation);
      json->begin_object().member("sampled", sampled).member("speculation", speculation).member("answers", c.answers).member("counted", c.counted).member("draft_tokens", c.drafted).member("accepted", c.accepted);
      json->member("scored", c.scored).member("right", c.right).end_object();
    }
  }
  json->end_array().end_object();
}

bool counted_anything(const CounterEvidence& evidence) { return !evidence.series.empty() || evidence.samples.pushed() > 0; }

const char* evidence_name(const CounterJudgement& judgement) {
  if (judgement.steps->empty()) return "counters";
  return counted_anything(*judgement.evidence) ? "both" : "steps";
}

std::string data_of(const CounterJudgement& judgement, const std::vector<Named>& all) {
  std::string out;
  JsonWriter json(&out);
  const CounterEvidence& evidence = *judgement.evidence;
  json.begin_object().key("reject").begin_object().member("evidence", evidence_name(judgement)).key("pages").begin_object();
  const ScrapeOddities& p = judgement.pages;
  json.member("read", p.pages).member("bad_lines", p.bad_lines).member("duplicates", p.duplicates).member("out_of_order", p.out_of_order).member("without_speculation", p.no_counters).member("failed", p.failed);
  const LogOddities& l = judgement.log;
  json.end_object().key("log").begin_object().member("lines", l.lines).member("readings", l.readings).member("bad", l.bad).member("duplicates", l.duplicates).member("back", l.back);
  json.member("long_lines", l.long_lines).member("copies", l.copies).end_object().key("engines").begin_array();
  for (size_t i = 0; i < std::min(evidence.series.size(), kMostFindings); ++i) append_series(&json, evidence.series[i]);
  json.end_array().key("samples");
  evidence.samples.pushed() > 0 ? append_cells(&json, evidence.samples) : static_cast<void>(json.null());
  json.key("steps");
  judgement.steps->empty() ? static_cast<void>(json.null()) : append_steps(*judgement.steps, &json);
  json.key("findings").begin_array();
  for (size_t i = 0; i < std::min(all.size(), size_t{4} * kMostFindings); ++i) append_finding(&json, all[i]);
  json.end_array().end_object().end_object();
  return out.substr(1, out.size() - 2);
}

NumberTable window_table(const CounterEvidence& evidence) {
  NumberTable out{"windows", {{"engine", {}}, {"from_s", {}}, {"to_s", {}}, {"segment", {}}, {"drafts", {}}, {"draft_tokens", {}}, {"accepted", {}}, {"generated", {}}}};
  for (size_t e = 0; e < evidence.series.size(); ++e) {
    for (const SpecWindow& w : evidence.series[e].windows) {
      if (out.columns[0].second.size() >= kMostWindows) return out;
      const double row[] = {static_cast<double>(e), w.from_s, w.to_s, static_cast<double>(w.segment), w.counts.drafts, w.counts.draft_tokens, w.counts.accepted, w.counts.generated};
      for (size_t i = 0; i < std::size(row); ++i) out.columns[i].second.push_back(row[i]);
    }
  }
  return out;
}

// The reason: the first finding of the status, and how many more there are.
Both reason_of(const std::vector<Named>& all, FindingStatus status) {
  Both out;
  int64_t more = -1;
  for (const Named& each : all) {
    if (each.finding->status != status) continue;
    if (more++ < 0) {
      const Both of = subject(*each.finding);
      out = {of.en + ": " + each.finding->words.en, of.zh + "：" + each.finding->words.zh};
    }
  }
  if (more > 0) {
    out.en += "; and " + grouped(more) + " more";
    out.zh += "；另有 " + grouped(more) + " 项";
  }
  return out;
}

Both step_fact(const StepAudit& steps) {
  int64_t rows = 0, full = 0;
  for (const auto& group : steps.groups()) rows += group->rows, full += group->full_rows;
  return {counted(rows, "rows") + " of verify steps, " + grouped(full) + " with all probabilities", grouped(rows) + " 行验证步骤，其中 " + grouped(full) + " 行含完整概率"};
}

// drafted: some evidence is of drafts.
void judge(const std::vector<Named>& all, bool steps, bool drafted, SectionReport* out) {
  const auto count = [&](FindingStatus status) { return std::count_if(all.begin(), all.end(), [&](const Named& n) { return n.finding->status == status; }); };
  if (count(FindingStatus::kFail) > 0) {
    out->verdict = 1;
    out->reason = reason_of(all, FindingStatus::kFail);
  } else if (steps && !drafted) {
    out->verdict = 2;
    out->reason = {"no row of the steps has a draft: nothing was verified", "步骤中没有任何草稿：没有进行过验证"};
  } else if (count(FindingStatus::kUndecided) > 0) {
    out->verdict = 3;
    out->reason = reason_of(all, FindingStatus::kUndecided);
  } else if (count(FindingStatus::kPass) > 0) {
    out->verdict = 0;
    out->reason = steps ? Both{"the steps show nothing wrong with speculation", "步骤未显示投机解码有异常"} : Both{"the counters show nothing wrong with speculation", "计数未显示投机解码有异常"};
  } else {
    out->verdict = 2;
    out->reason = {"nothing of speculation is counted: it is not configured, or its counters are not in the input", "没有任何投机解码的计数：未配置，或输入中没有其计数"};
  }
}

}  // namespace

Report counter_report(const CounterJudgement& judgement) {
  const CounterEvidence& evidence = *judgement.evidence;
  const std::vector<Named> all = by_status(judgement);
  SectionReport out;
  out.kind = "reject";
  const bool steps = !judgement.steps->empty();
  out.title = steps ? Both{"Speculative decoding, step by step", "投机解码：逐步判断"} : Both{"Speculative decoding, by its counters", "投机解码：由计数判断"};
  const int64_t pages = judgement.pages.pages, lines = judgement.log.readings, answers = evidence.samples.pushed();
  const auto has_drafts = [](const auto& group) { return group->draft_tokens > 0; };
  judge(all, steps, pages + lines + answers > 0 || std::any_of(judgement.steps->groups().begin(), judgement.steps->groups().end(), has_drafts), &out);
  if (pages > 0) out.facts.push_back({pages == 1 ? "1 metrics page" : grouped(pages) + " metrics pages", grouped(pages) + " 个 metrics 页面"});
  if (lines > 0) out.facts.push_back({grouped(lines) + " log lines about speculation", grouped(lines) + " 行投机解码日志"});
  if (answers > 0) out.facts.push_back({counted(answers, "answers"), grouped(answers) + " 个回答"});
  if (steps) out.facts.push_back(step_fact(*judgement.steps));
  Section said = finding_section(all), faults = fault_section(*judgement.steps), by_rank = step_section(*judgement.steps), time = time_section(evidence), cells = cell_section(evidence.samples), limits = limit_section(judgement);
  if (!said.lines.empty()) out.sections.push_back(std::move(said));
  if (!all.empty()) out.sections.push_back(check_section(judgement, all));
  if (!evidence.series.empty()) out.sections.push_back(engine_section(evidence));
  for (Section* section : {&faults, &by_rank, &cells, &time})
    if (!section->rows.empty()) out.sections.push_back(std::move(*section));
  if (!limits.lines.empty()) out.sections.push_back(std::move(limits));
  out.tables = {window_table(evidence)};
  out.data = data_of(judgement, all);
  return report_from_json(report_json(out));
}

}  // namespace vaa
