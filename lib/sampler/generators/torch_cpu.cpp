#include "sampler/generators/torch_cpu.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/failure.h"
#include "base/math.h"
#include "sampler/generators/float_noise.h"
#include "sampler/generators/state_bytes.h"
#include "sampler/generators/turn.h"

namespace vaa {

TorchCpu::TorchCpu(const GeneratorOptions& options)
    : mt_(static_cast<uint32_t>(options.seed)), seed_(options.seed), torch_major_(options.torch_major), torch_minor_(options.torch_minor), float_normal_(8) {}

void TorchCpu::raw(std::span<uint64_t> out) {
  for (uint64_t& word : out) word = next64();
}

void TorchCpu::uniform(std::span<float> out, FloatType type) {
  if (type != FloatType::kF32 && torch_major_ == 0)
    fail(VAA_ERROR_OPTION, "torch: is not given, and is needed for uniforms of float16 and bfloat16: up to 2.11 torch takes the low bits of a word, from 2.12 on it rounds those of float32");
  const bool low_bits = type != FloatType::kF32 && !since(2, 12);
  if (low_bits) {
    const uint32_t mask = type == FloatType::kF16 ? 0x7FF : 0xFF;
    const float unit = type == FloatType::kF16 ? 0x1p-11f : 0x1p-8f;
    for (float& u : out) u = static_cast<float>(next32() & mask) * unit;
    return;
  }
  while (!out.empty()) {
    const auto words = mt_.ready(out.size());
    kernels_->unit24(words.data(), words.size(), out.data());
    if (type != FloatType::kF32)
      for (float& u : out.first(words.size())) {
        u = rounded(u, type);
        if (u == 1) u = 0;
      }
    out = out.subspan(words.size());
  }
}

void TorchCpu::uniform(std::span<double> out) {
  uint32_t words[1024];
  for (size_t at = 0; at < out.size(); at += std::size(words) / 2) {
    const size_t n = std::min(std::size(words) / 2, out.size() - at);
    mt_.fill({words, 2 * n});
    for (size_t i = 0; i < n; ++i) out[at + i] = unit53(words[2 * i], words[2 * i + 1]);
  }
}

// A 53-bit uniform whatever the tensor's type; libm's log1p within 1 ulp and ours within 2.
void TorchCpu::exponential(std::span<float> out, std::span<float> band, FloatType type) {
  for (size_t i = 0; i < out.size(); ++i) {
    const Cast q = cast(-math::log1p(-next_double()), 3 * kUlp64, type);
    out[i] = q.value;
    if (!band.empty()) band[i] = q.band;
  }
}
void TorchCpu::exponential(std::span<double> out, std::span<double> band) {
  for (size_t i = 0; i < out.size(); ++i) {
    out[i] = -math::log1p(-next_double());
    if (!band.empty()) band[i] = 3 * kUlp64 * out[i];
  }
}

// Box and Muller; the sine is kept for the next one, across calls.
double TorchCpu::next_normal() {
  if (normal_) {
    const double kept = *normal_;
    normal_.reset();
    return kept;
  }
  const double angle = next_double();
  const double radius = std::sqrt(-2 * math::log1p(-next_double()));
  const Turn turn = turn_of(angle);
  normal_ = radius * turn.sine;
  return radius * turn.cosine;
}

// From 16 numbers on: uniforms of the tensor's type, then blocks of 16, cosines in the first half and sines in the second; a last block that is not whole is drawn anew.
template <class T>
void TorchCpu::normals(std::span<T> out) {
  if (out.size() < 16) {
    for (T& x : out) x = static_cast<T>(next_normal());
    return;
  }
  const auto draw = [this](std::span<T> block) {
    if constexpr (std::is_same_v<T, float>) uniform(block, FloatType::kF32);
    else uniform(block);
  };
  const auto turn_block = [](std::span<T> block) {
    for (size_t i = 0; i < 8; ++i) {
      const double radius = std::sqrt(-2 * math::log(1 - static_cast<double>(block[i])));
      const Turn turn = turn_of(block[i + 8]);
      block[i] = static_cast<T>(radius * turn.cosine);
      block[i + 8] = static_cast<T>(radius * turn.sine);
    }
  };
  draw(out);
  for (size_t at = 0; at + 16 <= out.size(); at += 16) turn_block(out.subspan(at, 16));
  if (out.size() % 16 == 0) return;
  const std::span<T> last = out.last(16);
  draw(last);
  turn_block(last);
}
void TorchCpu::normal(std::span<float> out) { normals(out); }
void TorchCpu::normal(std::span<double> out) { normals(out); }

// One word below a bound on the range, two from there on: 2^32 up to torch 2.6, 2^28 from 2.7 on.
void TorchCpu::integers(int64_t low, uint64_t range, std::span<int64_t> out) {
  const bool either = range >= uint64_t{1} << 28 && range < uint64_t{1} << 32;
  if (either && torch_major_ == 0)
    fail(VAA_ERROR_OPTION, "torch: is not given, and is needed for a range of " + std::to_string(range) + ": up to 2.6 torch draws one word, from 2.7 on two where the range is 2^28 or more");
  const bool wide = range == 0 || range >= uint64_t{1} << 32 || (either && since(2, 7));
  for (int64_t& x : out) {
    const uint64_t word = wide ? next64() : next32();
    x = static_cast<int64_t>(static_cast<uint64_t>(low) + (range == 0 ? word : word % range));
  }
}

namespace {

constexpr size_t kStateSize = 5056;
constexpr char kStateWords[] = "what torch.Generator.get_state() gives";

}  // namespace

// torch's layout: seed, left, seeded, next, words of 64 bits, the kept normal (x, y, rho, valid, padding), and a float one (value, valid, padding).
void TorchCpu::save(std::vector<uint8_t>* out) const {
  const bool fresh = mt_.fresh();
  put_number<uint64_t>(out, seed_);
  put_number<int32_t>(out, static_cast<int32_t>(fresh ? 1 : Mt19937::kWords + 1 - mt_.used()));
  put_number<int32_t>(out, 1);
  put_number<uint64_t>(out, fresh ? 0 : mt_.used());
  for (const uint32_t word : mt_.state()) put_number<uint64_t>(out, word);
  put_number<uint64_t>(out, 0);
  put_number<uint64_t>(out, std::bit_cast<uint64_t>(normal_.value_or(0)));
  put_number<uint64_t>(out, 0);
  put_number<uint64_t>(out, normal_.has_value());
  out->insert(out->end(), float_normal_.begin(), float_normal_.end());
}

void TorchCpu::load(std::span<const uint8_t> state) {
  check_state_size(state, kStateSize, kStateWords);
  StateReader reader{state};
  const uint64_t seed = reader.number<uint64_t>();
  const auto left = reader.number<int32_t>(), seeded = reader.number<int32_t>();
  const uint64_t next = reader.number<uint64_t>();
  const bool fresh = left == 1 && next == 0;
  if (seeded != 1 || left < 1 || (!fresh && (next > Mt19937::kWords || static_cast<uint64_t>(left) + next != Mt19937::kWords + 1)))
    fail(VAA_ERROR_ARGUMENT, "state: left is " + std::to_string(left) + ", next " + std::to_string(next) + ", seeded " + std::to_string(seeded) + ", which is no state of MT19937");
  std::array<uint32_t, Mt19937::kWords> words;
  for (uint32_t& word : words) {
    const uint64_t wide = reader.number<uint64_t>();
    if (wide >> 32) fail(VAA_ERROR_ARGUMENT, "state: word " + std::to_string(&word - words.data()) + " is " + std::to_string(wide) + ", must be below 2^32");
    word = static_cast<uint32_t>(wide);
  }
  reader.bytes = reader.bytes.subspan(8);
  const double normal = std::bit_cast<double>(reader.number<uint64_t>());
  reader.bytes = reader.bytes.subspan(8);
  const auto valid = reader.number<int32_t>();
  if ((valid != 0 && valid != 1) || (valid == 1 && !std::isfinite(normal))) fail(VAA_ERROR_ARGUMENT, "state: the kept normal is marked " + std::to_string(valid) + ", must be 0, or 1 with a finite number");
  reader.bytes = reader.bytes.subspan(4);
  seed_ = seed;
  mt_.restore(words, fresh ? Mt19937::kWords : static_cast<size_t>(next), fresh);
  normal_ = valid ? std::optional(normal) : std::nullopt;
  float_normal_.assign(reader.bytes.begin(), reader.bytes.end());
}

std::unique_ptr<Generator> make_torch_cpu(const GeneratorOptions& options) { return std::make_unique<TorchCpu>(options); }

}  // namespace vaa
