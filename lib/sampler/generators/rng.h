// A generator of the table made from options, and what is built on its draws.
#pragma once
#include "sampler/generators/generator.h"

namespace vaa {

class Rng {
 public:
  // JSON: generator, seed or state, …: see vaa_rng_new.
  explicit Rng(std::string_view options);
  // The generator; VAA_ERROR_UNSUPPORTED where its line does not have `draw`, with those that do.
  Generator& with(Drawable draw);
  const GeneratorLine& line() const { return *line_; }

  // torch.multinomial of rows of weights: `samples` indices a row. A draw without replacement, or of one, takes the largest p / q with q exponential over all rows at once; NaN (0 / 0) is
  // the largest of all, as torch has it, and of equals the first is taken. With replacement: a double for each sample, searched in the running sum of T; a single sample so only up to torch 1.13.
  template <class T>
  void multinomial(std::span<const T> weights, size_t rows, size_t columns, bool replacement, size_t samples, std::span<int64_t> out);

 private:
  const GeneratorLine* line_;
  std::unique_ptr<Generator> generator_;
  int torch_major_;  // 0: not given
  std::vector<float> noise32_;
  std::vector<double> noise64_;
  std::vector<size_t> order_;
};

}  // namespace vaa
