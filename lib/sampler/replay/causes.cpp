#include "sampler/replay/causes.h"

#include <algorithm>
#include <cmath>

#include "base/math.h"

namespace vaa {
namespace {

using Kind = ReplayCause::Kind;

constexpr int64_t kMostTried = 200;    // departed rows
constexpr int64_t kMostHeld = 128;     // rows that are the same
constexpr int64_t kFewest = 5;         // departures that name a cause
constexpr double kShare = 0.8;         // of them that it explains

// The engine with min_p on the other side of the temperature; none where there is nothing to move.
std::optional<Engine> min_p_moved(const Engine& engine) {
  const auto at = [&](const char* name) { return std::find(engine.order.begin(), engine.order.end(), name) - engine.order.begin(); };
  const auto min_p = at("min_p"), temperature = at("temperature"), end = static_cast<ptrdiff_t>(engine.order.size());
  if (min_p == end || temperature == end) return std::nullopt;
  Engine moved = engine;
  moved.order.erase(moved.order.begin() + min_p);
  const auto place = std::find(moved.order.begin(), moved.order.end(), "temperature");
  moved.order.insert(min_p > temperature ? place : place + 1, "min_p");
  return moved;
}

}  // namespace

Causes::Causes(const Pipeline& pipeline, const Options& options, const NoiseSource& source) : pipeline_(pipeline) {
  add_of_parameters();
  const Params& p = pipeline.params();
  if (!p.is_off(Param::kMinP) && !p.is_off(Param::kTemperature)) {
    if (const std::optional<Engine> moved = min_p_moved(pipeline.engine())) {
      min_p_moved_.emplace(*moved, options, "vaa_replay_new");
      add(Kind::kMinPMoved, "min_p_moved", {"min_p stands on the other side of the temperature", "min_p 与温度的先后次序相反"});
    }
  }
  if (source.has_generator()) add_of_streams(source, options);
}

void Causes::add_of_parameters() {
  const Params& p = pipeline_.params();
  const bool penalties = !p.is_off(Param::kRepetitionPenalty) || !p.is_off(Param::kFrequencyPenalty) || !p.is_off(Param::kPresencePenalty);
  const bool greedy = p[Param::kGreedy] != 0 || p[Param::kTemperature] == 0, k = p[Param::kTopK] > 0;
  if (!greedy && !p.is_off(Param::kTemperature)) {
    add(Kind::kTemperatureIgnored, "temperature_ignored", {"the temperature is ignored", "温度被忽略"});
    add(Kind::kTemperatureTwice, "temperature_twice", {"the temperature is applied twice", "温度被应用两次"});
  }
  if (penalties) {
    add(Kind::kPenaltiesLost, "penalties_lost", {"the penalties are not applied", "惩罚未生效"});
    add(Kind::kOutputForgotten, "output_not_penalised", {"the penalties do not see the output", "惩罚未计入输出"});
    add(Kind::kPromptForgotten, "prompt_not_penalised", {"the penalties do not see the prompt", "惩罚未计入提示词"});
    add(Kind::kPenaltiesTwice, "penalties_twice", {"the penalties are applied twice", "惩罚被应用两次"});
  }
  if (!greedy && k) {
    add(Kind::kTopKMore, "top_k_one_more", {"top_k keeps one more", "top_k 多保留一个"});
    add(Kind::kTopKLess, "top_k_one_less", {"top_k keeps one less", "top_k 少保留一个"});
  }
  if (!greedy && (k || !p.is_off(Param::kTopP) || !p.is_off(Param::kMinP) || !p.is_off(Param::kTypicalP))) add(Kind::kFiltersLost, "filters_lost", {"top_k, top_p and min_p are not applied", "top_k、top_p 与 min_p 未生效"});
  if (!greedy && pipeline_.engine().has_stage("temperature")) add(Kind::kArgmax, "argmax", {"the likeliest token is taken, nothing is drawn", "总是取概率最大的词元，并未抽样"});
  if (penalties) add(Kind::kRawArgmax, "raw_argmax", {"the largest of the logits as they came is taken", "取未处理 logits 中最大者"});
}

void Causes::add_of_streams(const NoiseSource& source, const Options& options) {
  if (pipeline_.params()[Param::kGreedy] != 0) return;
  for (int64_t shift = 1; shift <= kMostShift; ++shift) {
    for (const int64_t signed_shift : {shift, -shift}) {
      const std::string by = (signed_shift > 0 ? "+" : "") + std::to_string(signed_shift);
      add(Kind::kShift, ("offset" + by).c_str(), {"aligned at offset " + by, "在偏移 " + by + " 处对齐"}, true, signed_shift);
    }
  }
  add(Kind::kFirstNoise, "first_noise", {"every row draws with the numbers of the first", "每一步都用第一步的随机数"}, true);
  variants_ = source.other_variants();
  for (size_t i = 0; i < variants_.size(); ++i) {
    std::string plain_words = variants_[i];
    std::erase(plain_words, '"');
    add(Kind::kVariant, plain_words.c_str(), {"the noise is that of " + plain_words, "噪声与 " + plain_words + " 一致"}, true, static_cast<int64_t>(i));
    variant_sources_.emplace_back(pipeline_.engine(), options);
  }
  const DrawRule rule = pipeline_.engine().rule<DrawRule>(Rule::kDraw);
  if (rule == DrawRule::kInverseCdf) return;
  add(Kind::kInverted, "noise_inverted", {"the noise counts with the other sign: p is multiplied by E", "噪声符号相反：p 乘以 E"}, true);
  add(Kind::kComplement, "noise_complement", {"the noise is made of 1 - u", "噪声由 1 - u 得出"}, true);
}

void Causes::begin(std::string_view seed) {
  for (size_t i = 0; i < variant_sources_.size(); ++i) variant_sources_[i].begin(seed, variants_[i]);
}

Params Causes::changed(Kind kind) const {
  Params p = pipeline_.params();
  const auto no_penalties = [&] {
    p[Param::kRepetitionPenalty] = 1;
    p[Param::kFrequencyPenalty] = p[Param::kPresencePenalty] = 0;
  };
  switch (kind) {
    case Kind::kTemperatureIgnored: p[Param::kTemperature] = 1; break;
    case Kind::kTemperatureTwice: p[Param::kTemperature] *= p[Param::kTemperature]; break;
    case Kind::kArgmax: p[Param::kGreedy] = 1; break;
    case Kind::kRawArgmax: p[Param::kGreedy] = 1; no_penalties(); break;
    case Kind::kPenaltiesLost: no_penalties(); break;
    case Kind::kPenaltiesTwice:
      p[Param::kRepetitionPenalty] *= p[Param::kRepetitionPenalty];
      p[Param::kFrequencyPenalty] *= 2;
      p[Param::kPresencePenalty] *= 2;
      break;
    case Kind::kTopKMore: p[Param::kTopK] += 1; break;
    case Kind::kTopKLess: p[Param::kTopK] = std::max(1.0, p[Param::kTopK] - 1); break;
    case Kind::kFiltersLost:
      p[Param::kTopK] = p[Param::kMinP] = 0;
      p[Param::kTopP] = p[Param::kTypicalP] = 1;
      break;
    default: break;
  }
  return p;
}

int32_t Causes::token(const ReplayCause& cause, const JudgeInput& input, const RowPlace& place, RowJudge* judge, NoiseSource* source) {
  const Params& params = pipeline_.params();
  JudgeInput other = input;
  const auto picked = [&](const NoiseRow* noise) {
    other.noise = noise;
    return noise ? judge->pick(pipeline_, params, other) : -1;
  };
  const auto remade = [&](auto&& gumbel) {
    if (!input.noise) return -1;
    made_.form = NoiseRow::Form::kGumbel;
    made_.bands.clear();
    made_.values.resize(input.noise->values.size());
    for (size_t i = 0; i < made_.values.size(); ++i) made_.values[i] = gumbel(input.noise->gumbel(i).value);
    return picked(&made_);
  };
  const size_t columns = input.row.logits.size();
  switch (cause.kind) {
    case Kind::kShift: return picked(source->at(place.draw, place.noise_position, cause.shift, columns));
    case Kind::kFirstNoise: return place.draw == 0 ? -1 : picked(source->first());
    case Kind::kVariant: return picked(variant_sources_[static_cast<size_t>(cause.shift)].at(place.draw, place.noise_position, 0, columns));
    case Kind::kInverted: return remade([](double g) { return -g; });
    case Kind::kComplement: return remade([](double g) { return -math::log(-math::log(-math::expm1(-math::exp(-g)))); });  // u = exp(-exp(-g))
    case Kind::kOutputForgotten: other.row.output = {}; return judge->pick(pipeline_, params, other);
    case Kind::kPromptForgotten: other.row.prompt = {}; return judge->pick(pipeline_, params, other);
    case Kind::kMinPMoved: return judge->pick(*min_p_moved_, params, input);
    default: return judge->pick(pipeline_, changed(cause.kind), input);
  }
}

void Causes::look(bool departed, const JudgeInput& input, const RowPlace& place, RowJudge* judge, NoiseSource* source) {
  for (ReplayCause& cause : causes_) {
    if (departed ? cause.tried >= kMostTried : cause.tried == 0 || cause.held >= kMostHeld) continue;
    const int32_t id = token(cause, input, place, judge, source);
    if (id < 0) continue;
    ++(departed ? cause.tried : cause.held);
    if (departed) cause.explained += id == input.token;
    else cause.contradicted += id != input.token;
  }
}

const ReplayCause* Causes::found() const {
  const ReplayCause* best = nullptr;
  const auto share = [](int64_t k, int64_t n) { return static_cast<double>(k) / static_cast<double>(std::max<int64_t>(n, 1)); };
  const auto fit = [&](const ReplayCause& cause) { return share(cause.explained, cause.tried) - share(cause.contradicted, cause.held); };
  for (const ReplayCause& cause : causes_)
    if (cause.explained >= kFewest && fit(cause) >= kShare && (!best || fit(cause) > fit(*best))) best = &cause;
  return best;
}

}  // namespace vaa
