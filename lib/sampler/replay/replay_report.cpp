// What a replay concludes, in words of both languages. The alignment of the streams comes first: tokens of another stream say nothing of the sampler.
#include <algorithm>
#include <cmath>

#include "base/figures.h"
#include "base/json_writer.h"
#include "base/positions.h"
#include "sampler/replay/difr.h"
#include "sampler/replay/replay.h"
#include "stats/distributions.h"
#include "stats/intervals.h"
#include "stats/power.h"

namespace vaa {
namespace {

constexpr double kSure = 3.09;         // one in a thousand, one-sided
constexpr double kLeastExcess = 0.1;   // agreement above chance, of what there could be, that streams of one seed have at least
constexpr int64_t kTiesNeeded = 10;    // 2^-10: that ties fall the other way by chance
constexpr size_t kShownRows = 10;

Both words(std::string en, std::string zh) { return {std::move(en), std::move(zh)}; }
std::string number(double x, int digits = 4) { return std::isnan(x) ? "–" : std::isinf(x) ? "∞" : fixed(x, digits); }

const std::pair<const char*, Both> kStates[] = {{"same", {"same", "一致"}}, {"within", {"within the band", "在误差带内"}}, {"departed", {"departed", "偏离"}}, {"unknown", {"unknown", "无法判断"}}};

enum class Alignment { kNoDraws, kFewRows, kAligned, kNotAligned };

Alignment alignment_of(const ReplayTally& t) {
  if (t.drawn == 0) return Alignment::kNoDraws;
  const double room = static_cast<double>(t.drawn) - t.expected, excess = static_cast<double>(t.agreed) - t.expected, noise = kSure * std::sqrt(t.variance);
  if (t.agreed == t.drawn && excess > noise) return Alignment::kAligned;
  if (noise > 0.5 * room) return Alignment::kFewRows;
  return excess < std::max(noise, kLeastExcess * room) ? Alignment::kNotAligned : Alignment::kAligned;
}

}  // namespace

class ReplayReport {
 public:
  explicit ReplayReport(const Replay& replay) : replay_(replay), t_(replay.tally_), cause_(replay.causes_.found()), alignment_(alignment_of(t_)) {
    judged_ = t_.rows - t_.states[static_cast<size_t>(RowState::kUnknown)];
    departed_ = t_.states[static_cast<size_t>(RowState::kDeparted)];
  }
  Report make();

 private:
  void decide(SectionReport* out);
  void decide_by_rates(SectionReport* out);
  bool ties_fail() const { return t_.tied >= kTiesNeeded && t_.tied_otherwise >= 0.9 * static_cast<double>(t_.tied); }
  Both because() const { return cause_ ? words(": " + cause_->words.en, "：" + cause_->words.zh) : Both{}; }
  Section streams() const;
  Section classes() const;
  Section margins() const;
  Section departures() const;
  Section positions() const;
  Section causes() const;
  NumberTable table() const;
  std::string parameters() const;
  std::string data(const SectionReport& out) const;
  double difr_mean() const { return t_.difr.count() > 0 ? t_.difr.value() / static_cast<double>(t_.difr.count()) : std::nan(""); }
  double difr_half_width() const;

