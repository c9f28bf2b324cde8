#include "compare/switches.h"

#include <algorithm>
#include <array>
#include <map>

#include "base/figures.h"
#include "compare/decide.h"
#include "stats/exact_tests.h"
#include "stats/multiplicity.h"
#include "stats/stratified.h"

namespace vaa {
namespace {

struct Arm {
  int64_t runs = 0;
  int64_t k = 0, n = 0;               // as they are
  int64_t shrunk_k = 0, shrunk_n = 0;  // divided by the design effects
  void add(const ClusteredRate& rate) {
    runs += 1;
    const auto shrunk = [&](int64_t count) { return static_cast<int64_t>(std::llround(static_cast<double>(count) / rate.design)); };
    k += rate.k;
    n += rate.n;
    const int64_t all = rate.n > 0 ? std::max<int64_t>(1, shrunk(rate.n)) : 0;
    shrunk_n += all;
    shrunk_k += std::min(all, rate.k > 0 ? std::max<int64_t>(1, shrunk(rate.k)) : 0);
  }
};
using Stratum = std::array<Arm, 2>;  // off, on

std::vector<size_t> always_together(const SwitchMatrix& matrix, const std::vector<SwitchedRun>& runs, size_t of) {
  std::vector<size_t> out;
  for (size_t other = 0; other < matrix.switches.size(); ++other) {
    if (other == of) continue;
    const auto parity = [&](const SwitchedRun& run) { return run.on[other] == run.on[of]; };
    const auto equal = std::count_if(runs.begin(), runs.end(), parity);
    if (equal == 0 || equal == static_cast<std::ptrdiff_t>(runs.size())) out.push_back(other);
  }
  return out;
}

// The least number of clean answers in the arm that has none with the property for Fisher's p to reach the level.
int64_t clean_answers(const Arm& with, double level) {
  const auto p = [&](int64_t n) { return stats::fisher_exact(0, n, with.shrunk_k, with.shrunk_n - with.shrunk_k); };
  int64_t high = 1;
  while (p(high) > level) {
    if (high > int64_t{1} << 40) return -1;
    high *= 2;
  }
  int64_t low = high / 2;
  while (high - low > 1) {
    const int64_t middle = low + (high - low) / 2;
    (p(middle) > level ? low : high) = middle;
  }
  return high;
}

SwitchRow row_of(const SwitchMatrix& matrix, const std::vector<SwitchedRun>& runs, size_t of, size_t flag, std::vector<Stratum>* matched) {
  SwitchRow row;
  row.of = of;
  row.flag = runs[0].rates[flag].flag;
  row.title = runs[0].rates[flag].title;
  std::map<std::vector<bool>, Stratum> strata;
  Stratum all;
  for (const SwitchedRun& run : runs) {
    std::vector<bool> others = run.on;
    others[of] = false;
    strata[others][run.on[of]].add(run.rates[flag].rate);
    all[run.on[of]].add(run.rates[flag].rate);
  }
  Stratum shown;
  for (const auto& [others, arms] : strata) {
    if (arms[0].n == 0 || arms[1].n == 0) continue;
    matched->push_back(arms);
    for (size_t on = 0; on < 2; ++on) shown[on].k += arms[on].k, shown[on].n += arms[on].n, row.runs += arms[on].runs;
  }
  row.strata = static_cast<int64_t>(matched->size());
  if (matched->empty()) shown = all, row.together = always_together(matrix, runs, of);
  row.off = {shown[0].k, shown[0].n};
  row.on = {shown[1].k, shown[1].n};
  return row;
}

double test(const std::vector<Stratum>& strata) {
  std::vector<stats::TwoByTwo> tables;
  for (const Stratum& s : strata) tables.push_back({s[1].shrunk_k, s[1].shrunk_n - s[1].shrunk_k, s[0].shrunk_k, s[0].shrunk_n - s[0].shrunk_k});
  return stats::stratified_exact(tables);
}

std::string rate_words(const ClusteredRate& rate, const char* of) { return grouped(rate.k) + of + grouped(rate.n); }

}  // namespace

std::vector<SwitchRow> switch_rows(const SwitchMatrix& matrix, const std::vector<SwitchedRun>& runs) {
  std::vector<SwitchRow> rows;
  std::vector<std::vector<Stratum>> strata;
  for (size_t flag = 0; !runs.empty() && flag < runs[0].rates.size(); ++flag) {
    if (flag > 0 && std::all_of(runs.begin(), runs.end(), [&](const SwitchedRun& run) { return run.rates[flag].rate.k == 0; })) continue;
    for (size_t of = 0; of < matrix.switches.size(); ++of) {
      std::vector<Stratum> matched;
      rows.push_back(row_of(matrix, runs, of, flag, &matched));
      strata.push_back(std::move(matched));
    }
  }
  std::vector<double> p;
  for (size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].strata > 0) p.push_back(rows[i].p = test(strata[i]));
  }
  const std::vector<double> together = stats::holm(p);
  size_t next = 0;
  for (size_t i = 0; i < rows.size(); ++i) {
    SwitchRow& row = rows[i];
    if (row.strata == 0) continue;
    row.p_adjusted = together[next++];
    const size_t clean = row.off.k == 0 ? 0 : 1;
    if (row.strata == 1 && row.p_adjusted >= kGateLevel && (row.off.k == 0) != (row.on.k == 0)) row.clean_needed = clean_answers(strata[i][0][1 - clean], kGateLevel / static_cast<double>(p.size()));
  }
  return rows;
}

