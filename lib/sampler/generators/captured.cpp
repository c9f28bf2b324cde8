// Noise that the caller brings, row by row: the only way where a device's generator is not public.
#include <cmath>
#include <map>

#include "base/failure.h"
#include "base/math.h"
#include "sampler/generators/float_noise.h"
#include "sampler/generators/stateless.h"

namespace vaa {
namespace {

class Captured : public Generator {
 public:
  explicit Captured(const GeneratorOptions& options) : exponential_(options.variant == "exponential") {}
  void give(int64_t position, std::span<const double> noise) override {
    for (size_t i = 0; i < noise.size(); ++i) {
      const bool good = exponential_ ? noise[i] >= 0 : !std::isnan(noise[i]);
      if (!good) fail(VAA_ERROR_ARGUMENT, "noise[" + std::to_string(i) + "]: is " + std::to_string(noise[i]) + (exponential_ ? ", must be at least 0" : ", must be a number"));
    }
    rows_[position].assign(noise.begin(), noise.end());
  }
  void gumbel_at(StreamPlace place, std::span<double> out, std::span<double> band) override {
    const auto found = rows_.find(place.position);
    if (found == rows_.end()) fail(VAA_ERROR_NOT_FOUND, "position: no noise was given for " + std::to_string(place.position));
    const std::vector<double>& row = found->second;
    for (size_t i = 0; i < out.size(); ++i) {
      if (place.columns[i] < 0 || static_cast<size_t>(place.columns[i]) >= row.size())
        fail(VAA_ERROR_NOT_FOUND, "columns[" + std::to_string(i) + "]: is " + std::to_string(place.columns[i]) + ", the noise given for position " + std::to_string(place.position) + " has " + std::to_string(row.size()) + " numbers");
      const double noise = row[static_cast<size_t>(place.columns[i])];
      out[i] = exponential_ ? -math::log(noise) : noise;
      if (!band.empty()) band[i] = exponential_ && std::isfinite(out[i]) ? kUlp64 * (1 + std::fabs(out[i])) : 0;
    }
  }

 private:
  bool exponential_;
  std::map<int64_t, std::vector<double>> rows_;
};

}  // namespace

std::unique_ptr<Generator> make_captured(const GeneratorOptions& options) { return std::make_unique<Captured>(options); }

}  // namespace vaa
