#include "sampler/generators/generator.h"

#include <algorithm>
#include <numeric>

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
void Generator::raw_at(StreamPlace, std::span<uint64_t>) { not_there(); }
double Generator::uniform_of(uint64_t) const { not_there(); }
Estimate Generator::gumbel_of_uniform(double) const { not_there(); }
void Generator::give(int64_t, std::span<const double>) { not_there(); }

namespace {

constexpr size_t kPiece = 256;

}  // namespace

void Generator::uniform_at(StreamPlace place, std::span<double> out) {
  uint64_t words[kPiece];
  for (size_t at = 0; at < out.size(); at += kPiece) {
    const size_t n = std::min(kPiece, out.size() - at);
    raw_at({place.position, place.columns.subspan(at, n)}, {words, n});
    for (size_t i = 0; i < n; ++i) out[at + i] = uniform_of(words[i]);
  }
}

void Generator::gumbel_at(StreamPlace place, std::span<double> out, std::span<double> band) {
  uint64_t words[kPiece];
  for (size_t at = 0; at < out.size(); at += kPiece) {
    const size_t n = std::min(kPiece, out.size() - at);
    raw_at({place.position, place.columns.subspan(at, n)}, {words, n});
    for (size_t i = 0; i < n; ++i) {
      const Estimate noise = gumbel_of(words[i]);
      out[at + i] = noise.value;
      if (!band.empty()) band[at + i] = noise.band;
    }
  }
}

void Generator::gumbel_row(int64_t position, std::span<double> out, std::span<double> band) {
  int32_t columns[kPiece];
  for (size_t at = 0; at < out.size(); at += kPiece) {
    const size_t n = std::min(kPiece, out.size() - at);
    std::iota(columns, columns + n, static_cast<int32_t>(at));
    gumbel_at({position, {columns, n}}, out.subspan(at, n), band.empty() ? band : band.subspan(at, n));
  }
}

}  // namespace vaa
