// What the checks of the run as a whole found, and where the flagged answers stand.
#include <algorithm>

#include "base/figures.h"
#include "render/blocks.h"
#include "report/words.h"

namespace vaa {
namespace {

constexpr size_t kMostSamples = 5, kMostGroups = 8, kMostUnits = 3;
constexpr double kSure = 0.01;  // adjusted p of a group that is shown

const Document& findings_of(const Document& report, const std::string& check) {
  for (const Document& finding : report["run_findings"].items()) {
    if (finding["check"].text() == check) return finding;
  }
  return report["run_findings"]["none"];
}

// "gsm8k/12, gsm8k/40 (gsm8k/7) …": the first samples that a check names, with what they go with.
std::string sample_names(const Document& finding, bool chinese) {
  const std::vector<Document>& samples = finding["samples"].items();
  std::string names;
  for (size_t i = 0; i < std::min(samples.size(), kMostSamples); ++i) {
    if (i > 0) names += chinese ? "、" : ", ";
    names += sample_name(samples[i]);
    if (samples[i]["other"].there()) names += " ↔ " + sample_name(samples[i]["other"]);
  }
  return names + (samples.size() > kMostSamples ? " …" : "");
}

void add_name(std::string* names, const std::string& name, bool chinese) { *names += (names->empty() ? "" : chinese ? "、" : ", ") + name; }

}  // namespace

bool is_run_check(const Document& check) {
  const std::string& name = check["name"].text();
  return check["kind"].text() == "run" && name != "broken" && name != "request_failed" && name != "request_missing" && name != "any";
}

void add_run_checks(const Document& report, bool chinese, std::vector<Block>* blocks) {
  const char* colon = chinese ? "：" : ": ";
  Block block;
  block.heading = word(Word::kRunChecksHeading, chinese);
  std::string clean, untested;
  for (const Document& check : report["checks"].items()) {
    if (!is_run_check(check)) continue;
    const std::string& name = check["name"].text();
    if (check["k"].integer() == 0) {
      add_name(check["n"].integer() == 0 ? &untested : &clean, name, chinese);
      continue;
    }
    const Tone tone = !check["gates"].truth() ? Tone::kUnsure : check["status"].text() == "fail" ? Tone::kBad : Tone::kPlain;
    block.lines.push_back({name + colon + said(check["title"], chinese) + (chinese ? "，" : ", ") + said(check["words"], chinese), "", "", tone});
    block.lines.push_back({std::string(word(Word::kNamedSamples, chinese)) + colon + sample_names(findings_of(report, name), chinese), "", "", Tone::kFaint});
  }
  if (!clean.empty()) block.lines.push_back({std::string(word(Word::kNothingFound, chinese)) + colon + clean, "", "", Tone::kFaint});
  if (!untested.empty()) block.lines.push_back({std::string(word(Word::kNotTested, chinese)) + colon + untested, "", "", Tone::kFaint});
  if (!block.lines.empty()) blocks->push_back(std::move(block));
}

void add_groups(const Document& report, bool chinese, std::vector<Block>* blocks) {
  Block block;
  block.heading = word(Word::kGroupsHeading, chinese);
  size_t groups = 0, units = 0;
  for (const Document& group : report.at("groups", "rows").items()) {
    if (group["key"].text() == "unit") {
      if (units++ < kMostUnits) block.lines.push_back({said(group["words"], chinese), group["value"].text(), "", Tone::kPlain});
    } else if (group["p_adjusted"].number() < kSure && !group["same_as"].there()) {
      if (groups++ < kMostGroups) block.lines.push_back({said(group["words"], chinese), "", "", group["most"].truth() ? Tone::kUnsure : Tone::kPlain});
    }
  }
  if (block.lines.empty()) return;
  block.lines.push_back({word(Word::kGroupsNote, chinese) + std::string(chinese ? "" : " ") + grouped(report.at("groups", "tried").integer()), "", "", Tone::kFaint});
  blocks->push_back(std::move(block));
}

}  // namespace vaa
