// Steps in the report: what was read of each rank, which known faults fit, and both as data.
#include <algorithm>
#include <map>

#include "base/figures.h"
#include "base/json_writer.h"
#include "engines/engine_data.h"
#include "reject/counter_report.h"
#include "text/bounded.h"

namespace vaa {
namespace {

constexpr size_t kMostRows = 64;
constexpr size_t kMostFaults = 5;    // of a rank, shown
constexpr size_t kMostRanks = 256;   // in the document

// "" where the policy is one of ours, or none is named: all that needs no policy is judged either way.
std::string other_policies(const std::string& policy) {
  std::string known;
  for (const EngineData& data : policy_data()) {
    if (data.name == policy) return "";
    known.append(known.empty() ? "" : ", ").append(data.name);
  }
  return policy.empty() ? "" : known;
}

double ratio(int64_t k, int64_t n) { return n > 0 ? static_cast<double>(k) / static_cast<double>(n) : std::nan(""); }

Both share_cell(double share) { return std::isnan(share) ? plain("–") : Both{percent(share), percent(share, true)}; }

const char* draft_probs_name(DraftProbs probs) { return probs == DraftProbs::kOneHot ? "one_hot" : probs == DraftProbs::kRecorded ? "recorded" : "unknown"; }
const char* rule_name(StepRule rule) {
  static constexpr const char* kNames[] = {"token", "block", "exact_match", "entropy", "typical", "threshold", "synthetic"};
  return kNames[static_cast<size_t>(rule)];
}

// "ids, drafts, p, q, rows"
std::string evidence_words(const StepGroup& group) {
  std::string out = group.draft_tokens > 0 ? "ids, drafts" : "ids";
  if (group.with_argmax) out += ", argmax";
  if (group.with_p) out += ", p";
  if (group.with_q) out += ", q";
  if (group.full_rows > 0) out += ", rows";
  if (group.with_noise) out += ", uniforms";
  return out;
}

std::string places_cell(const StepGroup& group) {
  std::string out;
  for (size_t i = 0; i < std::min<size_t>(group.places.size(), 8); ++i) out += (i ? " " : "") + fixed(100 * ratio(group.places[i].accepted, group.drafts), 1);
  return out.empty() ? "–" : out + (group.places.size() > 8 ? " …" : "");
}

std::vector<FaultFit> fits_of(const StepGroup& group) {
  for (const auto& tally : group.tallies) {
    if (!tally) continue;
    std::vector<FaultFit> out = tally->fits();
    if (!out.empty()) return out;
  }
  return {};
}

void append_places(const StepGroup& group, JsonWriter* json) {
  json->key("places").begin_array();
  int64_t before = group.drafts;
  for (const PlaceCount& place : group.places) {
    json->begin_object().member("drafted", place.drafted).member("reached", place.reached).member("accepted", place.accepted);
    json->member("of_drafts", ratio(place.accepted, group.drafts)).member("of_drafted", ratio(place.accepted, place.drafted)).member("of_reached", ratio(place.accepted, place.reached));
    json->member("of_place_before", ratio(place.accepted, before)).end_object();
    before = place.accepted;
  }
  json->end_array();
}

void append_faults(const StepGroup& group, JsonWriter* json) {
  json->key("faults").begin_array();
  for (const FaultFit& r : fits_of(group)) {
    json->begin_object().member("name", r.law->name).key("id");
    r.law->id[0] ? json->string(r.law->id) : json->null();
    json->member("log10_ratio", r.log10).member("events", r.events).member("fits", r.fits).member("share", r.share).end_object();
  }
  json->end_array();
}

void append_group(const StepGroup& group, const std::string& label, JsonWriter* json) {
  const StepHeader& h = group.header;
  const auto name = [&](const char* key, const std::string& text) {
    json->key(key);
    text.empty() ? json->null() : json->string(bounded(text, kMaxName));
  };
  json->begin_object();
  name("engine", label);
  name("policy", h.policy);
  name("engine_version", h.engine_version);
  name("model", h.model);
  name("method", h.method);
  json->member("rule", rule_name(h.rule)).member("draft_probs", draft_probs_name(h.draft_probs)).member("rescored", h.rescored).member("vocab_size", h.vocab_size).member("rows", group.rows);
  json->member("greedy_rows", group.greedy_rows).member("full_rows", group.full_rows).member("drafts", group.drafts).member("draft_tokens", group.draft_tokens).member("accepted", group.accepted);
  json->member("emitted", group.emitted).member("acceptance_rate", ratio(group.accepted, group.draft_tokens)).member("mean_acceptance_length", 1 + ratio(group.accepted, group.drafts));
  append_places(group, json);
  append_faults(group, json);
  json->end_object();
}

}  // namespace

std::vector<std::string> step_labels(const StepAudit& steps) {
  std::vector<std::string> out;
  std::map<std::string, int> seen;
  for (const auto& group : steps.groups()) {
    std::string label = group->header.label();
    const int number = ++seen[label];
    if (number > 1) label += " (" + std::to_string(number) + ")";
    out.push_back(std::move(label));
  }
  return out;
}

Section step_section(const StepAudit& steps) {
  Section out;
  out.heading = {"Steps, by rank", "各 rank 的步骤"};
  out.columns = {{"rank", "rank"}, {"rules", "规则"}, {"rows", "行"}, {"greedy", "贪心"}, {"draft tokens", "草稿词元"}, {"acceptance", "接受率"}, {"length", "平均长度"}, {"by place, %", "各位置，%"}, {"recorded", "记录内容"}};
  out.right = {false, false, true, true, true, true, true, false, false};
  const std::vector<std::string> labels = step_labels(steps);
  for (size_t g = 0; g < std::min(labels.size(), kMostRows); ++g) {
    const StepGroup& group = *steps.groups()[g];
    const StepHeader& h = group.header;
    const std::string rules = (h.policy.empty() ? "" : bounded(h.policy, kMaxName) + ", ") + rule_name(h.rule) + (h.draft_probs == DraftProbs::kOneHot ? ", one-hot" : "");
    out.rows.push_back({{plain(bounded(labels[g], kMaxName)), plain(rules), plain(grouped(group.rows)), plain(grouped(group.greedy_rows)), plain(grouped(group.draft_tokens)), share_cell(ratio(group.accepted, group.draft_tokens)),
                         plain(group.drafts > 0 ? fixed(1 + ratio(group.accepted, group.drafts), 2) : "–"), plain(places_cell(group)), plain(evidence_words(group))},
                        "plain"});
    if (const std::string known = other_policies(h.policy); !known.empty()) {
      const std::string policy = bounded(h.policy, kMaxName);
      out.lines.push_back({{bounded(labels[g], kMaxName) + ": policy " + policy + " is not known, so its rows are not verified again by their uniforms and noise; known: " + known, bounded(labels[g], kMaxName) + "：未知的策略 " + policy + "，不按均匀数与噪声重新验证其行；已知：" + known}, "", "", "", "unsure"});
    }
    if (h.lossy()) out.lines.push_back({{bounded(labels[g], kMaxName) + ": the " + rule_name(h.rule) + " rule is lossy on purpose; tokens are held against its own law, not against the target's", bounded(labels[g], kMaxName) + "：" + rule_name(h.rule) + " 规则有意有损；词元按其自身分布而非目标分布检验"}, "", "", "", "unsure"});
  }
  return out;
}

Section fault_section(const StepAudit& steps) {
  Section out;
  out.heading = {"Known faults that fit better than the right law", "比正确分布更吻合的已知故障"};
  out.columns = {{"rank", "rank"}, {"fault", "故障"}, {"where it was", "出处"}, {"likelihood ratio", "似然比"}, {"of events", "事件数"}, {"acceptance fits", "接受率吻合"}};
  out.right = {false, false, false, true, true, false};
  const std::vector<std::string> labels = step_labels(steps);
  for (size_t g = 0; g < labels.size() && out.rows.size() < kMostRows; ++g) {
    size_t shown = 0;
    for (const FaultFit& r : fits_of(*steps.groups()[g])) {
      if (r.log10 < 3 || shown++ == kMostFaults) break;
      const std::string id = r.law->id[0] ? std::string(r.law->id) + " " : "";
      out.rows.push_back({{plain(bounded(labels[g], kMaxName)), {id + r.law->en, id + r.law->zh}, plain(r.law->references[0] ? r.law->references : "–"), plain("10^" + fixed(r.log10, 0)), plain(grouped(r.events)), r.fits ? Both{"yes", "是"} : Both{"no", "否"}}, r.fits && shown == 1 ? "bad" : "faint"});
    }
  }
  return out;
}

void append_steps(const StepAudit& steps, JsonWriter* json) {
  const StepOddities& o = steps.oddities();
  const auto place = [&](const char* key, const std::string& text) {
    json->key(key);
    text.empty() ? json->null() : json->string(bounded(text, 2 * kMaxName));
  };
  json->begin_object().member("files", o.files).member("repeated_files", o.repeated_files).member("bad_rows", o.bad_rows).member("cut_files", o.cut_files).member("damaged_files", o.damaged_files).member("unknown_records", o.unknown_records);
  place("first_bad", o.first_bad);
  place("first_cut", o.first_cut);
  place("first_damaged", o.first_damaged);
  json->key("ranks").begin_array();
  const std::vector<std::string> labels = step_labels(steps);
  for (size_t g = 0; g < std::min(labels.size(), kMostRanks); ++g) append_group(*steps.groups()[g], labels[g], json);
  json->end_array().end_object();
}

}  // namespace vaa
