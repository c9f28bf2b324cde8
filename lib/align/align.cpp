#include "align/align.h"

#include <algorithm>

#include "align/field_words.h"
#include "base/json.h"
#include "base/json_writer.h"
#include "engines/engine.h"
#include "text/bounded.h"

namespace vaa {
namespace {

constexpr size_t kShown = 80;

bool off(const EffectiveField& f, std::string_view neutral) { return f.value.text == neutral || f.value.text == "not set"; }

// Where a source of a value is a phrase, in Chinese too.
Both from_words(const std::string& from) {
  static const std::pair<std::string_view, const char*> kWords[] = {
      {"request", "请求"}, {"requests differ in it", "各请求不同"}, {"generation_config.json of the model is not given", "未给出模型的 generation_config.json"},
      {"generation_config.json has none: transformers 4.x makes it 50, 5 leaves it off", "generation_config.json 中没有：transformers 4.x 会补成 50，5 不补"},
      {"do_sample is false in generation_config.json: versions differ in what they make of it", "generation_config.json 中 do_sample 为 false：各版本处理不同"}, {"neither top_k nor top_p is set", "top_k 与 top_p 均未设置"},
      {"top_k 1 leaves one token", "top_k 为 1，只剩一个词元"}, {"top_p 0 leaves one token", "top_p 为 0，只剩一个词元"}, {"temperature 0", "温度为 0"}, {"max_new_tokens of the model is a ceiling", "模型的 max_new_tokens 是上限"}};
  for (const auto& [en, zh] : kWords)
    if (from == en) return {from, zh};
  if (const size_t at = from.find(" default"); at != std::string::npos) return {from, from.substr(0, at) + " 默认" + from.substr(at + 8)};
  return plain(from);
}

Both shown(const EffectiveField& f) {
  const std::string value = f.value.known() ? bounded(f.value.text, kShown) : "?";
  const Both from = from_words(f.from);
  const std::string changed = f.asked.empty() ? "" : bounded(f.asked, kShown);
  return {value + " (" + from.en + (changed.empty() ? "" : ", asked " + changed) + ")", value + "（" + from.zh + (changed.empty() ? "" : "，请求为 " + changed) + "）"};
}

struct Difference {
  std::string name;
  bool unknown = false;  // a value is missing, so it may be one
  bool law = false;
  Both why;
};

class Alignment {
 public:
  explicit Alignment(const AlignInputs& inputs) : inputs_(inputs), a_(effective_parameters(inputs.reference, "reference")), b_(effective_parameters(inputs.target, "target")) {}
  Report report();

 private:
  void compare_fields();
  void compare_rules();
  bool both_greedy() const { return a_.field("greedy").value.text == "true" && b_.field("greedy").value.text == "true"; }
  bool set(std::string_view field, std::string_view neutral) const { return set_on(a_.field(field), neutral) || set_on(b_.field(field), neutral); }
  bool set_on(const EffectiveField& f, std::string_view neutral) const { return f.value.known() ? !off(f, neutral) : unknown_is_set_; }
  bool rule_shows(std::string_view rule) const;
  std::vector<std::string> order_of(const Engine& engine) const;
  Engine sampler(const Setup& setup, const Effective& e, bool* known) const;
  void say(Section* section, const Difference& d) const;
  std::string data() const;

