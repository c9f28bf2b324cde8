// How long sampled answers of one seed stay together. With the same numbers drawn they part where noise moves a choice across its border, as often as the noise is large; another sampler parts them whatever the noise.
#include <algorithm>
#include <limits>

#include "base/figures.h"
#include "base/math.h"
#include "compare/drift.h"
#include "compare/partings.h"
#include "compare/token_gates.h"

namespace vaa {
namespace {

// By how much more often answers part than the recorded distributions account for: borders are crossed in proportion to the noise, and a KL is its square.
Effect noise_by_lists(const ComparisonView& view) {
  const int64_t size = view.tokens->reference.list_size;
  if (!drift_calibrates(view.noise) || size == 0 || view.tokens->target.list_size != size || view.noise->list_size != size) return {};
  const ClusterMean self = mean_kl(*view.noise), target = mean_kl(drift_of(*view.tokens, DriftPart::kOwn));
  return self.clusters >= 2 && target.clusters >= 2 ? ratio_of(self, target) : Effect{};
}

// What a failure is called, and where to look.
void name_cause(const ComparisonView& view, StepResult* step) {
  const Effect lists = noise_by_lists(view);
  step->kind = "seeded_divergence";
  step->symptom = "seeds_part_sooner";
  if (!lists.known()) return;
  const double most = math::exp(lists.upper / 2);
  const bool sampler = step->lower > most;
  step->kind = sampler ? "sampler_mismatch" : "numeric_drift";
  step->symptom = sampler ? "draws_differ" : "more_noise";
  const std::string text = ratio_text(most);
  step->words.en += "; the recorded distributions account for at most " + text + " times";
  step->words.zh += "；记录的分布至多能解释 " + text + " 倍";
}

// The same as if every pair had ended after `time` compared tokens.
Divergences until(double time, const Divergences& d) {
  Divergences out = d;
  for (size_t i = 0; i < out.exits.size(); ++i) {
    if (out.exits[i] - out.entries[i] <= time) continue;
    out.exits[i] = out.entries[i] + time;
    out.events[i] = 0;
  }
  return out;
}

// When the reference has parted from itself as often as a ratio needs. Infinity: it has not, or hardly more often.
double early_time(const Divergences& self) {
  std::vector<double> times;
  for (size_t i = 0; i < self.exits.size(); ++i) {
    if (self.events[i]) times.push_back(self.exits[i] - self.entries[i]);
  }
  if (times.size() < 2 * kFewFlips) return std::numeric_limits<double>::infinity();
  const auto at = times.begin() + kFewFlips - 1;
  std::nth_element(times.begin(), at, times.end());
  return *at;
}

std::string parted_text(const Divergences& d) { return grouped(std::count(d.events.begin(), d.events.end(), 1)) + " / " + grouped(static_cast<int64_t>(d.events.size())); }

// Some answers that part at once drown among many that noise parts later: the first tokens are looked at by themselves, too, and the smaller one of the two p counts twice.
void look_early(const Divergences& target, const Divergences& self, StepResult* step) {
  const double time = early_time(self);
  if (std::isinf(time)) return;
  const Divergences early = until(time, target), own = until(time, self);
  StepResult look;
  take_ratio(&look, hazard_ratio(own, early), step->margin);
  const std::string n = grouped(static_cast<int64_t>(time)), now = parted_text(early), before = parted_text(own);
  const Both size = ratio_words(look);
  step->section.lines.push_back({{"within the first " + counted(static_cast<int64_t>(time), "tokens") + " " + now + " part, " + before + " of the reference from itself: " + size.en + " times as often a token", "前 " + n + " 个词元之内，分开 " + now + "，参考侧与自身 " + before + "：每词元频率为 " + size.zh}, "", "", "", look.p_beyond < 0.05 ? "bad" : "plain"});
  const double whole = step->p_beyond;
  if (look.p_beyond < whole) {
    step->effect = look.effect, step->lower = look.lower, step->upper = look.upper, step->p = look.p;
    step->words.en += "; within the first " + n + " tokens " + now + " against " + before + ": " + size.en + " times";
    step->words.zh += "；前 " + n + " 个词元之内 " + now + "，对照 " + before + "：" + size.zh;
  }
  step->inside = step->inside && look.p_beyond >= 0.05;
  step->p_beyond = std::min(1.0, 2 * std::min(whole, look.p_beyond));
  step->p = std::min(1.0, 2 * step->p);
}

StepResult run(const ComparisonView& view) {
  if (!view.tokens || (!view.tokens->any() && view.tokens->sampled == 0)) return not_applicable({"no token ids on both sides", "两侧没有都记录词元 id"});
  const Divergences target = divergences_of(*view.tokens, Draws::kKeyed);
  if (target.exits.empty()) return not_applicable({"no sampled answers of one seed and temperature on both sides", "没有两侧种子与温度都相同的采样回答"});
  const Divergences* self = view.noise && !view.noise->seeded.exits.empty() ? &view.noise->seeded : nullptr;
  Partings partings = partings_of(target, self, self && view.noise->identical, view.margins.sigma_ratio);
  StepResult& step = partings.step;
  if (!partings.ratio.known()) return step;
  say_questions_needed(partings.ratio, step.margin, &step);
  look_early(target, *self, &step);
  if (step.p_beyond < 0.05) name_cause(view, &step);
  return step;
}

}  // namespace

extern const Step kSeededStep;
const Step kSeededStep = {"seeded", "tokens", true, {"How long sampled answers of one seed stay together", "同一种子的采样回答一致多久"}, run};

}  // namespace vaa
