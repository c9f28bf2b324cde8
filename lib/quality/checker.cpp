#include "quality/checker.h"

#include <algorithm>

#include "base/failure.h"
#include "base/nearest_name.h"
#include "base/options.h"
#include "quality/features.h"

namespace vaa {
namespace {

constexpr int64_t kMaxExcerpt = 4096;
constexpr OptionSpec kOptions[] = {
    {"flags", OptionSpec::Type::kTexts, 0, 0, "", "", "names of the flags to look for; default: all"},
    {"max_excerpt", OptionSpec::Type::kInt, 0, kMaxExcerpt, "", "120", "bytes of an excerpt of the text in a result"},
};

uint64_t flag_bits(const std::vector<std::string>& names) {
  uint64_t bits = 0;
  for (const std::string& name : names) {
    const int flag = find_flag(name);
    if (flag < 0) {
      std::vector<std::string_view> known;
      std::string list;
      for (const Detector* detector : detector_table()) {
        known.push_back(detector->name);
        list += (list.empty() ? "" : ", ") + std::string(detector->name);
      }
      const std::string_view nearest = nearest_name(name, known);
      fail(VAA_ERROR_OPTION, "flags: " + quoted(name) + " is no flag; " + (nearest.empty() ? "" : "did you mean " + std::string(nearest) + "? ") + "known: " + list);
    }
    bits |= uint64_t{1} << flag;
  }
  return bits;
}

void measure(const Features& features, Judgement* out) {
  const Sample& sample = features.sample();
  const TextPart &text = features.text(), &reasoning = features.reasoning();
  if (features.any_text() && !text.decoded) {
    out->output_bytes = static_cast<int64_t>(text.text.size() + reasoning.text.size());
    out->output_chars = static_cast<int64_t>(text.odd.characters + reasoning.odd.characters);
  }
  out->output_tokens = completion_tokens(sample);
  for (const Loop& loop : features.loops())
    if (loop.severity >= Severity::kWarn) out->wasted += static_cast<int64_t>(loop.run.cover() - loop.run.period);
}

// Findings of the last detector: bounded, ordered, with their flag; the bits of what they say.
void settle(int flag, size_t first, Judgement* out) {
  constexpr size_t kMaxFindings = 16;
  std::vector<Finding>& findings = out->findings;
  std::sort(findings.begin() + static_cast<ptrdiff_t>(first), findings.end(), [](const Finding& a, const Finding& b) {
    if (a.part != b.part) return a.part < b.part;
    if (a.onset_byte != b.onset_byte) return a.onset_byte < b.onset_byte;
    return a.onset_token < b.onset_token;
  });
  const uint64_t bit = uint64_t{1} << flag;
  for (size_t i = first; i < findings.size(); ++i) {
    findings[i].flag = flag;
    out->found |= bit;
    if (findings[i].severity >= Severity::kWarn) out->alarm |= bit;
    if (findings[i].severity == Severity::kFail) out->failing |= bit;
  }
  if (findings.size() > first + kMaxFindings) findings.resize(first + kMaxFindings);
}

}  // namespace

class Scratch {
 public:
  FeatureMemory memory;
  TraceMemory trace;
};
void ScratchDeleter::operator()(Scratch* scratch) const { std::default_delete<Scratch>()(scratch); }

Checker::Checker(std::string_view options, const Vocab* vocab) : vocab_(vocab) {
  const Options given(options, kOptions, "vaa_checker_new");
  const size_t flags = detector_table().size();
  enabled_ = given.has("flags") ? flag_bits(given.texts("flags")) : flags == 64 ? ~uint64_t{0} : (uint64_t{1} << flags) - 1;
  max_excerpt_ = static_cast<size_t>(given.integer("max_excerpt"));
}

ScratchPointer Checker::new_scratch() const { return ScratchPointer(std::make_unique<Scratch>().release()); }

void Checker::judge(const Sample& sample, Scratch* scratch, Judgement* out) const {
  out->findings.clear();
  out->found = out->alarm = out->failing = out->unknown = 0;
  out->output_bytes = out->output_chars = out->output_tokens = -1;
  out->wasted = 0;
  out->trace.clear();
  const Features features(sample, vocab_, &scratch->memory);
  if (!features.judged()) {
    out->unknown = enabled_;
    return;
  }
  measure(features, out);
  const std::span<const Detector* const> table = detector_table();
  for (size_t i = 0; i < table.size(); ++i) {
    if (!enabled(static_cast<int>(i))) continue;
    const size_t first = out->findings.size();
    const State state = table[i]->detect(features, &out->findings);
    if (state == State::kUnknown) out->unknown |= uint64_t{1} << i;
    settle(static_cast<int>(i), first, out);
  }
  read_trace(features, &scratch->trace, &out->trace);
}

}  // namespace vaa
