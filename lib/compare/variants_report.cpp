// The document of several comparisons: a row a run, a line a switch, A/B/A.
#include <algorithm>

#include "base/figures.h"
#include "compare/variants.h"
#include "text/bounded.h"

namespace vaa {
namespace {

Both code_words(int code) {
  switch (code) {
    case 0: return {"not worse", "没有变差"};
    case 1: return {"worse", "变差"};
    case 2: return {"not comparable", "无法比较"};
    default: return {"undecided", "尚无定论"};
  }
}
const char* tone_of(int code) { return code == 0 ? "good" : code == 1 ? "bad" : "unsure"; }

const Document* step_of(const Variant& v, std::string_view name) {
  for (const Document& step : v.comparison["steps"].items()) {
    if (step["name"].text() == name && step["effect"].there()) return &step;
  }
  return nullptr;
}

Both verdict_cell(const Variant& v) {
  Both out = code_words(v.code);
  std::string kinds;
  for (const Document& kind : v.comparison["kinds"].items()) kinds += (kinds.empty() ? "" : ", ") + kind.text();
  if (v.code == 1 && !kinds.empty()) out = {out.en + ": " + kinds, out.zh + "：" + kinds};
  if (v.code == 0 && !v.comparison["verdict"].text().empty()) out.en = v.comparison["verdict"].text() == "no_difference_found" ? "no difference found" : v.comparison["verdict"].text();
  if (v.alone == 1 && v.code != 1) out = {out.en + ": worse by itself, not among so many", out.zh + "：单独看变差，按多次比较校正后不成立"};
  return out;
}

std::string score_cell(const Variant& v) {
  const Document* step = step_of(v, "score");
  if (!step) return "–";
  const bool share = (*step)["unit"].text() == "share";
  const auto shown = [&](const Document& d) { return share ? points(d.number()) : fixed(d.number(), 3); };
  return shown((*step)["effect"]) + " [" + shown((*step)["interval"].items()[0]) + ", " + shown((*step)["interval"].items()[1]) + "]";
}

Both broken_cell(const Variant& v) {
  if (v.target.empty()) return {"–", "–"};
  const auto shown = [](const ClusteredRate& r) { return grouped(r.k) + "/" + grouped(r.n); };
  const std::string before = shown(v.reference[0].rate), after = shown(v.target[0].rate);
  return {before + " -> " + after, before + " → " + after};
}

// The token steps that gate: the failed ones by name, else how many of them pass.
Both token_cell(const Variant& v) {
  std::string failed;
  int64_t all = 0, passed = 0;
  for (const Document& step : v.comparison["steps"].items()) {
    if (step["family"].text() != "tokens" || !step["gates"].truth() || !step["p_beyond"].there()) continue;
    all += 1;
    passed += step["status"].text() == "pass";
    if (step["status"].text() == "fail") failed += (failed.empty() ? "" : ", ") + step["name"].text();
  }
  if (all == 0) return {"–", "–"};
  if (!failed.empty()) return {"fails: " + failed, "不通过：" + failed};
  return {"passes " + grouped(passed) + " of " + grouped(all), grouped(all) + " 项中 " + grouped(passed) + " 项通过"};
}

std::string p_cell(double p) { return std::isnan(p) ? "–" : small_probability(p); }

Section table_of(const Judged& j) {
  Section section;
  section.heading = {"Each run against the reference", "各次运行与参考的比较"};
  section.columns = {{"run", "运行"}, {"verdict", "结论"}, {"score, points, 95 % interval", "得分（百分点，95% 区间）"}, {"broken", "损坏"}, {"tokens", "词元"}, {"p", "p"}, {"p, Holm", "p（Holm）"}};
  section.right = {false, false, true, true, false, true, true};
  for (const Variant& v : j.variants) {
    const auto plain = [](std::string text) { return Both{text, text}; };
    section.rows.push_back({{plain(bounded(v.name, kMaxName)), verdict_cell(v), plain(score_cell(v)), broken_cell(v), token_cell(v), plain(p_cell(v.p)), plain(p_cell(v.p_adjusted))}, tone_of(v.code)});
  }
  section.lines.push_back({{"p: the least of the primary steps, against \"no worse than the margin\"; Holm over the primary steps of all runs, and over the other gates of all runs", "p：首要步骤中最小者，检验“变差不超过界限”；对所有运行的首要步骤、其余各项分别用 Holm 校正"}, "", "", "", "faint"});
  return section;
}

Section switch_section(const Judged& j) {
  Section section;
  section.heading = {"By switch: an association, not a cause", "按开关：是关联，不是原因"};
  section.columns = {{"switch", "开关"}, {"of answers", "回答"}, {"on", "开启"}, {"off", "关闭"}, {"p", "p"}, {"p, Holm", "p（Holm）"}};
  section.right = {false, false, true, true, true, true};
  for (const SwitchRow& row : j.switches) {
    const auto plain = [](std::string text) { return Both{text, text}; };
    const auto rate = [&](const ClusteredRate& r) { return plain(grouped(r.k) + "/" + grouped(r.n)); };
    section.rows.push_back({{plain(bounded(j.matrix.switches[row.of], kMaxName)), row.title, rate(row.on), rate(row.off), plain(p_cell(row.p)), plain(p_cell(row.p_adjusted))}, row.p_adjusted < 0.05 ? "bad" : "plain"});
  }
  for (const SwitchRow& row : j.switches) {
    const Both words = switch_words(j.matrix, row);
    const bool shown = row.p_adjusted < 0.05;
    if (shown || row.flag == "broken") section.lines.push_back({{row.title.en + ": " + words.en, row.title.zh + "：" + words.zh}, "", "", "", shown ? "bad" : row.strata == 0 ? "unsure" : "plain"});
  }
  section.lines.push_back({{"runs that differ in one switch alone are held against each other; answers of one question count as what they are worth together", "只比较仅此开关不同的运行；同一题的多个回答按其有效数量计"}, "", "", "", "faint"});
  return section;
}

Both again_words(Again again) {
  switch (again) {
    case Again::kReproducible: return {"the change is reproducible: worse than the reference before and after, and the reference is as it was", "变化可重现：比前后两次参考都差，而参考前后一致"};
    case Again::kDrift: return {"drift in time: the reference itself is not as it was, so what changed between the runs may be time", "随时间漂移：参考自身前后不同，差异可能来自时间"};
    case Again::kNotReproduced: return {"not reproduced: worse than one run of the reference only", "未能重现：只比其中一次参考差"};
    default: return {"the change is not shown to be worse than either run of the reference", "未显示变化比任何一次参考差"};
  }
}
const char* again_name(Again again) {
  switch (again) {
    case Again::kReproducible: return "reproducible";
    case Again::kDrift: return "drift_in_time";
    case Again::kNotReproduced: return "not_reproduced";
    default: return "no_change";
  }
}

void write_rate(JsonWriter* json, const char* name, const ClusteredRate& rate) { json->key(name).begin_object().member("k", rate.k).member("n", rate.n).end_object(); }

std::string data_of(const Judged& j) {
  std::string out;
  JsonWriter json(&out);
  json.begin_object().key("variants").begin_object().member("reference", bounded(j.options.reference, kMaxName)).key("runs").begin_array();
  for (const Variant& v : j.variants) {
    json.begin_object().member("name", bounded(v.name, kMaxName)).member("code", int64_t{v.code}).member("code_alone", int64_t{v.alone}).member("verdict", v.comparison["verdict"].text()).key("kinds").begin_array();
    for (const Document& kind : v.comparison["kinds"].items()) json.string(kind.text());
    json.end_array().member("primary", v.comparison["primary"].text()).member("p", v.p).member("p_adjusted", v.p_adjusted).member("p_other_adjusted", v.p_other).key("score");
    if (const Document* score = step_of(v, "score")) {
      json.begin_object().member("effect", (*score)["effect"].number()).key("interval").begin_array().real((*score)["interval"].items()[0].number()).real((*score)["interval"].items()[1].number()).end_array().member("p", (*score)["p"].number()).end_object();
    } else {
      json.null();
    }
    json.key("broken");
    if (v.target.empty()) {
      json.null();
    } else {
      json.begin_object();
      write_rate(&json, "reference", v.reference[0].rate);
      write_rate(&json, "target", v.target[0].rate);
      json.end_object();
    }
    json.end_object();
  }
  json.end_array().key("switches").begin_array();
  for (const SwitchRow& row : j.switches) {
    json.begin_object().member("switch", j.matrix.switches[row.of]).member("flag", row.flag);
    write_rate(&json, "on", row.on);
    write_rate(&json, "off", row.off);
    json.member("strata", row.strata).key("confounded_with").begin_array();
    for (const size_t other : row.together) json.string(j.matrix.switches[other]);
    json.end_array().member("p", row.p).member("p_adjusted", row.p_adjusted);
    const Both words = switch_words(j.matrix, row);
    json.key("words").begin_object().member("en", words.en).member("zh", words.zh).end_object().end_object();
  }
  json.end_array().key("again");
  j.again == Again::kNone ? json.null() : json.string(again_name(j.again));
  json.end_object().end_object();
  return out.substr(1, out.size() - 2);
}

Both reason_of(const Judged& j) {
  if (j.again != Again::kNone && j.code != 2) return again_words(j.again);
  Both out;
  for (const int code : {1, 2, 3, 0}) {
    std::string names;
    int64_t n = 0;
    for (const Variant& v : j.variants) {
      if (v.code != code) continue;
      n += 1;
      if (n <= 5) names += (names.empty() ? "" : ", ") + bounded(v.name, kMaxName);
    }
    if (n == 0) continue;
    if (n > 5) names += ", …";
    const Both words = code_words(code);
    out.en += (out.en.empty() ? "" : "; ") + grouped(n) + " " + words.en + ": " + names;
    out.zh += (out.zh.empty() ? "" : "；") + grouped(n) + " 次" + words.zh + "：" + names;
  }
  return out;
}

}  // namespace

SectionReport variants_report(const Judged& j) {
  SectionReport report;
  report.kind = "variants";
  report.verdict = j.code;
  report.reason = reason_of(j);
  report.title = {"compare: " + counted(static_cast<int64_t>(j.variants.size()), "runs") + " against " + bounded(j.options.reference, kMaxName), "比较：" + grouped(static_cast<int64_t>(j.variants.size())) + " 次运行与 " + bounded(j.options.reference, kMaxName)};
  report.facts.push_back({"reference: " + bounded(j.options.reference, kMaxName), "参考：" + bounded(j.options.reference, kMaxName)});
  report.sections.push_back(table_of(j));
  if (!j.switches.empty()) report.sections.push_back(switch_section(j));
  report.data = data_of(j);
  return report;
}

}  // namespace vaa
