#include "quality/gates.h"

#include <charconv>

#include "base/failure.h"
#include "base/json_numbers.h"
#include "quality/run/run_check.h"

namespace vaa {
namespace {

constexpr int64_t kMostAnswers = 10'000'000;

constexpr OptionSpec kTallyOptions[] = {
    {"baseline", OptionSpec::Type::kText, 0, 64, "", "\"\"", "k/n: k of n answers were broken; replaces the ceilings"},
    {"expect", OptionSpec::Type::kText, 0, 512, "", "\"\"", "metric=71.5[/n[xk]]: a published score, of n questions, k repeats each"},
    {"fail_on", OptionSpec::Type::kTexts, 0, 0, "", "[]", "flag, flag:rate or any: what fails the run beside the ceilings"},
    {"require", OptionSpec::Type::kTexts, 0, 0, "", "[]", "flags that must have been testable"},
    {"max_rows", OptionSpec::Type::kInt, 0, 1e9, "", "10000", "samples whose results the report keeps"},
    {"text", OptionSpec::Type::kBool, 0, 0, "", "true", "false leaves every text of prompts and outputs out"},
};

[[noreturn]] void refuse(const char* key, std::string_view value, const std::string& allowed) {
  fail(VAA_ERROR_OPTION, std::string(key) + ": " + quoted(value) + " " + allowed);
}

bool whole(std::string_view text, int64_t* out) {
  const auto read = std::from_chars(text.data(), text.data() + text.size(), *out);
  return read.ec == std::errc() && read.ptr == text.data() + text.size() && text[0] != '-';
}
bool decimal(std::string_view text, double* out) {
  json_numbers::Scanned number;
  const char* bad = nullptr;
  const char* end = text.data() + text.size();
  if (text.empty() || json_numbers::scan(text.data(), end, &number, &bad) || number.end != end || number.negative) return false;
  *out = json_numbers::to_double(number);
  return true;
}

KnownRate parse_baseline(std::string_view text) {
  KnownRate known;
  const size_t slash = text.find('/');
  if (slash == text.npos || !whole(text.substr(0, slash), &known.broken) || !whole(text.substr(slash + 1), &known.all) || known.all < 1 ||
      known.broken > known.all || known.all > kMostAnswers) {
    refuse("baseline", text, "must be k/n, broken answers of all, with 0 <= k <= n and 1 <= n <= 10000000, such as 3/200");
  }
  return known;
}

ExpectedScore parse_expect(std::string_view text) {
  const char* allowed = "must be metric=score[/questions[xrepeats]] with a score of 0 to 100, such as accuracy=71.5/198x4";
  ExpectedScore expect;
  const size_t equals = text.rfind('=');
  if (equals == text.npos || equals == 0) refuse("expect", text, allowed);
  expect.metric = text.substr(0, equals);
  std::string_view value = text.substr(equals + 1);
  const size_t slash = value.find('/');
  if (slash != value.npos) {
    std::string_view size = value.substr(slash + 1);
    const size_t cross = size.find('x');
    const bool repeats = cross == size.npos || (whole(size.substr(cross + 1), &expect.repeats) && expect.repeats >= 1 && expect.repeats <= kMostAnswers);
    if (!repeats || !whole(size.substr(0, cross), &expect.questions) || expect.questions < 1 || expect.questions > kMostAnswers) refuse("expect", text, allowed);
    value = value.substr(0, slash);
  }
  if (!decimal(value, &expect.value) || expect.value > 100) refuse("expect", text, allowed);
  if (expect.value > 1) expect.value /= 100;
  return expect;
}

std::string known_flags() {
  std::string names;
  for (const Detector* d : detector_table()) names += std::string(names.empty() ? "" : ", ") + d->name;
  return names;
}
std::string known_run_checks() {
  std::string names;
  for (const RunCheck* c : run_check_table()) names += std::string(c->name) + ", ";
  return names;
}

RateGate parse_rate_gate(const std::string& text) {
  RateGate gate;
  const size_t colon = text.find(':');
  gate.flag = text.substr(0, colon);
  if (find_flag(gate.flag) < 0 && find_run_check(gate.flag) < 0 && gate.flag != kRequestFailed && gate.flag != kRequestMissing && gate.flag != kBroken) {
    refuse("fail_on", text, "names no flag; known are any, " + std::string(kBroken) + ", " + kRequestFailed + ", " + kRequestMissing + ", " + known_run_checks() + known_flags());
  }
  if (colon == text.npos) return gate;
  double rate = 0;
  if (!decimal(std::string_view(text).substr(colon + 1), &rate) || rate > 1) refuse("fail_on", text, "must be flag or flag:rate with a rate of 0 to 1, such as repetition_loop:0.02");
  gate.rate = rate;
  return gate;
}

}  // namespace

std::span<const OptionSpec> tally_option_table() { return kTallyOptions; }

TallyOptions tally_options(const Options& options) {
  TallyOptions out;
  out.baseline = options.text("baseline");
  out.expect = options.text("expect");
  out.fail_on = options.texts("fail_on");
  out.require = options.texts("require");
  out.max_rows = options.integer("max_rows");
  out.text = options.boolean("text");
  parse_gates(out);
  return out;
}

Gates parse_gates(const TallyOptions& options) {
  Gates gates;
  if (!options.baseline.empty()) gates.baseline = parse_baseline(options.baseline);
  if (!options.expect.empty()) gates.expect = parse_expect(options.expect);
  for (const std::string& text : options.fail_on) {
    if (text == "any") {
      gates.fail_on_any = true;
      continue;
    }
    const RateGate gate = parse_rate_gate(text);
    for (const RateGate& other : gates.fail_on) {
      if (other.flag == gate.flag) refuse("fail_on", text, "names a flag for the second time");
    }
    gates.fail_on.push_back(gate);
  }
  for (const std::string& text : options.require) {
    const int flag = find_flag(text);
    if (flag < 0) refuse("require", text, "names no flag; known are " + known_flags());
    gates.require.push_back(flag);
  }
  return gates;
}

}  // namespace vaa
