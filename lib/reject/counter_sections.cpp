#include <algorithm>

#include "base/figures.h"
#include "reject/counter_checks/counter_checks.h"
#include "reject/counter_report.h"
#include "text/bounded.h"

namespace vaa {
namespace {

constexpr size_t kMostRows = 64;
constexpr size_t kMostColumns = 8;   // engines side by side
constexpr size_t kMostBins = 12;

std::string whole(double count) { return std::isnan(count) ? "–" : grouped(static_cast<int64_t>(std::min(count, 9e15))); }

Both interval_cell(const AcceptanceRate& rate) {
  if (!(rate.n > 0)) return plain("–");
  return {percent(rate.rate) + " (" + percent_range(rate.interval.low, rate.interval.high) + ")", percent(rate.rate, true) + "（" + percent_range(rate.interval.low, rate.interval.high, true) + "）"};
}

std::string positions_cell(const SpecCounts& c) {
  if (c.at_position.empty() || !(c.drafts > 0)) return "–";
  std::string out;
  for (size_t i = 0; i < std::min<size_t>(c.at_position.size(), 8); ++i) out += (i ? " " : "") + fixed(100 * c.at_position[i] / c.drafts, 1);
  return out + (c.at_position.size() > 8 ? " …" : "");
}

bool speculates(const SpecSeries& s) { return s.total.draft_tokens > 0; }

Both share_words(const std::string& count, double share) { return {count + " (" + percent(share) + ")", count + "（" + percent(share, true) + "）"}; }

Both share_cell(int64_t k, int64_t n) { return n == 0 ? plain("–") : share_words(grouped(k) + "/" + grouped(n), static_cast<double>(k) / static_cast<double>(n)); }

}  // namespace

Section engine_section(const CounterEvidence& evidence) {
  Section out;
  out.heading = {"What was counted, by engine", "各引擎的计数"};
  out.columns = {{"engine", "引擎"}, {"from", "自"}, {"to", "至"}, {"drafts", "起草次数"}, {"draft tokens", "草稿词元"}, {"accepted", "接受"}, {"acceptance", "接受率"}, {"length", "平均长度"}, {"by position, %", "各位置，%"}};
  out.right = {false, false, false, true, true, true, true, true, false};
  SpecCounts sum{0, 0, 0, 0, {}};
  for (const SpecSeries& s : evidence.series) {
    const AcceptanceRate rate = acceptance_rate(cells_of(s));
    add_counts(&sum, s.total);
    if (out.rows.size() >= kMostRows) continue;
    const bool known = !s.windows.empty();
    const std::string from = known && !std::isnan(s.windows[0].from_s) ? window_start(s, 0) : known ? s.windows[0].at : "–";
    const std::string length = s.total.drafts > 0 && !s.ratios ? fixed(1 + s.total.accepted / s.total.drafts, 2) : "–";
    out.rows.push_back({{plain(bounded(s.label(), kMaxName)), plain(from), plain(known ? s.windows.back().at : "–"), plain(s.ratios ? "–" : whole(s.total.drafts)), plain(s.ratios ? "–" : whole(s.total.draft_tokens)),
                         plain(s.ratios ? "–" : whole(s.total.accepted)), interval_cell(rate), plain(length), plain(positions_cell(s.total))},
                        speculates(s) ? "plain" : "faint"});
  }
  if (evidence.series.size() > kMostRows) out.lines.push_back({{"… and " + grouped(static_cast<int64_t>(evidence.series.size() - kMostRows)) + " more", "…以及另外 " + grouped(static_cast<int64_t>(evidence.series.size() - kMostRows)) + " 个"}, "", "", "", "faint"});
  if (evidence.series.size() > 1 && sum.draft_tokens > 0 && !std::isnan(sum.accepted)) {
    const Both all = share_words(whole(sum.accepted) + " / " + whole(sum.draft_tokens), sum.accepted / sum.draft_tokens);
    out.lines.push_back({{"all engines together, which no check uses: " + all.en, "全部引擎合计（不用于任何检查）：" + all.zh}, "", "", "", "faint"});
  }
  return out;
}

Section time_section(const CounterEvidence& evidence) {
  Section out;
  std::vector<const SpecSeries*> shown;
  for (const SpecSeries& s : evidence.series)
    if (speculates(s) && s.windows.size() >= 4 && shown.size() < kMostColumns) shown.push_back(&s);
  if (shown.empty()) return out;
  out.heading = {"Acceptance over time", "接受率随时间变化"};
  out.columns = {{"until", "至"}};
  out.right = {false};
  for (const SpecSeries* s : shown) {
    out.columns.push_back(plain(bounded(s->label(), kMaxName)));
    out.right.push_back(true);
  }
  const size_t windows = shown[0]->windows.size(), bins = std::min(kMostBins, windows);
  for (size_t bin = 0; bin < bins; ++bin) {
    SectionRow row;
    row.cells.push_back(plain(shown[0]->windows[(bin + 1) * windows / bins - 1].at));
    for (const SpecSeries* s : shown) {
      SpecCounts sum{0, 0, 0, 0, {}};
      for (size_t i = bin * s->windows.size() / bins; i < (bin + 1) * s->windows.size() / bins; ++i) add_counts(&sum, s->windows[i].counts);
      const double share = sum.accepted / sum.draft_tokens;
      row.cells.push_back(sum.draft_tokens > 0 && !std::isnan(sum.accepted) ? Both{percent(share), percent(share, true)} : plain("–"));
    }
    out.rows.push_back(std::move(row));
  }
  return out;
}

Section cell_section(const SampleCells& samples) {
  Section out;
  bool any = false;
  for (const bool sampled : {false, true})
    for (const bool speculation : {false, true}) any = any || samples.cell(sampled, speculation).answers > 0;
  if (!any) return out;
  out.heading = {"Answers by temperature and speculation", "按温度与投机解码划分的回答"};
  out.columns = {{"temperature", "温度"}, {"speculation", "投机解码"}, {"answers", "回答"}, {"draft tokens", "草稿词元"}, {"accepted", "接受"}, {"acceptance", "接受率"}, {"right", "答对"}};
  out.right = {false, false, true, true, true, true, true};
  for (const bool speculation : {false, true}) {
    for (const bool sampled : {false, true}) {
      const SampleCell& c = samples.cell(sampled, speculation);
      const bool rated = c.counted > 0;
      out.rows.push_back({{plain(sampled ? "T > 0" : "T = 0"), speculation ? Both{"on", "开"} : Both{"off", "关"}, plain(grouped(c.answers)), plain(rated ? whole(c.drafted) : "–"), plain(rated ? whole(c.accepted) : "–"),
                           rated ? Both{percent(c.rate()), percent(c.rate(), true)} : plain("–"), share_cell(c.right, c.scored)},
                          c.answers == 0 ? "faint" : "plain"});
    }
  }
  const SampleCell &plain_cell = samples.cell(true, false), &drafted = samples.cell(true, true);
  if (plain_cell.scored > 0 && drafted.scored > 0)
    out.lines.push_back({{"whether answers are worse with speculation is for vaa compare to judge", "开启投机解码后回答是否变差，由 vaa compare 判断"}, "", "vaa compare PLAIN SPECULATIVE --change spec", "", "faint"});
  return out;
}

}  // namespace vaa
