#include "render/blocks.h"

#include "base/figures.h"
#include "report/words.h"

namespace vaa {
namespace {

std::string count_of(int64_t n, Word what, bool chinese) { return chinese ? grouped(n) + " " + word(what, true) : counted(n, word(what, false)); }

std::string input_line(const Document& report, bool chinese) {
  const Document& input = report["input"];
  std::string line = input["path"].text();
  const auto add = [&](const std::string& text) {
    if (!text.empty()) line += (line.empty() ? "" : " · ") + text;
  };
  add(input["format"].text());
  const Document& run = input["run"];
  if (!run.at("model", "name").text().empty()) add(std::string(word(Word::kModel, chinese)) + " " + run.at("model", "name").text());
  if (!run.at("tool", "name").text().empty() && run.at("tool", "name").text() != input["format"].text()) add(run.at("tool", "name").text() + (run.at("tool", "version").text().empty() ? "" : " " + run.at("tool", "version").text()));
  return line;
}

std::string counts_line(const Document& counts, bool chinese) {
  const char* comma = chinese ? "，" : ", ";
  std::string line = count_of(counts["samples"].integer(), Word::kSamples, chinese);
  if (counts["questions"].integer() != counts["samples"].integer()) line += comma + count_of(counts["questions"].integer(), Word::kQuestions, chinese);
  if (counts["datasets"].integer() > 1) line += comma + count_of(counts["datasets"].integer(), Word::kDatasets, chinese);
  if (counts["repeats"].integer() > 1) line += comma + count_of(counts["repeats"].integer(), Word::kRepeats, chinese);
  if (counts["failed"].integer() > 0) line += comma + count_of(counts["failed"].integer(), Word::kRequestsFailed, chinese);
  if (counts["missing"].integer() > 0) line += comma + count_of(counts["missing"].integer(), Word::kMissing, chinese);
  return line + comma + count_of(counts["with_output"].integer(), Word::kAnswers, chinese);
}

}  // namespace

const std::string& said(const Document& words, bool chinese) { return words[chinese ? "zh" : "en"].text(); }

Tone status_tone(const std::string& status) {
  return status == "fail" ? Tone::kBad : status == "pass" ? Tone::kGood : status == "undecided" ? Tone::kUnsure : Tone::kFaint;
}

Blocks make_blocks(const Document& report, bool chinese) {
  Blocks out;
  const std::string& name = report.at("verdict", "name").text();
  out.verdict = word(name == "pass" ? Word::kPass : name == "fail" ? Word::kFail : name == "undecided" ? Word::kUndecided : Word::kNotChecked, chinese);
  out.tone = name == "not_checked" ? Tone::kUnsure : status_tone(name);
  out.reason = report["verdict"][chinese ? "reason_zh" : "reason"].text();
  if (report["sections"].there()) {
    add_sections(report, chinese, &out);
    return out;
  }
  const std::string input = input_line(report, chinese);
  out.title = word(Word::kTitle, chinese);
  if (!report.at("input", "path").text().empty()) out.title += (chinese ? "：" : ": ") + report.at("input", "path").text();
  if (!input.empty()) out.facts.push_back(input);
  out.facts.push_back(counts_line(report["counts"], chinese));
  add_account(report, chinese, &out.blocks);
  add_scores(report, chinese, &out.blocks);
  add_comparisons(report, chinese, &out.blocks);
  add_flags(report, chinese, &out.blocks);
  add_run_checks(report, chinese, &out.blocks);
  add_groups(report, chinese, &out.blocks);
  add_lengths(report, chinese, &out.blocks);
  add_errors(report, chinese, &out.blocks);
  add_worst(report, chinese, &out.blocks);
  add_problems(report, chinese, &out.blocks);
  add_limits(report, chinese, &out.blocks);
  return out;
}

}  // namespace vaa
