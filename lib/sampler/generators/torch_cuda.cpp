#include "sampler/generators/torch_cuda.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/failure.h"
#include "base/math.h"
#include "base/random.h"
#include "sampler/generators/float_noise.h"
#include "sampler/generators/state_bytes.h"

namespace vaa {
namespace {

constexpr uint64_t kBlock = 256;         // threads of a block
constexpr uint64_t kEveryDevice = 32768;  // threads that every device of interest has room for: up to there its size is of no matter
constexpr double kLogError = 0x1.85p-22;  // 2^-21.4, of __logf on [1/2, 2] (CUDA's table of intrinsics); elsewhere 3 ulp

// Of u in (0, 1]: floored so that it is never 0.
Estimate exponential32(float u) {
  if (u >= 1 - 0x1p-24f) return {0x1p-24, 0};
  const double q = -math::log(u);
  return {q, (u >= 0.5f ? kLogError : 3 * kUlp32 * q) + 0.5 * kUlp32 * q};
}

}  // namespace

TorchCuda::TorchCuda(const GeneratorOptions& options)
    : seed_(options.seed), most_threads_(static_cast<uint64_t>(options.sm_count) * (static_cast<uint64_t>(options.threads_per_sm) / kBlock) * kBlock) {}

template <size_t kWords, class Take>
void TorchCuda::sweep(size_t n, Take&& take) {
  if (n == 0) return;
  constexpr uint64_t kUnroll = 4 / kWords;
  if (most_threads_ == 0 && n > kEveryDevice)
    fail(VAA_ERROR_OPTION, "sm_count: is not given, and is needed for a draw of " + std::to_string(n) + " numbers: which words they are depends on the device where it runs fewer threads at once");
  uint64_t threads = (n + kBlock - 1) / kBlock * kBlock;
  if (most_threads_ != 0) threads = std::min(threads, most_threads_);
  const uint64_t calls = (n - 1) / (threads * kUnroll) + 1;
  if (calls > (UINT64_MAX - offset_) / 4) fail(VAA_ERROR_ARGUMENT, "offset: is " + std::to_string(offset_) + ", and this draw would go past 2^64");
  std::array<std::array<uint32_t, 1024>, 4> words;
  for (uint64_t call = 0; call < calls; ++call) {
    const uint64_t first = call * threads * kUnroll, counter = offset_ / 4 + call;
    const bool first_word = kWords == 1 && n - first <= threads;
    for (uint64_t thread = 0; thread < std::min<uint64_t>(threads, n - first); thread += 1024) {
      const auto count = static_cast<size_t>(std::min<uint64_t>(1024, threads - thread));
      uint32_t* const planes[4] = {words[0].data(), words[1].data(), words[2].data(), words[3].data()};
      if (first_word) kernels_->philox1(seed_, counter, static_cast<uint32_t>(thread), count, planes[0]);
      else kernels_->philox4(seed_, counter, static_cast<uint32_t>(thread), count, planes);
      for (uint64_t part = 0; part < kUnroll; ++part) {
        const uint64_t at = first + part * threads + thread;
        if (at < n) take(static_cast<size_t>(at), static_cast<size_t>(std::min<uint64_t>(count, n - at)), planes + part * kWords);
      }
    }
  }
  offset_ += 4 * calls;
}

void TorchCuda::raw(std::span<uint32_t> out) {
  sweep<1>(out.size(), [&](size_t at, size_t count, uint32_t* const* words) { std::copy_n(words[0], count, out.data() + at); });
}
void TorchCuda::raw(std::span<uint64_t> out) {
  sweep<2>(out.size(), [&](size_t at, size_t count, uint32_t* const* words) {
    for (size_t i = 0; i < count; ++i) out[at + i] = uint64_t{words[0][i]} << 32 | words[1][i];
  });
}

// Narrow types are rounded from float32; 1 becomes 0.
void TorchCuda::uniform(std::span<float> out, FloatType type) {
  sweep<1>(out.size(), [&](size_t at, size_t count, uint32_t* const* words) {
    kernels_->rand32(words[0], count, out.data() + at);
    if (type == FloatType::kF32) return;
    for (float& u : out.subspan(at, count)) {
      u = rounded(u, type);
      if (u == 1) u = 0;
    }
  });
}
void TorchCuda::uniform(std::span<double> out) {
  sweep<2>(out.size(), [&](size_t at, size_t count, uint32_t* const* words) {
    for (size_t i = 0; i < count; ++i) {
      const double u = curand_double(words[0][i], words[1][i]);
      out[at + i] = u == 1 ? 0 : u;
    }
  });
}
void TorchCuda::exponential(std::span<float> out, std::span<float> band, FloatType type) {
  sweep<1>(out.size(), [&](size_t at, size_t count, uint32_t* const* words) {
    kernels_->unit32(words[0], count, out.data() + at);
    for (size_t i = at; i < at + count; ++i) {
      const Estimate q = exponential32(out[i]);
      out[i] = rounded(static_cast<float>(q.value), type);
      if (band.empty()) continue;
      const double error = type == FloatType::kF32 || q.band == 0 ? 0 : q.value * (type == FloatType::kF16 ? 0x1p-11 : 0x1p-8);
      band[i] = std::nextafterf(static_cast<float>(q.band + error), q.band > 0 ? INFINITY : 0.0f);
    }
  });
}
void TorchCuda::exponential(std::span<double> out, std::span<double> band) {
  sweep<2>(out.size(), [&](size_t at, size_t count, uint32_t* const* words) {
    for (size_t i = 0; i < count; ++i) {
      const double u = curand_double(words[0][i], words[1][i]);
      const bool floored = u >= 1 - 0x1p-53;
      const double q = floored ? 0x1p-53 : -math::log(u);
      out[at + i] = q;
      if (!band.empty()) band[at + i] = floored ? 0 : 2 * kUlp64 * q;
    }
  });
}

void TorchCuda::integers(int64_t low, uint64_t range, std::span<int64_t> out) {
  const auto put = [&](size_t i, uint64_t word) { out[i] = static_cast<int64_t>(static_cast<uint64_t>(low) + (range == 0 ? word : word % range)); };
  if (range != 0 && range < uint64_t{1} << 28) {
    sweep<1>(out.size(), [&](size_t at, size_t count, uint32_t* const* words) {
      for (size_t i = 0; i < count; ++i) put(at + i, words[0][i]);
    });
    return;
  }
  if (range != 0 && range < uint64_t{1} << 32)
    fail(VAA_ERROR_UNSUPPORTED, "range: is " + std::to_string(range) + ": from 2^28 to 2^32 the words that torch draws on CUDA depend on its version, which nobody has established");
  sweep<2>(out.size(), [&](size_t at, size_t count, uint32_t* const* words) {
    for (size_t i = 0; i < count; ++i) put(at + i, uint64_t{words[0][i]} << 32 | words[1][i]);
  });
}

// Offsets go in fours.
void TorchCuda::skip(uint64_t units) {
  if (units > UINT64_MAX - 3 || (units + 3) / 4 * 4 > UINT64_MAX - offset_) fail(VAA_ERROR_ARGUMENT, "units: is " + std::to_string(units) + ", and the offset would go past 2^64");
  offset_ += (units + 3) / 4 * 4;
}
void TorchCuda::save(std::vector<uint8_t>* out) const {
  put_number<uint64_t>(out, seed_);
  put_number<uint64_t>(out, offset_);
}
void TorchCuda::load(std::span<const uint8_t> state) {
  check_state_size(state, 16, "seed and offset, what torch.cuda's Generator.get_state() gives");
  StateReader reader{state};
  const uint64_t seed = reader.number<uint64_t>(), offset = reader.number<uint64_t>();
  if (offset % 4 != 0) fail(VAA_ERROR_ARGUMENT, "state: the offset is " + std::to_string(offset) + ", must be a multiple of 4");
  seed_ = seed;
  offset_ = offset;
}

void TorchCuda::raw_at(StreamPlace place, std::span<uint64_t> out) {
  if (place.position < 0 || static_cast<uint64_t>(place.position) > UINT64_MAX - offset_) fail(VAA_ERROR_ARGUMENT, "position: is " + std::to_string(place.position) + ", must be an offset of at least 0");
  const uint64_t offset = offset_ + static_cast<uint64_t>(place.position), block = offset / 4;
  for (size_t i = 0; i < out.size(); ++i) {
    if (place.columns[i] < 0) fail(VAA_ERROR_ARGUMENT, "columns[" + std::to_string(i) + "]: is " + std::to_string(place.columns[i]) + ", must be at least 0");
    const auto words = philox4x32({static_cast<uint32_t>(block), static_cast<uint32_t>(block >> 32), static_cast<uint32_t>(place.columns[i]), 0},
                                  {static_cast<uint32_t>(seed_), static_cast<uint32_t>(seed_ >> 32)});
    out[i] = words[offset % 4];
  }
}
double TorchCuda::uniform_of(uint64_t raw) const { return curand_float(static_cast<uint32_t>(raw)); }

std::unique_ptr<Generator> make_torch_cuda(const GeneratorOptions& options) { return std::make_unique<TorchCuda>(options); }
std::unique_ptr<Generator> make_flashinfer(const GeneratorOptions& options) { return std::make_unique<TorchCuda>(options); }
std::unique_ptr<Generator> make_npu_sim78(const GeneratorOptions& options) {
  GeneratorOptions h20 = options;
  h20.sm_count = 78;
  h20.threads_per_sm = 2048;
  return std::make_unique<TorchCuda>(h20);
}

}  // namespace vaa
