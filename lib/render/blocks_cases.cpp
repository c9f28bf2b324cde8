// Lengths, failed requests, the worst cases, what could not be read and what could not be told.
#include <algorithm>
#include <cmath>
#include <set>

#include "base/figures.h"
#include "render/blocks.h"
#include "report/words.h"

namespace vaa {
namespace {

constexpr size_t kMostCases = 12;
constexpr size_t kMostErrors = 6;
constexpr size_t kMostProblems = 8;

// Counts as bars of eighths, one a bucket, from the first bucket that is not empty.
std::string bars(const std::vector<Document>& histogram, int64_t* from) {
  static constexpr const char* kBars[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  int64_t most = 1;
  for (const Document& bucket : histogram) most = std::max(most, bucket["count"].integer());
  std::string out;
  for (const Document& bucket : histogram) {
    const int64_t n = bucket["count"].integer();
    if (out.empty() && n == 0) continue;
    if (out.empty()) *from = bucket["from"].integer();
    out += n == 0 ? "·" : kBars[std::min<int64_t>(7, n * 8 / (most + 1))];
  }
  return out;
}

std::string span_words(int64_t bytes, int64_t chars, int64_t tokens, bool chinese) {
  const auto one = [&](Word unit, int64_t n) { return chinese ? std::string(word(unit, true)) + " " + grouped(n) : std::string(word(unit, false)) + " " + grouped(n); };
  if (bytes >= 0 && chars >= 0) return one(Word::kByte, bytes) + (chinese ? "（" : " (") + one(Word::kCharacter, chars) + (chinese ? "）" : ")");
  if (bytes >= 0) return one(Word::kByte, bytes);
  if (chars >= 0) return one(Word::kCharacter, chars);
  return tokens >= 0 ? one(Word::kToken, tokens) : "";
}

int64_t known(const Document& finding, const char* key) { return finding[key].there() ? finding[key].integer() : -1; }

std::string evidence(const Document& f, bool chinese) {
  std::string out;
  const char* comma = chinese ? "，" : ", ";
  const std::string from = span_words(known(f, "onset_byte"), known(f, "onset_char"), known(f, "onset_token"), chinese);
  const bool nothing_there = known(f, "onset_byte") <= 0 && known(f, "onset_token") <= 0 && known(f, "length_bytes") <= 0 && known(f, "length_tokens") <= 0 && f["excerpt"].text().empty();
  if (!from.empty() && !nothing_there) out += comma + std::string(word(Word::kFrom, chinese)) + (chinese ? "" : " ") + from;
  const std::string unit = span_words(known(f, "period_bytes"), known(f, "period_chars"), known(f, "period_tokens"), chinese);
  const int64_t period = std::max({known(f, "period_chars"), known(f, "period_tokens"), int64_t{-1}});
  if (!unit.empty() && period >= 0) {
    const Word what = known(f, "period_chars") >= 0 ? Word::kCharacters : Word::kTokens;
    out += comma + std::string(word(Word::kUnit, chinese)) + " " + grouped(period) + " " + word(what, chinese);
  }
  if (known(f, "count") >= 0) out += (unit.empty() ? comma : " × ") + (!unit.empty() ? grouped(known(f, "count")) : chinese ? grouped(known(f, "count")) + " " + word(Word::kCopies, true) : counted(known(f, "count"), word(Word::kCopies, false)));
  if (f["part"].text() == "reasoning") out += comma + std::string(word(Word::kInReasoning, chinese));
  return out;
}

BlockLine case_line(const Document& f, bool chinese) {
  BlockLine line;
  const Document& source = f["source"];
  line.text = f["flag"].text() + "  " + sample_name(f);
  if (!source["file"].text().empty()) line.text += "  " + source["file"].text() + (source["line"].there() ? ":" + std::to_string(source["line"].integer()) : "");
  line.text += evidence(f, chinese);
  if (f["confidence"].text() == "suspected") line.text += std::string(chinese ? "，" : ", ") + word(Word::kSuspected, chinese);
  line.quoted = f["excerpt"].text();
  line.tone = f["severity"].text() == "fail" ? Tone::kBad : Tone::kUnsure;
  return line;
}

// "24 more findings, of lower rank, in the JSON report"
std::string more_findings(int64_t n, bool chinese) {
  const std::string where = word(Word::kInJson, chinese);
  if (chinese) return std::string(word(Word::kMore, true)) + " " + grouped(n) + " " + word(Word::kFindings, true) + where;
  return counted(n, std::string(word(Word::kMore, false)) + " " + word(Word::kFindings, false)) + ", " + where;
}

// The first cases of every flag in turn, so that no flag hides the others; one of each flag that is only a warning.
std::vector<const Document*> chosen_cases(const std::vector<Document>& findings) {
  std::vector<const Document*> out;
  std::set<const Document*> taken;
  const auto take_one_of_each = [&](const char* severity) {
    const size_t before = out.size();
    std::set<std::string> flags;
    for (const Document& f : findings) {
      if (out.size() >= kMostCases || taken.count(&f) || f["severity"].text() != severity || !flags.insert(f["flag"].text()).second) continue;
      out.push_back(&f);
      taken.insert(&f);
    }
    return out.size() > before;
  };
  take_one_of_each("fail");
  take_one_of_each("warn");
  while (take_one_of_each("fail")) {
  }
  std::stable_sort(out.begin(), out.end());  // the report's order: they stand in one array
  return out;
}

}  // namespace

std::string sample_name(const Document& f) {
  std::string name = f["dataset"].text().empty() ? "" : f["dataset"].text() + "/";
  name += f["id"].there() ? f["id"].text() : "?";
  return f["repeat"].integer() > 0 ? name + "#" + std::to_string(f["repeat"].integer()) : name;
}

void add_lengths(const Document& report, bool chinese, std::vector<Block>* blocks) {
  const Document& lengths = report["lengths"];
  const std::string& unit = lengths["unit"].text();
  const Document& stats = lengths[unit];
  if (!stats.there()) return;
  const std::string what = word(unit == "tokens" ? Word::kTokens : Word::kCharacters, chinese);
  const char* comma = chinese ? "，" : ", ";
  BlockLine line;
  const auto add = [&](Word label, const char* key) { line.text += (line.text.empty() ? "" : comma) + std::string(word(label, chinese)) + " " + grouped(stats[key].integer()); };
  add(Word::kMedian, "p50");
  add(Word::kNinety, "p90");
  add(Word::kNinetyNine, "p99");
  add(Word::kLongest, "longest");
  line.text += " " + what;
  int64_t from = 0;
  const std::string drawn = bars(stats["histogram"].items(), &from);
  Block block;
  block.heading = word(Word::kLengthsHeading, chinese);
  block.lines.push_back(std::move(line));
  block.lines.push_back({grouped(from) + " " + drawn + " " + grouped(stats["longest"].integer()) + (chinese ? "（" : " (") + word(Word::kAxis, chinese) + (chinese ? "）" : ")"), "", "", Tone::kFaint});
  const Document& limit = lengths["limit"];
  if (limit["known"].integer() > 0) {
    const std::string k = grouped(limit["reached"].integer()), n = grouped(limit["known"].integer()), share = percent(limit["share"].number(), chinese);
    block.lines.push_back({chinese ? k + "/" + n + "（" + share + "）" + word(Word::kAtLimit, true) : k + " of " + n + " (" + share + ") " + word(Word::kAtLimit, false), "", "", Tone::kPlain});
  }
  blocks->push_back(std::move(block));
}

void add_errors(const Document& report, bool chinese, std::vector<Block>* blocks) {
  const Document& errors = report["errors"];
  if (errors["count"].integer() == 0) return;
  Block block;
  block.heading = word(Word::kErrorsHeading, chinese);
  block.columns = {word(Word::kTimes, chinese), word(Word::kErrorKind, chinese)};
  block.right = {true, false};
  const std::vector<Document>& kinds = errors["kinds"].items();
  int64_t left = errors["count"].integer();
  for (size_t i = 0; i < std::min(kinds.size(), kMostErrors); ++i) {
    const Document& kind = kinds[i];
    std::string text = kind["status"].there() ? std::to_string(kind["status"].integer()) + " " : "";
    if (!kind["type"].text().empty()) text += kind["type"].text() + " ";
    text += kind["message"].text();
    block.rows.push_back({{grouped(kind["count"].integer()), text.empty() ? "–" : text}, Tone::kPlain});
    left -= kind["count"].integer();
  }
  if (left > 0) block.rows.push_back({{grouped(left), word(Word::kMoreRows, chinese)}, Tone::kFaint});
  blocks->push_back(std::move(block));
}

void add_worst(const Document& report, bool chinese, std::vector<Block>* blocks) {
  const std::vector<Document>& findings = report["findings"].items();
  Block block;
  block.heading = word(Word::kWorstHeading, chinese);
  const std::vector<const Document*> cases = chosen_cases(findings);
  for (const Document* f : cases) block.lines.push_back(case_line(*f, chinese));
  if (block.lines.empty()) return;
  if (findings.size() > cases.size()) block.lines.push_back({more_findings(static_cast<int64_t>(findings.size() - cases.size()), chinese), "", "", Tone::kFaint});
  blocks->push_back(std::move(block));
}

void add_problems(const Document& report, bool chinese, std::vector<Block>* blocks) {
  const Document& problems = report["problems"];
  if (problems["count"].integer() > 0) {
    Block block;
    block.heading = word(Word::kProblemsHeading, chinese) + std::string(" (") + grouped(problems["count"].integer()) + ")";
    const std::vector<Document>& first = problems["first"].items();
    for (size_t i = 0; i < std::min(first.size(), kMostProblems); ++i) {
      const Document& p = first[i];
      const std::string where = p["file"].text() + (p["line"].integer() > 0 ? ":" + std::to_string(p["line"].integer()) : "");
      block.lines.push_back({where + (p["message"].text().empty() ? "" : "  " + p["message"].text()), "", "", Tone::kUnsure});
    }
    const int64_t left = problems["count"].integer() - static_cast<int64_t>(block.lines.size());
    if (left > 0) block.lines.push_back({grouped(left) + " " + word(Word::kProblemsMore, chinese), "", "", Tone::kFaint});
    blocks->push_back(std::move(block));
  }
  if (report["notes"].items().empty()) return;
  Block notes;
  notes.heading = word(Word::kNotesHeading, chinese);
  for (const Document& note : report["notes"].items()) notes.lines.push_back({note.text(), "", "", Tone::kPlain});
  blocks->push_back(std::move(notes));
}

void add_limits(const Document& report, bool chinese, std::vector<Block>* blocks) {
  Block block;
  block.heading = word(Word::kLimitsHeading, chinese);
  std::set<std::string> commands;  // each is shown once
  for (const Document& limit : report["limits"].items()) {
    const std::string& next = limit["next"].text();
    const bool again = !commands.insert(next).second, request = limit["next_kind"].text() == "request";
    block.lines.push_back({said(limit["words"], chinese), "", again || request ? "" : next, Tone::kPlain, request && !again ? next : ""});
  }
  if (!block.lines.empty()) blocks->push_back(std::move(block));
}

}  // namespace vaa
