#include "sampler/replay/noise_source.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/failure.h"
#include "base/json_writer.h"
#include "base/math.h"
#include "sampler/draw.h"

namespace vaa {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr const char* kOfGenerator[] = {"state", "sm_count", "threads_per_sm", "torch", "triton", "variant"};

DrawRule draw_rule_of(const Engine& engine) { return engine.rule<DrawRule>(Rule::kDraw); }

}  // namespace

std::string unquoted(const std::string& json) { return json.size() >= 2 && json.front() == '"' ? json.substr(1, json.size() - 2) : json; }

Estimate NoiseRow::gumbel(size_t column) const {
  const double value = values[column], band = bands.empty() ? 0 : bands[column];
  if (form == Form::kGumbel) return {value, band};
  if (value == 0) return {kInfinity, 0};
  return {-math::log(value), band < value ? -math::log1p(-band / value) : kInfinity};
}

std::vector<OptionSpec> noise_options() {
  std::vector<OptionSpec> table{{"generator", OptionSpec::Type::kText, 1, 64}, {"seed", OptionSpec::Type::kJson}, {"noise_type", OptionSpec::Type::kChoice, 0, 0, "float32|float64", "\"float32\""}};
  for (const char* name : kOfGenerator) table.push_back({name, OptionSpec::Type::kJson});
  return table;
}

NoiseSource::NoiseSource(const Engine& engine, const Options& options) : rule_(draw_rule_of(engine)) {
  if (options.given("generator")) generator_ = options.text("generator");
  for (const char* name : kOfGenerator) {
    if (!options.given(name)) continue;
    if (generator_.empty()) fail(VAA_ERROR_OPTION, std::string("vaa_replay_new: ") + name + ": is given without a generator");
    given_.emplace_back(name, options.text(name));
    if (std::string_view(name) == "variant") variant_ = unquoted(options.text(name));
  }
  if (options.given("seed")) {
    if (generator_.empty()) fail(VAA_ERROR_OPTION, "vaa_replay_new: seed: is given without a generator");
    given_.emplace_back("seed", options.text("seed"));
  }
  if (generator_.empty()) return;
  const GeneratorLine& line = generator_line(generator_);
  if (line.draws & static_cast<uint32_t>(Drawable::kGive)) fail(VAA_ERROR_OPTION, "vaa_replay_new: generator: captured noise comes with the rows: leave the generator out");
  if (std::string_view(line.name) == "vllm_cpu") fail(VAA_ERROR_UNSUPPORTED, "vaa_replay_new: generator: vllm_cpu has a seed a row: draw its rows with vaa_rng and hand the noise over with the rows");
  if (rule_ == DrawRule::kUnknown) fail_unknown(engine, Rule::kDraw, "a generator is given");
  const auto has = [&](Drawable draw) { return (line.draws & static_cast<uint32_t>(draw)) != 0; };
  doubles_ = options.text("noise_type") == "float64";
  by_place_ = rule_ != DrawRule::kInverseCdf && has(Drawable::kGumbelAt);
  if (rule_ == DrawRule::kInverseCdf && !has(Drawable::kUniform32)) doubles_ = true;
  if (options.given("seed") || options.given("state")) begin("");
}

std::string NoiseSource::rng_json(std::string_view seed, const std::string& other) const {
  std::string out;
  JsonWriter json(&out);
  json.begin_object().member("generator", generator_);
  for (const auto& [name, value] : given_) {
    if (!seed.empty() && (name == "seed" || name == "state")) continue;
    if (!other.empty() && other.starts_with('"' + name + '"')) continue;
    json.key(name).raw(value);
  }
  if (!seed.empty()) json.member("seed", seed);
  json.end_object();
  if (!other.empty()) out.insert(out.size() - 1, ", " + other);
  return out;
}

void NoiseSource::begin(std::string_view seed, const std::string& other) {
  made_ = 0;
  first_.values.clear();
  if (generator_.empty()) {
    if (!seed.empty()) fail(VAA_ERROR_ARGUMENT, "seed: is " + quoted(seed) + ", but the replay has no generator");
    return;
  }
  rng_.emplace(rng_json(seed, other));
  if (by_place_) return;
  const Drawable draw = rule_ == DrawRule::kInverseCdf ? (doubles_ ? Drawable::kUniform64 : Drawable::kUniform32) : doubles_ ? Drawable::kExponential64 : Drawable::kExponential32;
  rng_->with(draw);  // or a failure that names those that have it
}

NoiseRow::Form NoiseSource::form() const { return by_place_ ? NoiseRow::Form::kGumbel : rule_ == DrawRule::kInverseCdf ? NoiseRow::Form::kUniform : NoiseRow::Form::kExponential; }