  const AlignInputs& inputs_;
  const Effective a_, b_;
  std::vector<Difference> differences_;
  Section fields_, rules_;
  bool rules_known_ = true;
  bool unknown_is_set_ = true;   // what a value that is not known is taken for while rules are weighed
};

void Alignment::compare_fields() {
  fields_.heading = {"What each side uses", "各侧实际使用的参数"};
  fields_.columns = {{"field", "参数"}, {"reference", "参考"}, {"target", "目标"}};
  fields_.right = {false, false, false};
  for (size_t i = 0; i < a_.fields.size(); ++i) {
    const EffectiveField &a = a_.fields[i], &b = b_.fields[i];
    if (a.value.text == "not set" && b.value.text == "not set") continue;
    const FieldWords& words = field_words(a.name);
    const bool matters = !(words.sampled_only && both_greedy());
    const bool unknown = !a.value.known() || !b.value.known(), differ = !unknown && !(a.value == b.value);
    const bool neutral = (a.name == "typical_p" && off(a, "1") && off(b, "1")) || (a.name == "repetition_last_n" && off(a_.field("repetition_penalty"), "1") && off(b_.field("repetition_penalty"), "1")) || a.name == "samplers";
    if (matters && !neutral && (unknown || differ)) differences_.push_back({a.name, unknown, words.law, words.why});
    fields_.rows.push_back({{plain(a.name), shown(a), shown(b)}, !matters || neutral ? "faint" : unknown ? "unsure" : !differ ? "plain" : words.law ? "bad" : "unsure"});
  }
}

Engine Alignment::sampler(const Setup& setup, const Effective& e, bool* known) const {
  const std::string which = !setup.sampler.empty() ? setup.sampler : e.engine.profile;
  *known = !which.empty();
  if (which.empty()) return {};
  std::vector<std::string_view> stages;  // an own sampler may name those of any known one
  std::vector<Engine> all;
  for (const EngineData& data : engine_data()) all.push_back(make_engine(data.name, {"allowed_ids", "bad_words", "min_tokens", "logit_bias", "penalties", "temperature", "min_p", "top_k", "top_p", "typical_p"}));
  for (const Engine& engine : all) stages.insert(stages.end(), engine.order.begin(), engine.order.end());
  return make_engine(which, stages);
}

// Whether the parameters of the two sides let a rule show.
bool Alignment::rule_shows(std::string_view rule) const {
  const bool drawn = !both_greedy();
  if (rule == "repetition_scope" || rule == "repetition_arithmetic") return set("repetition_penalty", "1");
  if (rule == "frequency_scope") return set("frequency_penalty", "0") || set("presence_penalty", "0");
  if (rule == "bad_words_scope") return set("bad_words", "");
  if (rule == "top_k_ties") return drawn && set("top_k", "0");
  if (rule == "top_p_boundary" || rule == "top_p_ties") return drawn && set("top_p", "1");
  if (rule == "top_k_top_p") return drawn && set("top_k", "0") && set("top_p", "1");
  if (rule == "top_k_top_p_with_min_p") return drawn && set("top_k", "0") && set("top_p", "1") && set("min_p", "0");
  return drawn;  // draw, draw_order
}

// The stages that the parameters of a side set, in the engine's order.
std::vector<std::string> Alignment::order_of(const Engine& engine) const {
  const std::pair<std::string_view, bool> kSet[] = {{"temperature", set("temperature", "1")}, {"top_k", set("top_k", "0")}, {"top_p", set("top_p", "1")}, {"min_p", set("min_p", "0")}, {"typical_p", set("typical_p", "1")},
    {"penalties", set("repetition_penalty", "1") || set("frequency_penalty", "0") || set("presence_penalty", "0")}, {"logit_bias", set("logit_bias", "")}};
  std::vector<std::string> out;
  for (const std::string& stage : engine.order)
    for (const auto& [name, is_set] : kSet)
      if (is_set && stage == name) out.push_back(stage);
  return out;
}

void Alignment::compare_rules() {
  bool has_a = false, has_b = false;
  const Engine a = sampler(inputs_.reference, a_, &has_a), b = sampler(inputs_.target, b_, &has_b);
  rules_.heading = {"Rules of the samplers that differ", "采样规则的差异"};
  if (!has_a || !has_b) {
    rules_known_ = false;
    const std::string who = !has_a ? a_.engine.title : b_.engine.title;
    rules_.lines.push_back({{"how " + who + " samples is not known: order of stages, ties, boundaries", who + " 的采样方式未知：步骤次序、相等与边界的处理"}, "", "", "", "unsure"});
    return;
  }
  rules_.columns = {{"rule", "规则"}, {a.title, a.title}, {b.title, b.title}, {"shows here", "此处是否有影响"}};
  rules_.right = {false, false, false, false};
  const auto joined = [](const std::vector<std::string>& order) {
    std::string out;
    for (const std::string& stage : order) out.append(out.empty() ? "" : ", ").append(stage);
    return out;
  };
  for (const RuleDifference& row : rule_differences()) {
    std::string left, right;
    if (row.rule == "order") {
      left = joined(a.order);
      right = joined(b.order);
    } else {
      for (size_t i = 0; i < kRules; ++i) {
        if (rule_words(static_cast<Rule>(i)).name != row.rule) continue;
        left = rule_value(a, static_cast<Rule>(i));
        right = rule_value(b, static_cast<Rule>(i));
      }
    }
    if (left == right && left != "unknown") continue;
    const auto weighed = [&](bool unknown_is_set) {
      unknown_is_set_ = unknown_is_set;
      return row.rule == "order" ? !both_greedy() && order_of(a) != order_of(b) : rule_shows(row.rule);
    };
    const bool surely = weighed(false), shows = weighed(true);
    const bool unknown = left == "unknown" || right == "unknown" || !surely;
    if (left == right && !shows) continue;
    rules_.rows.push_back({{plain(std::string(row.rule)), plain(left), plain(right), !shows ? Both{"no", "否"} : surely ? Both{"yes", "是"} : Both{"not known", "未知"}}, !shows ? "faint" : unknown || !row.law ? "unsure" : "bad"});
    if (shows) differences_.push_back({std::string(row.rule), unknown, row.law, row.why});
  }
  if (rules_.rows.empty()) rules_.lines.push_back({{"none", "无"}, "", "", "", "good"});
}

void Alignment::say(Section* section, const Difference& d) const {
  const std::string mark = d.unknown ? "may differ" : d.law ? "differs" : "shown", mark_zh = d.unknown ? "可能不同" : d.law ? "不同" : "仅显示";
  section->lines.push_back({{d.name + " " + mark + ": " + d.why.en, d.name + " " + mark_zh + "：" + d.why.zh}, "", "", "", d.unknown || !d.law ? "unsure" : "bad"});
}

std::string Alignment::data() const {
  std::string out;
  JsonWriter json(&out);
  json.begin_object().key("align").begin_object().key("reference").raw(effective_json(a_)).key("target").raw(effective_json(b_)).key("differences").begin_array();
  for (const Difference& d : differences_) json.begin_object().member("name", d.name).member("known", !d.unknown).member("law", d.law).member("why", d.why.en).end_object();
  json.end_array().end_object().end_object();
  return out.substr(1, out.size() - 2);
}

Report Alignment::report() {
  compare_fields();
  compare_rules();
  const auto count = [&](auto of) { return std::count_if(differences_.begin(), differences_.end(), of); };
  const auto sure = count([](const Difference& d) { return d.law && !d.unknown; }), open = count([](const Difference& d) { return d.law && d.unknown; });
  SectionReport out;
  out.kind = "align";
  out.title = {"Would the two sample alike", "两侧的采样是否一致"};
  const auto names = [&](bool unknown) {
    std::string list;
    for (const Difference& d : differences_)
      if (d.law && d.unknown == unknown) list.append(list.empty() ? "" : ", ").append(d.name);
    return list;
  };
  if (sure > 0) {
    out.verdict = 1;
    out.reason = {"they do not sample alike: " + names(false), "采样不一致：" + names(false)};
  } else if (open > 0 || !rules_known_) {
    out.verdict = 3;
    const std::string what = open > 0 ? names(true) : "";
    out.reason = {"not known on a side: " + (open > 0 ? what : std::string("the sampler's rules")), "一侧未知：" + (open > 0 ? what : std::string("采样规则"))};
  } else {
    out.verdict = 0;
    out.reason = {"they sample alike: no difference that changes the law of answers", "采样一致：没有改变回答分布的差异"};
  }
  for (const auto& [setup, e, name] : {std::tuple(&inputs_.reference, &a_, Both{"reference", "参考"}), {&inputs_.target, &b_, Both{"target", "目标"}}}) {
    const std::string what = e->engine.title + (setup->engine_version.empty() ? "" : " " + setup->engine_version) + ", " + e->entry + (setup->name.empty() ? "" : ", " + bounded(setup->name, 2 * kShown));
    out.facts.push_back({name.en + ": " + what, name.zh + "：" + what});
  }
  Section why;
  why.heading = {"What differs, and what that does", "差异及其影响"};
  for (const Difference& d : differences_) say(&why, d);
  if (differences_.empty()) why.lines.push_back({{"nothing", "无"}, "", "", "", "good"});
  out.sections = {std::move(why), std::move(fields_), std::move(rules_)};
  out.data = data();
  return report_from_json(report_json(out));
}

}  // namespace

std::string effective_json(const Effective& e) {
  std::string out;
  JsonWriter json(&out);
  json.begin_object().member("engine", e.engine.name).member("entry", e.entry).key("fields").begin_array();
  for (const EffectiveField& f : e.fields) {
    double x = 0;
    JsonReader read(f.value.text);
    const bool number = read.peek() == JsonKind::kNumber && read.real(&x) && read.finish();
    json.begin_object().member("name", f.name).key("value");
    if (!f.value.known()) json.null();
    else if (number || f.value.text == "true" || f.value.text == "false") json.raw(f.value.text);
    else json.string(f.value.text);
    json.member("from", f.from);
    if (!f.asked.empty()) json.member("asked", f.asked);
    json.end_object();
  }
  json.end_array().end_object();
  return out;
}

Report align(const AlignInputs& inputs) { return Alignment(inputs).report(); }

}  // namespace vaa
