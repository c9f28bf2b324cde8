#include "capture/bisect_report.h"

#include <algorithm>
#include <cmath>

#include "base/json_writer.h"
#include "base/positions.h"
#include "base/shell_word.h"
#include "capture/rung_table.h"

namespace vaa::capture {
namespace {

using Kind = SearchResult::Kind;


// "4,097" or "(4,000, 4,097]".
std::string edge_words(const SearchResult& r) { return r.hi - r.lo == 1 ? grouped(r.hi) : "(" + grouped(r.lo) + ", " + grouped(r.hi) + "]"; }

Both reason_of(const BisectSeen& seen) {
  const SearchResult& r = seen.result;
  const std::string caveat = seen.ids_only ? "; without logprobs a near tie cannot be told from a fault" : "", caveat_zh = seen.ids_only ? "；没有 logprob，无法区分近似并列与故障" : "";
  switch (r.kind) {
    case Kind::kNoDifference: {
      const double seen_from = rate_of(r.answers_parted, r.answers, 0.9).high;
      const std::string failed = grouped(seen.failed);
      if (bisect_verdict(seen) != VAA_VERDICT_PASS) return both("no difference in what was answered, but " + failed + " requests failed: too many to pass", "得到回答的部分没有差异，但有 " + failed + " 个请求失败：过多，不能判为通过");
      return both("no difference: B parts from A no more than A from itself; a fault in " + share_words(seen_from) + " % of answers would have been seen (95 %, " + grouped(r.answers) + " answers at " + grouped(seen.high) + ")",
                  "没有差异：B 与 A 的差异不超过 A 自身的波动；若有 " + share_words(seen_from) + " % 的回答出问题则会被发现（95 %，" + grouped(r.answers) + " 个回答，位置 " + grouped(seen.high) + "）");
    }
    case Kind::kFromStart:
      if (target_is_unsteady(seen)) {
        return both("B parts from A from the start, and from itself too: in " + rate_words(seen.target_itself).en + " of its continuations; that is noise of B, or a fault that comes and goes, and has no position",
                    "B 从一开始就与 A 不同，与自身也不同：其续写中 " + rate_words(seen.target_itself).zh + "；这是 B 的波动或时有时无的故障，没有确定的位置");
      }
      return both("B parts from A from the start: already at " + grouped(seen.low) + ", the lowest position that was searched" + caveat, "B 从一开始就与 A 不同：在搜索的最低位置 " + grouped(seen.low) + " 已经出现" + caveat_zh);
    case Kind::kFound:
      if (r.hi - r.lo == 1) return both("B parts from A from position " + edge_words(r) + " on" + caveat, "B 从位置 " + edge_words(r) + " 起与 A 不同" + caveat_zh);
      return both("B parts from A from a position in " + edge_words(r) + " on" + caveat, "B 从 " + edge_words(r) + " 中的某个位置起与 A 不同" + caveat_zh);
    default:
      if (r.asks == 0) return both("no continuation of both servers could be compared", "没有可以比较的续写");
      return both("the answers do not tell whether B parts from A more than A from itself: more answers or repeats are needed", "这些回答不足以判断 B 与 A 的差异是否超过 A 自身的波动：需要更多回答或重复");
  }
}

std::string bar(int64_t parted, int64_t asked) {
  constexpr int kCells = 10;
  const int64_t full = asked == 0 ? 0 : (parted * kCells + asked / 2) / asked;
  std::string text;
  for (int i = 0; i < kCells; ++i) text += i < full || (i == 0 && parted > 0) ? "█" : "·";
  return text;
}

Both call_words(Call call) {
  if (call == Call::kParts) return both("parts", "不同");
  if (call == Call::kAlike) return both("alike", "一致");
  return both("open", "尚无定论");
}

Section positions_section(const BisectSeen& seen) {
  const SearchResult& r = seen.result;
  std::vector<PositionSeen> rows = r.seen;
  std::sort(rows.begin(), rows.end(), [](const PositionSeen& a, const PositionSeen& b) { return a.at < b.at; });
  Section section;
  section.heading = both("By position: continuations that part by more than a near tie", "按位置：差异超过近似并列的续写");
  section.columns = {both("position", "位置"), both("share", "占比"), both("asked", "已询问"), both("parted", "不同"), both("interval", "区间"), both("not told", "无法判断"), both("median swing", "swing 中位数"), both("call", "判定")};
  section.right = {true, false, true, true, true, true, true, false};
  for (const PositionSeen& p : rows) {
    SectionRow row;
    row.cells = {plain(grouped(p.at)), plain(bar(p.parted, p.asked)), plain(grouped(p.asked)), plain(grouped(p.parted)), plain(interval_words(p.low, p.high)),
                 plain(grouped(p.undetermined)), plain(number_words(p.median_swing, 2)), call_words(p.call)};
    row.tone = p.call == Call::kParts ? "bad" : p.call == Call::kAlike ? "good" : "faint";
    section.rows.push_back(std::move(row));
  }
  section.lines.push_back({both("a position parts when the lower limit of its share is over " + share_words(r.itself.high) + " %, the upper limit of A against itself (Clopper-Pearson, 95 % shared among the looks)",
                                "当某位置占比的下限高于 A 自身波动的上限 " + share_words(r.itself.high) + " % 时判为不同（Clopper-Pearson，95 % 由多次查看分摊）"), "", "", "", "faint"});
  if (r.kind == Kind::kNoDifference) {
    const std::string n = grouped(static_cast<int64_t>(rows.size())), tokens = grouped(seen.tokens);
    section.lines.push_back({both(n + " positions were asked, " + tokens + " tokens each: a fault that begins and ends between them (a window, a chunk, a capture size) does not show", "询问了 " + n + " 个位置，每处 " + tokens + " 个词元：在它们之间开始并结束的故障（窗口、分块或图捕获尺寸）不会显现"), "", "", "", "faint"});
  }
  return section;
}

Section noise_section(const BisectSeen& seen) {
  Section section;
  section.heading = both("A against itself", "A 与自身比较");
  const Rate& rate = seen.result.itself;
  section.lines.push_back({both(rate_words(rate).en + " part by more than a near tie, " + grouped(seen.itself_parted) + " at all", rate_words(rate).zh + " 的差异超过近似并列；有任何差异的为 " + grouped(seen.itself_parted)), "", "", "", "plain"});
  const std::string tau = number_words(seen.tau.value, 3);
  if (seen.tau.tokens > 0) {
    section.lines.push_back({both("a near tie is a swing of at most " + tau + " nats: the 99.9 % quantile of what moved over " + grouped(seen.tau.tokens) + " tokens is " + number_words(seen.tau.quantile, 3) + ", never under " + number_words(kLeastTau, 2),
                                  "swing 不超过 " + tau + " nat 算近似并列：" + grouped(seen.tau.tokens) + " 个词元的变化量的 99.9 % 分位数为 " + number_words(seen.tau.quantile, 3) + "，下限 " + number_words(kLeastTau, 2)), "", "", "", "plain"});
  } else {
    section.lines.push_back({both("a near tie is a swing of at most " + tau + " nats, an assumption: too few tokens had logprobs to measure it", "swing 不超过 " + tau + " nat 算近似并列，这是假设值：带 logprob 的词元太少，无法测量"), "", "", "", "unsure"});
  }
  if (seen.target_itself.n > 0) {
    section.lines.push_back({both("B against itself: " + rate_words(seen.target_itself).en + " part by more than a near tie", "B 与自身比较：" + rate_words(seen.target_itself).zh + " 的差异超过近似并列"), "", "", "", target_is_unsteady(seen) ? "bad" : "plain"});
  }
  if (seen.other_concurrency != seen.concurrency) {
    section.lines.push_back({both("asked at concurrency " + std::to_string(seen.concurrency) + ", the last time at " + std::to_string(seen.other_concurrency), "并发 " + std::to_string(seen.concurrency) + "，最后一次为 " + std::to_string(seen.other_concurrency)), "", "", "", "faint"});
  } else {
    section.lines.push_back({both("asked one at a time only: what batching changes was not measured; a higher concurrency measures it", "只逐个询问：没有测量批处理带来的变化；提高并发可以测量"), "", "", "", "unsure"});
  }
  return section;
}

Both shows_words(Shows shows) {
  if (shows == Shows::kYes) return both("shows it", "有问题");
  if (shows == Shows::kNo) return both("does not show it", "没有问题");
  return both("not told", "无法判断");
}

Section path_section(const BisectSeen& seen) {
  const PathSeen& path = seen.result.path;
  Section section;
  section.heading = both("Which path", "哪条路径");
  const auto line = [&](const Both& en_zh, Shows shows) { section.lines.push_back({en_zh, "", "", "", shows == Shows::kYes ? "bad" : shows == Shows::kNo ? "good" : "unsure"}); };
  const Both prefill = shows_words(path.prefill), decode = shows_words(path.decode);
  line(both("prefill " + prefill.en + ": first token wrong in " + rate_words(path.first).en + " rungs at or past the edge", "prefill " + prefill.zh + "：边界及之后的截断点中首个词元出错 " + rate_words(path.first).zh), path.prefill);
  line(both("decode " + decode.en + ": a later token wrong past the edge in " + rate_words(path.crossing).en + " rungs that began before it", "decode " + decode.zh + "：边界之前开始的截断点在越过边界后出错 " + rate_words(path.crossing).zh), path.decode);
  section.lines.push_back({both("after a right first token past the edge: " + rate_words(path.later).en, "边界之后且首个词元正确时：" + rate_words(path.later).zh), "", "", "", "faint"});
  return section;
}

Section edge_section(const BisectSeen& seen) {
  const SearchResult& r = seen.result;
  Section section;
  section.heading = both("The position", "位置");
  section.lines.push_back({r.pinned ? both("the first wrong token stands after " + edge_words(r) + " ids, told by single tokens (95 % credible)", "第一个出错的词元在 " + edge_words(r) + " 个 id 之后，由单个词元判断（95 % 可信）")
                                    : both("between the last position that is alike and the first token that parts: " + edge_words(r), "最后一致的位置与第一个不同的词元之间：" + edge_words(r)), "", "", "", "bad"});
  for (const StructuralHit& hit : seen.hits) {
    const std::string after = hit.offset ? " (the token after input position " + grouped(hit.number) + ")" : "", after_zh = hit.offset ? "（输入位置 " + grouped(hit.number) + " 之后的词元）" : "";
    const std::string chance = std::isnan(hit.by_chance) ? "" : "; " + share_words(hit.by_chance) + " % of such intervals hold one by chance", chance_zh = std::isnan(hit.by_chance) ? "" : "；这样的区间有 " + share_words(hit.by_chance) + " % 会偶然包含";
    section.lines.push_back({both(grouped(hit.number) + " is " + hit.name + after + chance, grouped(hit.number) + " 是 " + hit.name + after_zh + chance_zh), "", "", "", "bad"});
  }
  if (seen.hits.empty()) {
    section.lines.push_back({seen.numbers_given ? both("no structural number in the interval", "区间内没有结构性数字")
                                                : both("no structural number in the interval; config gives it those of the model's config.json", "区间内没有结构性数字；config 选项可提供模型 config.json 中的数字"), "", "", "", "faint"});
  }
  for (const int64_t at : r.contradictions) {
    section.lines.push_back({at > r.hi ? both("not from there on: at " + grouped(at) + " they are alike again (a window, a chunk, a capture size?)", "并非一直如此：在 " + grouped(at) + " 又一致了（窗口、分块或图捕获尺寸？）")
                                       : both("not the first: at " + grouped(at) + " they part too", "并非最早：在 " + grouped(at) + " 也不同"), "", "", "", "unsure"});
  }
  return section;
}

Section next_section(const BisectSeen& seen, const std::vector<Server>& servers, int verdict) {
  Section section;
  section.heading = both("Next", "下一步");
  const std::string command = "vaa ladder " + shell_word(seen.run) + " --bisect --url " + shell_word(servers[0].endpoint) + " --url " + shell_word(servers[1].endpoint);
  const PathSeen& path = seen.result.path;
  if (target_is_unsteady(seen)) {
    section.lines.push_back({both("first make B repeat itself: batch-invariant mode, one request at a time, no speculation; then bisect again", "先让 B 可以重现：批不变模式、逐个请求、关闭投机解码；然后再次二分"), "", command + " --concurrency 1 --out STEADY.jsonl", "", "plain"});
  } else if (seen.result.kind == Kind::kFound || seen.result.kind == Kind::kFromStart) {
    if (path.prefill == Shows::kNo) {
      section.lines.push_back({both("prefill of the same ids is right: decode attention, KV cache writes, graphs. Start B without graphs (vLLM: --enforce-eager) and bisect again", "相同 id 的 prefill 正确：检查 decode attention、KV cache 写入、图模式。B 关闭图模式（vLLM：--enforce-eager）后再次二分"), "",
                               command + " --out EAGER.jsonl", "", "plain"});
    } else if (path.decode == Shows::kNo) {
      section.lines.push_back({both("decode past the position is right: chunked prefill, prefix cache, prefill attention. Start B without them, one at a time, and bisect again", "越过该位置的 decode 正确：检查 chunked prefill、前缀缓存、prefill attention。逐一关闭后再次二分"), "", command + " --out UNCHUNKED.jsonl", "", "plain"});
    } else {
      section.lines.push_back({both("what both paths share: RoPE table and scaling, window, max_model_len. Compare the two launches and their config.json", "两条路径的共同部分：RoPE 表与缩放、窗口、max_model_len。比较两个启动参数与 config.json"), "",
                               seen.numbers_given ? "" : command + " --config config.json --out AGAIN.jsonl", "", "plain"});
    }
  }
  if (verdict == VAA_VERDICT_UNDECIDED) section.lines.push_back({both("more answers tell more than more repeats", "增加回答比增加重复更有用"), "", command + " --sample " + std::to_string(std::max<int64_t>(64, 4 * seen.answers)) + " --out MORE.jsonl", "", "plain"});
  const bool commands = std::any_of(section.lines.begin(), section.lines.end(), [](const SectionLine& l) { return !l.command.empty(); });
  if (commands) section.lines.push_back({both("keys and the other options as before", "密钥与其余选项同前"), "", "", "", "faint"});
  return section;
}

NumberTable positions_table(const SearchResult& r) {
  NumberTable table;
  table.name = "positions";
  const auto column = [&](auto get) {
    std::vector<double> values;
    for (const PositionSeen& p : r.seen) values.push_back(static_cast<double>(get(p)));
    return values;
  };
  table.columns = {{"at", column([](const auto& p) { return p.at; })},
                   {"rounds", column([](const auto& p) { return p.rounds; })},
                   {"asked", column([](const auto& p) { return p.asked; })},
                   {"parted", column([](const auto& p) { return p.parted; })},
                   {"undetermined", column([](const auto& p) { return p.undetermined; })},
                   {"low", column([](const auto& p) { return p.low; })},
                   {"high", column([](const auto& p) { return p.high; })},
                   {"median_swing", column([](const auto& p) { return p.median_swing; })},
                   {"call", column([](const auto& p) { return static_cast<int>(p.call); })}};
  return table;
}

const char* kind_name(Kind kind) {
  switch (kind) {
    case Kind::kNoDifference: return "no_difference";
    case Kind::kFromStart: return "from_start";
    case Kind::kFound: return "found";
    default: return "undecided";
  }
}

const char* shows_name(Shows shows) { return shows == Shows::kYes ? "yes" : shows == Shows::kNo ? "no" : "unknown"; }

void append_rate(JsonWriter* json, const char* name, const Rate& rate) { json->key(name).begin_object().member("k", rate.k).member("n", rate.n).member("low", rate.low).member("high", rate.high).end_object(); }

std::string data_of(const BisectSeen& seen) {
  const SearchResult& r = seen.result;
  std::string data;
  JsonWriter json(&data);
  json.begin_object().member("run", seen.run).member("kind", kind_name(r.kind)).member("lo", r.lo).member("hi", r.hi).member("pinned", r.pinned).member("low", seen.low).member("high", seen.high);
  json.member("answers", seen.answers).member("answers_at_high", r.answers).member("answers_parted_at_high", r.answers_parted).member("tokens", seen.tokens).member("ids_only", seen.ids_only);
  json.member("answered", seen.answered).member("failed", seen.failed).member("resumed", seen.resumed).member("reencoded", seen.counts.reencoded);
  append_rate(&json, "itself", r.itself);
  append_rate(&json, "target_itself", seen.target_itself);
  json.member("tau", seen.tau.value).member("tau_tokens", seen.tau.tokens).member("tau_quantile", seen.tau.quantile);
  json.key("prefill").begin_object().member("shows", shows_name(r.path.prefill));
  append_rate(&json, "first", r.path.first);
  json.end_object().key("decode").begin_object().member("shows", shows_name(r.path.decode));
  append_rate(&json, "crossing", r.path.crossing);
  append_rate(&json, "later", r.path.later);
  json.end_object().key("structural").begin_array();
  for (const StructuralHit& hit : seen.hits) json.begin_object().member("name", hit.name).member("number", hit.number).member("offset", hit.offset).member("by_chance", hit.by_chance).end_object();
  json.end_array().key("contradictions").begin_array();
  for (const int64_t at : r.contradictions) json.integer(at);
  json.end_array().end_object();
  return data;
}

}  // namespace

bool target_is_unsteady(const BisectSeen& seen) { return seen.target_itself.n > 0 && seen.target_itself.low > seen.result.itself.high; }

int bisect_verdict(const BisectSeen& seen) {
  switch (seen.result.kind) {
    case Kind::kNoDifference: return seen.failed * 10 > seen.answered + seen.resumed ? VAA_VERDICT_UNDECIDED : VAA_VERDICT_PASS;
    case Kind::kFromStart: return seen.ids_only || target_is_unsteady(seen) ? VAA_VERDICT_UNDECIDED : VAA_VERDICT_FAIL;
    case Kind::kFound: return seen.ids_only ? VAA_VERDICT_UNDECIDED : VAA_VERDICT_FAIL;
    default: return seen.result.asks == 0 ? VAA_VERDICT_NOT_CHECKED : VAA_VERDICT_UNDECIDED;
  }
}

AskReport bisect_report(const BisectSeen& seen, const std::vector<Server>& servers) {
  AskReport report;
  report.kind = "bisect";
  report.title = both("The position from which two servers part", "两个服务器开始不同的位置");
  report.verdict = bisect_verdict(seen);
  report.reason = reason_of(seen);
  report.facts = source_facts(seen.run, seen.counts, seen.answers, seen.drawn, seen.tokens, servers);
  report.facts.push_back(both("searched from " + grouped(seen.low) + " to " + grouped(seen.high) + ", which " + grouped(seen.reach_high) + " answers reach; " + grouped(seen.answered + seen.resumed) + " questions answered",
                              "搜索范围 " + grouped(seen.low) + " 到 " + grouped(seen.high) + "，有 " + grouped(seen.reach_high) + " 个回答达到该长度；共 " + grouped(seen.answered + seen.resumed) + " 个请求得到回答"));
  const bool found = seen.result.kind == Kind::kFound;
  if (found) report.sections.push_back(edge_section(seen));
  if (found || seen.result.kind == Kind::kFromStart) report.sections.push_back(path_section(seen));
  if (!seen.result.seen.empty()) report.sections.push_back(positions_section(seen));
  report.sections.push_back(noise_section(seen));
  for (Section section : {limits_section(seen.counts, seen.failures, seen.failed, seen.notes), next_section(seen, servers, report.verdict)}) {
    if (!section.lines.empty()) report.sections.push_back(std::move(section));
  }
  report.tables.push_back(positions_table(seen.result));
  report.data = "\"servers\": " + servers_json(servers) + ", \"bisect\": " + data_of(seen);
  return report;
}

}  // namespace vaa::capture
