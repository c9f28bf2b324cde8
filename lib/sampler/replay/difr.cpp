#include "sampler/replay/difr.h"

#include <cmath>
#include <limits>
#include <string>

#include "base/failure.h"
#include "base/json_writer.h"
#include "base/math.h"

namespace vaa {
namespace {

void check(bool good, const char* name, size_t i, double value, const char* must) {
  if (good) return;
  std::string shown;
  append_number(&shown, value);
  fail(VAA_ERROR_ARGUMENT, std::string(name) + "[" + std::to_string(i) + "]: is " + (std::isnan(value) ? "NaN" : shown) + ", must be " + must);
}

}  // namespace

void difr_margins(std::span<const double> logits, std::span<const double> exponentials, double temperature, double clip, std::span<double> scores, std::span<double> margins) {
  if (logits.empty()) fail(VAA_ERROR_ARGUMENT, "logits: are empty");
  if (exponentials.size() != logits.size()) fail(VAA_ERROR_ARGUMENT, "exponentials: are " + std::to_string(exponentials.size()) + ", must be " + std::to_string(logits.size()) + " as logits");
  if (!(temperature >= 0 && temperature <= 1e30)) fail(VAA_ERROR_ARGUMENT, "temperature: must be at least 0 and finite");
  if (!(clip > 0)) fail(VAA_ERROR_ARGUMENT, "clip: must be above 0");
  double most = -std::numeric_limits<double>::infinity();
  for (size_t i = 0; i < logits.size(); ++i) {
    check(logits[i] < std::numeric_limits<double>::infinity(), "logits", i, logits[i], "finite, or -infinity for a token that was filtered out");
    check(exponentials[i] > 0 && std::isfinite(exponentials[i]), "exponentials", i, exponentials[i], "above 0 and finite");
    scores[i] = logits[i] - temperature * math::log(exponentials[i]);
    most = std::max(most, scores[i]);
  }
  if (most == -std::numeric_limits<double>::infinity()) fail(VAA_ERROR_ARGUMENT, "logits: every one is -infinity: no token is left");
  for (size_t i = 0; i < scores.size(); ++i) margins[i] = difr_clipped(most - scores[i], clip);
}

}  // namespace vaa
