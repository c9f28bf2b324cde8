#include "quality/run/groups.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

#include "base/figures.h"
#include "base/text_hash.h"
#include "quality/excerpt.h"
#include "quality/rates.h"
#include "quality/run/group_keys.h"
#include "stats/multiplicity.h"

namespace vaa {
namespace {

constexpr int64_t kFewestFlagged = 5;
constexpr size_t kMostValues = 1000;   // of one key: the most populous; which they are does not depend on flags
constexpr double kSure = 0.01;         // adjusted p
constexpr double kTimesTheRest = 3;
constexpr double kAtStart = 0.9;       // of the onsets are 0: the flag always begins there

// A kind of flagged sample, and the samples among which it could be.
struct Subject {
  std::string name;
  std::vector<uint32_t> flagged, others;
};

std::vector<Subject> read_subjects(const RunFeatures& run) {
  std::vector<Subject> subjects;
  const auto add = [&](std::string name, int64_t count, auto is_flagged, auto may_be) {
    if (count < kFewestFlagged) return;
    Subject subject{std::move(name), {}, {}};
    for (uint32_t i = 0; i < run.size(); ++i) {
      if (may_be(run.sample(i))) (is_flagged(run.sample(i)) ? subject.flagged : subject.others).push_back(i);
    }
    subjects.push_back(std::move(subject));
  };
  const auto answered = [](const KeptSample& s) { return s.is(KeptSample::kOutput); };
  add(kBroken, run.state().broken, [](const KeptSample& s) { return s.is(KeptSample::kBroken); }, answered);
  add(kRequestFailed, run.state().failed, [](const KeptSample& s) { return s.is(KeptSample::kFailed); }, [](const KeptSample&) { return true; });
  for (size_t flag = 0; flag < run.state().flags.size(); ++flag) {
    add(detector_table()[flag]->name, run.state().flags[flag].counted, [flag](const KeptSample& s) { return (s.counted >> flag & 1) != 0; }, answered);
  }
  return subjects;
}

// How many of these samples have each value, and which: the sum of their hashes.
struct Members {
  int64_t count = 0;
  uint64_t hash = 0;
};
using Counts = std::map<int64_t, Members>;
uint64_t hash_of(uint32_t sample) { return mixed(sample + uint64_t{1}); }
Counts count_values(const GroupColumn& column, const std::vector<uint32_t>& samples) {
  Counts counts;
  for (const uint32_t i : samples) {
    if (column.values[i] == GroupColumn::kUnknown) continue;
    Members& members = counts[column.values[i]];
    members.count += 1;
    members.hash += hash_of(i);
  }
  return counts;
}
Members total(const Counts& counts) {
  return std::accumulate(counts.begin(), counts.end(), Members{}, [](Members sum, const auto& entry) { return Members{sum.count + entry.second.count, sum.hash + entry.second.hash}; });
}

// The values to try: the most populous among all that the subject could be; of equally populous ones all or none.
std::vector<int64_t> values_to_try(const Counts& flagged, const Counts& others) {
  Counts all = others;
  for (const auto& [value, members] : flagged) all[value].count += members.count;
  std::vector<std::pair<int64_t, int64_t>> order;
  for (const auto& [value, members] : all) order.emplace_back(-members.count, value);
  std::sort(order.begin(), order.end());
  std::vector<int64_t> values;
  const int64_t least = order.size() > kMostValues ? -order[kMostValues].first + 1 : 0;
  for (const auto& [count, value] : order) {
    if (-count >= least) values.push_back(value);
  }
  return values;
}

void add_key(const RunFeatures& run, const GroupKey& key, const GroupColumn& column, const Subject& subject, std::vector<FlagGroup>* out) {
  const Counts flagged = count_values(column, subject.flagged), others = count_values(column, subject.others);
  const std::vector<int64_t> values = values_to_try(flagged, others);
  if (values.size() < 2) return;
  const Members every = total(flagged);
  const int64_t all_k = every.count, all_others = total(others).count;
  if (all_k < kFewestFlagged) return;
  const auto with = [](const Counts& counts, int64_t value) {
    const auto at = counts.find(value);
    return at == counts.end() ? Members{} : at->second;
  };
  for (const int64_t value : values) {
    FlagGroup group;
    group.about = subject.name;
    group.key = key.name;
    group.value = key.show(run, value);
    const Members inside = with(flagged, value), rest_of_group = with(others, value);
    group.k = inside.count;
    group.all_k = all_k;
    group.n = group.k + rest_of_group.count;
    group.members = mixed(mixed(mixed(inside.hash) + rest_of_group.hash) + every.hash);
    group.all = all_k + all_others;
    if (all_others > 0) group.base = static_cast<double>(group.n - group.k) / static_cast<double>(all_others);
    group.p = fisher_more(group.k, group.n, all_k - group.k, group.all - group.n);
    const int64_t outside = group.all - group.n;
    const double rate = static_cast<double>(group.k) / static_cast<double>(group.n), rest = outside > 0 ? static_cast<double>(all_k - group.k) / static_cast<double>(outside) : 1;
    group.most = 2 * group.k > all_k && rate >= kTimesTheRest * rest;
    out->push_back(std::move(group));
  }
}

// Where in the answers the first finding begins. By chance it would be anywhere in them, or, as most of a long answer may be the loop itself, in any doubling of the length: a bin's share is
// the mean of the shares that it has of the answers' lengths or of their logarithms, whichever is larger, and the tail of a binomial with that mean bounds the one of the sum (Hoeffding 1956).
template <bool kTokens>
void add_onsets(const RunFeatures& run, const Subject& subject, std::vector<FlagGroup>* out) {
  std::map<int64_t, int64_t> bins;
  std::vector<int64_t> lengths;
  int64_t at_start = 0;
  for (const uint32_t i : subject.flagged) {
    const KeptTrace& trace = run.trace(i);
    const int64_t length = kTokens ? run.sample(i).tokens : run.sample(i).chars;
    if (trace.onset < 0 || trace.is(KeptTrace::kOnsetInTokens) != kTokens || length <= trace.onset) continue;
    bins[doubling_bin(trace.onset)] += 1;
    lengths.push_back(length);
    at_start += trace.onset == 0;
  }
  const auto all = static_cast<int64_t>(lengths.size());
  if (all < kFewestFlagged || static_cast<double>(at_start) > kAtStart * static_cast<double>(all)) return;
  std::sort(lengths.begin(), lengths.end());  // sums come out the same for any order of input
  for (int64_t bin = 0; bin <= doubling_bin(lengths.back() - 1); ++bin) {
    const int64_t from = bin == 0 ? 0 : int64_t{1} << (bin - 1), to = int64_t{1} << bin;
    double even = 0, doublings = 0;
    for (const int64_t length : lengths) {
      even += static_cast<double>(std::clamp<int64_t>(length - from, 0, to - from)) / static_cast<double>(length);
      const int64_t last = doubling_bin(length - 1);
      if (bin <= last) doublings += 1 / static_cast<double>(last + 1);
    }
    const double share = std::min(1.0, std::max(even, doublings) / static_cast<double>(all));
    FlagGroup group;
    group.about = subject.name;
    group.key = kTokens ? "onset_token" : "onset_char";
    group.value = bin_text(bin);
    group.k = bins[bin];
    group.all_k = all;
    group.base = share;
    group.p = static_cast<double>(group.k) > share * static_cast<double>(all) + 1 ? binomial_tail(group.k, all, share) : 1;
    group.most = 2 * group.k > all && static_cast<double>(group.k) >= kTimesTheRest * share * static_cast<double>(all);
    out->push_back(std::move(group));
  }
}

// Loops that repeat one unit. Only flagged answers have one, so there is no base rate and no p.
void add_units(const RunFeatures& run, const Subject& subject, std::vector<FlagGroup>* out) {
  std::map<uint16_t, int64_t> units;
  int64_t all = 0;
  for (const uint32_t i : subject.flagged) {
    if (run.trace(i).unit <= Interned::kOthers) continue;
    units[run.trace(i).unit] += 1;
    ++all;
  }
  for (const auto& [unit, count] : units) {
    if (count < 2) continue;
    FlagGroup group;
    group.about = subject.name;
    group.key = "unit";
    group.value = run.trail().units().name(unit);
    group.k = count;
    group.all_k = all;
    group.most = false;
    out->push_back(std::move(group));
  }
}

Words key_phrase(const FlagGroup& group) {
  const std::string_view name = group.key;
  for (const GroupKey& key : group_keys()) {
    if (name == key.name) return key.phrase;
  }
  return name == "onset_token" ? Words{"begin at token", "始于词元"} : Words{"begin at character", "始于字符"};
}

void describe(FlagGroup* group) {
  const std::string k = grouped(group->k), all = grouped(group->all_k), value = group->value.empty() ? "–" : group->value;
  group->words = {group->about + ": " + k + " of " + all + " ", group->about + "：" + all + " 个中有 " + k + " 个"};
  if (std::isnan(group->p)) {
    group->words.en += "are loops of one unit";
    group->words.zh += "重复同一单元";
    return;
  }
  const Words phrase = key_phrase(*group);
  group->words.en += std::string(phrase.en) + " " + value;
  group->words.zh += std::string(phrase.zh) + " " + value;
  const std::string among_en = group->n >= 0 ? ", which holds " + percent(group->base) + " of the others" : ", where chance would put " + percent(group->base);
  const std::string among_zh = group->n >= 0 ? "，其余样本中占 " + percent(group->base, true) : "，随机情况下应占 " + percent(group->base, true);
  group->words.en += among_en + " (adjusted p " + small_probability(group->p_adjusted) + ")" + (group->most ? ": explains most of them; an association, not yet a cause" : "");
  group->words.zh += among_zh + "（校正后 p " + small_probability(group->p_adjusted) + "）" + (group->most ? "：可解释其中多数；这是相关，尚非原因" : "");
}

// Of rows that say the same of the same samples, such as an endpoint and its rank, the later ones name the first.
void fold(std::vector<FlagGroup>* groups) {
  std::map<uint64_t, size_t> first;
  for (size_t i = 0; i < groups->size(); ++i) {
    FlagGroup& group = (*groups)[i];
    if (group.members == 0) continue;
    const auto [at, fresh] = first.emplace(group.members, i);
    if (!fresh) group.same_as = (*groups)[at->second].about + " by " + (*groups)[at->second].key + " " + (*groups)[at->second].value;
  }
}

}  // namespace

FlagGroups group_flagged(const RunFeatures& run) {
  FlagGroups out;
  const std::vector<Subject> subjects = read_subjects(run);
  if (subjects.empty()) return out;
  std::vector<FlagGroup> groups;
  for (const GroupKey& key : group_keys()) {
    const GroupColumn column = key.read(run);
    for (const Subject& subject : subjects) add_key(run, key, column, subject, &groups);
  }
  for (const Subject& subject : subjects) {
    add_onsets<false>(run, subject, &groups);
    add_onsets<true>(run, subject, &groups);
  }
  std::vector<double> p;
  for (const FlagGroup& group : groups) p.push_back(group.p);
  const std::vector<double> adjusted = stats::benjamini_hochberg(p);
  for (size_t i = 0; i < groups.size(); ++i) {
    groups[i].p_adjusted = adjusted[i];
    groups[i].most = groups[i].most && adjusted[i] < kSure;
  }
  out.tried = static_cast<int64_t>(groups.size());
  for (const Subject& subject : subjects) add_units(run, subject, &groups);
  const auto order = [](const FlagGroup& g) { return std::make_tuple(std::isnan(g.p) ? 0.5 : g.p, -g.k, std::string_view(g.about), std::string_view(g.key), std::string_view(g.value)); };
  std::sort(groups.begin(), groups.end(), [&](const FlagGroup& a, const FlagGroup& b) { return order(a) < order(b); });
  if (groups.size() > kMostGroups) groups.resize(kMostGroups);
  fold(&groups);
  for (FlagGroup& group : groups) describe(&group);
  out.shown = std::move(groups);
  return out;
}

void append_groups(JsonWriter* json, const FlagGroups& groups) {
  json->key("groups").begin_object().member("tried", groups.tried).key("rows").begin_array();
  const auto count_or_null = [&](const char* key, int64_t n) { n < 0 ? json->key(key).null() : json->member(key, n); };
  for (const FlagGroup& g : groups.shown) {
    json->begin_object().member("about", g.about).member("key", g.key).member("value", bounded(g.value, kMaxName)).member("k", g.k).member("all_k", g.all_k);
    count_or_null("n", g.n);
    count_or_null("all", g.all);
    json->member("base", g.base).member("p", g.p).member("p_adjusted", g.p_adjusted).member("most", g.most);
    json->key("same_as");
    g.same_as.empty() ? json->null() : json->string(bounded(g.same_as, kMaxName));
    append_said(json, "words", g.words);
    json->end_object();
  }
  json->end_array().end_object();
}

Table group_table(const FlagGroups& groups) {
  Table table{"groups", {{"k", {}}, {"all_k", {}}, {"n", {}}, {"all", {}}, {"base", {}}, {"p", {}}, {"p_adjusted", {}}}};
  const auto count = [](int64_t n) { return n < 0 ? std::nan("") : static_cast<double>(n); };
  for (const FlagGroup& g : groups.shown) {
    const double values[] = {count(g.k), count(g.all_k), count(g.n), count(g.all), g.base, g.p, g.p_adjusted};
    for (size_t i = 0; i < table.columns.size(); ++i) table.columns[i].values.push_back(values[i]);
  }
  return table;
}

}  // namespace vaa
