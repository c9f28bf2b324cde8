#include "capture/path_evidence.h"

#include <algorithm>

#include "base/json.h"
#include "base/json_writer.h"
#include "base/positions.h"
#include "capture/json_members.h"
#include "capture/missing_words.h"
#include "capture/rung_table.h"

namespace vaa::capture {
namespace {

using Members = std::vector<JsonMember>;

// A number of an object; -1 where it is null or not there.
double number(std::string_view object, std::string_view key) {
  if (object.empty() || object.front() != '{') return -1;
  const std::string_view value = member_value(json_members(object), key);
  JsonReader json(value);
  double out = -1;
  return !value.empty() && json.peek() == JsonKind::kNumber && json.real(&out) ? out : -1;
}

void add(double* sum, double value) {
  if (value >= 0) *sum = std::max(0.0, *sum) + value;
}

std::string count(double value) { return grouped(static_cast<int64_t>(std::min(value, 0x1p62))); }
std::string share(double part, double whole) { return whole > 0 ? " (" + number_words(100 * part / whole, 1) + " %)" : ""; }

std::string names(const std::set<std::string>& members, const char* between) {
  std::string text;
  for (const std::string& member : members) text += (text.empty() ? "" : between) + member;
  return text;
}

std::string text_of(std::string_view object, std::string_view key) {
  std::string text;
  if (!object.empty() && object.front() == '{') json_text(member_value(json_members(object), key), &text);
  return text;
}

std::string_view object_of(std::string_view object, std::string_view key) { return object.empty() || object.front() != '{' ? std::string_view() : member_value(json_members(object), key); }

// What the server's own configuration says of speculation: SGLang's speculative_algorithm, llama.cpp's speculative.types, whose counters are there without it too.
Ran configured(const Server& server) {
  if (!text_of(server.config_json, "speculative_algorithm").empty()) return Ran::kYes;
  const std::string types = text_of(object_of(object_of(server.config_json, "default_generation_settings"), "params"), "speculative.types");
  return types.empty() ? Ran::kUnknown : types == "none" ? Ran::kNo : Ran::kYes;
}

Both plain_decoding(const std::set<std::string>& against) {
  if (against.empty())
    return both("speculation is configured and 0 tokens were drafted, though no member of the requests keeps it off: this run tested plain decoding", "已配置投机解码，请求中没有关闭它的字段，但起草了 0 个词元：本次测试的是普通解码");
  return both("speculation is configured, requests carried " + names(against, ", ") + " and 0 tokens were drafted: this run tested plain decoding",
              "已配置投机解码，请求带有 " + names(against, "、") + "，起草了 0 个词元：本次测试的是普通解码");
}

SectionLine speculation(const Server& server, const EngineSums& sums, const ServerTally& tally, Ran* drafted) {
  SectionLine line;
  const double tokens = std::max(sums.draft_tokens, tally.spec_draft_tokens);
  const bool known = tokens >= 0;
  if (known && tokens > 0) {
    *drafted = Ran::kYes;
    const double accepted = tokens == sums.draft_tokens ? sums.accepted_tokens : -1;
    line.text = both("speculation ran: " + count(tokens) + " tokens were drafted" + (accepted >= 0 ? ", " + count(accepted) + " accepted" + share(accepted, tokens) : ""),
                     "投机解码运行了：起草 " + count(tokens) + " 个词元" + (accepted >= 0 ? "，接受 " + count(accepted) + share(accepted, tokens) : ""));
    line.tone = "good";
    if (sums.idle_drafters > 0) {
      const std::string idle = grouped(sums.idle_drafters), all = grouped(sums.engines);
      line.text.en += "; " + idle + " of " + all + " engines generated tokens and drafted none";
      line.text.zh += "；" + all + " 个引擎中有 " + idle + " 个生成了词元却没有起草";
      line.tone = "unsure";
    }
  } else if (known && configured(server) == Ran::kNo) {
    *drafted = Ran::kNo;
    line.text = both("speculation is not configured", "未配置投机解码");
    line.tone = "faint";
  } else if (known || configured(server) == Ran::kYes) {
    *drafted = known ? Ran::kNo : Ran::kUnknown;
    line.text = known ? plain_decoding(tally.against_speculation) : both("speculation is configured; how much was drafted is not exposed", "已配置投机解码；起草数量未暴露");
    line.tone = "unsure";
  } else {
    line.text = both("drafted tokens are not exposed: without speculation configured that is as it should be", "起草的词元数未暴露：未配置投机解码时正常");
    line.tone = "faint";
  }
  return line;
}

SectionLine cache(const EngineSums& sums, const ServerTally& tally, Ran* cached) {
  SectionLine line;
  const int64_t asked = tally.second_answers;
  if (sums.cache_hits >= 0) {
    *cached = sums.cache_hits > 0 ? Ran::kYes : Ran::kNo;
    const bool known = sums.cache_queries >= 0;  // llama.cpp counts the hits alone
    line.text = both("prefix cache: " + count(sums.cache_hits) + (known ? " of " + count(sums.cache_queries) : "") + " tokens hit" + share(sums.cache_hits, sums.cache_queries),
                     "前缀缓存：" + (known ? count(sums.cache_queries) + " 个词元中" : std::string()) + "命中 " + count(sums.cache_hits) + " 个" + (known ? "" : " token") + share(sums.cache_hits, sums.cache_queries));
  } else {
    line.text = both("prefix cache: its hits are not exposed", "前缀缓存：命中数未暴露");
    line.tone = "faint";
  }
  if (tally.cached_answers > 0) *cached = Ran::kYes;
  if (asked > 0) {
    const std::string n = grouped(asked), hit = grouped(tally.cached_answers), same = grouped(tally.second_same);
    line.text.en += "; " + hit + " of " + n + " second answers say that tokens of theirs were cached, " + same + " have the text of the first";
    line.text.zh += "；" + n + " 个第二次回答中，有 " + hit + " 个报告命中缓存，有 " + same + " 个与第一次文本相同";
    line.tone = *cached == Ran::kYes ? "good" : "unsure";
    if (*cached != Ran::kYes) {
      line.text.en += "; prefixes are cached in whole blocks, 16 tokens or more on most engines";
      line.text.zh += "；前缀按整块缓存，多数引擎每块至少 16 个词元";
    }
  }
  return line;
}

}  // namespace

EngineSums engine_sums(const std::string& counted) {
  EngineSums sums;
  if (counted.empty()) return sums;
  JsonReader json(counted);
  std::string_view key, engine;
  for (json.object(); json.key(&key);) {
    if (key != "engines") {
      json.skip();
      continue;
    }
    for (json.array(); json.element() && json.raw(&engine);) {
      ++sums.engines;
      const Members members = json_members(engine);
      const std::string_view spec = member_value(members, "spec"), prefix = member_value(members, "prefix_cache");
      add(&sums.drafts, number(spec, "drafts"));
      add(&sums.draft_tokens, number(spec, "draft_tokens"));
      add(&sums.accepted_tokens, number(spec, "accepted_tokens"));
      add(&sums.cache_queries, number(prefix, "queries"));
      add(&sums.cache_hits, number(prefix, "hits"));
      add(&sums.preemptions, number(engine, "preemptions"));
      sums.restarts += static_cast<int64_t>(std::max(0.0, number(engine, "restarts")));
      sums.idle_drafters += number(spec, "draft_tokens") == 0 && number(engine, "generation_tokens") > 0;
    }
  }
  return sums;
}

PathEvidence path_evidence(const Server& server, const Scraped& scraped, const ServerTally& tally) {
  PathEvidence evidence;
  evidence.sums = engine_sums(scraped.counted);
  const EngineSums& sums = evidence.sums;
  const SectionLine drafts = speculation(server, sums, tally, &evidence.drafted), hits = cache(sums, tally, &evidence.cached);
  if (scraped.counted.empty()) {
    evidence.lines.push_back({both("the server's counters are not exposed" + (scraped.why.empty() ? "" : " (" + scraped.why + ")") + ": " + counters_advice(server).en,
                                   "服务器的计数器未暴露" + (scraped.why.empty() ? "" : "（" + scraped.why + "）") + "：" + counters_advice(server).zh),
                              "", "", "", "unsure"});
  }
  evidence.lines.push_back(drafts);
  evidence.lines.push_back(hits);
  if (sums.preemptions >= 0)
    evidence.lines.push_back({both(count(sums.preemptions) + " preemptions" + (sums.preemptions > 0 ? ": batches changed in the midst of answers, a source of differences from run to run" : ""),
                                   "抢占 " + count(sums.preemptions) + " 次" + (sums.preemptions > 0 ? "：回答途中批次发生变化，会造成每次运行的差异" : "")),
                              "", "", "", sums.preemptions > 0 ? "unsure" : "plain"});
  if (sums.restarts > 0)
    evidence.lines.push_back({both("the server was started anew " + grouped(sums.restarts) + " times in the midst of the run", "服务器在运行途中重启了 " + grouped(sums.restarts) + " 次"), "", "", "", "bad"});
  if (scraped.failed > 0 && !scraped.counted.empty())
    evidence.lines.push_back({both(grouped(scraped.failed) + " of " + grouped(scraped.failed + scraped.pages) + " looks at the counters failed: " + scraped.why,
                                   grouped(scraped.failed + scraped.pages) + " 次读取计数器中有 " + grouped(scraped.failed) + " 次失败：" + scraped.why),
                              "", "", "", "unsure"});

  JsonWriter json(&evidence.json);
  const auto ran = [&](const char* name, Ran value) {
    json.key(name);
    value == Ran::kUnknown ? json.null() : json.boolean(value == Ran::kYes);
  };
  json.begin_object().key("speculation").begin_object();
  ran("drafted", evidence.drafted);
  json.member("words", drafts.text.en).key("requests_carried").begin_array();
  for (const std::string& member : tally.against_speculation) json.string(member);
  json.end_array().end_object().key("prefix_cache").begin_object();
  ran("hit", evidence.cached);
  json.member("words", hits.text.en).end_object().key("preemptions");
  sums.preemptions < 0 ? json.null() : json.real(sums.preemptions);
  json.member("restarts", sums.restarts).end_object();
  return evidence;
}

}  // namespace vaa::capture
