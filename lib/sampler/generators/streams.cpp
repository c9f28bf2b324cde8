#include "sampler/generators/streams.h"

#include <array>
#include <bit>
#include <cmath>

#include "base/failure.h"
#include "base/random.h"
#include "sampler/generators/float_noise.h"
#include "sampler/generators/mt19937.h"
#include "sampler/generators/philox64.h"
#include "sampler/generators/state_bytes.h"

namespace vaa {
namespace {

// std::mt19937 and std::uniform_real_distribution<double>: of two words the first is the low one.
class LlamaCpp : public Generator {
 public:
  explicit LlamaCpp(const GeneratorOptions& options) : mt_(static_cast<uint32_t>(options.seed)) {
    if (!options.seed_given) return;
    const uint64_t seed = options.seed_negative ? options.seed & 0xFFFFFFFF : options.seed;
    if (seed > 0xFFFFFFFF) fail(VAA_ERROR_OPTION, "vaa_rng_new: seed: is " + std::to_string(seed) + ", llama.cpp takes 32 bits");
    if (seed == 0xFFFFFFFF) fail(VAA_ERROR_OPTION, "vaa_rng_new: seed: is 4294967295 (-1), with which llama.cpp takes a random one: there is no stream to replay");
  }
  void raw(std::span<uint32_t> out) override { mt_.fill(out); }
  void uniform(std::span<double> out) override {
    for (double& u : out) {
      const double first = mt_.next();
      u = (first + mt_.next() * 0x1p32) * 0x1p-64;
      if (u >= 1) u = 1 - 0x1p-53;
    }
  }
  void skip(uint64_t units) override { mt_.discard(units); }
  void save(std::vector<uint8_t>* out) const override {
    put_number<uint32_t>(out, static_cast<uint32_t>(mt_.fresh() ? 0xFFFFFFFF : mt_.used()));
    for (const uint32_t word : mt_.state()) put_number<uint32_t>(out, word);
  }
  void load(std::span<const uint8_t> state) override {
    check_state_size(state, 4 * (Mt19937::kWords + 1), "the count of words given out and 624 words");
    StateReader reader{state};
    const uint32_t used = reader.number<uint32_t>();
    const bool fresh = used == 0xFFFFFFFF;
    if (!fresh && used > Mt19937::kWords) fail(VAA_ERROR_ARGUMENT, "state: " + std::to_string(used) + " words are given out, must be at most 624");
    std::array<uint32_t, Mt19937::kWords> words;
    for (uint32_t& word : words) word = reader.number<uint32_t>();
    mt_.restore(words, fresh ? Mt19937::kWords : used, fresh);
  }

 private:
  Mt19937 mt_;
};

// XORWOW (Marsaglia 2003) as curand_init(seed, 0, 0) starts it.
class Xorwow : public Generator {
 public:
  explicit Xorwow(const GeneratorOptions& options) {
    const uint32_t t0 = 1099087573u * (static_cast<uint32_t>(options.seed) ^ 0xAAD26B49u), t1 = 2591861531u * (static_cast<uint32_t>(options.seed >> 32) ^ 0xF7DCEFDDu);
    words_ = {123456789u + t0, 362436069u ^ t0, 521288629u + t1, 88675123u ^ t1, 5783321u + t0, 6615241u + t1 + t0};
  }
  void raw(std::span<uint32_t> out) override {
    for (uint32_t& word : out) word = next();
  }
  void uniform(std::span<float> out, FloatType type) override {
    single_only(type);
    for (float& u : out) u = curand_float(next());
  }
  void save(std::vector<uint8_t>* out) const override {
    for (const uint32_t word : words_) put_number<uint32_t>(out, word);
  }
  void load(std::span<const uint8_t> state) override {
    check_state_size(state, 24, "v[0] to v[4] and d");
    StateReader reader{state};
    for (uint32_t& word : words_) word = reader.number<uint32_t>();
  }

 private:
  uint32_t next() {
    const uint32_t t = words_[0] ^ (words_[0] >> 2);
    words_ = {words_[1], words_[2], words_[3], words_[4], words_[4] ^ (words_[4] << 4) ^ (t ^ (t << 1)), words_[5] + 362437};
    return words_[4] + words_[5];
  }
  std::array<uint32_t, 6> words_;
};

// Threefry2x32-20 (Salmon and others 2011).
std::array<uint32_t, 2> threefry2x32(std::array<uint32_t, 2> counter, std::array<uint32_t, 2> key) {
  static constexpr int kTurns[] = {13, 15, 26, 6, 17, 29, 16, 24};
  const uint32_t keys[] = {key[0], key[1], 0x1BD11BDA ^ key[0] ^ key[1]};
  counter[0] += keys[0];
  counter[1] += keys[1];
  for (uint32_t round = 0; round < 20; ++round) {
    counter[0] += counter[1];
    counter[1] = std::rotl(counter[1], kTurns[round % 8]) ^ counter[0];
    if (round % 4 == 3) {
      counter[0] += keys[(round / 4 + 1) % 3];
      counter[1] += keys[(round / 4 + 2) % 3] + round / 4 + 1;
    }
  }
  return counter;
}

// A counter cipher as a stream: the words of the block of counter c, then of c + 1, …; the state is counter and key.
template <class Word, size_t kWords, std::array<Word, kWords> (*kBlock)(std::array<Word, kWords>, std::array<Word, 2>)>
class Cipher : public Generator {
 public:
  explicit Cipher(const GeneratorOptions& options) : counter_{}, key_{static_cast<Word>(options.seed), sizeof(Word) == 4 ? static_cast<Word>(options.seed >> 32) : Word{0}} {}
  void raw(std::span<Word> out) override {
    for (Word& word : out) {
      if (used_ == kWords) {
        block_ = kBlock(counter_, key_);
        for (Word& digit : counter_)
          if (++digit != 0) break;
        used_ = 0;
      }
      word = block_[used_++];
    }
  }
  void save(std::vector<uint8_t>* out) const override {
    if (used_ != kWords) fail(VAA_ERROR_UNSUPPORTED, "state: a cipher's is saved between blocks of " + std::to_string(kWords) + " words, and " + std::to_string(kWords - used_) + " of this block are left");
    for (const Word word : counter_) put_number(out, word);
    for (const Word word : key_) put_number(out, word);
  }
  void load(std::span<const uint8_t> state) override {
    check_state_size(state, sizeof(Word) * (kWords + 2), "the counter's words and the key's");
    StateReader reader{state};
    for (Word& word : counter_) word = reader.number<Word>();
    for (Word& word : key_) word = reader.number<Word>();
    used_ = kWords;
  }

 private:
  std::array<Word, kWords> counter_, block_{};
  std::array<Word, 2> key_;
  size_t used_ = kWords;
};

}  // namespace

std::unique_ptr<Generator> make_llama_cpp(const GeneratorOptions& options) { return std::make_unique<LlamaCpp>(options); }
std::unique_ptr<Generator> make_tensorrt_llm(const GeneratorOptions& options) { return std::make_unique<Xorwow>(options); }
std::unique_ptr<Generator> make_philox4x32(const GeneratorOptions& options) { return std::make_unique<Cipher<uint32_t, 4, philox4x32>>(options); }
std::unique_ptr<Generator> make_philox4x64(const GeneratorOptions& options) { return std::make_unique<Cipher<uint64_t, 4, philox4x64>>(options); }
std::unique_ptr<Generator> make_threefry2x32(const GeneratorOptions& options) { return std::make_unique<Cipher<uint32_t, 2, threefry2x32>>(options); }

}  // namespace vaa