Both switch_words(const SwitchMatrix& matrix, const SwitchRow& row) {
  const std::string& name = matrix.switches[row.of];
  const Both rates{rate_words(row.off, " of ") + " with it off, " + rate_words(row.on, " of ") + " with it on", "关闭时 " + rate_words(row.off, " / ") + "，开启时 " + rate_words(row.on, " / ")};
  if (row.strata == 0) {
    std::string others;
    for (const size_t other : row.together) others += (others.empty() ? "" : ", ") + matrix.switches[other];
    if (row.on.n == 0 || row.off.n == 0) return {name + ": the same in all runs, so nothing is known of it", name + "：所有运行中都相同，无从得知"};
    if (!others.empty()) return {name + ": confounded with " + others + ", which is always switched together with it (" + rates.en + "): one more run with " + name + " alone switched would tell", name + "：与 " + others + " 总是同时切换，无法区分（" + rates.zh + "）：再做一次只切换 " + name + " 的运行即可区分"};
    return {name + ": confounded, no two runs differ in it alone (" + rates.en + "): one more run would tell", name + "：没有只在此项上不同的两次运行，无法区分（" + rates.zh + "）：再做一次即可区分"};
  }
  const bool off_cleaner = row.off.k * static_cast<double>(row.on.n) < row.on.k * static_cast<double>(row.off.n);
  const ClusteredRate &clean = off_cleaner ? row.off : row.on, &with = off_cleaner ? row.on : row.off;
  const std::string p = p_words(row.p).en, holm = p_words(row.p_adjusted).en;
  const bool alone = row.runs == 2;
  const Both tested{", " + p + ", " + holm + " under Holm" + (row.strata > 1 ? "; " + std::to_string(row.strata) + " settings of the other switches held apart" : "") + (alone ? "; two runs alone say so, and whatever else differs between them goes with the switch" : ""), "，" + p + "，Holm 校正后 " + holm + (row.strata > 1 ? "；按其余开关的 " + std::to_string(row.strata) + " 种设置分层" : "") + (alone ? "；仅基于两次运行，两者之间的其他差异也会算在该开关上" : "")};
  if (!(row.p_adjusted < kGateLevel)) {
    Both out{name + ": no association shown, " + rates.en + tested.en, name + "：未显示关联，" + rates.zh + tested.zh};
    if (row.clean_needed > clean.n) out.en += "; " + counted(row.clean_needed, "answers") + " without it would show one", out.zh += "；" + grouped(row.clean_needed) + " 个均无此现象的回答即可显示关联";
    return out;
  }
  const Both verb = clean.k == 0 ? Both{"removes it", "后消失"} : Both{"makes it rarer", "后变少"};
  return {"switching " + name + (off_cleaner ? " off " : " on ") + verb.en + ": " + rate_words(clean, " of ") + " against " + rate_words(with, " of ") + " with it " + (off_cleaner ? "on" : "off") + tested.en,
          (off_cleaner ? "关闭 " : "开启 ") + name + " " + verb.zh + "：" + rate_words(clean, " / ") + "，相对于" + (off_cleaner ? "开启" : "关闭") + "时的 " + rate_words(with, " / ") + tested.zh};
}

}  // namespace vaa
