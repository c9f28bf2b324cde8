// Sine and cosine of a share of a turn, the same everywhere.
#pragma once
#include <cmath>

#include "base/math.h"

namespace vaa {

struct Turn {
  double cosine, sine;
};

// Of 2 pi u for u in [0, 1], within 4e-16: the quarter is taken off exactly, and Taylor's series goes on until a term is below 2^-60.
inline Turn turn_of(double u) {
  const double quarter = std::nearbyint(4 * u);
  const double x = 2 * math::kPi * (u - quarter / 4);  // within pi / 4
  const double s = x * x;
  double sine = 0, cosine = 0;
  for (int k = 19; k >= 1; k -= 2) {
    sine = 1 - s / ((k + 1) * (k + 2)) * sine;
    cosine = 1 - s / (k * (k + 1)) * cosine;
  }
  sine *= x;
  switch (static_cast<int>(quarter) & 3) {
    case 0: return {cosine, sine};
    case 1: return {-sine, cosine};
    case 2: return {-cosine, -sine};
    default: return {sine, -cosine};
  }
}

}  // namespace vaa
