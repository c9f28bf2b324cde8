// The words of a ladder.
#include <algorithm>
#include <cmath>

#include "base/json_writer.h"
#include "base/positions.h"
#include "base/shell_word.h"
#include "capture/rung_table.h"
#include "capture/search.h"

namespace vaa::capture {
namespace {

std::string letter(size_t server) { return std::string(1, static_cast<char>('A' + static_cast<int>(server % 26))); }

std::string percent(double share) { return number_words(100 * share, share < 0.0995 ? 1 : 0) + " %"; }

Section compared_section(const LadderSeen& seen) {
  Section section;
  section.heading = both("By position: first difference within the continuation", "按位置：续写中的第一处差异");
  section.columns = {both("position", "位置"), both("server", "服务器"), both("compared", "已比较"), both("alike", "一致"), both("near ties", "近似并列"), both("suspect", "可疑"), both("at the first token", "首个词元"),
                     both("not told", "无法判断"), both("median swing", "swing 中位数")};
  section.right = {true, false, true, true, true, true, true, true, true};
  for (const ComparedRow& row : seen.compared) {
    SectionRow cells;
    cells.cells = {plain(grouped(row.at)), plain(letter(row.server)), plain(grouped(row.compared)), plain(grouped(row.alike)), plain(grouped(row.exact_tie + row.near_tie)),
                   plain(grouped(row.suspect)), plain(grouped(row.first_suspect)), plain(grouped(row.undetermined + row.no_evidence)), plain(number_words(median_of(row.swings), 2))};
    cells.tone = row.suspect > 0 ? "bad" : row.compared == 0 ? "faint" : "plain";
    section.rows.push_back(std::move(cells));
  }
  const std::string tau = number_words(kDefaultTau, 2);
  section.lines.push_back({both("a near tie is a swing of at most " + tau + " nats, an assumption: nothing was measured of how much these servers differ from themselves; bisect measures it",
                                "swing 不超过 " + tau + " nat 算近似并列，这是假设值：没有测量服务器自身的波动；bisect 会测量"), "", "", "", "faint"});
  section.lines.push_back({both("the first token comes out of prefill, the others out of decode", "首个词元来自 prefill，其余来自 decode"), "", "", "", "faint"});
  return section;
}

Section recorded_section(const LadderSeen& seen) {
  Section section;
  section.heading = both("By position: the recorded id among what the server says now", "按位置：记录的 id 在服务器当前输出中的排名");
  section.columns = {both("position", "位置"), both("asked", "已询问"), both("same id", "相同"), both("among the likeliest", "在候选中"), both("outside them", "不在候选中"), both("median rank", "排名中位数"),
                     both("median logprob", "logprob 中位数"), both("median shift", "变化中位数")};
  section.right = std::vector<bool>(8, true);
  for (const RecordedRow& row : seen.recorded) {
    SectionRow cells;
    cells.cells = {plain(grouped(row.at)), plain(grouped(row.asked - row.in_prompt)), plain(grouped(row.same)), plain(grouped(row.listed)), plain(grouped(row.unlisted)),
                   plain(number_words(median_of(row.ranks), 0)), plain(number_words(median_of(row.logprobs), 2)), plain(number_words(median_of(row.shifts), 3))};
    cells.tone = row.unlisted > 0 ? "unsure" : "plain";
    section.rows.push_back(std::move(cells));
  }
  section.lines.push_back({both("evidence of the token that was sampled then, not a difference of two engines: sampling takes unlikely tokens too", "这是对当时采样出的词元的证据，不是两个引擎之间的差异：采样也会取到低概率词元"), "", "", "",
                           "faint"});
  return section;
}

void explain(const LadderSeen& seen, const std::vector<Server>& servers, AskReport* report) {
  int64_t compared = 0, suspects = 0, open = 0, least = -1, first = -1;
  for (const ComparedRow& row : seen.compared) {
    compared += row.compared;
    suspects += row.suspect;
    open += row.undetermined + row.no_evidence;
    if (row.suspect > 0 && first < 0) first = row.at;
    if (row.compared > 0 && (least < 0 || row.compared < least)) least = row.compared;
  }
  const std::string k = grouped(suspects), n = grouped(compared);
  if (servers.size() == 1) {
    // Asked, and not judged: 2 is for what could not be done.
    report->verdict = seen.answered + seen.resumed > 0 ? VAA_VERDICT_UNDECIDED : VAA_VERDICT_NOT_CHECKED;
    report->reason = both("one server: there is nothing to compare with, the table shows what it says now of the recorded ids", "只有一个服务器：没有可比较的对象，表中是它现在对记录的 id 的看法");
    return;
  }
  report->verdict = ladder_verdict(seen.compared);
  switch (report->verdict) {
    case VAA_VERDICT_NOT_CHECKED:
      report->reason = both("no continuation of two servers could be compared", "没有可以比较的续写");
      break;
    case VAA_VERDICT_FAIL:
      report->reason = both("they part by more than a near tie in " + k + " of " + n + " continuations, first at position " + grouped(first), n + " 个续写中有 " + k + " 个的差异超过近似并列，最早在位置 " + grouped(first));
      break;
    case VAA_VERDICT_UNDECIDED:
      report->reason = suspects > 0 ? both(k + " of " + n + " continuations part by more than a near tie: too few to tell from noise without measuring it", n + " 个续写中有 " + k + " 个的差异超过近似并列：太少，不测量噪声无法判断")
                                    : both(grouped(open) + " of " + n + " continuations part where logprobs do not tell by how much", n + " 个续写中有 " + grouped(open) + " 个出现差异，但 logprob 不足以判断大小");
      break;
    default:
      report->reason = both("no continuation of " + n + " parts by more than a near tie; a fault in " + percent(rate_of(0, least, 0.9).high) + " of answers at one position would have shown (95 %)",
                            n + " 个续写都没有超过近似并列的差异；若某位置有 " + percent(rate_of(0, least, 0.9).high) + " 的回答有问题则会被发现（95 %）");
  }
}

Section next_section(const LadderSeen& seen, const std::vector<Server>& servers, int verdict) {
  Section section;
  section.heading = both("Next", "下一步");
  if (servers.size() == 1) {
    section.lines.push_back({both("compare with a server that is right; keys and the other options as before", "与一个正确的服务器比较；密钥与其余选项同前"), "", "vaa ladder " + shell_word(seen.run) + " --at POSITIONS --url " + shell_word(servers[0].endpoint) + " --url REFERENCE --out OUT.jsonl", "", "plain"});
  } else if (verdict != VAA_VERDICT_PASS) {
    section.lines.push_back({both("find the first position, with the noise measured; keys and the other options as before", "在测量噪声的前提下找到第一个出错的位置；密钥与其余选项同前"), "",
                             "vaa ladder " + shell_word(seen.run) + " --bisect --url " + shell_word(servers[0].endpoint) + " --url " + shell_word(servers[1].endpoint) + " --out OUT.jsonl", "", "plain"});
  }
  return section;
}

template <class Row, class Get>
std::vector<double> column(const std::vector<Row>& rows, Get get) {
  std::vector<double> values;
  for (const Row& row : rows) values.push_back(static_cast<double>(get(row)));
  return values;
}

NumberTable compared_table(const std::vector<ComparedRow>& rows) {
  NumberTable table;
  table.name = "positions";
  table.columns = {{"at", column(rows, [](const auto& r) { return r.at; })},
                   {"server", column(rows, [](const auto& r) { return r.server; })},
                   {"compared", column(rows, [](const auto& r) { return r.compared; })},
                   {"failed", column(rows, [](const auto& r) { return r.failed; })},
                   {"alike", column(rows, [](const auto& r) { return r.alike; })},
                   {"exact_tie", column(rows, [](const auto& r) { return r.exact_tie; })},
                   {"near_tie", column(rows, [](const auto& r) { return r.near_tie; })},
                   {"suspect", column(rows, [](const auto& r) { return r.suspect; })},
                   {"first_suspect", column(rows, [](const auto& r) { return r.first_suspect; })},
                   {"undetermined", column(rows, [](const auto& r) { return r.undetermined; })},
                   {"no_evidence", column(rows, [](const auto& r) { return r.no_evidence; })},
                   {"median_swing", column(rows, [](const auto& r) { return median_of(r.swings); })}};
  return table;
}

NumberTable recorded_table(const std::vector<RecordedRow>& rows) {
  NumberTable table;
  table.name = "recorded";
  table.columns = {{"at", column(rows, [](const auto& r) { return r.at; })},
                   {"asked", column(rows, [](const auto& r) { return r.asked; })},
                   {"failed", column(rows, [](const auto& r) { return r.failed; })},
                   {"in_prompt", column(rows, [](const auto& r) { return r.in_prompt; })},
                   {"same", column(rows, [](const auto& r) { return r.same; })},
                   {"listed", column(rows, [](const auto& r) { return r.listed; })},
                   {"unlisted", column(rows, [](const auto& r) { return r.unlisted; })},
                   {"no_list", column(rows, [](const auto& r) { return r.no_list; })},
                   {"median_rank", column(rows, [](const auto& r) { return median_of(r.ranks); })},
                   {"median_logprob", column(rows, [](const auto& r) { return median_of(r.logprobs); })},
                   {"median_shift", column(rows, [](const auto& r) { return median_of(r.shifts); })}};
  return table;
}

}  // namespace

AskReport ladder_report(const LadderSeen& seen, const std::vector<Server>& servers) {
  AskReport report;
  report.kind = "ladder";
  report.title = both("Answers cut at positions", "按位置截断的回答");
  explain(seen, servers, &report);
  report.facts = source_facts(seen.run, seen.counts, seen.answers, seen.drawn, seen.tokens, servers);
  report.sections.push_back(servers.size() > 1 ? compared_section(seen) : recorded_section(seen));
  Section& by_position = report.sections.back();
  for (const auto& [at, shorter] : seen.shorter) {
    if (shorter > 0) by_position.lines.push_back({both(grouped(shorter) + " answers end before " + grouped(at), grouped(shorter) + " 个回答在 " + grouped(at) + " 之前结束"), "", "", "", "faint"});
  }
  for (Section section : {limits_section(seen.counts, seen.failures, seen.failed, seen.notes), next_section(seen, servers, report.verdict)}) {
    if (!section.lines.empty()) report.sections.push_back(std::move(section));
  }
  report.tables.push_back(servers.size() > 1 ? compared_table(seen.compared) : recorded_table(seen.recorded));
  std::string data;
  JsonWriter json(&data);
  json.begin_object().member("run", seen.run).member("answers", seen.answers).member("tokens", seen.tokens).member("answered", seen.answered).member("failed", seen.failed).member("resumed", seen.resumed);
  json.member("without_prompt_ids", seen.counts.without_prompt_ids).member("without_output_ids", seen.counts.without_output_ids).member("too_short", seen.counts.too_short);
  json.member("reencoded", seen.counts.reencoded).member("tau", kDefaultTau).member("tau_tokens", 0).end_object();
  report.data = "\"servers\": " + servers_json(servers) + ", \"ladder\": " + data;
  return report;
}

}  // namespace vaa::capture
