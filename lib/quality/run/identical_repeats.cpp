// Repeats of a question that do not differ although they were sampled.
#include "quality/run/run_features.h"
#include "report/figures.h"

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
  out.of_zh = "道重复作答的题目";
  if (sampled.n == 0 && unknown.n > 0) out.words = {"the temperature is not recorded: at 0 it is expected", "未记录温度：温度为 0 时属于正常"};
  if (out.n == 0) out.words = greedy > 0 ? Said{"at temperature 0 repeats are the same by right", "温度为 0 时重复结果相同属于正常"} : Said{"no question has two long answers", "没有题目拥有两个长回答"};
  return out;
}

}  // namespace

extern const RunCheck kIdenticalRepeats;
const RunCheck kIdenticalRepeats = {
    "identical_repeats", 0.5, true, look,
    {"questions whose repeats are identical", "多次重复完全相同的题目"},
    {"Sampled answers to the same question are the same byte by byte: the seed is stuck, or the temperature never reached the sampler.", "对同一问题的多次采样回答逐字节相同：随机种子被固定，或温度参数没有生效。"},
    {}};

}  // namespace vaa
