// The rates of flags, and what a run was compared with.
#include <cmath>

#include "render/blocks.h"
#include "report/figures.h"
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

std::string name_of(const Document& check, bool chinese) {
  const std::string& title = said(check["title"], chinese);
  return check["kind"].text() == "flag" && !chinese ? check["name"].text() : check["name"].text() + (chinese ? " " + title : "");
}

Row flag_row(const Document& check, bool chinese) {
  const double ceiling = check["ceiling"].number();
  const int64_t k = check["k"].integer(), found = check["found"].integer();
  Row row;
  row.tone = status_word(check) == Word::kStatusShown ? Tone::kFaint : status_tone(check["status"].text());
  if (row.tone == Tone::kGood) row.tone = Tone::kPlain;
  row.cells = {name_of(check, chinese), severity_text(check["severity"].text(), chinese), grouped(k) + (found > k ? " (+" + grouped(found - k) + ")" : ""), grouped(check["n"].integer()),
               percent(check["rate"].number(), chinese), percent_range(check["lower"].number(), check["upper"].number(), chinese),
               ceiling < 1 ? percent(ceiling, chinese) : "–", word(status_word(check), chinese)};
  return row;
}

// "a, b, c" below the table.
void add_names(Block* block, Word label, const std::string& names, bool chinese) {
  if (!names.empty()) block->lines.push_back({std::string(word(label, chinese)) + (chinese ? "：" : ": ") + names, "", "", Tone::kFaint});
}

}  // namespace

void add_flags(const Document& report, bool chinese, std::vector<Block>* blocks) {
  Block block;
  block.heading = word(Word::kFlagsHeading, chinese);
  for (const Word w : {Word::kFlag, Word::kSeverity, Word::kFound, Word::kTested, Word::kRate, Word::kInterval, Word::kCeiling, Word::kStatus}) block.columns.push_back(word(w, chinese));
  block.right = {false, false, true, true, true, true, true, false};
  std::string none, untested;
  for (const Document& check : report["checks"].items()) {
    std::string* names = check["n"].integer() == 0 && check["found"].integer() == 0 ? &untested : check["found"].integer() == 0 ? &none : nullptr;
    if (names && check["kind"].text() != "flag") continue;
    if (names) *names += (names->empty() ? "" : ", ") + check["name"].text();
    else block.rows.push_back(flag_row(check, chinese));
  }
  if (block.rows.empty()) block.columns.clear();
  add_names(&block, Word::kNothingFound, none, chinese);
  add_names(&block, Word::kNotTested, untested, chinese);
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
