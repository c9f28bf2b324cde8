// Repeats of a question that do not differ although they were sampled.
#include "base/figures.h"
#include "quality/run/run_features.h"

namespace vaa {
namespace {

constexpr int32_t kLongAnswer = 100;  // characters: short answers are the same by nature

// One question's repeats.
struct Repeats {
  int64_t answers = 0;
  bool same = true, sampled = true, greedy = false, longish = false;
};
Repeats read_repeats(const RunFeatures& run, std::span<const uint32_t> samples) {
  Repeats out;
  uint64_t answer = 0;
  for (size_t i = 0; i < samples.size(); ++i) {
    const uint32_t at = samples[i];
    if (!run.answered(at) || (i > 0 && run.sample(at).repeat == run.sample(samples[i - 1]).repeat)) continue;
    const KeptTrace& trace = run.trace(at);
    out.same = out.same && (out.answers == 0 || trace.answer == answer);
    answer = trace.answer;
    out.answers += 1;
    out.sampled = out.sampled && trace.is(Trace::kSampled);
    out.greedy = out.greedy || trace.is(Trace::kGreedy);
    out.longish = out.longish || run.sample(at).chars >= kLongAnswer;
  }
  return out;
}

RunFound look(const RunFeatures& run) {
  RunFound sampled, unknown;
  int64_t greedy = 0;
  run.questions([&](std::span<const uint32_t> samples) {
    const Repeats repeats = read_repeats(run, samples);
    if (repeats.answers < 2 || !repeats.longish) return;
    if (repeats.greedy) {
      greedy += 1;
      return;
    }
    RunFound& out = repeats.sampled ? sampled : unknown;
    out.n += 1;
    if (!repeats.same) return;
    out.k += 1;
    for (const uint32_t i : samples) {
      if (run.answered(i)) out.samples.push_back({i});
    }
  });
  sampled.certain = true;
  RunFound out = sampled.n > 0 ? sampled : unknown;
  out.of_en = "questions with repeats";
  out.of_zh = "道重复作答的提示词";
  if (sampled.n == 0 && unknown.n > 0) out.words = {"the temperature is not recorded: at 0 it is expected", "未记录温度：温度为 0 时属于正常"};
  if (out.n == 0) out.words = greedy > 0 ? Said{"at temperature 0 repeats are the same by right", "温度为 0 时重复结果相同属于正常"} : Said{"no question has two long answers", "没有提示词拥有两个长回答"};
  return out;
}

}  // namespace

extern const RunCheck kIdenticalRepeats;
const RunCheck kIdenticalRepeats = {
    "identical_repeats", 0.5, true, look,
    {"questions whose repeats are identical", "多次重复完全相同的提示词"},
    {"Sampled answers to the same question are the same byte by byte: the seed is stuck, or the temperature never reached the sampler.", "对同一问题的多次采样回答逐字节相同：随机种子被固定，或温度参数没有生效。"},
    {{"Of the questions with two and more answers under different repeats, one of them of 100 characters and more, and temperature above 0: those whose answers are all the same byte by byte. The run fails where more than half of the questions are so; that takes 8 of 8. Where the temperature is not recorded it is shown only, at 0 it is not asked.",
      "在不同重复下有两个以上回答、其中至少一个 100 字符以上、且温度大于 0 的提示词中，所有回答逐字节相同的提示词。超过一半的提示词如此则不通过，至少需要 8 道题全部相同。未记录温度时仅列出；温度为 0 时不检查。"},
     {"Two sampled answers of 100 characters are the same only where nearly every token is certain. In the genuine repeated runs of the examples (20 questions, 3 repeats) none is; with a stuck seed 20 of 20 are.",
      "只有几乎每个词元都确定时，两个 100 字符的采样回答才会相同。示例中真实的重复运行（20 题 × 3 次）没有一题相同；种子固定时 20 题全部相同。"},
     {"A low temperature with short, formal answers. The same seed asked for in every repeat gives the same answers by right, and the repeats are then worth one.",
      "低温度加简短、格式化的回答。若每次重复都指定同一个 seed，相同属于正常，但这些重复只相当于一次。"},
     {"A seed that is set per request and never changed, temperature lost on its way (a default of 0 in a client or in generation_config.json), a response cache, or greedy decoding forced by a speculative or structured path.",
      "每个请求都设了固定 seed、温度参数在途中丢失（客户端或 generation_config.json 默认 0）、响应缓存，或投机、结构化路径强制贪心。"},
     {"Send one question 4 times with \"temperature\": 1.0 and without a seed; if the answers are still the same, the sampler does not get them.",
      "用 \"temperature\": 1.0 且不带 seed 把同一题发送 4 次；若仍相同，说明参数没有到达采样器。"}}};

}  // namespace vaa
