// The document of a calibration: verdict, a section for each group of samples, what was left out.
#include <algorithm>

#include "base/figures.h"
#include "sampler/calibration/calibration.h"
#include "text/bounded.h"

namespace vaa::sampler {
namespace {

std::string number(double value) {
  std::string out;
  append_number(&out, value);
  return out;
}

Both kind_words(LogprobKind kind) { return kind == LogprobKind::kRaw ? Both{"raw logprobs", "原始对数概率"} : kind == LogprobKind::kProcessed ? Both{"processed logprobs", "处理后的对数概率"} : Both{"logprobs of unknown kind", "类型未知的对数概率"}; }

// "temperature 0.6, top_p 0.95, top_k 20, raw logprobs"
Both group_words(const Group& group) {
  const Request& r = group.request;
  std::string cuts;
  if (r.top_p < 1) cuts += ", top_p " + number(r.top_p);
  if (r.top_k > 0) cuts += ", top_k " + std::to_string(r.top_k);
  if (r.min_p > 0) cuts += ", min_p " + number(r.min_p);
  const Both temperature = std::isnan(r.temperature) ? Both{"temperature not recorded", "温度未记录"} : Both{"temperature " + number(r.temperature), "温度 " + number(r.temperature)}, kind = kind_words(group.kind());
  return {temperature.en + cuts + ", " + kind.en, temperature.zh + cuts + "，" + kind.zh};
}

std::string_view state(const JudgedCheck& judged) { return judged.status; }

Both state_words(const JudgedCheck& judged) {
  if (state(judged) == "pass") return {"passes", "通过"};
  if (state(judged) == "fail") return {"fails", "不通过"};
  if (state(judged) == "undecided") return {"undecided", "尚无定论"};
  return {"not applicable", "不适用"};
}
const char* tone_of(const JudgedCheck& judged) { return state(judged) == "pass" ? "good" : state(judged) == "fail" ? "bad" : state(judged) == "undecided" ? "unsure" : "faint"; }

Section group_section(const Group& group, const std::vector<JudgedCheck>& checks) {
  Section section;
  const Both words = group_words(group);
  section.heading = {words.en + ": " + counted(group.tokens, "tokens") + " of " + counted(group.answers, "answers"), words.zh + "：" + grouped(group.answers) + " 个回答的 " + grouped(group.tokens) + " 个词元"};
  section.columns = {{"check", "检查"}, {"state", "状态"}, {"what was seen", "结果"}};
  section.right = {false, false, false};
  for (const JudgedCheck& judged : checks) {
    if (judged.group != &group) continue;
    section.rows.push_back({{judged.check->title, state_words(judged), judged.result.words}, tone_of(judged)});
    if (!judged.result.needed.en.empty() && state(judged) != "fail") section.lines.push_back({{judged.check->title.en + ": " + judged.result.needed.en, judged.check->title.zh + "：" + judged.result.needed.zh}, "", "", "", "faint"});
    for (const SectionLine& line : judged.result.lines) section.lines.push_back(line);
  }
  return section;
}

Section limit_section(const Calibration& calibration, bool report_has_fault) {
  Section section;
  section.heading = {"Limits", "局限"};
  const auto say = [&](int64_t n, const char* unit, const std::string& en, const std::string& zh, const char* tone = "faint") {
    if (n > 0) section.lines.push_back({{counted(n, unit) + " " + en, grouped(n) + " " + zh}, "", "", "", tone});
  };
  const LeftOut& out = calibration.left_out();
  const ListFaults& faults = calibration.faults();
  say(calibration.problems, "problems", "while reading: vaa check names file and line", "处读取问题：vaa check 会给出文件与行号", "unsure");
  say(out.failed, "requests", "failed", "个请求失败");
  say(out.penalised, "answers", "with a penalty left out: their tokens are not drawn from the logprobs that are listed", "个带惩罚项的回答未计入：其词元并非按所列对数概率抽取");
  if (report_has_fault) say(out.penalty_unknown, "answers", "do not record a repetition penalty: one that is in force by default (generation_config.json) looks like illegal tokens or another temperature", "个回答未记录重复惩罚：默认生效的惩罚（generation_config.json）看起来会像不合法的词元或不同的温度", "unsure");
  say(out.forced, "teacher-forced answers", "left out: they score another run (--scored)", "个教师强制的回答未计入：它们用于给另一次运行打分（--scored）");
  say(out.without_source, "scored answers", "have no answer in the run, by dataset and id", "个打分的回答在该运行中找不到对应回答（按数据集与 id）", "unsure");
  say(out.many_groups, "answers", "left out: more sampling parameters than max_groups", "个回答未计入：采样参数的组数超过 max_groups", "unsure");
  say(out.unknown_lists + calibration.waiting(), "answers", "left out: their likeliest token was never chosen, so that nobody knows how many their lists would hold without the chosen one", "个回答未计入：从未取到概率最大的词元，无法得知列表除所选词元外应有多少项", "unsure");
  say(out.bad_request, "answers", "left out, with parameters that no sampler takes; the first: " + bounded(out.first_bad, kMaxName), "个回答未计入，参数不合法；首例：" + bounded(out.first_bad, kMaxName), "unsure");
  say(faults.answers_without_ids, "answers", "have no token ids", "个回答没有词元 id");
  say(faults.answers_without_lists, "answers", "have no lists of logprobs: ask with top_logprobs (vaa ask records them)", "个回答没有对数概率列表：请以 top_logprobs 请求（vaa ask 会记录）");
  say(faults.answers_of_logits, "answers", "list logits, not logprobs", "个回答列出的是 logits 而非对数概率");
  say(faults.answers_not_fitting, "answers", "have lists that do not fit their ids", "个回答的列表与其 id 不对应", "unsure");
  say(faults.without_list, "positions", "have no list", "处没有列表");
  say(faults.chosen_missing, "positions", "do not list the chosen token: it counts as no likelier than the last one there", "处未列出所选词元：视为不高于列表末位", "faint");
  say(faults.positions(), "positions", "left out: logprobs above 0 or NaN, ids given twice, masses above 1; the first: " + bounded(faults.first, kMaxName), "处未计入：对数概率大于 0 或为 NaN、id 重复、概率和大于 1；首例：" + bounded(faults.first, kMaxName), "unsure");
  for (const auto& group : calibration.groups()) {
    if (group->seeds.full) section.lines.push_back({{"answers beyond the first 4 million tokens are held against no later one", "超过前 400 万个词元的回答不再与后面的回答比较"}, "", "", "", "faint"});
    if (static_cast<int64_t>(group->reading().fit.size()) >= calibration.options().max_positions) section.lines.push_back({{"temperature and PIT are of the first " + grouped(calibration.options().max_positions) + " positions that say something", "温度与 PIT 基于前 " + grouped(calibration.options().max_positions) + " 个有信息的位置"}, "", "", "", "faint"});
  }
  return section;
}

void real_or_null(JsonWriter* json, const char* name, double value) { std::isnan(value) ? json->key(name).null() : json->member(name, value); }

std::string data_of(const Calibration& calibration, const std::vector<JudgedCheck>& checks) {
  std::string out;
  JsonWriter json(&out);
  json.begin_object().key("sampler").begin_object().member("scored", calibration.options().scored).key("engine");
  calibration.options().engine.empty() ? json.null() : json.string(calibration.options().engine);
  json.member("temperature_margin", calibration.options().temperature_margin).key("groups").begin_array();
  for (const auto& group : calibration.groups()) {
    const Request& r = group->request;
    const LogprobKind kind = group->kind();
    json.begin_object();
    real_or_null(&json, "temperature", r.temperature);
    real_or_null(&json, "top_p", r.top_p);
    real_or_null(&json, "min_p", r.min_p);
    json.key("top_k");
    r.top_k < 0 ? json.null() : json.integer(r.top_k);
    json.member("logprobs", kind == LogprobKind::kRaw ? "raw" : kind == LogprobKind::kProcessed ? "processed" : "unknown").member("answers", group->answers).member("tokens", group->tokens).key("checks").begin_array();
    for (const JudgedCheck& judged : checks) {
      if (judged.group != group.get()) continue;
      const CheckResult& c = judged.result;
      json.begin_object().member("name", judged.check->name).member("status", judged.status).key("kind");
      state(judged) == "fail" ? json.string(c.kind) : json.null();
      json.member("effect", c.effect).key("interval").begin_array().real(c.lower).real(c.upper).end_array().member("unit", c.unit).member("margin", c.margin);
      json.member("p_beyond", c.p_beyond).member("p_adjusted", judged.p_adjusted).member("n", c.n).member("n_unit", c.n_unit).key("n_needed");
      c.n_needed < 0 ? json.null() : json.integer(c.n_needed);
      json.key("words").begin_object().member("en", c.words.en).member("zh", c.words.zh).end_object().key("data").raw(c.data.empty() ? "null" : c.data).end_object();
    }
    json.end_array().end_object();
  }
  const LeftOut& left = calibration.left_out();
  const ListFaults& faults = calibration.faults();
  json.end_array().key("left_out").begin_object().member("failed", left.failed).member("penalised", left.penalised).member("forced", left.forced).member("without_source", left.without_source).member("many_groups", left.many_groups).member("unknown_lists", left.unknown_lists + calibration.waiting()).member("bad_request", left.bad_request);
  json.member("without_ids", faults.answers_without_ids).member("without_lists", faults.answers_without_lists).member("of_logits", faults.answers_of_logits).member("not_fitting", faults.answers_not_fitting).member("positions", faults.positions()).end_object();
  json.end_object().end_object();
  return out.substr(1, out.size() - 2);
}

// The failures, those first that explain others; else what is open.
void decide(const Calibration& calibration, const std::vector<JudgedCheck>& checks, SectionReport* report) {
  int64_t failed = 0, open = 0, passed = 0;
  const bool many = calibration.groups().size() > 1;
  bool mislabelled = false;
  const auto take = [&](const JudgedCheck& judged) {
    const Both kind = calibration_kind(judged.result.kind), group = group_words(*judged.group);
    report->reason.en += (report->reason.en.empty() ? "" : "; ") + kind.en + (many ? " (" + group.en + ")" : "") + ": " + judged.result.words.en;
    report->reason.zh += (report->reason.zh.empty() ? "" : "；") + kind.zh + (many ? "（" + group.zh + "）" : "") + "：" + judged.result.words.zh;
  };
  for (const JudgedCheck& judged : checks) {
    passed += state(judged) == "pass", open += state(judged) == "undecided";
    if (state(judged) != "fail") continue;
    mislabelled = mislabelled || std::string_view(judged.result.kind) == "logprobs_mislabelled";
    failed += 1;
    if (failed <= 3) take(judged);
  }
  if (failed > 0) {
    if (failed > 3) report->reason.en += "; and " + grouped(failed - 3) + " more", report->reason.zh += "；另有 " + grouped(failed - 3) + " 项";
    report->verdict = mislabelled && failed == std::count_if(checks.begin(), checks.end(), [](const JudgedCheck& j) { return state(j) == "fail" && std::string_view(j.result.kind) == "logprobs_mislabelled"; }) ? 2 : 1;
  } else if (open > 0) {
    report->verdict = 3;
    report->reason = {"nothing is beyond its margin; " + counted(open, "checks") + " cannot be decided yet", "没有超出界限的项；" + grouped(open) + " 项检查尚无定论"};
  } else if (passed > 1) {
    report->verdict = 0;
    report->reason = {"all " + counted(passed, "checks") + " lie inside their margins", "全部 " + grouped(passed) + " 项检查均在界限内"};
  } else {
    report->verdict = 2;
    report->reason = {"no answer could be judged: token ids with lists of logprobs are needed, and the temperature", "没有可判断的回答：需要词元 id、对数概率列表与温度"};
  }
}

}  // namespace

SectionReport calibration_report(const Calibration& calibration, const std::vector<JudgedCheck>& checks) {
  SectionReport report;
  report.kind = "sampler";
  report.title = {"sampler: does it draw what was asked", "采样器：是否按请求抽样"};
  decide(calibration, checks, &report);
  const std::string path = bounded(calibration.path, 4 * kMaxName), scored = bounded(calibration.scored_path, 4 * kMaxName);
  if (!path.empty()) report.facts.push_back({"run: " + path, "运行：" + path});
  if (!scored.empty()) report.facts.push_back({"logprobs of: " + scored, "对数概率来自：" + scored});
  report.facts.push_back({counted(calibration.samples(), "samples"), grouped(calibration.samples()) + " 个样本"});
  if (!calibration.options().engine.empty()) report.facts.push_back({"rules of " + bounded(calibration.options().engine, kMaxName), "规则：" + bounded(calibration.options().engine, kMaxName)});
  report.facts.push_back({"a temperature may be " + percent(calibration.options().temperature_margin) + " off; checks of all groups under Holm", "温度允许偏差 " + percent(calibration.options().temperature_margin, true) + "；各组检查用 Holm 校正"});
  for (const auto& group : calibration.groups()) report.sections.push_back(group_section(*group, checks));
  if (Section limits = limit_section(calibration, report.verdict == 1); !limits.lines.empty()) report.sections.push_back(std::move(limits));
  report.data = data_of(calibration, checks);
  return report;
}

}  // namespace vaa::sampler
