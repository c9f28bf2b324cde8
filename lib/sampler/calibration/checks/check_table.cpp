#include "sampler/calibration/calibration_check.h"

namespace vaa::sampler {

extern const CalibrationCheck kLogprobKindCheck, kIllegalTokenCheck, kTemperatureCheck, kDrawCheck, kUnlistedCheck, kSingleTokenCheck, kOneSeedCheck, kOtherSeedsCheck;

std::span<const CalibrationCheck* const> calibration_checks() {
  static constexpr const CalibrationCheck* kTable[] = {&kLogprobKindCheck, &kIllegalTokenCheck, &kTemperatureCheck, &kDrawCheck, &kUnlistedCheck, &kSingleTokenCheck, &kOneSeedCheck, &kOtherSeedsCheck};
  return kTable;
}

Both calibration_kind(const char* kind) {
  struct KindWords {
    std::string_view kind;
    Both words;
  };
  static const KindWords kTable[] = {
      {"logprobs_mislabelled", {"the logprobs are not of the kind that is recorded", "对数概率与所记录的类型不符"}},
      {"illegal_tokens", {"tokens were drawn that top-k, top-p or min-p forbid", "抽到了 top-k、top-p 或 min-p 所禁止的词元"}},
      {"not_greedy", {"temperature 0 did not take the likeliest token", "温度 0 时没有取概率最大的词元"}},
      {"temperature_ignored", {"the temperature is ignored", "温度被忽略"}},
      {"temperature_twice", {"the temperature is applied twice", "温度被应用两次"}},
      {"greedy_instead", {"tokens are not drawn: it is always the likeliest", "没有采样：总是取概率最大的词元"}},
      {"temperature_off", {"the temperature is another one", "实际温度不同"}},
      {"draws_skewed", {"draws are not by their law", "抽样不符合其分布"}},
      {"tail_drawn_too_often", {"unlikely tokens are drawn too often", "低概率词元被抽中过多"}},
      {"tail_drawn_too_seldom", {"unlikely tokens are drawn too seldom", "低概率词元被抽中过少"}},
      {"unlisted_too_often", {"tokens beyond the lists are drawn too often", "列表之外的词元被抽中过多"}},
      {"unlisted_too_seldom", {"tokens beyond the lists are drawn too seldom", "列表之外的词元被抽中过少"}},
      {"single_token", {"one id is drawn too often", "个别 id 被抽中过多"}},
      {"seed_ignored", {"the seed seems to be ignored", "种子疑似被忽略"}},
      {"seed_stuck", {"other seeds draw the same", "不同种子抽样结果相同"}},
  };
  for (const KindWords& row : kTable)
    if (row.kind == kind) return row.words;
  return plain(kind);
}

CheckResult no_check(Both why) {
  CheckResult out;
  out.words = std::move(why);
  return out;
}

}  // namespace vaa::sampler
