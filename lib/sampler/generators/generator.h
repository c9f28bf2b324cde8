// A source of an engine's sampling noise. One class a family and one line of generator_table.cpp a generator; which of these calls a generator has is in its line, and
// generator_for() asks there before any is made.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vaa {

// What can be asked of a generator, as bits of its line in the table.
enum class Drawable : uint32_t {
  kRaw32 = 1, kRaw64 = 2, kUniform32 = 4, kUniform64 = 8, kExponential32 = 16, kExponential64 = 32, kNormal = 64, kRandint = 128, kMultinomial = 256,
  kReplacement = 512, kSkip = 1024, kState = 2048, kRawAt = 4096, kUniformAt = 8192, kGumbelAt = 16384, kGive = 32768, kGumbelOf = 65536,
};
constexpr uint32_t operator|(Drawable a, Drawable b) { return static_cast<uint32_t>(a) | static_cast<uint32_t>(b); }
constexpr uint32_t operator|(uint32_t a, Drawable b) { return a | static_cast<uint32_t>(b); }
const char* draw_name(Drawable draw);

enum class FloatType : uint8_t { kF32 = 0, kF16 = 1, kBf16 = 2 };

// A number, and how far the engine's own may lie from it.
struct Estimate {
  double value, band;
};

// Positions and columns of stateless noise.
struct StreamPlace {
  int64_t position;
  std::span<const int32_t> columns;
};

class Generator {
 public:
  virtual ~Generator() = default;

  // A stream: what the framework draws next, into all of `out`.
  virtual void raw(std::span<uint32_t> out);
  virtual void raw(std::span<uint64_t> out);
  virtual void uniform(std::span<float> out, FloatType type);
  virtual void uniform(std::span<double> out);
  // Of rate 1. `band` is empty or as long as `out`.
  virtual void exponential(std::span<float> out, std::span<float> band, FloatType type);
  virtual void exponential(std::span<double> out, std::span<double> band);
  virtual void normal(std::span<float> out);
  virtual void normal(std::span<double> out);
  // low + [0, range); range 0 is 2^64.
  virtual void integers(int64_t low, uint64_t range, std::span<int64_t> out);
  virtual void skip(uint64_t units);
  virtual void save(std::vector<uint8_t>* out) const;
  virtual void load(std::span<const uint8_t> state);

  // By place: the bits, the uniform that they make, and the noise that it makes.
  virtual void raw_at(StreamPlace place, std::span<uint64_t> out);
  virtual double uniform_of(uint64_t raw) const;
  Estimate gumbel_of(uint64_t raw) const { return gumbel_of_uniform(uniform_of(raw)); }
  virtual Estimate gumbel_of_uniform(double u) const;  // the noise that it makes of any uniform, one that it never draws too
  void uniform_at(StreamPlace place, std::span<double> out);
  virtual void gumbel_at(StreamPlace place, std::span<double> out, std::span<double> band);
  void gumbel_row(int64_t position, std::span<double> out, std::span<double> band);  // columns 0, 1, …
  virtual void give(int64_t position, std::span<const double> noise);
};

// The options of vaa_rng_new as the generators read them.
struct GeneratorOptions {
  uint64_t seed = 0;
  bool seed_given = false, seed_negative = false;
  std::vector<uint8_t> state;  // empty: not given
  bool state_given = false;
  int64_t sm_count = 0, threads_per_sm = 2048;  // sm_count 0: not given
  int torch_major = 0, torch_minor = 0;          // 0.0: not given
  std::string triton = "new";
  std::string variant;  // one of the line's, the first where it is not given
};

struct GeneratorLine {
  const char* name;
  uint32_t draws;
  const char* takes;     // options beside generator, seed and state
  const char* variants;  // "log1p|float32|…"; "": none
  const char* title;
  const char* exact;      // what has the framework's own bits
  const char* band;       // what is known but for a stated error
  const char* unknown;    // what is not known, and what to do
  const char* confirmed;  // the witnesses; "not confirmed on a device" where there is none
  std::unique_ptr<Generator> (*make)(const GeneratorOptions&);
};
std::span<const GeneratorLine> generator_lines();
// Of a name that is none: VAA_ERROR_OPTION, whose message lists the known ones.
const GeneratorLine& generator_line(std::string_view name);
// The lines as a JSON array.
std::string generators_json();

}  // namespace vaa
