// The noise that an engine drew for the rows of a sequence: from its generator, row by row, or as the caller captured it.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/options.h"
#include "engines/engine.h"
#include "sampler/generators/rng.h"

namespace vaa {

// Numbers of one draw: one for each column, or one uniform.
struct NoiseRow {
  enum class Form : uint8_t { kExponential, kGumbel, kUniform };
  Form form = Form::kExponential;
  std::vector<double> values, bands;

  // As Gumbel noise, and how far the engine's may lie from it: of an exponential -log E, whose error is relative. Not of a uniform.
  Estimate gumbel(size_t column) const;
};

// How far from its own draw another one is looked for.
constexpr int64_t kMostShift = 4;

class NoiseSource {
 public:
  // Of a table that has those of noise_options(). Without a generator rows bring their noise, or there is none.
  NoiseSource(const Engine& engine, const Options& options);

  bool has_generator() const { return !generator_.empty(); }
  // Beside the generator's own options these stand for another transform of the same words; "": what was asked for.
  void begin(std::string_view seed, const std::string& other = "");
  // The numbers of draw `draw` + `shift`, counted from 0 in the sequence, or of position `position` + `shift` where a generator goes by place. Null where there are none: before the first. Draws
  // are asked for in order, but for shifts of up to kMostShift. Borrowed until the next call.
  const NoiseRow* at(int64_t draw, int64_t position, int64_t shift, size_t columns);
  // Those of the sequence's first row.
  const NoiseRow* first() const { return first_.values.empty() ? nullptr : &first_; }
  // Variants of the generator other than the one that was asked for, as JSON members for begin(); none where there is one only.
  std::vector<std::string> other_variants() const;
  // Whether an engine of this source draws for a row of one candidate.
  bool draws_for_one() const { return generator_ != "llama_cpp"; }

 private:
  std::string rng_json(std::string_view seed, const std::string& other) const;
  void fill(int64_t position, size_t columns, NoiseRow* row);
  NoiseRow::Form form() const;

  static constexpr size_t kKept = 2 * kMostShift + 2;
  DrawRule rule_;
  std::string generator_, variant_;
  std::vector<std::pair<std::string, std::string>> given_;  // options of the generator as JSON
  bool by_place_ = false, doubles_ = false;
  std::optional<Rng> rng_;
  std::vector<float> floats_, float_bands_;
  NoiseRow rows_[kKept], first_;
  int64_t made_ = 0;
};

// Options: generator, seed, state, sm_count, threads_per_sm, torch, triton, variant of vaa_rng_new, and noise_type.
std::vector<OptionSpec> noise_options();
// The text of an option that holds a text as JSON; as it stands where it holds another kind, which a generator refuses.
std::string unquoted(const std::string& json);
// Checks noise of the caller's by the engine's rule and copies it. `where` stands before the message.
void take_noise(const Engine& engine, std::span<const double> noise, size_t columns, const std::string& where, NoiseRow* row);

}  // namespace vaa
