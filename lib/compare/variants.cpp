#include "compare/variants.h"

#include <algorithm>

#include "base/failure.h"
#include "base/figures.h"
#include "compare/decide.h"
#include "quality/without_text.h"
#include "stats/multiplicity.h"

namespace vaa {
namespace {

constexpr int64_t kMostAnswers = 1'000'000'000;

constexpr OptionSpec kTable[] = {
    {"reference", OptionSpec::Type::kText, 1, 4096, "", "\"reference\"", "the name of the reference, also in the matrix"},
    {"matrix", OptionSpec::Type::kText, 0, 1 << 20, "", "", "which switches were on in which run: JSON, CSV or TSV"},
    {"again", OptionSpec::Type::kBool, 0, 0, "", "false", "A/B/A: the change, the reference once more, the change against that"},
};

bool tested(const Document& step) { return step["gates"].truth() && step["p_beyond"].there(); }
bool leads(const Variant& v, const Document& step) { return step["family"].text() == v.comparison["primary"].text(); }

// A report may have been read from a file: its numbers are held to what a comparison can have counted.
ClusteredRate rate_of(const Document& rate) {
  const ClusteredRate out{rate["k"].integer(), rate["n"].integer(), rate["design"].number()};
  const bool counts = out.k >= 0 && out.k <= out.n && out.n <= kMostAnswers;
  if (!counts || !(out.design >= 1) || !(out.design <= static_cast<double>(kMostAnswers))) {
    fail(VAA_ERROR_FORMAT, "report: a rate is " + std::to_string(out.k) + " of " + std::to_string(out.n) + " with design " + fixed(out.design, 3) + ", must be counts of up to " + std::to_string(kMostAnswers) + " and a design from 1");
  }
  return out;
}

void check_p(const Document& step) {
  for (const char* name : {"p", "p_beyond"}) {
    if (!step[name].there() || step[name].kind() == JsonKind::kNull) continue;
    const double p = step[name].number();
    if (step[name].kind() != JsonKind::kNumber || !(p >= 0 && p <= 1)) fail(VAA_ERROR_FORMAT, "report: " + std::string(name) + " of step " + quoted(step["name"].text()) + " is no number from 0 to 1");
  }
}

void take_rates(Variant* v) {
  for (const Document& step : v->comparison["steps"].items()) {
    check_p(step);
    for (const Document& rate : step.at("data", "rates").items()) {
      const Both title{rate["title"].text(), rate["title_zh"].text()};
      v->reference.push_back({rate["flag"].text(), title, rate_of(rate["reference"])});
      v->target.push_back({rate["flag"].text(), title, rate_of(rate["target"])});
    }
  }
}

// The least adjusted p of each variant's steps, under Holm over all variants: of the primary families, or of the others.
void adjust(std::vector<Variant>* variants, bool lead) {
  std::vector<double> p;
  std::vector<Variant*> whose;
  for (Variant& v : *variants) {
    for (const Document& step : v.comparison["steps"].items()) {
      if (!tested(step) || leads(v, step) != lead) continue;
      p.push_back(step["p_beyond"].number());
      whose.push_back(&v);
    }
  }
  const std::vector<double> together = stats::holm(p);
  const auto least = [](double* of, double value) { *of = std::isnan(*of) ? value : std::min(*of, value); };
  for (size_t i = 0; i < p.size(); ++i) {
    if (lead) least(&whose[i]->p, p[i]);
    least(lead ? &whose[i]->p_adjusted : &whose[i]->p_other, together[i]);
  }
}

void judge(Variant* v) {
  bool not_fixed = false, found = false;
  for (const Document& step : v->comparison["steps"].items()) {
    not_fixed = not_fixed || (step["family"].text() == "fixed" && step["status"].text() == "fail");
    if (!found && leads(*v, step) && step["p"].there()) v->p_differ = step["p"].number(), found = true;
  }
  const bool fires = v->p_adjusted < kGateLevel || v->p_other < kGateLevel || not_fixed;
  v->code = v->alone == 1 && !fires ? 3 : v->alone;
}

std::string_view plain_name(std::string_view path) {
  while (path.size() > 1 && path.back() == '/') path.remove_suffix(1);
  return base_name(path);
}

// The rows of the matrix in the order of `names`: a run is named as it was given, or by the last part of its path.
SwitchMatrix fitted(SwitchMatrix matrix, const std::vector<std::string>& names) {
  SwitchMatrix out{matrix.switches, {}};
  std::vector<bool> used(matrix.runs.size());
  std::string known;
  for (const std::string& name : names) known += (known.empty() ? "" : ", ") + quoted(name);
  for (const std::string& name : names) {
    auto row = std::find_if(matrix.runs.begin(), matrix.runs.end(), [&](const auto& r) { return r.first == name; });
    if (row == matrix.runs.end()) row = std::find_if(matrix.runs.begin(), matrix.runs.end(), [&](const auto& r) { return r.first == plain_name(name); });
    if (row == matrix.runs.end()) fail(VAA_ERROR_OPTION, "matrix: has no row of run " + quoted(name));
    const auto at = static_cast<size_t>(row - matrix.runs.begin());
    if (used[at]) fail(VAA_ERROR_OPTION, "matrix: row " + quoted(row->first) + " is that of two runs; rows may be named as the runs were given: " + known);
    used[at] = true;
    out.runs.emplace_back(name, row->second);
  }
  const auto left = std::find(used.begin(), used.end(), false);
  if (left != used.end()) fail(VAA_ERROR_OPTION, "matrix: row " + quoted(matrix.runs[static_cast<size_t>(left - used.begin())].first) + " is none of the runs that were compared: " + known);
  return out;
}

void judge_switches(Judged* judged) {
  std::vector<std::string> names{judged->options.reference};
  for (const Variant& v : judged->variants) names.push_back(v.name);
  judged->matrix = fitted(read_switch_matrix(judged->options.matrix), names);
  std::vector<SwitchedRun> runs;
  const auto add = [&](size_t row, const std::vector<FlagRate>& rates) {
    if (!rates.empty()) runs.push_back({judged->matrix.runs[row].second, rates});
  };
  const auto first = std::find_if(judged->variants.begin(), judged->variants.end(), [](const Variant& v) { return !v.reference.empty(); });
  if (first == judged->variants.end()) return;
  add(0, first->reference);
  for (size_t i = 0; i < judged->variants.size(); ++i) add(i + 1, judged->variants[i].target);
  const auto size = runs[0].rates.size();
  if (std::any_of(runs.begin(), runs.end(), [&](const SwitchedRun& run) { return run.rates.size() != size; })) fail(VAA_ERROR_ARGUMENT, "matrix: the reports looked for other flags");
  judged->switches = switch_rows(judged->matrix, runs);
}

// Changed, the reference again, changed against that.
Again judge_again(const std::vector<Variant>& v) {
  if (v[1].code == 1 || v[1].p_differ < kGateLevel) return Again::kDrift;
  if (v[0].code == 1 && v[2].code == 1) return Again::kReproducible;
  if (v[0].code == 1 || v[2].code == 1) return Again::kNotReproduced;
  return Again::kNoChange;
}

int code_of(const Judged& judged) {
  const auto any = [&](int code) { return std::any_of(judged.variants.begin(), judged.variants.end(), [&](const Variant& v) { return v.code == code; }); };
  if (any(2)) return 2;
  if (judged.again == Again::kReproducible) return 1;
  if (judged.again == Again::kDrift || judged.again == Again::kNotReproduced) return 3;
  return any(1) ? 1 : any(3) ? 3 : 0;
}

}  // namespace

VariantOptions variant_options(std::string_view json) {
  const Options options(json, kTable, "vaa_variants_new");
  VariantOptions out{options.text("reference"), options.given("matrix") ? options.text("matrix") : "", options.boolean("again")};
  if (options.given("matrix")) read_switch_matrix(out.matrix);
  return out;
}

void Variants::push(std::string name, const Report& report) {
  const Document document = Document::parse(report.json());
  if (document["kind"].text() != "compare") fail(VAA_ERROR_ARGUMENT, "report: is of kind " + quoted(document["kind"].text()) + ", must be compare");
  if (name.empty()) fail(VAA_ERROR_ARGUMENT, "name: is empty");
  if (name == options_.reference || std::any_of(variants_.begin(), variants_.end(), [&](const Variant& v) { return v.name == name; })) fail(VAA_ERROR_ARGUMENT, "name: " + quoted(name) + " was given before");
  Variant v;
  v.name = std::move(name);
  v.comparison = document["comparison"];
  v.alone = static_cast<int>(report.verdict());
  take_rates(&v);
  variants_.push_back(std::move(v));
}

Report Variants::report() const {
  if (variants_.empty()) fail(VAA_ERROR_ARGUMENT, "vaa_variants_report: nothing was pushed");
  if (options_.again && variants_.size() != 3) fail(VAA_ERROR_ARGUMENT, "vaa_variants_report: again takes three reports, " + std::to_string(variants_.size()) + " were pushed");
  Judged judged{options_, variants_, {}, {}, Again::kNone, 3};
  adjust(&judged.variants, true);
  adjust(&judged.variants, false);
  for (Variant& v : judged.variants) judge(&v);
  if (!options_.matrix.empty()) judge_switches(&judged);
  if (options_.again) judged.again = judge_again(judged.variants);
  judged.code = code_of(judged);
  return report_from_json(report_json(variants_report(judged)));
}

}  // namespace vaa
