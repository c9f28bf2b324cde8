#include "capture/rung_table.h"

#include <algorithm>
#include <cmath>

#include "base/json_writer.h"
#include "base/positions.h"
#include "capture/search.h"

namespace vaa::capture {

void ComparedRow::add(const Parting& parting) {
  ++compared;
  switch (parting.what) {
    case PartingClass::kAlike: ++alike; return;
    case PartingClass::kExactTie: ++exact_tie; return;
    case PartingClass::kNearTie: ++near_tie; return;
    case PartingClass::kUndetermined: ++undetermined; return;
    case PartingClass::kNoEvidence: ++no_evidence; return;
    case PartingClass::kSuspect:
      ++suspect;
      first_suspect += parting.index == 0;
      swings.push_back(parting.swing);
  }
}

void RecordedRow::add(const Passage& passage, const Continuation& said) {
  if (!said.error.empty()) {
    ++failed;
    return;
  }
  ++asked;
  const int64_t written = at - passage.prompt_tokens;
  if (written < 0 || at >= passage.size()) {
    ++in_prompt;
    return;
  }
  const int32_t id = passage.ids[static_cast<size_t>(at)];
  same += said.ids[0] == id;
  const Looked now = look_up(said, 0, id);
  if (std::isnan(now.logprob)) {
    ++no_list;
  } else if (now.bound) {
    ++unlisted;
  } else {
    ++listed;
    ranks.push_back(now.rank);
    logprobs.push_back(now.logprob);
    if (!passage.logprobs.empty()) shifts.push_back(std::fabs(now.logprob - passage.logprobs[static_cast<size_t>(written)]));
  }
}

int ladder_verdict(const std::vector<ComparedRow>& rows) {
  int64_t compared = 0, suspects = 0, open = 0;
  bool sure = false;
  for (const ComparedRow& row : rows) {
    compared += row.compared;
    suspects += row.suspect;
    open += row.undetermined + row.no_evidence;
    sure = sure || rate_of(row.suspect, row.compared, 1 - 0.05 / static_cast<double>(rows.size())).low > kSuspectCeiling;
  }
  if (compared == 0) return VAA_VERDICT_NOT_CHECKED;
  if (sure) return VAA_VERDICT_FAIL;
  return suspects + open > 0 ? VAA_VERDICT_UNDECIDED : VAA_VERDICT_PASS;
}

double median_of(std::vector<double> values) {
  if (values.empty()) return std::nan("");
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

Both both(std::string en, std::string zh) { return {std::move(en), std::move(zh)}; }

std::string number_words(double value, int digits) {
  if (std::isnan(value)) return "-";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  double scale = 1;
  for (int i = 0; i < digits; ++i) scale *= 10;
  const double scaled = std::floor(std::fabs(value) * scale + 0.5);
  if (!(scaled < 9e15)) return "> 9e15";
  const auto whole = static_cast<int64_t>(scaled), unit = static_cast<int64_t>(scale);
  std::string text = value < 0 && whole > 0 ? "-" : "";
  text += std::to_string(whole / unit);
  if (digits == 0) return text;
  const std::string part = std::to_string(whole % unit);
  return text + "." + std::string(static_cast<size_t>(digits) - part.size(), '0') + part;
}

std::string share_words(double share) { return number_words(100 * share, share > 0 && share < 0.0995 ? 1 : 0); }
std::string interval_words(double low, double high) { return "[" + share_words(low) + ", " + share_words(high) + " %]"; }
Both rate_words(const Rate& rate) {
  const std::string interval = interval_words(rate.low, rate.high);
  return both(grouped(rate.k) + " of " + grouped(rate.n) + " " + interval, grouped(rate.n) + " 中 " + grouped(rate.k) + " " + interval);
}

std::string servers_json(const std::vector<Server>& servers) {
  std::string out;
  JsonWriter json(&out);
  json.begin_array();
  for (const Server& server : servers) {
    std::string one;
    append_server(&one, server);
    json.raw(one);
  }
  json.end_array();
  return out;
}

std::vector<Both> source_facts(const std::string& run, const PassageCounts& counts, int64_t answers, bool drawn, int64_t tokens, const std::vector<Server>& servers) {
  std::vector<Both> facts;
  const std::string n = grouped(answers), of = grouped(counts.usable);
  facts.push_back(both(n + " answers of " + run + (drawn ? ", drawn from " + of + " that can be cut" : "") + "; " + grouped(tokens) + " greedy tokens after each cut",
                       run + " 的 " + n + " 个回答" + (drawn ? "（从 " + of + " 个可截断的回答中抽取）" : "") + "；每个截断点之后贪心生成 " + grouped(tokens) + " 个词元"));
  if (counts.reencoded > 0) {
    const std::string k = grouped(counts.reencoded);
    facts.push_back(both("output ids: re-encoded for " + k + " answers: they need not be the ids that the model wrote", k + " 个回答的词元 id 是重新编码得到的：不一定是模型当时写出的 id"));
  }
  if (counts.reencoded_prompts > 0) {
    const std::string k = grouped(counts.reencoded_prompts);
    facts.push_back(both("prompt ids: re-encoded for " + k + " answers", k + " 个提示词的词元 id 是重新编码得到的"));
  }
  for (size_t i = 0; i < servers.size(); ++i) {
    const Server& s = servers[i];
    const std::string what = std::string(1, static_cast<char>('A' + static_cast<int>(i % 26))) + ": " + s.endpoint + " (" + s.dialect->title + (s.version.empty() ? "" : " " + s.version) + ", " + s.model + ")";
    facts.push_back(i == 0 && servers.size() > 1 ? both(what + ", the reference", what + "，作为参照") : plain(what));
  }
  return facts;
}

Section limits_section(const PassageCounts& counts, const std::vector<std::string>& failures, int64_t failed, const std::vector<Both>& notes) {
  Section section;
  section.heading = both("What is missing", "缺少的内容");
  const auto line = [&](int64_t n, const char* en, const char* zh) {
    if (n > 0) section.lines.push_back({both(grouped(n) + en, grouped(n) + zh), "", "", "", "unsure"});
  };
  line(counts.failed, " samples of the run are failed requests", " 个样本是失败的请求");
  line(counts.without_prompt_ids, " answers have no recorded prompt ids", " 个回答没有记录提示词的词元 id");
  line(counts.without_output_ids, " answers have no recorded output ids", " 个回答没有记录输出的词元 id");
  line(counts.too_short, " answers are shorter than the first position", " 个回答比第一个位置还短");
  line(failed, " questions failed", " 个问题失败");
  for (const std::string& text : failures) section.lines.push_back({both("the server said", "服务器返回"), text, "", "", "bad"});
  for (const Both& text : notes) section.lines.push_back({text, "", "", "", "faint"});
  for (const std::string& text : counts.problems) section.lines.push_back({plain(text), "", "", "", "faint"});
  return section;
}

}  // namespace vaa::capture
