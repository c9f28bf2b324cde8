// The document of a comparison: verdict, steps, where to look, pairing, limits.
#include <algorithm>

#include "base/figures.h"
#include "compare/comparison.h"
#include "compare/symptoms.h"
#include "compare/verdict_kinds.h"
#include "quality/without_text.h"
#include "text/bounded.h"

namespace vaa {
namespace {

constexpr size_t kShownNames = 5, kMaxId = 64;

const char* tone_of(StepStatus status) {
  switch (status) {
    case StepStatus::kPass: return "good";
    case StepStatus::kFail: return "bad";
    case StepStatus::kUndecided: return "unsure";
    case StepStatus::kNotApplicable: return "faint";
    default: return "plain";
  }
}
Both status_words(StepStatus status) {
  switch (status) {
    case StepStatus::kPass: return {"passes", "通过"};
    case StepStatus::kFail: return {"fails", "不通过"};
    case StepStatus::kUndecided: return {"undecided", "尚无定论"};
    case StepStatus::kNotApplicable: return {"not applicable", "不适用"};
    default: return {"shown", "仅显示"};
  }
}
Both family_words(const std::string& family) { return family == "flags" ? Both{"broken answers", "损坏的回答"} : family == "tokens" ? Both{"the token steps", "词元各步"} : family == "law" ? Both{"the law of the first tokens", "前几个词元的分布"} : Both{"the score", "得分"}; }

// "catastrophic_bad_cases: more answers are broken, …; score_drop: …"
Both kind_words(const std::vector<const char*>& kinds) {
  Both out;
  for (const VerdictKind& kind : verdict_kind_table()) {
    if (std::none_of(kinds.begin(), kinds.end(), [&](std::string_view name) { return name == kind.name; })) continue;
    out.en += (out.en.empty() ? "" : "; ") + std::string(kind.name) + ": " + kind.words.en;
    out.zh += (out.zh.empty() ? "" : "；") + std::string(kind.name) + "：" + kind.words.zh;
  }
  return out;
}

void line(Section* section, Both text, const char* tone = "plain", std::string command = "") { section->lines.push_back({std::move(text), "", std::move(command), "", tone}); }

Both side_fact(const RunSide& side, const Both& name, bool text) {
  const std::string path = bounded(text ? side.path : std::string(base_name(side.path)), 4 * kMaxName);
  const std::string from = path.empty() ? "" : path + (side.format.empty() ? "" : " (" + side.format + ")");
  const auto samples = static_cast<int64_t>(side.rows().size()), questions = static_cast<int64_t>(side.questions().size());
  return {name.en + ": " + (from.empty() ? "" : from + ", ") + counted(samples, "samples") + " to " + counted(questions, "questions"), name.zh + "：" + (from.empty() ? "" : from + "，") + grouped(questions) + " 道题的 " + grouped(samples) + " 个样本"};
}

std::string id_of(const Question& q) { return bounded((q.dataset.empty() ? "" : q.dataset + "/") + q.id, kMaxId); }

std::string names_of(const RunSide& side, const std::vector<int32_t>& questions) {
  std::string out;
  for (size_t i = 0; i < std::min(kShownNames, questions.size()); ++i) out += (i ? ", " : "") + id_of(side.question(questions[i]));
  return questions.size() > kShownNames ? out + ", …" : out;
}

Section step_section(const StepOutcome& o) {
  Section section = o.result.section;
  section.heading = o.step->title;
  std::vector<SectionLine> own = std::move(section.lines);
  section.lines.clear();
  line(&section, {status_words(o.status).en + ": " + o.result.words.en, status_words(o.status).zh + "：" + o.result.words.zh}, tone_of(o.status));
  if (!o.result.needed.en.empty() && o.status == StepStatus::kShown) line(&section, o.result.needed, "faint");
  section.lines.insert(section.lines.end(), own.begin(), own.end());
  return section;
}

bool seen(const StepOutcome& o, bool failed) {
  if (o.result.symptom_rule == SymptomRule::kAlways) return true;
  if (o.result.symptom_rule == SymptomRule::kBesideFailure) return failed;
  return o.status == StepStatus::kFail || (o.status == StepStatus::kShown && !o.gates) || o.p_differs < kGateLevel;
}

Section settle_section(const Compared& c) {
  Section section;
  section.heading = {"Undecided, and what would settle it", "尚无定论的各项，以及怎样定论"};
  section.columns = {{"undecided", "尚无定论"}, {"what would settle it", "怎样可以定论"}};
  section.right = {false, false};
  for (const StepOutcome& o : c.decision.steps) {
    const Both more{"more questions, until the interval lies on one side of the margin", "增加题目，直到区间落在界限的一侧"};
    if (o.status == StepStatus::kUndecided) section.rows.push_back({{o.step->title, o.result.needed.en.empty() ? more : o.result.needed}, "unsure"});
  }
  if (c.decision.code == 3) line(&section, {"--ask FILE writes the requests, and says the commands to run", "--ask FILE 写出所需请求，并给出要运行的命令"}, "faint");
  return section;
}

Section symptom_section(const Compared& c) {
  Section section;
  section.heading = {"Where to look next: an association, not a cause", "下一步看哪里：是关联，不是原因"};
  section.columns = {{"seen", "现象"}, {"look first at", "先看"}, {"next run", "下一次运行"}};
  section.right = {false, false, false};
  const auto add = [&](std::string_view name) {
    if (const Symptom* s = find_symptom(name)) section.rows.push_back({{s->seen, s->layer, s->next}, "plain"});
  };
  for (const StepOutcome& o : c.decision.steps) {
    if (seen(o, c.decision.code == 1)) add(o.result.symptom);
  }
  if (c.pairing.other_ids > 0) add("other_prompt_ids");
  return section;
}

void say_missing(Section* section, const RunSide& side, const std::vector<int32_t>& questions, const Both& where, double share) {
  if (questions.empty()) return;
  const auto n = static_cast<int64_t>(questions.size());
  const std::string names = names_of(side, questions);
  line(section, {counted(n, "questions") + " in " + where.en + " only, left out: " + names, "仅" + where.zh + "有 " + grouped(n) + " 道题，未计入：" + names}, share > kMostMissing ? "unsure" : "plain");
}

Section pairing_section(const Compared& c) {
  Section section;
  section.heading = {"Pairing by dataset and id", "按数据集与 id 配对"};
  const RunPairing& p = c.pairing;
  const auto shared = static_cast<int64_t>(p.shared.size());
  line(&section, {counted(shared, "shared questions") + (p.one_each && shared > 0 ? ", one answer each" : ", repeats as bags without order"), "共有 " + grouped(shared) + " 道题" + (p.one_each && shared > 0 ? "，每题一答" : "，重复回答不分次序")});
  const double missing = missing_share(p);
  say_missing(&section, c.reference, p.only_reference, {"the reference", "参考侧"}, missing);
  say_missing(&section, c.target, p.only_target, {"the target", "目标侧"}, missing);
  if (missing > kMostMissing) line(&section, {"only the shared questions are compared: if a run lost the hard ones, what is left is too easy and says nothing of them", "只比较共有的题：若一侧丢失的是难题，剩下的偏易，不能代表它们"}, "unsure");
  if (!p.other_prompt.empty()) {
    std::vector<int32_t> questions;
    for (const SharedQuestion& q : p.other_prompt) questions.push_back(q.reference);
    const std::string names = names_of(c.reference, questions);
    line(&section, {counted(static_cast<int64_t>(questions.size()), "questions") + " with another prompt at the same id, left out: " + names, grouped(static_cast<int64_t>(questions.size())) + " 道题 id 相同而提示词不同，未计入：" + names}, "unsure");
  }
  if (p.other_ids > 0) line(&section, {counted(p.other_ids, "questions") + " whose words agree and whose prompt ids do not: other template or tokenizer", grouped(p.other_ids) + " 道题文字相同而提示词 id 不同：模板或分词器不同"}, "unsure");
  if (shared > 0 && p.same_output == shared) line(&section, {"all answers are the same, byte for byte: one run is a copy, or both are deterministic", "所有回答逐字节相同：其中一份是副本，或两侧都是确定性的"}, "unsure");
  for (const auto& [side, name] : {std::pair{&c.reference, Both{"the reference", "参考侧"}}, {&c.target, {"the target", "目标侧"}}}) {
    if (side->copies > 0) line(&section, {counted(side->copies, "samples") + " of " + name.en + " are copies of another (same question, repeat, text and ids) and count once, first " + side->first_copy, name.zh + "有 " + grouped(side->copies) + " 个样本是另一样本的副本（题目、重复序号、文本与 id 相同），只计一次，第一处：" + side->first_copy}, "unsure");
    if (side->alike > 0) line(&section, {counted(side->alike, "sampled answers") + " of " + name.en + " say word for word what another repeat of their question says, first " + side->first_alike + "; kept as repeats, since nothing recorded tells a copy from one", name.zh + "有 " + grouped(side->alike) + " 个采样回答与同一题的另一次重复逐字相同，第一处：" + side->first_alike + "；记录无法区分副本与重复，按重复保留"}, "unsure");
    if (const std::vector<int32_t> again = side->given_again(); !again.empty()) {
      const std::string names = names_of(*side, again);
      line(&section, {counted(side->duplicates() - side->copies, "samples") + " of " + name.en + " give a repeat of a question again with another answer; all are kept in its bag, and the question weighs as one: " + names, name.zh + "有 " + grouped(side->duplicates() - side->copies) + " 个样本以不同内容重复给出同一题的同一次回答，均保留，该题仍按一道题计：" + names}, "unsure");
    }
    if (side->without_id > 0) line(&section, {counted(side->without_id, "samples") + " of " + name.en + " have no id and no partner", name.zh + "有 " + grouped(side->without_id) + " 个样本没有 id，无法配对"}, "unsure");
    if (side->bad_lines > 0) line(&section, {counted(side->bad_lines, "problems") + " while reading " + name.en + ", first " + side->first_problem + "; vaa check names all", "读取" + name.zh + "时有 " + grouped(side->bad_lines) + " 处问题，第一处：" + side->first_problem + "；vaa check 会全部列出"}, "unsure");
    const int64_t failed = side->count([](const RunRow& r) { return r.failed; });
    if (failed > 0) line(&section, {counted(failed, "requests") + " of " + name.en + " failed", name.zh + "有 " + grouped(failed) + " 个请求失败"}, "unsure");
  }
  return section;
}

// What was not compared token by token, and why.
void say_token_limits(Section* section, const TokenEvidence* tokens) {
  if (!tokens) {
    line(section, {"no token ids on both sides: answers are compared by their texts and scores alone; vaa ask --for compare records ids and logprobs", "两侧没有都记录词元 id：仅按文本与得分比较；vaa ask --for compare 会记录 id 与对数概率"}, "faint");
    return;
  }
  const auto say = [&](int64_t n, const Both& words) {
    if (n > 0) line(section, {counted(n, "pairs") + " " + words.en, grouped(n) + " 对" + words.zh}, "faint");
  };
  say(tokens->sampled - tokens->temperature_unknown, {"were sampled without a common seed: not compared token by token", "采样且没有共同的种子：不逐词元比较"});
  say(tokens->temperature_unknown, {"do not record their temperature on both sides: they are not taken for greedy, and not compared token by token", "没有在两侧都记录温度：不视为贪心，不逐词元比较"});
  say(tokens->without_ids, {"have no token ids on one side", "有一侧没有词元 id"});
  if (tokens->unpaired > 0) line(section, {counted(tokens->unpaired, "answers") + " with token ids have no partner", grouped(tokens->unpaired) + " 个有词元 id 的回答没有配对"}, "faint");
  if (tokens->forced_late > 0) line(section, {counted(tokens->forced_late, "teacher-forced answers") + " have no forced partner, and the answer that they score is compared with a free one: give them as a run of their own", grouped(tokens->forced_late) + " 个教师强制的回答没有强制的配对，且其所评分的回答已与自由生成的回答配对：请将其作为单独的运行"}, "unsure");
}

Section limit_section(const Compared& c) {
  Section section;
  section.heading = {"Limits", "局限"};
  say_token_limits(&section, c.tokens);
  // Steps that one reason keeps from being tested stand in one line.
  std::vector<std::pair<Both, Both>> untested;  // reason, titles
  for (const StepOutcome& o : c.decision.steps) {
    if (o.status != StepStatus::kNotApplicable || std::string_view(o.step->name) == "fixed") continue;
    const auto found = std::find_if(untested.begin(), untested.end(), [&](const auto& u) { return u.first == o.result.words; });
    if (found == untested.end()) {
      untested.push_back({o.result.words, o.step->title});
    } else {
      found->second.en += "; " + o.step->title.en;
      found->second.zh += "；" + o.step->title.zh;
    }
  }
  for (const auto& [why, titles] : untested) line(&section, {why.en + ". Not compared: " + titles.en, why.zh + "。未比较：" + titles.zh}, "faint");
  return section;
}

void member_or_null(JsonWriter* json, const char* name, int64_t value) { value < 0 ? json->key(name).null() : json->member(name, value); }

std::string comparison_data(const Compared& c) {
  std::string out;
  JsonWriter json(&out);
  const Margins& m = *c.options.margins;
  json.begin_object().key("comparison").begin_object().member("verdict", c.decision.name).key("kinds").begin_array();
  for (const char* kind : c.decision.kinds) json.string(kind);
  json.end_array().member("change", m.change).key("primary");
  c.decision.primary.empty() ? json.null() : json.string(c.decision.primary);
  json.key("margins").begin_object().member("score_drop", m.score_drop).member("flag_excess", m.flag_excess).member("length_ratio", m.length_ratio).end_object();
  const RunPairing& p = c.pairing;
  const auto count = [](const auto& list) { return static_cast<int64_t>(list.size()); };
  json.key("pairing").begin_object().member("shared", count(p.shared)).member("one_each", p.one_each && !p.shared.empty()).member("only_reference", count(p.only_reference)).member("only_target", count(p.only_target));
  json.member("other_prompt", count(p.other_prompt)).member("other_prompt_ids", p.other_ids).member("same_output", p.same_output);
  for (const auto& [name, side] : {std::pair{"reference", &c.reference}, {"target", &c.target}}) {
    json.key(name).begin_object().member("samples", count(side->rows())).member("questions", count(side->questions())).member("duplicates", side->duplicates()).member("copies", side->copies);
    json.member("without_id", side->without_id).member("problems", side->bad_lines).member("failed", side->count([](const RunRow& r) { return r.failed; })).end_object();
  }
  json.end_object().key("noise").raw(c.noise ? noise_json(*c.noise) : "null");
  json.key("steps").begin_array();
  for (const StepOutcome& o : c.decision.steps) {
    const StepResult& r = o.result;
    json.begin_object().member("name", o.step->name).member("family", o.step->family).member("gates", o.gates).member("status", step_status_name(o.status));
    json.member("effect", r.effect).key("interval").begin_array().real(r.lower).real(r.upper).end_array().member("unit", r.unit).member("margin", r.margin).member("detectable", r.detectable);
    json.member("p", r.p).member("p_beyond", r.p_beyond).member("p_adjusted", o.p_adjusted).member("n", r.n).member("n_unit", r.n_unit);
    member_or_null(&json, "questions_needed", r.questions_needed);
    member_or_null(&json, "repeats_needed", r.repeats_needed);
    json.key("symptom");
    r.symptom[0] == '\0' ? json.null() : json.string(r.symptom);
    json.key("words").begin_object().member("en", r.words.en).member("zh", r.words.zh).end_object();
    json.key("data").raw(r.data.empty() ? "null" : r.data);
    json.end_object();
  }
  json.end_array().key("ask").raw(c.decision.ask.empty() ? "null" : c.decision.ask).end_object().end_object();
  return out.substr(1, out.size() - 2);
}

}  // namespace

SectionReport comparison_report(const Compared& c) {
  SectionReport report;
  report.kind = "compare";
  report.verdict = c.decision.code;
  report.reason = c.decision.code == 2 ? Both{"not comparable: " + c.decision.reason.en, "无法比较：" + c.decision.reason.zh} : c.decision.reason;
  report.title = {"compare: two runs", "比较：两次运行"};
  const Margins& m = *c.options.margins;
  report.facts = {side_fact(c.reference, {"reference", "参考"}, c.options.text), side_fact(c.target, {"target", "目标"}, c.options.text)};
  report.facts.push_back({std::string("change: ") + m.change + " (" + m.why.en + "); margins: score " + points(m.score_drop) + " points, broken answers " + points(m.flag_excess) + " points, length ratio " + fixed(m.length_ratio, 2),
                          std::string("改动：") + m.change + "（" + m.why.zh + "）；界限：得分 " + points(m.score_drop) + " 个百分点，损坏的回答 " + points(m.flag_excess) + " 个百分点，长度比 " + fixed(m.length_ratio, 2)});
  if (Both kinds = kind_words(c.decision.kinds); !kinds.en.empty()) report.facts.push_back(std::move(kinds));
  if (!c.decision.primary.empty()) report.facts.push_back({"tested alone at 5 %: " + family_words(c.decision.primary).en + "; the other gates under Holm", "单独以 5% 检验：" + family_words(c.decision.primary).zh + "；其余各项用 Holm 校正"});
  Section settle = settle_section(c);
  const bool first = c.decision.code == 3;  // it is what the reader has to do
  if (first && !settle.rows.empty()) report.sections.push_back(settle);
  for (const StepOutcome& o : c.decision.steps) {
    if (o.status != StepStatus::kNotApplicable) report.sections.push_back(step_section(o));
    report.tables.insert(report.tables.end(), o.result.numbers.begin(), o.result.numbers.end());
  }
  if (Section where = symptom_section(c); !where.rows.empty()) report.sections.push_back(std::move(where));
  if (!first && std::string_view(c.decision.name) != "identical" && !settle.rows.empty()) report.sections.push_back(std::move(settle));
  report.sections.push_back(pairing_section(c));
  report.sections.push_back(limit_section(c));
  report.data = comparison_data(c);
  return report;
}

}  // namespace vaa
