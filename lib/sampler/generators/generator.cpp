#include "sampler/generators/generator.h"

#include <algorithm>

#include "base/failure.h"

namespace vaa {
namespace {

[[noreturn]] void not_there() { fail(VAA_ERROR_INTERNAL, "a generator lacks what its line of the table has"); }

}  // namespace

void Generator::raw(std::span<uint32_t>) { not_there(); }
void Generator::raw(std::span<uint64_t>) { not_there(); }
void Generator::uniform(std::span<float>, FloatType) { not_there(); }
void Generator::uniform(std::span<double>) { not_there(); }
void Generator::exponential(std::span<float>, std::span<float>, FloatType) { not_there(); }
void Generator::exponential(std::span<double>, std::span<double>) { not_there(); }
void Generator::normal(std::span<float>) { not_there(); }
void Generator::normal(std::span<double>) { not_there(); }
void Generator::integers(int64_t, uint64_t, std::span<int64_t>) { not_there(); }
void Generator::skip(uint64_t) { not_there(); }
void Generator::save(std::vector<uint8_t>*) const { not_there(); }
void Generator::load(std::span<const uint8_t>) { not_there(); }
void Generator::raw_at(Place, std::span<uint64_t>) { not_there(); }
double Generator::uniform_of(uint64_t) const { not_there(); }
Estimate Generator::gumbel_of(uint64_t) const { not_there(); }
void Generator::give(int64_t, std::span<const double>) { not_there(); }

void Generator::gumbel_at(Place place, std::span<double> out, std::span<double> band) {
  uint64_t words[256];
  for (size_t at = 0; at < out.size(); at += std::size(words)) {
    const size_t n = std::min(std::size(words), out.size() - at);
    raw_at({place.position, place.columns.subspan(at, n)}, {words, n});
    for (size_t i = 0; i < n; ++i) {
      const Estimate noise = gumbel_of(words[i]);
      out[at + i] = noise.value;
      if (!band.empty()) band[at + i] = noise.band;
    }
  }
}

std::string_view GeneratorOptions::choice(const char* option, const std::string& value, std::initializer_list<std::string_view> known) const {
  if (value.empty() && known.size() > 0) return *known.begin();
  if (const auto found = std::find(known.begin(), known.end(), value); found != known.end()) return *found;
  std::string list;
  for (const std::string_view name : known) list.append(list.empty() ? "" : ", ").append(name);
  fail(VAA_ERROR_OPTION, std::string("vaa_rng_new: ") + option + ": " + quoted(value) + " is not known to this generator, " + (list.empty() ? "which takes none" : "allowed are " + list));
}

}  // namespace vaa
