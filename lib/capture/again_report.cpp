// The words of cases that were asked again.
#include <algorithm>
#include <cmath>

#include "base/json_writer.h"
#include "base/positions.h"
#include "capture/again_cells.h"
#include "capture/rung_table.h"
#include "vaa/stats.h"

namespace vaa::capture {
namespace {

constexpr size_t kRows = 50;  // cases that the table of words shows; the table of numbers has all

std::string letter(size_t server) { return std::string(1, static_cast<char>('A' + static_cast<int>(server % 26))); }
std::string name_of(const Request& request) { return (request.dataset.empty() ? "" : request.dataset + "/") + request.id + (request.repeat ? "/" + std::to_string(request.repeat) : ""); }

std::string p_words(double p) { return p < 0.0001 ? "p < 0.0001" : "p = " + number_words(p, 4); }

// Of B's bad answers against A's, two-sided; NaN: a stop rule makes the counts no samples of fixed size.
double fisher(const AgainSeen& seen, size_t server) {
  if (seen.stop_after > 0) return std::nan("");
  const Rate a = again_total(seen, 0, -1), b = again_total(seen, server, -1);
  double p = 1, greater = 1, less = 1;
  must([&](vaa_error** err) { return vaa_stats_fisher(b.k, b.n - b.k, a.k, a.n - a.k, &p, &greater, &less, err); });
  return p;
}

int64_t bad_of_all(const AgainSeen& seen) {
  int64_t bad = 0;
  for (size_t server = 0; server < seen.servers.size(); ++server) bad += again_total(seen, server, -1).k;
  return bad;
}

Both reason_of(const AgainSeen& seen, int verdict) {
  std::string en, zh;
  for (size_t server = 0; server < seen.servers.size(); ++server) {
    const Rate rate = again_total(seen, server, -1);
    en += (server ? ", " : "") + letter(server) + " " + rate_words(rate).en;
    zh += (server ? "，" : "") + letter(server) + " " + rate_words(rate).zh;
  }
  const std::string failed = grouped(seen.failed);
  if (verdict == VAA_VERDICT_UNDECIDED && bad_of_all(seen) == 0) return both("not one answer is bad again, but " + failed + " requests failed: " + en, "没有一个回答再次出错，但有 " + failed + " 个请求失败：" + zh);
  switch (verdict) {
    case VAA_VERDICT_NOT_CHECKED: return both("no answer came", "没有得到回答");
    case VAA_VERDICT_PASS: return both("not one answer is bad again: " + en, "没有一个回答再次出错：" + zh);
    case VAA_VERDICT_FAIL: return seen.servers.size() == 1 ? both("bad again: " + en, "再次出错：" + zh) : both("the servers differ in bad answers: " + en, "各服务器的错误率不同：" + zh);
    default: return both("bad again, and the servers cannot be told apart: " + en, "再次出错，但无法区分各服务器：" + zh);
  }
}

Section totals_section(const AgainSeen& seen) {
  Section section;
  section.heading = both("Bad answers by server and concurrency", "按服务器与并发统计的错误回答");
  section.columns = {both("server", "服务器"), both("concurrency", "并发"), both("bad", "错误"), both("failed", "失败请求"), both("distinct answers a case", "每个案例的不同回答数")};
  section.right = {false, true, false, true, true};
  for (size_t server = 0; server < seen.servers.size(); ++server) {
    for (size_t level = 0; level < seen.concurrencies.size(); ++level) {
      const Rate rate = again_total(seen, server, static_cast<int>(level));
      int64_t failed = 0;
      std::vector<double> distinct;
      for (size_t c = 0; c < seen.cases.size(); ++c) {
        const AgainCell& cell = seen.cell(c, server, level);
        failed += cell.failed();
        if (!cell.answers.empty()) distinct.push_back(static_cast<double>(cell.answers.size()));
      }
      const double most = distinct.empty() ? 0 : *std::max_element(distinct.begin(), distinct.end());
      SectionRow row;
      row.cells = {plain(letter(server)), plain(std::to_string(seen.concurrencies[level])), rate_words(rate), plain(grouped(failed)),
                   both(number_words(median_of(distinct), 0) + ", at most " + number_words(most, 0), number_words(median_of(distinct), 0) + "，最多 " + number_words(most, 0))};
      row.tone = rate.k > 0 ? "bad" : rate.n > 0 ? "good" : "faint";
      section.rows.push_back(std::move(row));
    }
  }
  for (size_t server = 1; server < seen.servers.size(); ++server) {
    const double p = fisher(seen, server);
    if (!std::isnan(p)) section.lines.push_back({both(letter(server) + " against A: " + p_words(p) + " (Fisher's exact test)", letter(server) + " 与 A 比较：" + p_words(p) + "（Fisher 精确检验）"), "", "", "", "plain"});
  }
  section.lines.push_back({both("bad: flag " + seen.flag + "; 95 % Clopper-Pearson intervals, for these cases asked again, not for other questions", "错误：标记 " + seen.flag + "；95 % Clopper-Pearson 区间，只针对这些案例的重复询问，不适用于其他问题"), "", "", "", "faint"});
  if (seen.stop_after > 0) {
    section.lines.push_back({both("stop rule: a case is asked at most " + grouped(seen.repeat) + " times on a server at a concurrency, and not after its bad answer number " + grouped(seen.stop_after) + "; the intervals of cases know of it, those of totals do not",
                                  "停止规则：每个案例在每个服务器与并发下最多询问 " + grouped(seen.repeat) + " 次，出现第 " + grouped(seen.stop_after) + " 个错误回答后停止；单个案例的区间已考虑该规则，总计的区间没有"), "", "", "", "faint"});
  } else {
    section.lines.push_back({both("stop rule: none, each case is asked " + grouped(seen.repeat) + " times on each server at each concurrency", "停止规则：无，每个案例在每个服务器与并发下询问 " + grouped(seen.repeat) + " 次"), "", "", "", "faint"});
  }
  return section;
}

Section cases_section(const AgainSeen& seen) {
  Section section;
  section.heading = both("By case: bad/asked and its 95 % interval in %", "按案例：错误/询问次数及其 95 % 区间（%）");
  section.columns = {both("case", "案例")};
  section.right = {false};
  for (size_t server = 0; server < seen.servers.size(); ++server) {
    for (const int level : seen.concurrencies) {
      section.columns.push_back(both(letter(server) + " at " + std::to_string(level), letter(server) + " 并发 " + std::to_string(level)));
      section.columns.push_back(both("answers", "不同回答"));
      section.right.insert(section.right.end(), {false, true});
    }
  }
  std::vector<std::pair<int64_t, size_t>> order;  // most bad answers first
  for (size_t c = 0; c < seen.cases.size(); ++c) {
    int64_t bad = 0;
    for (size_t server = 0; server < seen.servers.size(); ++server)
      for (size_t level = 0; level < seen.concurrencies.size(); ++level) bad += seen.cell(c, server, level).bad();
    order.emplace_back(-bad, c);
  }
  std::sort(order.begin(), order.end());
  for (size_t i = 0; i < std::min(kRows, order.size()); ++i) {
    SectionRow row;
    row.cells.push_back(plain(name_of(seen.cases[order[i].second])));
    for (size_t server = 0; server < seen.servers.size(); ++server) {
      for (size_t level = 0; level < seen.concurrencies.size(); ++level) {
        const AgainCell& cell = seen.cell(order[i].second, server, level);
        const Rate rate = cell.counted(seen.stop_after);
        row.cells.push_back(plain(std::to_string(rate.k) + "/" + std::to_string(rate.n) + " [" + share_words(rate.low) + ", " + share_words(rate.high) + "]"));
        row.cells.push_back(cell.answers.size() == 1 && rate.n > 1 ? both("the same", "相同") : plain(grouped(static_cast<int64_t>(cell.answers.size()))));
      }
    }
    row.tone = order[i].first < 0 ? "bad" : "plain";
    section.rows.push_back(std::move(row));
  }
  if (order.size() > kRows) section.lines.push_back({both(grouped(static_cast<int64_t>(order.size() - kRows)) + " more cases are in the table of the JSON report", "其余 " + grouped(static_cast<int64_t>(order.size() - kRows)) + " 个案例见 JSON 报告"), "", "", "", "faint"});
  return section;
}

NumberTable cases_table(const AgainSeen& seen) {
  NumberTable table;
  table.name = "cases";
  std::vector<std::vector<double>> columns(10);
  for (size_t c = 0; c < seen.cases.size(); ++c) {
    for (size_t server = 0; server < seen.servers.size(); ++server) {
      for (size_t level = 0; level < seen.concurrencies.size(); ++level) {
        const AgainCell& cell = seen.cell(c, server, level);
        const Rate rate = cell.counted(seen.stop_after);
        const double row[] = {static_cast<double>(c), static_cast<double>(server), static_cast<double>(seen.concurrencies[level]), static_cast<double>(rate.k), static_cast<double>(rate.n), rate.low, rate.high,
                              static_cast<double>(cell.bad()), static_cast<double>(cell.failed()), static_cast<double>(cell.answers.size())};
        for (size_t i = 0; i < columns.size(); ++i) columns[i].push_back(row[i]);
      }
    }
  }
  const char* names[] = {"case", "server", "concurrency", "bad", "counted", "low", "high", "bad_in_all", "failed", "distinct"};
  for (size_t i = 0; i < columns.size(); ++i) table.columns.emplace_back(names[i], std::move(columns[i]));
  return table;
}

std::string data_of(const AgainSeen& seen) {
  std::string data;
  JsonWriter json(&data);
  json.begin_object().member("input", seen.input).member("flag", seen.flag).member("repeat", seen.repeat).member("stop_after", seen.stop_after).member("answered", seen.answered).member("failed", seen.failed);
  json.member("resumed", seen.resumed).member("skipped", seen.skipped).key("cases").begin_array();
  for (const Request& request : seen.cases) json.begin_object().member("id", request.id).member("dataset", request.dataset).member("repeat", request.repeat).end_object();
  json.end_array().key("totals").begin_array();
  for (size_t server = 0; server < seen.servers.size(); ++server) {
    const Rate rate = again_total(seen, server, -1);
    json.begin_object().member("k", rate.k).member("n", rate.n).member("low", rate.low).member("high", rate.high).member("fisher_p", server ? fisher(seen, server) : std::nan("")).end_object();
  }
  json.end_array().end_object();
  return data;
}

}  // namespace

int again_verdict(const AgainSeen& seen) {
  int64_t bad = 0, all = 0;
  bool sure = false;
  const Rate reference = again_total(seen, 0, -1);
  const double level = 0.05 / std::max(1.0, static_cast<double>(seen.servers.size()) - 1);
  for (size_t server = 0; server < seen.servers.size(); ++server) {
    const Rate rate = again_total(seen, server, -1);
    bad += rate.k;
    all += rate.n;
    if (server == 0) continue;
    const double p = fisher(seen, server);
    sure = sure || (std::isnan(p) ? rate.low > reference.high || reference.low > rate.high : p < level);
  }
  if (all == 0) return VAA_VERDICT_NOT_CHECKED;
  if (bad == 0) return seen.failed > 0 ? VAA_VERDICT_UNDECIDED : VAA_VERDICT_PASS;
  return seen.servers.size() == 1 || sure ? VAA_VERDICT_FAIL : VAA_VERDICT_UNDECIDED;
}

AskReport again_report(const AgainSeen& seen) {
  AskReport report;
  report.kind = "again";
  report.title = both("Cases asked again", "重复询问的案例");
  report.verdict = again_verdict(seen);
  report.reason = reason_of(seen, report.verdict);
  const std::string cases = grouped(static_cast<int64_t>(seen.cases.size()));
  report.facts.push_back(both(cases + " cases of " + seen.input + "; " + grouped(seen.answered + seen.resumed) + " answers, " + grouped(seen.failed) + " failed requests", seen.input + " 的 " + cases + " 个案例；" + grouped(seen.answered + seen.resumed) + " 个回答，" + grouped(seen.failed) + " 个失败请求"));
  for (size_t server = 0; server < seen.servers.size(); ++server) {
    const Server& s = seen.servers[server];
    report.facts.push_back(plain(letter(server) + ": " + s.endpoint + " (" + s.dialect->title + (s.version.empty() ? "" : " " + s.version) + ", " + s.model + ")"));
  }
  report.sections.push_back(totals_section(seen));
  report.sections.push_back(cases_section(seen));
  PassageCounts counts;
  counts.problems = seen.problems;
  Section limits = limits_section(counts, seen.failures, seen.failed, seen.notes);
  if (!limits.lines.empty()) report.sections.push_back(std::move(limits));
  report.tables.push_back(cases_table(seen));
  report.data = "\"servers\": " + servers_json(seen.servers) + ", \"again\": " + data_of(seen);
  return report;
}

}  // namespace vaa::capture