void NoiseSource::fill(int64_t position, size_t columns, NoiseRow* row) {
  row->form = form();
  row->values.resize(columns);
  if (row->form == NoiseRow::Form::kUniform) {
    row->bands.clear();
    if (doubles_) return rng_->with(Drawable::kUniform64).uniform(row->values);
    float u = 0;
    rng_->with(Drawable::kUniform32).uniform(std::span(&u, 1), FloatType::kF32);
    row->values[0] = static_cast<double>(u);
    return;
  }
  row->bands.resize(columns);
  if (by_place_) return rng_->with(Drawable::kGumbelAt).gumbel_row(position, row->values, row->bands);
  if (doubles_) return rng_->with(Drawable::kExponential64).exponential(row->values, row->bands);
  floats_.resize(columns);
  float_bands_.resize(columns);
  rng_->with(Drawable::kExponential32).exponential(std::span<float>(floats_), float_bands_, FloatType::kF32);
  std::copy(floats_.begin(), floats_.end(), row->values.begin());
  std::copy(float_bands_.begin(), float_bands_.end(), row->bands.begin());
}

const NoiseRow* NoiseSource::at(int64_t draw, int64_t position, int64_t shift, size_t columns) {
  if (!rng_) fail(VAA_ERROR_ARGUMENT, "seed: is not given, and generator " + generator_ + " begins with it");
  const size_t size = rule_ == DrawRule::kInverseCdf ? 1 : columns;
  const auto keep_first = [&](const NoiseRow& row, bool is_first) {
    if (is_first && shift == 0 && first_.values.empty()) first_ = row;
  };
  if (by_place_) {
    if (position + shift < 0) {
      if (shift == 0) fail(VAA_ERROR_ARGUMENT, "prompt: is empty, and generator " + generator_ + " goes by the position behind it");
      return nullptr;
    }
    NoiseRow* row = &rows_[static_cast<size_t>(shift + kMostShift)];
    fill(position + shift, size, row);
    keep_first(*row, draw == 0);
    return row;
  }
  const int64_t wanted = draw + shift;
  if (wanted < 0 || wanted < made_ - static_cast<int64_t>(kKept)) return nullptr;
  for (; made_ <= wanted; ++made_) fill(0, size, &rows_[static_cast<size_t>(made_) % kKept]);
  const NoiseRow& row = rows_[static_cast<size_t>(wanted) % kKept];
  if (row.values.size() != size) fail(VAA_ERROR_ARGUMENT, "logits: have " + std::to_string(columns) + " columns, the rows before had " + std::to_string(row.values.size()) + ": a sequence has one vocabulary");
  keep_first(row, wanted == 0);
  return &row;
}

std::vector<std::string> NoiseSource::other_variants() const {
  std::vector<std::string> out;
  if (generator_.empty()) return out;
  const GeneratorLine& line = generator_line(generator_);
  const std::string_view all = line.variants;
  const std::string asked = variant_.empty() ? std::string(all.substr(0, all.find('|'))) : variant_;
  for (std::string_view rest = all; !rest.empty();) {
    const std::string_view one = rest.substr(0, rest.find('|'));
    if (one != asked) out.push_back("\"variant\": \"" + std::string(one) + "\"");
    rest.remove_prefix(std::min(rest.size(), one.size() + 1));
  }
  if (std::string_view(line.takes).find("triton") != std::string_view::npos) {
    std::string asked_triton = "new";
    for (const auto& [name, value] : given_)
      if (name == "triton") asked_triton = unquoted(value);
    out.push_back(asked_triton == "new" ? "\"triton\": \"old\"" : "\"triton\": \"new\"");
  }
  return out;
}

void take_noise(const Engine& engine, std::span<const double> noise, size_t columns, const std::string& where, NoiseRow* row) {
  const size_t need = noise_size(engine, columns);
  if (noise.size() != need) fail(VAA_ERROR_ARGUMENT, where + "noise: has " + std::to_string(noise.size()) + " numbers, must have " + std::to_string(need));
  const DrawRule rule = draw_rule_of(engine);
  row->form = rule == DrawRule::kGumbel ? NoiseRow::Form::kGumbel : rule == DrawRule::kInverseCdf ? NoiseRow::Form::kUniform : NoiseRow::Form::kExponential;
  for (size_t i = 0; i < noise.size(); ++i) {
    const bool good = rule == DrawRule::kGumbel ? std::isfinite(noise[i]) : rule == DrawRule::kRace ? noise[i] >= 0 && noise[i] < kInfinity : noise[i] >= 0 && noise[i] < 1;
    if (good) continue;
    std::string shown = std::isnan(noise[i]) ? "NaN" : "";
    if (shown.empty()) append_number(&shown, noise[i]);
    fail(VAA_ERROR_ARGUMENT, where + "noise[" + std::to_string(i) + "]: is " + shown + ", must be " + (rule == DrawRule::kGumbel ? "finite" : rule == DrawRule::kRace ? "at least 0 and finite" : "at least 0 and below 1"));
  }
  row->values.assign(noise.begin(), noise.end());
  row->bands.clear();
}

}  // namespace vaa
