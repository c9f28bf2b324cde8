// Streams of words with little around them.
#pragma once
#include "sampler/generators/generator.h"

namespace vaa {

std::unique_ptr<Generator> make_llama_cpp(const GeneratorOptions& options);
std::unique_ptr<Generator> make_tensorrt_llm(const GeneratorOptions& options);
std::unique_ptr<Generator> make_philox4x32(const GeneratorOptions& options);
std::unique_ptr<Generator> make_philox4x64(const GeneratorOptions& options);
std::unique_ptr<Generator> make_threefry2x32(const GeneratorOptions& options);

}  // namespace vaa