  const Replay& replay_;
  const ReplayTally& t_;
  const ReplayCause* cause_;
  const Alignment alignment_;
  int64_t judged_ = 0, departed_ = 0;
};

void ReplayReport::decide(SectionReport* out) {
  if (t_.rows == 0) {
    out->verdict = 2;
    out->reason = words("no row was given", "未提供任何行");
  } else if (judged_ == 0) {
    out->verdict = 2;
    out->reason = words("no row could be judged: the noise of the engine is not known: give generator and seed, or the captured noise", "所有行均无法判断：引擎的噪声未知：请给出 generator 与 seed，或捕获的 noise");
  } else if (alignment_ == Alignment::kNotAligned && cause_ && cause_->kind == ReplayCause::Kind::kFirstNoise) {
    out->verdict = 1;
    out->reason = words("the seed is used anew at every step" + because().en, "每一步都重新使用种子" + because().zh);
  } else if (alignment_ == Alignment::kNotAligned && (!cause_ || cause_->of_stream)) {
    out->verdict = 2;
    out->reason = words("streams not aligned" + (cause_ ? because().en : ": tokens agree no better than independent draws, so seed, offset or generator is another, and nothing is said of the sampler"),
                        "随机流未对齐" + (cause_ ? because().zh : "：一致率不高于独立抽样，种子、偏移或生成器不同，无法判断采样器"));
  } else {
    decide_by_rates(out);
  }
}

void ReplayReport::decide_by_rates(SectionReport* out) {
  const double too_many = replay_.limits_.departed, too_illegal = replay_.limits_.illegal;
  const std::string share = grouped(departed_) + " of " + grouped(judged_), share_zh = grouped(judged_) + " 行中有 " + grouped(departed_) + " 行";
  if (stats::rate_lower_limit(t_.illegal, judged_) > too_illegal) {
    out->verdict = 1;
    out->reason = words(counted(t_.illegal, "tokens") + " that the rules had taken away, in " + grouped(judged_) + " rows" + because().en, grouped(judged_) + " 行中有 " + grouped(t_.illegal) + " 个本应被排除的词元" + because().zh);
  } else if (stats::rate_lower_limit(departed_, judged_) > too_many) {
    out->verdict = 1;
    out->reason = words(share + " rows depart from what rules, parameters and noise give" + because().en, share_zh + "与规则、参数和噪声给出的结果不符" + because().zh);
  } else if (ties_fail()) {
    out->verdict = 1;
    out->reason = words("ties are broken the other way: " + grouped(t_.tied_otherwise) + " of " + grouped(t_.tied), "相等时取法相反：" + grouped(t_.tied) + " 行中 " + grouped(t_.tied_otherwise) + " 行");
  } else if (t_.illegal == 0 && stats::rate_upper_limit(departed_, judged_) <= too_many) {
    out->verdict = 0;
    out->reason = words("the engine's tokens are those that its rules, parameters and noise give", "引擎的词元与其规则、参数和噪声给出的一致");
  } else {
    const int64_t needed = departed_ == 0 ? stats::clean_runs_needed(too_many) : stats::samples_needed_above(std::max(2 * too_many, static_cast<double>(departed_) / static_cast<double>(judged_)), too_many);
    out->verdict = 3;
    out->reason = words(share + " rows depart: too few rows to tell whether that is more than " + percent(too_many) + "; " + grouped(needed) + " rows would",
                        share_zh + "偏离：行数不足以判断是否超过 " + percent(too_many, true) + "；需要 " + grouped(needed) + " 行");
  }
}

Section ReplayReport::streams() const {
  Section s;
  s.heading = words("Are the streams aligned", "随机流是否对齐");
  const std::string agree = grouped(t_.agreed) + " of " + grouped(t_.drawn), agree_zh = grouped(t_.drawn) + " 行中 " + grouped(t_.agreed) + " 行一致";
  const std::string chance = number(t_.expected, 1) + " ± " + number(std::sqrt(t_.variance), 1);
  const auto line = [&](std::string en, std::string zh, const char* tone) { s.lines.push_back({words(std::move(en), std::move(zh)), "", "", "", tone}); };
  switch (alignment_) {
    case Alignment::kNoDraws: line("nothing was drawn with known noise: alignment does not arise", "没有已知噪声的抽样：不涉及对齐", "faint"); break;
    case Alignment::kFewRows: line(agree + " rows agree, " + chance + " expected of independent draws: too few rows to tell", agree_zh + "，独立抽样应为 " + chance + "：行数不足，无法判断", "unsure"); break;
    case Alignment::kAligned: line("aligned: " + agree + " rows agree, " + chance + " expected of independent draws", "已对齐：" + agree_zh + "，独立抽样应为 " + chance, "good"); break;
    case Alignment::kNotAligned: line("not aligned: " + agree + " rows agree, " + chance + " expected of independent draws", "未对齐：" + agree_zh + "，独立抽样应为 " + chance, "bad"); break;
  }
  if (cause_ && cause_->of_stream) line(cause_->words.en, cause_->words.zh, "bad");
  return s;
}

Section ReplayReport::classes() const {
  Section s;
  s.heading = words("Rows", "各行");
  s.columns = {words("class", "类别"), words("rows", "行数"), words("share", "比例"), words("95 % interval", "95% 区间")};
  s.right = {false, true, true, true};
  for (size_t i = 0; i < std::size(kStates); ++i) {
    const int64_t n = t_.states[i], of = i == static_cast<size_t>(RowState::kUnknown) ? t_.rows : judged_;
    const stats::Interval range = stats::wilson(n, of);
    const double share = of > 0 ? static_cast<double>(n) / static_cast<double>(of) : std::nan("");
    s.rows.push_back({{kStates[i].second, plain(grouped(n)), {percent(share), percent(share, true)}, {percent_range(range.low, range.high), percent_range(range.low, range.high, true)}},
                      n == 0 ? "faint" : i == 2 ? "bad" : i == 0 ? "good" : "unsure"});
  }
  const stats::Interval range = stats::wilson(t_.illegal, judged_);
  const double illegal = judged_ > 0 ? static_cast<double>(t_.illegal) / static_cast<double>(judged_) : std::nan("");
  s.rows.push_back({{words("of the departed: not legal at all", "其中：不在合法集合内"), plain(grouped(t_.illegal)), {percent(illegal), percent(illegal, true)}, {percent_range(range.low, range.high), percent_range(range.low, range.high, true)}}, t_.illegal ? "bad" : "faint"});
  if (t_.tied > 0) s.lines.push_back({words(grouped(t_.tied) + " greedy rows had several largest logits; another of these was taken in " + grouped(t_.tied_otherwise), grouped(t_.tied) + " 个贪心行有并列最大值，其中 " + grouped(t_.tied_otherwise) + " 行取了另一个"), "", "", "", ties_fail() ? "bad" : "faint"});
  return s;
}

// By the sums of sequences: tokens of one share its logits. One sequence gives none.
double ReplayReport::difr_half_width() const {
  double squares = 0, sequences = 0;
  const double n = static_cast<double>(t_.difr.count()), mean = difr_mean();
  for (const ReplayTally::Share& one : t_.difr_of_sequences) {
    if (one.rows == 0) continue;
    const double off = one.sum - static_cast<double>(one.rows) * mean;
    squares += off * off;
    ++sequences;
  }
  if (sequences < 2) return std::nan("");
  return stats::student_upper_quantile(0.025, sequences - 1) * std::sqrt(squares * sequences / (sequences - 1)) / n;
}

Section ReplayReport::margins() const {
  Section s;
  s.heading = words("Margins", "差距");
  if (t_.difr.count() == 0) {
    s.lines.push_back({words("none: the noise is not known, or tokens are drawn by an inverse CDF, of which Token-DiFR has none", "无：噪声未知，或按逆 CDF 抽样（Token-DiFR 没有定义）"), "", "", "", "faint"});
    return s;
  }
  const double half = difr_half_width();
  s.lines.push_back({words("mean of min(margin, " + number(replay_.limits_.clip, 2) + ") over " + grouped(t_.difr.count()) + " rows, in logits (Token-DiFR): " + number(difr_mean(), 6) + (std::isnan(half) ? "; one sequence, so no interval" : " ± " + number(half, 6)),
                           grouped(t_.difr.count()) + " 行 min(差距, " + number(replay_.limits_.clip, 2) + ") 的均值，单位 logit（Token-DiFR）：" + number(difr_mean(), 6) + (std::isnan(half) ? "；只有一个序列，无区间" : " ± " + number(half, 6))), "", "", "", "plain"});
  return s;
}

Section ReplayReport::departures() const {
  Section s;
  s.heading = words("Where they part", "偏离之处");
  s.columns = {words("sequence", "序列"), words("step", "步"), words("position", "位置"), words("engine's token", "引擎的词元"), words("ours", "应为"), words("rank", "名次"), words("margin", "差距"), words("band", "误差带")};
  s.right = std::vector<bool>(8, true);
  for (const ReplayRow& row : replay_.kept_) {
    if (row.result.state != RowState::kDeparted || s.rows.size() == kShownRows) continue;
    const RowResult& r = row.result;
    s.rows.push_back({{plain(grouped(row.place.sequence)), plain(grouped(row.place.step)), plain(grouped(row.place.position)), plain(std::to_string(row.engine_token)), plain(r.token < 0 ? "?" : std::to_string(r.token)),
                       r.rank == 0 ? words("not kept", "未保留") : plain(grouped(r.rank)), plain(number(r.margin)), plain(number(r.band, 6))}, "bad"});
  }
  if (departed_ == 0) return {s.heading, {}, {}, {}, {{words("nowhere", "没有"), "", "", "", "good"}}};
  if (departed_ > static_cast<int64_t>(s.rows.size())) s.lines.push_back({words("the first " + grouped(static_cast<int64_t>(s.rows.size())) + " of " + grouped(departed_), "共 " + grouped(departed_) + " 行，列出前 " + grouped(static_cast<int64_t>(s.rows.size())) + " 行"), "", "", "", "faint"});
  return s;
}

Section ReplayReport::positions() const {
  Section s;
  s.heading = words("Departures over absolute positions", "偏离的绝对位置分布");
  s.columns = {words("position", "位置"), words("rows", "行数"), words("departed", "偏离"), words("share", "比例")};
  s.right = std::vector<bool>(4, true);
  for (size_t i = 0; i < t_.rows_by_bucket.size(); ++i) {
    const int64_t n = t_.rows_by_bucket[i], k = t_.departed_by_bucket[i], from = i == 0 ? 0 : int64_t{1} << (i - 1);
    if (n == 0) continue;
    const double share = static_cast<double>(k) / static_cast<double>(n);
    s.rows.push_back({{plain(i < 2 ? std::to_string(from) : short_position(from) + "–" + grouped(2 * from - 1)), plain(grouped(n)), plain(grouped(k)), {percent(share), percent(share, true)}}, k ? "bad" : "faint"});
  }
  const auto most = std::max_element(t_.positions.begin(), t_.positions.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  if (most != t_.positions.end() && most->second >= 3 && 2 * most->second > departed_)
    s.lines.push_back({words("position " + grouped(most->first) + " has " + grouped(most->second) + " of the " + grouped(departed_) + " departures", "位置 " + grouped(most->first) + " 占 " + grouped(departed_) + " 次偏离中的 " + grouped(most->second) + " 次"), "", "", "", "bad"});
  return s;
}

Section ReplayReport::causes() const {
  Section s;
  s.heading = words("What would have picked the departed tokens", "何种情况会选出偏离的词元");
  s.columns = {words("tried", "假设"), words("picks", "吻合"), words("of", "总数"), words("but not", "不吻合"), words("of the same rows", "一致行中")};
  s.right = {false, true, true, true, true};
  for (const ReplayCause& cause : replay_.causes_.all()) {
    if (cause.explained == 0 || 2 * cause.explained < cause.tried) continue;
    s.rows.push_back({{cause.words, plain(grouped(cause.explained)), plain(grouped(cause.tried)), plain(grouped(cause.contradicted)), plain(grouped(cause.held))}, &cause == cause_ ? "bad" : "faint"});
  }
  std::stable_sort(s.rows.begin(), s.rows.end(), [](const SectionRow& a, const SectionRow& b) { return std::string_view(a.tone) == "bad" && std::string_view(b.tone) != "bad"; });
  if (s.rows.empty()) return {s.heading, {}, {}, {}, {{words("none of those that were tried picks half of them", "已尝试的假设均不能解释一半以上"), "", "", "", "faint"}}};
  return s;
}

NumberTable ReplayReport::table() const {
  NumberTable table{"rows", {}};
  const auto column = [&](const char* name, auto&& value) {
    std::vector<double> values;
    for (const ReplayRow& row : replay_.kept_) values.push_back(static_cast<double>(value(row)));
    table.columns.emplace_back(name, std::move(values));
  };
  column("sequence", [](const ReplayRow& row) { return row.place.sequence; });
  column("step", [](const ReplayRow& row) { return row.place.step; });
  column("position", [](const ReplayRow& row) { return row.place.position; });
  column("engine_token", [](const ReplayRow& row) { return row.engine_token; });
  column("token", [](const ReplayRow& row) { return row.result.token < 0 ? std::nan("") : row.result.token; });
  column("state", [](const ReplayRow& row) { return static_cast<int>(row.result.state); });
  column("rank", [](const ReplayRow& row) { return row.result.rank; });
  column("legal", [](const ReplayRow& row) { return static_cast<int>(row.result.legal); });
  column("margin", [](const ReplayRow& row) { return std::isinf(row.result.margin) ? std::nan("") : row.result.margin; });
  column("band", [](const ReplayRow& row) { return row.result.band; });
  return table;
}

std::string ReplayReport::data(const SectionReport& out) const {
  static constexpr const char* kAlignments[] = {"no_draws", "too_few_rows", "aligned", "not_aligned"};
  std::string text;
  JsonWriter json(&text);
  json.begin_object().key("replay").begin_object().member("engine", replay_.pipeline_.engine().name).member("sequences", t_.sequences).member("rows", t_.rows).member("judged", judged_);
  for (size_t i = 0; i < std::size(kStates); ++i) json.member(kStates[i].first, t_.states[i]);
  json.member("illegal", t_.illegal).key("streams").begin_object().member("alignment", kAlignments[static_cast<size_t>(alignment_)]).member("drawn", t_.drawn).member("agreed", t_.agreed);
  json.member("expected", t_.expected).member("deviation", std::sqrt(t_.variance)).key("shift");
  if (cause_ && cause_->kind == ReplayCause::Kind::kShift) json.integer(cause_->shift);
  else json.null();
  json.end_object().key("cause");
  if (cause_ && out.verdict != 0) json.string(cause_->name);
  else json.null();
  json.key("tried").begin_array();
  for (const ReplayCause& cause : replay_.causes_.all()) json.begin_object().member("name", cause.name).member("explained", cause.explained).member("tried", cause.tried).member("contradicted", cause.contradicted).member("held", cause.held).end_object();
  json.end_array().key("difr").begin_object().member("rows", t_.difr.count()).member("clip", replay_.limits_.clip).member("mean", difr_mean()).member("half_width", difr_half_width()).end_object();
  json.key("ties").begin_object().member("rows", t_.tied).member("otherwise", t_.tied_otherwise).end_object().key("first_departure");
  const auto first = std::find_if(replay_.kept_.begin(), replay_.kept_.end(), [](const ReplayRow& row) { return row.result.state == RowState::kDeparted; });
  if (first == replay_.kept_.end()) json.null();
  else json.begin_object().member("sequence", first->place.sequence).member("step", first->place.step).member("position", first->place.position).end_object();
  json.key("limits").begin_object().member("departed", replay_.limits_.departed).member("illegal", replay_.limits_.illegal).end_object().end_object().end_object();
  return text.substr(1, text.size() - 2);
}

// "temperature 0.7, top_k 40"; "" where none is set.
std::string ReplayReport::parameters() const {
  std::string out;
  for (size_t i = 0; i < kParams; ++i) {
    const Param which = static_cast<Param>(i);
    if (replay_.pipeline_.params().is_off(which)) continue;
    out.append(out.empty() ? "" : ", ").append(param_spec(which).name).append(" ");
    append_number(&out, replay_.pipeline_.params()[which]);
  }
  return out;
}

Report ReplayReport::make() {
  SectionReport out;
  out.kind = "replay";
  out.title = words("Does the sampler pick what its rules and its seed give", "采样器的选择是否与规则和种子一致");
  decide(&out);
  const std::string& engine = replay_.pipeline_.engine().title.empty() ? replay_.pipeline_.engine().name : replay_.pipeline_.engine().title;
  const std::string rows = grouped(t_.rows), sequences = grouped(t_.sequences);
  out.facts.push_back(words(engine + ", " + counted(t_.rows, "rows") + " of " + counted(t_.sequences, "sequences"), engine + "，" + sequences + " 个序列，共 " + rows + " 行"));
  if (const std::string set = parameters(); !set.empty()) out.facts.push_back(words("parameters: " + set, "参数：" + set));
  if (!replay_.noise_words_.empty()) out.facts.push_back(words("noise: " + replay_.noise_words_, "噪声：" + replay_.noise_words_));
  out.sections = {streams(), classes(), margins(), departures()};
  if (departed_ > 0) {
    out.sections.push_back(causes());
    out.sections.push_back(positions());
  }
  out.tables.push_back(table());
  out.data = data(out);
  return report_from_json(report_json(out));
}

Report Replay::report() const { return ReplayReport(*this).make(); }

}  // namespace vaa
