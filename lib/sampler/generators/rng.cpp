#include "sampler/generators/rng.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

#include "base/failure.h"
#include "base/options.h"

namespace vaa {
namespace {

constexpr OptionSpec kTable[] = {
    {"generator", OptionSpec::Type::kText, 1, 64, "", "", "the generator's name"},
    {"seed", OptionSpec::Type::kJson, 0, 0, "", "", "-2^63 to 2^64 - 1, a number or its decimal or 0x text; a negative one counts as two's complement"},
    {"state", OptionSpec::Type::kText, 0, 65536, "", "", "a saved state in base64, in place of the seed"},
    {"sm_count", OptionSpec::Type::kInt, 1, 1024, "", "", "multiprocessors of the device"},
    {"threads_per_sm", OptionSpec::Type::kInt, 256, 4096, "", "2048", "threads that one of them runs at once"},
    {"torch", OptionSpec::Type::kText, 3, 32, "", "", "torch's version, such as 2.6"},
    {"triton", OptionSpec::Type::kChoice, 0, 0, "new|old", "\"new\"", "Triton before or since it splits offsets of 64 bits"},
    {"variant", OptionSpec::Type::kText, 1, 64, "", "", "which form of the noise"},
};

[[noreturn]] void refuse(const std::string& message) { fail(VAA_ERROR_OPTION, "vaa_rng_new: " + message); }

void read_seed(std::string_view json, GeneratorOptions* options) {
  std::string_view text = json;
  if (text.size() >= 2 && text.front() == '"') text = text.substr(1, text.size() - 2);
  const std::string shown = quoted(text);
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  const bool hex = json.front() == '"' && (text.starts_with("0x") || text.starts_with("0X"));
  if (hex) text.remove_prefix(2);
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, hex ? 16 : 10);
  const bool whole = end == text.data() + text.size() && !text.empty() && error != std::errc::invalid_argument;
  if (!whole) refuse("seed: is " + shown + ", must be a whole number, or text that holds one");
  if (error != std::errc() || (negative && value > uint64_t{1} << 63)) refuse("seed: is " + shown + ", allowed are -9223372036854775808 to 18446744073709551615");
  options->seed = negative ? 0 - value : value;
  options->seed_given = true;
  options->seed_negative = negative;
}

// RFC 4648, with its padding.
std::vector<uint8_t> from_base64(std::string_view text) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  if (text.size() % 4 != 0) refuse("state: has " + std::to_string(text.size()) + " characters, base64 has a multiple of 4");
  const size_t padding = text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0;
  std::vector<uint8_t> out;
  uint32_t bits = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const size_t digit = i + padding >= text.size() ? 0 : kDigits.find(text[i]);
    if (digit == std::string_view::npos) refuse("state: character " + std::to_string(i) + " is " + quoted(text.substr(i, 1)) + ", which base64 does not have");
    bits = bits << 6 | static_cast<uint32_t>(digit);
    if (i % 4 == 3)
      for (int shift = 16; shift >= 0; shift -= 8) out.push_back(static_cast<uint8_t>(bits >> shift));
  }
  for (size_t i = 0; i < padding; ++i) out.pop_back();
  return out;
}

void read_version(const std::string& text, GeneratorOptions* options) {
  const char* end = text.data() + text.size();
  const auto major = std::from_chars(text.data(), end, options->torch_major);
  const bool dot = major.ec == std::errc() && major.ptr != end && *major.ptr == '.';
  if (!dot || std::from_chars(major.ptr + 1, end, options->torch_minor).ec != std::errc() || options->torch_major < 1)
    refuse("torch: is " + quoted(text) + ", must be a version such as 2.6");
}

// The variant that is asked for, or the first.
std::string variant_of(const GeneratorLine& line, const Options& given) {
  const std::string_view all = line.variants;
  if (!given.given("variant")) return std::string(all.substr(0, all.find('|')));
  const std::string& name = given.text("variant");
  if (all.empty()) refuse(std::string("variant: ") + line.name + " has none");
  std::string list;
  for (std::string_view rest = all; !rest.empty(); rest.remove_prefix(std::min(rest.size(), rest.find('|') + 1))) {
    const std::string_view one = rest.substr(0, rest.find('|'));
    if (one == name) return name;
    list.append(list.empty() ? "" : ", ").append(one);
    if (rest.find('|') == std::string_view::npos) break;
  }
  refuse("variant: " + quoted(name) + " is not known to " + line.name + ", allowed are " + list);
}

}  // namespace

Rng::Rng(std::string_view json) {
  const Options given(json, kTable, "vaa_rng_new");
  if (!given.given("generator")) refuse("generator: is not given; " + std::string(generator_lines().front().name) + " is one, vaa_rng_generators lists all");
  line_ = &generator_line(given.text("generator"));
  GeneratorOptions options;
  if (given.given("seed")) read_seed(given.text("seed"), &options);
  if (given.given("state")) {
    if (!(line_->draws & static_cast<uint32_t>(Drawable::kState))) refuse(std::string("state: ") + line_->name + " has none");
    if (options.seed_given) refuse("state: is given beside a seed, which it holds");
    options.state = from_base64(given.text("state"));
    options.state_given = true;
  }
  const bool captured = line_->draws & static_cast<uint32_t>(Drawable::kGive);
  if (!options.seed_given && !options.state_given && !captured) refuse("seed: is not given");
  if (given.given("sm_count")) options.sm_count = given.integer("sm_count");
  options.threads_per_sm = given.integer("threads_per_sm");
  if (given.given("torch")) read_version(given.text("torch"), &options);
  options.triton = given.text("triton");
  torch_major_ = options.torch_major;
  options.variant = variant_of(*line_, given);
  for (const char* option : {"sm_count", "threads_per_sm", "torch", "triton"})
    if (given.given(option) && std::string_view(line_->takes).find(option) == std::string_view::npos) refuse(std::string(option) + ": " + line_->name + " does not take it");
  generator_ = line_->make(options);
  if (options.state_given) generator_->load(options.state);
}

