// One line a generator.
#include <array>

#include "base/failure.h"
#include "base/json_writer.h"
#include "base/nearest_name.h"
#include "sampler/generators/generator.h"
#include "sampler/generators/stateless.h"
#include "sampler/generators/streams.h"
#include "sampler/generators/torch_cpu.h"
#include "sampler/generators/torch_cuda.h"

namespace vaa {
namespace {

using enum Drawable;

constexpr uint32_t kTorch = kRaw32 | kRaw64 | kUniform32 | kUniform64 | kExponential32 | kExponential64 | kRandint | kMultinomial | kSkip | kState;
constexpr uint32_t kStateless = kRawAt | kUniformAt | kGumbelAt | kGumbelOf;
constexpr char kNotOnADevice[] = "by reading; not confirmed on a device";
constexpr char kCurand[] = "words and uniforms by cuRAND's own header on the CPU; torch's mapping of elements to threads by reading, not confirmed on a device";

constexpr GeneratorLine kLines[] = {
    {"torch_cpu", kTorch | kNormal | kReplacement, "torch", "", "torch's CPU generator: torch 1.x, 2.7 and later, aarch64, builds without MKL; HF on the CPU, vLLM CPU's row seeds, vllm-ascend on 310P",
     "words, uniforms, randint, multinomial; exponential in float32 and narrower, but where its band is above 0",
     "exponential float64 3 ulp (libm's log1p); normal 1 ulp of float32, from 16 numbers on 1e-6 (torch's vector maths in float32)",
     "torch's version, where three things depend on it: randint of ranges from 2^28 to 2^32 (2.7), uniforms of float16 and bfloat16 (2.12), one sample with replacement (2.0); the order in a tensor is that of memory", "torch 1.13, 2.7, 2.11, 2.12, 2.13, 2.15", make_torch_cpu},
    {"torch_cpu_mkl", kTorch | kNormal | kReplacement, "torch", "", "the same in the x86 wheels of torch 2.0 to 2.6, whose exponential_ (and so multinomial) comes from MKL", "as torch_cpu, but for what exponential draws",
     "exponential float32 1 ulp of float32, float64 4 ulp", "", "torch 2.0.1, 2.6.0", make_torch_cpu_mkl},
    {"torch_cuda", kTorch | kRawAt | kUniformAt, "sm_count threads_per_sm", "", "torch's CUDA generator (Philox4x32-10): vLLM V1 with a seed, HF on CUDA", "words and uniforms",
     "exponential float32: __logf, 2^-21.4 absolute from u = 1/2 on, else 3 ulp; q = 2^-24 at the floor is exact; float64 2 ulp",
     "the device's size (sm_count) where a draw is larger than it runs threads; randint of ranges from 2^28 to 2^32; a request without a seed shares the default generator, whose offset nobody knows", kCurand,
     make_torch_cuda},
    {"npu_sim78", kTorch | kRawAt | kUniformAt, "", "", "exponential_ on Ascend 950 and torch_npu.npu_sim_exponential_: CUDA's mapping on 78 SMs of 2,048 threads", "words and uniforms", "exponential as torch_cuda; the NPU's own log is not known",
     "on A2 and A3 the plain draws come from the DSA unit, whose bits are not public: bring the noise (captured)", kNotOnADevice, make_npu_sim78},
    {"flashinfer", kRawAt | kUniformAt | kSkip | kState, "", "", "FlashInfer's samplers: skip(increment) first, as its offset is taken after the increment; column: row of the batch, position: round of rejection", "uniforms", "",
     "the token depends on the order of a block's sums: compare margins", kCurand, make_flashinfer},
    {"triton", kRawAt | kUniformAt, "triton", "offset64|offset32", "tl.randint4x and tl.rand of (seed, offset): position: offset, column: word; triton new or old, variant offset64 or offset32", "words, and tl.rand of 32 bits", "", "tl.rand of 64 bits in older versions",
     kNotOnADevice, make_triton},
    {"vllm_v2", kStateless, "triton", "log1p|float32|float64|vllm_ascend", "vLLM's second model runner, and vllm-ascend's: Gumbel noise of (seed, position, token); triton new or old; variant log1p (now), float32, float64 or vllm_ascend. Draft noise: position + 2^30",
     "words and uniforms", "noise 4 ulp of float32 and 4.8e-7 absolute, float64 4 ulp and 8.9e-16: the device's log", "which triton; a request without a seed has a random one; triton-ascend's Philox is taken to be Triton's",
     kNotOnADevice, make_vllm_v2},
    {"sglang", kStateless, "", "clamped|unclamped", "SGLang with --enable-deterministic-inference: murmur3 of seed, position and column; variant clamped (now) or unclamped. Behind top-k or top-p the column is the rank in the sorted row", "hash and uniform",
     "noise 8.9e-16 and 4 ulp: log in float64", "column: rank or id", kNotOnADevice, make_sglang},
    {"sglang_legacy", kStateless, "", "", "its first deterministic release", "24 bits", "noise 4 ulp of float32", "", "the integers by torch 1.13", make_sglang_legacy},
    {"vllm_cpu", kStateless, "", "", "vLLM's CPU backend: the seed is a row's, drawn with randint(0, 2^31) by the request's torch_cpu generator (give it torch's version); position 0", "53 bits", "noise 8.9e-16 and 4 ulp: libm's log",
     "older versions draw from a table of 2^20 numbers", kNotOnADevice, make_vllm_cpu},
    {"llama_cpp", kRaw32 | kUniform64 | kSkip | kState, "", "", "llama.cpp: std::mt19937 and uniform_real_distribution<double>, one number a token; none where one candidate is left", "all, with libstdc++ and libc++", "",
     "other standard libraries; older versions with std::discrete_distribution", "libstdc++", make_llama_cpp},
    {"tensorrt_llm", kRaw32 | kUniform32 | kState, "", "", "TensorRT-LLM's C++ decoding layers: XORWOW of curand_init(seed, 0, 0)", "words and uniforms", "", "the token depends on the order of sums", "cuRAND's own header on the CPU", make_tensorrt_llm},
    {"tf_philox", kRawAt | kUniformAt, "", "", "StatelessRandomUniformV2 of (seed, offset), to which torchair lowers uniform_: position: offset, column: element", "words and uniforms", "", "whether A2 and A3 return this stream", kNotOnADevice,
     make_tf_philox},
    {"mkl_mcg31", kRaw32 | kUniform32 | kUniform64 | kState, "", "", "MKL's MCG31m1 from its seed", "integers", "uniforms 1 ulp of float32", "", "torch 2.6.0", make_mkl_mcg31},
    {"philox4x32", Drawable{} | kRaw32 | kState, "", "", "Philox4x32-10: the seed is the key", "words", "", "", "Random123's known answers", make_philox4x32},
    {"philox4x64", Drawable{} | kRaw64 | kState, "", "", "Philox4x64-10", "words", "", "", "Random123's known answers", make_philox4x64},
    {"threefry2x32", Drawable{} | kRaw32 | kState, "", "", "Threefry2x32-20, JAX's cipher", "words", "", "how JAX splits keys and counts", "Random123's known answers", make_threefry2x32},
    {"captured", Drawable{} | kGumbelAt | kGive, "", "gumbel|exponential", "noise that the caller brings, by position; variant gumbel or exponential: the only way where the device's generator is not public (A2, A3, MindIE)", "what was given", "of exponentials: our log, 1 ulp", "", "",
     make_captured},
};

constexpr std::array<std::pair<Drawable, const char*>, 17> kDraws{{{kRaw32, "raw_u32"}, {kRaw64, "raw_u64"}, {kUniform32, "uniform_f32"}, {kUniform64, "uniform_f64"}, {kExponential32, "exponential_f32"},
                                                               {kExponential64, "exponential_f64"}, {kNormal, "normal"}, {kRandint, "randint"}, {kMultinomial, "multinomial"}, {kReplacement, "multinomial with replacement"},
                                                               {kSkip, "skip"}, {kState, "save and load"}, {kRawAt, "raw_at"}, {kUniformAt, "uniform_at"}, {kGumbelAt, "gumbel"}, {kGumbelOf, "gumbel_of"}, {kGive, "give"}}};

}  // namespace

const char* draw_name(Drawable draw) {
  for (const auto& [which, name] : kDraws)
    if (which == draw) return name;
  return "";
}

std::span<const GeneratorLine> generator_lines() { return kLines; }

const GeneratorLine& generator_line(std::string_view name) {
  std::vector<std::string_view> known;
  for (const GeneratorLine& line : kLines) {
    if (name == line.name) return line;
    known.push_back(line.name);
  }
  std::string list;
  for (const std::string_view one : known) list.append(list.empty() ? "" : ", ").append(one);
  const std::string_view near = nearest_name(name, known);
  fail(VAA_ERROR_OPTION, "vaa_rng_new: generator: " + quoted(name) + " is not known" + (near.empty() ? "" : "; did you mean " + std::string(near) + "?") + "; known are " + list);
}

std::string generators_json() {
  std::string out;
  JsonWriter writer(&out);
  writer.begin_array();
  for (const GeneratorLine& line : kLines) {
    writer.begin_object().member("name", line.name).member("title", line.title).member("takes", line.takes).member("variants", line.variants).key("draws").begin_array();
    for (const auto& [which, name] : kDraws)
      if (line.draws & static_cast<uint32_t>(which)) writer.string(name);
    writer.end_array().member("exact", line.exact).member("band", line.band).member("unknown", line.unknown).member("confirmed", line.confirmed).end_object();
  }
  writer.end_array();
  return out;
}

}  // namespace vaa
