// A noise file of any bytes: refused by the name of what is wrong, or read, written as it was read, and held against two runs without a number that is none.
#include <cstdint>
#include <random>
#include <string>
#include <string_view>

#include "base/failure.h"
#include "compare/comparison.h"
#include "compare/noise_profile.h"
#include "must.h"
#include "report/document.h"

using namespace vaa;

namespace {

// Answer `number` of one run: 24 ids, lists of two; noise moves the gaps and makes a near tie flip.
Sample answer(int number, std::mt19937_64& random) {
  Sample s;
  s.set(TextField::kDataset, "made");
  s.set(TextField::kId, std::to_string(number));
  s.set(IntField::kRepeat, 0);
  s.set(RealField::kTemperature, 0);
  s.set(TextField::kOutputText, "text");
  s.ids.put(IdsField::kPromptTokenIds) = {1, number};
  auto &ids = s.ids.put(IdsField::kOutputTokenIds), &listed = s.ids.put(IdsField::kOutputTopIds);
  auto &chosen = s.real_lists.put(RealsField::kOutputLogprobs), &logprobs = s.real_lists.put(RealsField::kOutputTopLogprobs);
  auto& ends = s.int_lists.put(IntsField::kOutputTopEnds);
  ids.clear(), listed.clear(), chosen.clear(), logprobs.clear(), ends.clear();
  for (int i = 0; i < 24; ++i) {
    const double change = static_cast<double>(random() % 1000) / 5000 - 0.1, gap = 0.05 * ((i * 7 + number) % 40) + change;
    const int32_t first = 100 + 2 * i + (gap < 0), second = 100 + 2 * i + (gap >= 0);
    const double likelier = -std::log1p(std::exp(-std::fabs(gap))) - 0.01;
    ids.push_back(first);
    listed.insert(listed.end(), {first, second});
    chosen.push_back(likelier);
    logprobs.insert(logprobs.end(), {likelier, likelier - std::fabs(gap)});
    ends.push_back(static_cast<int64_t>(listed.size()));
  }
  return s;
}

Report compared(const std::string& noise, const char* change) {
  static const Checker checker("{}", nullptr);
  ComparisonOptions options;
  options.margins = &find_margins(change);
  options.noise = noise;
  Comparison comparison(checker, options);
  const auto scratch = checker.new_scratch();
  Judgement judgement;
  std::mt19937_64 random(1);
  for (const int32_t role : {kReferenceRun, kTargetRun}) {
    for (int i = 0; i < 12; ++i) {
      const Sample sample = answer(i, random);
      checker.judge(sample, scratch.get(), &judgement);
      comparison.add(role, sample, judgement);
    }
  }
  return comparison.finish();
}

void must_be_chance(const Document& p) { VAA_MUST(p.kind() != JsonKind::kNumber || (p.number() >= 0 && p.number() <= 1)); }

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  std::string once;
  try {
    once = noise_json(read_noise(bytes));
  } catch (const Failure& failure) {
    VAA_MUST(failure.status() == VAA_ERROR_FORMAT && failure.message().substr(0, 7) == "noise: " && failure.message().find('\n') == std::string::npos);
    return 0;
  }
  VAA_MUST(noise_json(read_noise(once)) == once);
  const Report report = compared(once, size % 2 == 0 ? "version" : "none");
  const Document document = Document::parse(report.json());
  VAA_MUST(static_cast<int>(report.verdict()) >= 0 && static_cast<int>(report.verdict()) <= 3);
  for (const Document& step : document.at("comparison", "steps").items()) {
    for (const char* name : {"p", "p_beyond", "p_adjusted"}) must_be_chance(step[name]);
  }
  return 0;
}
