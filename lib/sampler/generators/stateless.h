// Generators whose numbers depend on the seed, a position and a column alone.
#pragma once
#include "sampler/generators/generator.h"

namespace vaa {

std::unique_ptr<Generator> make_triton(const GeneratorOptions& options);
std::unique_ptr<Generator> make_vllm_v2(const GeneratorOptions& options);
std::unique_ptr<Generator> make_sglang(const GeneratorOptions& options);
std::unique_ptr<Generator> make_sglang_legacy(const GeneratorOptions& options);
std::unique_ptr<Generator> make_vllm_cpu(const GeneratorOptions& options);
std::unique_ptr<Generator> make_tf_philox(const GeneratorOptions& options);
std::unique_ptr<Generator> make_captured(const GeneratorOptions& options);

}  // namespace vaa
