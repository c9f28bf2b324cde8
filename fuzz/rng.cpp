// Generators from any options and any saved state: made or refused with one line; what is made draws, and a state that is taken is given back.
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/failure.h"
#include "must.h"
#include "sampler/generators/rng.h"

using namespace vaa;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    Rng rng(bytes);
    if (rng.line().draws & static_cast<uint32_t>(Drawable::kRaw32)) {
      uint32_t words[16];
      rng.with(Drawable::kRaw32).raw(words);
    }
  } catch (const Failure& failure) {
    VAA_MUST(failure.status() == VAA_ERROR_OPTION || failure.status() == VAA_ERROR_ARGUMENT);
    VAA_MUST(!failure.message().empty() && failure.message().size() < 4096);
  }
  // The first byte picks a generator, the rest is its state.
  if (size == 0) return 0;
  const GeneratorLine& line = generator_lines()[data[0] % generator_lines().size()];
  if (!(line.draws & static_cast<uint32_t>(Drawable::kState))) return 0;
  Rng rng(std::string("{\"generator\": \"") + line.name + "\", \"seed\": 1}");
  Generator& generator = rng.with(Drawable::kState);
  try {
    generator.load({data + 1, size - 1});
  } catch (const Failure& failure) {
    VAA_MUST(failure.status() == VAA_ERROR_ARGUMENT);
    return 0;
  }
  std::vector<uint8_t> saved, again;
  generator.save(&saved);
  VAA_MUST(saved.size() == size - 1);
  generator.load(saved);
  generator.save(&again);
  VAA_MUST(saved == again);
  if (line.draws & static_cast<uint32_t>(Drawable::kUniform32)) {
    float u[20];
    if (std::string_view(line.name) != "torch_cuda") generator.uniform(u, FloatType::kF32);
  }
  return 0;
}