Generator& Rng::with(Drawable draw) {
  if (line_->draws & static_cast<uint32_t>(draw)) return *generator_;
  std::string able;
  for (const GeneratorLine& line : generator_lines())
    if (line.draws & static_cast<uint32_t>(draw)) able.append(able.empty() ? "" : ", ").append(line.name);
  fail(VAA_ERROR_UNSUPPORTED, std::string("generator: ") + line_->name + " has no " + draw_name(draw) + "; those that do: " + able);
}

namespace {

// Refuses what torch refuses.
template <class T>
void check_weights(std::span<const T> weights, size_t rows, size_t columns, size_t need) {
  for (size_t row = 0; row < rows; ++row) {
    size_t positive = 0;
    for (size_t i = row * columns; i < (row + 1) * columns; ++i) {
      if (!(weights[i] >= 0) || std::isinf(weights[i]))
        fail(VAA_ERROR_ARGUMENT, "probs: row " + std::to_string(row) + ", column " + std::to_string(i - row * columns) + " is " + std::to_string(weights[i]) + ", must be finite and at least 0");
      positive += weights[i] > 0;
    }
    if (positive == 0) fail(VAA_ERROR_ARGUMENT, "probs: row " + std::to_string(row) + " has no weight above 0");
    if (positive < need && need > 1) fail(VAA_ERROR_ARGUMENT, "out: " + std::to_string(need) + " samples without replacement of row " + std::to_string(row) + ", which has " + std::to_string(positive) + " weights above 0");
  }
}

template <class T>
void pick_with_replacement(Generator* generator, std::span<const T> weights, std::vector<T>* sums, std::span<int64_t> out) {
  sums->resize(weights.size());
  T sum = 0;
  for (size_t i = 0; i < weights.size(); ++i) (*sums)[i] = sum += weights[i];
  for (T& x : *sums) x /= sum;
  sums->back() = 1;
  for (int64_t& index : out) {
    double u;
    generator->uniform(std::span(&u, 1));
    index = std::partition_point(sums->begin(), sums->end(), [u](T x) { return static_cast<double>(x) < u; }) - sums->begin();
  }
}

}  // namespace

template <class T>
void Rng::multinomial(std::span<const T> weights, size_t rows, size_t columns, bool replacement, size_t samples, std::span<int64_t> out) {
  std::vector<T>* noise;
  if constexpr (std::is_same_v<T, float>) noise = &noise32_;
  else noise = &noise64_;
  if (replacement && samples == 1 && torch_major_ == 0 && std::string_view(line_->name) == "torch_cpu")
    fail(VAA_ERROR_OPTION, "torch: is not given, and is needed for one sample with replacement: torch 1.x searches the running sum, later versions race exponentials");
  const bool searched = replacement && (samples > 1 || torch_major_ == 1);
  Generator& generator = with(searched ? Drawable::kReplacement : Drawable::kMultinomial);
  check_weights(weights, rows, columns, searched ? 1 : samples);
  if (searched) {
    for (size_t row = 0; row < rows; ++row) pick_with_replacement(&generator, weights.subspan(row * columns, columns), noise, out.subspan(row * samples, samples));
    return;
  }
  noise->resize(weights.size());
  if constexpr (std::is_same_v<T, float>) generator.exponential(std::span<float>(*noise), {}, FloatType::kF32);
  else generator.exponential(std::span<double>(*noise), {});
  for (size_t i = 0; i < weights.size(); ++i) (*noise)[i] = weights[i] / (*noise)[i];
  order_.resize(columns);
  for (size_t row = 0; row < rows; ++row) {
    const T* score = noise->data() + row * columns;
    const auto before = [score](size_t a, size_t b) {
      const bool nan_a = std::isnan(score[a]), nan_b = std::isnan(score[b]);
      if (nan_a != nan_b) return nan_a;
      return !nan_a && score[a] != score[b] ? score[a] > score[b] : a < b;
    };
    std::iota(order_.begin(), order_.end(), size_t{0});
    if (samples == 1) std::iter_swap(order_.begin(), std::min_element(order_.begin(), order_.end(), before));
    else std::partial_sort(order_.begin(), order_.begin() + static_cast<ptrdiff_t>(samples), order_.end(), before);
    std::copy_n(order_.begin(), samples, out.begin() + static_cast<ptrdiff_t>(row * samples));
  }
}
template void Rng::multinomial<float>(std::span<const float>, size_t, size_t, bool, size_t, std::span<int64_t>);
template void Rng::multinomial<double>(std::span<const double>, size_t, size_t, bool, size_t, std::span<int64_t>);

}  // namespace vaa
