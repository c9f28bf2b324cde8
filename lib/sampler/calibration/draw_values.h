// Where draws fall in their own law: uniform where tokens are drawn by it (the randomised probability integral transform).
#pragma once
#include <cstdint>
#include <vector>

#include "sampler/calibration/temperature_fit.h"

namespace vaa::sampler {

// Of each position the mass of likelier tokens and a random share of the chosen one's, at this temperature; positions whose likeliest token has 99 % say nothing and are left out. The same for a seed.
std::vector<double> draw_values(const TemperatureFit& fit, double temperature, uint64_t seed);

struct Uniformity {
  int64_t n = 0;
  double distance = 0;      // Kolmogorov and Smirnov's, of the values from uniform
  double reach = 0;         // the true distance is no further than this from it, with 95 % (Dvoretzky, Kiefer and Wolfowitz, with Massart's constant)
  double p_chi_square = 1;  // of 20 equal classes
  int64_t tail = 0;         // values in the last 1 %
  double worth = 0;         // independent values that they are worth: n, or less where draws share their noise
  double p_beyond(double margin) const;  // against a true distance of `margin` or less, at most
};
Uniformity uniformity(std::vector<double> values, double alike = 1);
// `alike`: TemperatureFit::alike(). Of two samples that have one law to be as far apart as these or further, at most: Dvoretzky's, Kiefer's and Wolfowitz's bound of each.
double p_apart(std::vector<double> first, double first_alike, std::vector<double> second, double second_alike);

}  // namespace vaa::sampler
