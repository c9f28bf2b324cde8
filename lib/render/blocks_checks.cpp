// The rates of flags, and what a run was compared with.
#include <algorithm>
#include <cmath>

#include "base/figures.h"
#include "render/blocks.h"
#include "report/words.h"

namespace vaa {
namespace {

Word status_word(const Document& check) {
  const std::string& status = check["status"].text();
  if (status == "not_checked") return Word::kStatusNotChecked;
  if (!check["gates"].truth()) return Word::kStatusShown;
  return status == "fail" ? Word::kStatusFail : status == "undecided" ? Word::kStatusUndecided : Word::kStatusPass;
}

std::string severity_text(const std::string& severity, bool chinese) {
  if (severity.empty()) return "–";
  return word(severity == "fail" ? Word::kSeverityFail : severity == "warn" ? Word::kSeverityWarn : Word::kSeverityInfo, chinese);
}

// The answers that a flag is judged among.
int64_t judged_among(const Document& check) { return check["all"].there() ? check["all"].integer() : check["n"].integer(); }

bool has_ceiling(const Document& check) { return check["gates"].truth() && check["ceiling"].number() < 1; }

std::string ceiling_text(const Document& check, bool chinese) {
  if (!has_ceiling(check)) return "–";
  return (check["ceiling_from"].text() == "fail_on" ? "fail_on " : "") + percent(check["ceiling"].number(), chinese);
}

Row flag_row(const Document& check, bool chinese) {
  const int64_t k = check["k"].integer(), found = check["found"].integer(), all = judged_among(check);
  Row row;
  row.tone = status_word(check) == Word::kStatusShown ? Tone::kFaint : status_tone(check["status"].text());
  if (row.tone == Tone::kGood) row.tone = Tone::kPlain;
  row.cells = {check["name"].text()};
  if (chinese) row.cells.push_back(said(check["title"], true));
  const std::string share = check["n"].integer() > 0 && all > 0 ? percent(static_cast<double>(k) / static_cast<double>(all), chinese) : "–";
  for (const std::string& cell : {severity_text(check["severity"].text(), chinese), grouped(k) + (found > k ? " (+" + grouped(found - k) + ")" : ""), grouped(all), share,
                                  percent(check["limit"].number(), chinese), ceiling_text(check, chinese), std::string(word(status_word(check), chinese))}) {
    row.cells.push_back(cell);
  }
  return row;
}

// Columns by their word; those that need no ceiling where none is held against this run.
Block flag_table(const std::vector<const Document*>& checks, bool chinese) {
  struct Column {
    Word word;
    bool right;
  };
  std::vector<Column> columns = {{Word::kFlag, false}};
  if (chinese) columns.push_back({Word::kMeaning, false});
  for (const Column& c : {Column{Word::kSeverity, false}, {Word::kFound, true}, {Word::kTested, true}, {Word::kRate, true}, {Word::kAtLeast, true}, {Word::kCeiling, true}, {Word::kStatus, false}}) columns.push_back(c);
  Block block;
  for (const Document* check : checks) block.rows.push_back(flag_row(*check, chinese));
  const bool ceilings = std::any_of(checks.begin(), checks.end(), [](const Document* c) { return has_ceiling(*c); });
  if (!ceilings) {
    const auto at = [](auto* list) { return list->end() - 3; };  // at least, healthy up to
    columns.erase(at(&columns), columns.end() - 1);
    for (Row& row : block.rows) row.cells.erase(at(&row.cells), row.cells.end() - 1);
  }
  for (size_t i = 0; i < columns.size(); ++i) {
    block.columns.push_back(word(columns[i].word, chinese));
    block.right.push_back(columns[i].right);
  }
  for (const Word w : {Word::kMeaning, Word::kSeverity, Word::kTested, Word::kRate}) {
    const auto found = std::find_if(columns.begin(), columns.end(), [&](const Column& c) { return c.word == w; });
    if (found != columns.end()) block.optional.push_back(static_cast<size_t>(found - columns.begin()));
  }
  const bool suspected = std::any_of(checks.begin(), checks.end(), [](const Document* c) { return (*c)["found"].integer() > (*c)["k"].integer(); });
  if (suspected) block.lines.push_back({word(Word::kSuspectedNote, chinese), "", "", Tone::kFaint});
  if (ceilings) block.lines.push_back({word(Word::kCeilingNote, chinese), "", "", Tone::kFaint});
  return block;
}

// "a, b, c" below the table.
void add_name(std::string* names, const std::string& name, bool chinese) { *names += (names->empty() ? "" : chinese ? "、" : ", ") + name; }
void add_names(Block* block, const std::string& label, const std::string& names, bool chinese) {
  if (!names.empty()) block->lines.push_back({label + (chinese ? "：" : ": ") + names, "", "", Tone::kFaint});
}

// Where to read on about the flags that failed the run.
void add_explain(const std::vector<const Document*>& checks, bool chinese, Block* block) {
  std::string names;
  for (const Document* check : checks)
    if ((*check)["kind"].text() == "flag" && (*check)["status"].text() == "fail" && (*check)["gates"].truth()) names += " " + (*check)["name"].text();
  if (!names.empty()) block->lines.push_back({word(Word::kExplainNote, chinese), "", "vaa explain" + names, Tone::kFaint});
}

// Tested flags without a finding, those together whose rate would have shown from the same size on.
struct Clean {
  double detectable;
  std::string names;
};
std::string clean_label(double detectable, bool chinese) {
  const std::string label = word(Word::kNothingFound, chinese);
  if (!(detectable < 1)) return label;
  return chinese ? label + "（比例达到 " + percent(detectable, true) + " " + word(Word::kWouldShow, true) + "）" : label + " (" + percent(detectable) + " " + word(Word::kWouldShow, false) + ")";
}

}  // namespace

void add_flags(const Document& report, bool chinese, std::vector<Block>* blocks) {
  std::vector<const Document*> shown;
  std::vector<Clean> clean;
  std::string untested;
  for (const Document& check : report["checks"].items()) {
    if (is_run_check(check)) continue;
    if (check["found"].integer() > 0) {
      shown.push_back(&check);
    } else if (check["kind"].text() != "flag") {
      continue;
    } else if (check["n"].integer() == 0) {
      add_name(&untested, check["name"].text(), chinese);
    } else {
      const double detectable = has_ceiling(check) && check["detectable"].number() < 1 ? check["detectable"].number() : 1;
      auto found = std::find_if(clean.begin(), clean.end(), [&](const Clean& c) { return c.detectable == detectable; });
      if (found == clean.end()) found = clean.insert(clean.end(), {detectable, ""});
      add_name(&found->names, check["name"].text(), chinese);
    }
  }
  Block block;
  if (!shown.empty()) block = flag_table(shown, chinese);
  block.heading = word(Word::kFlagsHeading, chinese);
  for (const Clean& c : clean) add_names(&block, clean_label(c.detectable, chinese), c.names, chinese);
  add_names(&block, word(Word::kNotTested, chinese), untested, chinese);
  add_explain(shown, chinese, &block);
  blocks->push_back(std::move(block));
}

void add_comparisons(const Document& report, bool chinese, std::vector<Block>* blocks) {
  const Document& expect = report["expect"];
  if (expect.there()) {
    Block block;
    block.heading = word(Word::kExpectHeading, chinese);
    const Document& check = expect["check"];
    block.lines.push_back({check["name"].text() + (chinese ? "：" : ": ") + said(check["words"], chinese), "", "", status_tone(check["status"].text())});
    blocks->push_back(std::move(block));
  }
  const Document& baseline = report["baseline"];
  if (!baseline.there()) return;
  Block block;
  block.heading = word(Word::kBaselineHeading, chinese);
  if (!baseline["name"].text().empty()) block.heading += (chinese ? "：" : ": ") + baseline["name"].text();
  for (const Document& check : baseline["checks"].items()) {
    const std::string& title = check["name"].text() == "broken" ? said(check["title"], chinese) : check["name"].text();
    block.lines.push_back({title + (chinese ? "：" : ": ") + said(check["words"], chinese), "", "", status_tone(check["status"].text())});
  }
  if (baseline["pairs"].integer() > 0) block.lines.push_back({grouped(baseline["pairs"].integer()) + " " + word(Word::kPairs, chinese), "", "", Tone::kFaint});
  if (!said(baseline["words"], chinese).empty()) block.lines.push_back({said(baseline["words"], chinese), "", "", Tone::kPlain});
  blocks->push_back(std::move(block));
}

}  // namespace vaa
