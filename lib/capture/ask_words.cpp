#include "capture/ask_words.h"

#include <algorithm>
#include <cmath>

#include "base/positions.h"
#include "base/shell_word.h"
#include "capture/ask_verdict.h"
#include "capture/missing_words.h"
#include "capture/rung_table.h"

namespace vaa::capture {
namespace {

SectionLine line(Both text, const char* tone = "plain") { return {std::move(text), "", "", "", tone}; }

std::string seconds(double value) { return std::isnan(value) ? "-" : number_words(value, value < 10 ? 3 : 1) + " s"; }

// The value that `share` of them do not go over (nearest rank); NaN: there is none.
double quantile(std::vector<double> values, double share) {
  if (values.empty()) return NAN;
  const auto rank = static_cast<size_t>(std::max(1.0, std::ceil(share * static_cast<double>(values.size())))) - 1;
  std::nth_element(values.begin(), values.begin() + static_cast<ptrdiff_t>(rank), values.end());
  return values[rank];
}

double rate(const AskSeen& seen, int64_t count) {
  const double time = seen.tally.last_end_s - seen.tally.first_start_s;
  return time > 0 ? static_cast<double>(count) / time : NAN;
}

Section answers_section(const AskSeen& seen, const std::vector<Server>& servers) {
  Section section;
  section.heading = both("Answers", "回答");
  section.columns = {both("server", "服务器"), both("answered", "已回答"), both("failed", "失败"), both("there before", "已有"), both("tokens/s", "token/s"),
                     both("first token p50", "首词元 p50"), both("p99", "p99"), both("whole p50", "完整 p50"), both("p99", "p99")};
  section.right = {false, true, true, true, true, true, true, true, true};
  for (size_t i = 0; i < servers.size(); ++i) {
    const ServerTally& tally = seen.tally.servers[i];
    SectionRow row;
    for (const std::string& cell : {servers[i].endpoint, grouped(tally.answered), grouped(tally.failed), grouped(tally.resumed), number_words(rate(seen, tally.tokens), 1), seconds(quantile(tally.ttft_s, 0.5)),
                                    seconds(quantile(tally.ttft_s, 0.99)), seconds(quantile(tally.e2e_s, 0.5)), seconds(quantile(tally.e2e_s, 0.99))})
      row.cells.push_back(plain(cell));
    row.tone = tally.failed > 0 ? "unsure" : "plain";
    section.rows.push_back(std::move(row));
  }
  const ServerTally all = seen.tally.counts();
  if (const int64_t again = all.tries - all.answered - all.failed; again > 0) section.lines.push_back(line(both(grouped(again) + " requests were sent again: the server had closed the connection that was kept, or could not answer then", "重新发送了 " + grouped(again) + " 个请求：服务器已关闭所保持的连接，或当时无法回答"), "faint"));
  if (all.unread > 0) {
    SectionLine unread = line(both("a part of " + counted(all.unread, "answers") + " could not be read and is missing in the records, the first:", grouped(all.unread) + " 个回答有一部分无法读取，记录中缺少该部分，第一个："), "bad");
    unread.quoted = seen.tally.first_unread;
    section.lines.push_back(std::move(unread));
  }
  if (all.miscounted > 0)
    section.lines.push_back(line(both(counted(all.miscounted, "answers") + " with more or fewer token ids than the server counts, the first: " + seen.tally.first_miscounted + "; events came twice, or were lost on the way",
                                      grouped(all.miscounted) + " 个回答的词元 id 数与服务器的计数不符（第一个：" + seen.tally.first_miscounted + "）；有事件重复到达或在途中丢失"),
                                 "bad"));
  if (seen.taken_out > 0) section.lines.push_back(line(both(grouped(seen.taken_out) + " that had failed before were asked again", "重新询问了此前失败的 " + grouped(seen.taken_out) + " 个"), "faint"));
  return section;
}

Section failed_section(const AskSeen& seen) {
  Section section;
  section.heading = both("Failed", "失败");
  for (const auto& [kind, seen_of] : seen.tally.failures) {
    SectionLine failed = line(both(kind + ": " + grouped(seen_of.first) + ", the first:", kind + "：" + grouped(seen_of.first) + " 个，第一个："), "bad");
    failed.quoted = seen_of.second;
    section.lines.push_back(std::move(failed));
  }
  if (const int64_t partial = seen.tally.counts().partial; partial > 0)
    section.lines.push_back(line(both(grouped(partial) + " of them broke off in the midst of an answer: what had come is kept", "其中 " + grouped(partial) + " 个在回答途中断开：已收到的部分保留"), "unsure"));
  return section;
}

Section path_section(const std::vector<Server>& servers, const std::vector<PathEvidence>& evidence) {
  Section section;
  section.heading = both("The path that ran, by the engine's counters", "实际运行的路径（依据引擎计数器）");
  for (size_t i = 0; i < servers.size(); ++i) {
    for (SectionLine one : evidence[i].lines) {
      if (servers.size() > 1) one.text = both(servers[i].endpoint + ": " + one.text.en, servers[i].endpoint + "：" + one.text.zh);
      section.lines.push_back(std::move(one));
    }
  }
  return section;
}

Section missing_section(const AskSeen& seen, const std::vector<Server>& servers) {
  Section section;
  section.heading = both("Not given by the server", "服务器未提供");
  for (size_t i = 0; i < servers.size(); ++i) {
    const ServerTally& tally = seen.tally.servers[i];
    const std::string prefix = servers.size() > 1 ? servers[i].endpoint + ": " : "", prefix_zh = servers.size() > 1 ? servers[i].endpoint + "：" : "";
    for (size_t what = 0; what < kWantedCount; ++what) {
      if (tally.lacking[what] == 0) continue;
      const Both words = wanted_words(static_cast<Wanted>(what)), advice = wanted_advice(static_cast<Wanted>(what), servers[i]);
      const std::string k = grouped(tally.lacking[what]), n = grouped(tally.asked_for[what]);
      section.lines.push_back(line(both(prefix + words.en + ": missing in " + k + " of " + n + " answers" + (advice.en.empty() ? "" : "; " + advice.en),
                                        prefix_zh + words.zh + "：" + n + " 个回答中缺少 " + k + " 个" + (advice.zh.empty() ? "" : "；" + advice.zh)),
                                   "unsure"));
    }
  }
  const bool ids_said = seen.tally.counts().lacking[static_cast<size_t>(Wanted::kTokenIds)] > 0;
  for (const Both& note : seen.notes)
    if (!ids_said || note.en.rfind("token ids: ", 0) != 0) section.lines.push_back(line(note, "faint"));
  return section;
}

Section skipped_section(const AskSeen& seen) {
  Section section;
  section.heading = both("Skipped", "跳过");
  for (const std::string& problem : seen.problems) section.lines.push_back(line(plain(problem), "unsure"));
  const auto more = seen.skipped - static_cast<int64_t>(seen.problems.size());
  if (more > 0) section.lines.push_back(line(both("and " + grouped(more) + " more", "另有 " + grouped(more) + " 个"), "faint"));
  return section;
}

Section next_section(const AskSeen& seen, int verdict) {
  Section section;
  section.heading = both("Next", "下一步");
  const ServerTally all = seen.tally.counts();
  if (all.failed > 0) section.lines.push_back(line(both("ask again what failed: the same with resume (--resume)", "重新询问失败的部分：同样的命令加上 resume（--resume）")));
  if (verdict == VAA_VERDICT_NOT_CHECKED) return section;
  const std::string_view purpose = seen.options.purpose->name;
  const bool spec = purpose == "spec";
  if (spec || purpose == "compare") {
    SectionLine compare = line(spec ? both("hold them against the run without speculation, once both are there", "两次运行都完成后，与未启用投机解码的运行比较")
                                    : both("hold them against another run that was asked the same, once both are there", "两次运行都完成后，与另一次相同询问的运行比较"));
    compare.command = spec ? "vaa compare PLAIN " + shell_word(seen.out_path) + " --change spec" : "vaa compare REFERENCE " + shell_word(seen.out_path);
    section.lines.push_back(std::move(compare));
  }
  SectionLine check = line(both("check the answers", "检查回答"));
  check.command = "vaa check " + shell_word(seen.out_path);
  section.lines.push_back(std::move(check));
  return section;
}

std::vector<Both> facts(const AskSeen& seen, const std::vector<Server>& servers) {
  std::vector<Both> out;
  out.push_back(both("asked: " + seen.input, "询问内容：" + seen.input));
  out.push_back(both("answers: " + seen.out_path, "回答文件：" + seen.out_path));
  for (const Server& server : servers) {
    const std::string engine = std::string(server.dialect->title) + (server.version.empty() ? "" : " " + server.version);
    out.push_back(both("server: " + server.endpoint + ", " + engine + ", model " + server.model, "服务器：" + server.endpoint + "，" + engine + "，模型 " + server.model));
  }
  out.push_back(both("for " + std::string(seen.options.purpose->name) + ": " + seen.options.purpose->why, "目的 " + std::string(seen.options.purpose->name) + "：" + seen.options.purpose->why_zh));
  out.push_back(both(grouped(seen.concurrency) + " in flight at once", "并发 " + grouped(seen.concurrency)));
  return out;
}

NumberTable server_table(const AskSeen& seen) {
  NumberTable table;
  table.name = "servers";
  const auto add = [&](const char* name, auto value) {
    std::vector<double> column;
    for (const ServerTally& tally : seen.tally.servers) column.push_back(static_cast<double>(value(tally)));
    table.columns.emplace_back(name, std::move(column));
  };
  add("answered", [](const ServerTally& t) { return t.answered; });
  add("failed", [](const ServerTally& t) { return t.failed; });
  add("resumed", [](const ServerTally& t) { return t.resumed; });
  add("tokens", [](const ServerTally& t) { return t.tokens; });
  add("tries", [](const ServerTally& t) { return t.tries; });
  add("tokens_per_s", [&](const ServerTally& t) { return rate(seen, t.tokens); });
  for (const double share : {0.5, 0.9, 0.99}) {
    const std::string p = "_p" + std::to_string(static_cast<int>(share * 100 + 0.5));
    add(("ttft_s" + p).c_str(), [&](const ServerTally& t) { return quantile(t.ttft_s, share); });
    add(("e2e_s" + p).c_str(), [&](const ServerTally& t) { return quantile(t.e2e_s, share); });
  }
  return table;
}

std::string data(const AskSeen& seen, const std::vector<Server>& servers, const std::vector<PathEvidence>& evidence) {
  const ServerTally all = seen.tally.counts();
  std::string text = "\"servers\": " + servers_json(servers) + ", \"ask\": ";
  JsonWriter json(&text);
  json.begin_object().member("for", seen.options.purpose->name).member("input", seen.input).member("out", seen.out_path).member("concurrency", seen.concurrency);
  json.member("asked", all.answered + all.failed).member("answered", all.answered).member("failed", all.failed).member("resumed", all.resumed).member("skipped", seen.skipped).member("tokens", all.tokens).member("miscounted", all.miscounted);
  json.key("failures").begin_array();
  for (const auto& [kind, seen_of] : seen.tally.failures) json.begin_object().member("kind", kind).member("count", seen_of.first).member("first", seen_of.second).end_object();
  json.end_array().key("path").begin_array();
  for (const PathEvidence& one : evidence) json.raw(one.json);
  json.end_array().end_object();
  return text;
}

}  // namespace

AskReport ask_words(const AskSeen& seen, const std::vector<Server>& servers, const std::vector<PathEvidence>& evidence) {
  AskReport report;
  report.kind = "ask";
  report.title = both("Questions to live engines", "询问在线引擎");
  report.verdict = ask_verdict(seen, evidence, &report.reason);
  report.facts = facts(seen, servers);
  for (Section section : {answers_section(seen, servers), failed_section(seen), path_section(servers, evidence), missing_section(seen, servers), skipped_section(seen), next_section(seen, report.verdict)})
    if (!section.lines.empty() || !section.rows.empty()) report.sections.push_back(std::move(section));
  report.tables.push_back(server_table(seen));
  report.data = data(seen, servers, evidence);
  return report;
}

AskReport dry_run_words(const AskSeen& seen, const std::vector<Server>& servers, int64_t written) {
  AskReport report;
  report.kind = "ask";
  report.title = both("Questions as they would be asked", "将要发送的请求");
  report.verdict = VAA_VERDICT_PASS;
  report.reason = both("dry run: " + grouped(written) + " requests were written, none was sent", "试运行：写出 " + grouped(written) + " 个请求，没有发送");
  report.facts = facts(seen, servers);
  for (Section section : {missing_section(seen, servers), skipped_section(seen)})
    if (!section.lines.empty()) report.sections.push_back(std::move(section));
  report.data = "\"servers\": " + servers_json(servers);
  return report;
}

}  // namespace vaa::capture
