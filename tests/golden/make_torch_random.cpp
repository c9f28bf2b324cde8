// What a wheel's libtorch_cpu draws: JSON for make_torch_random.py -, which says how this is built.
#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>
#include <torch/version.h>

#include <cstdio>
#include <cstring>
#include <string>

namespace {

const char* separator = "";

at::Generator generator(int64_t seed) { return at::detail::createCPUGenerator(static_cast<uint64_t>(seed)); }

void add(const std::string& call, int64_t seed, const std::string& fields, const at::Tensor& values) {
  std::printf("%s{\"call\": \"%s\", \"seed\": %lld, %s, \"values\": [", separator, call.c_str(), static_cast<long long>(seed), fields.c_str());
  separator = ",\n";
  const at::Tensor flat = values.flatten();
  for (int64_t i = 0; i < flat.numel(); ++i) {
    if (i) std::printf(", ");
    if (values.is_floating_point()) std::printf("%.17g", flat[i].to(at::kDouble).item<double>());
    else std::printf("%lld", static_cast<long long>(flat[i].item<int64_t>()));
  }
  std::printf("]}");
}

}  // namespace

int main() {
  std::string version = TORCH_VERSION;
  std::printf("{\"%s\": {\"generator\": \"%s\", \"calls\": [\n", version.substr(0, version.find('+')).c_str(), TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR < 7 ? "torch_cpu_mkl" : "torch_cpu");
  const struct {
    const char* name;
    at::ScalarType type;
  } kTypes[] = {{"float32", at::kFloat}, {"float64", at::kDouble}, {"float16", at::kHalf}, {"bfloat16", at::kBFloat16}};
  for (const int64_t seed : {INT64_C(0), INT64_C(42), INT64_C(4294967301), INT64_MAX, INT64_C(-1)}) {
    for (const auto& type : kTypes) {
      auto g = generator(seed);
      add("uniform", seed, std::string("\"n\": 8, \"dtype\": \"") + type.name + "\"", at::empty({8}, type.type).uniform_(0, 1, g));
      g = generator(seed);
      add("exponential", seed, std::string("\"n\": 200, \"dtype\": \"") + type.name + "\"", at::empty({200}, type.type).exponential_(1, g));
    }
    for (const int64_t high : {INT64_C(1000), INT64_C(1) << 28, INT64_C(1) << 31, INT64_C(1) << 32}) {
      add("randint", seed, "\"low\": 0, \"high\": " + std::to_string(high) + ", \"n\": 6", at::randint(0, high, {6}, c10::optional<at::Generator>(generator(seed)), at::TensorOptions().dtype(at::kLong)));
    }
    for (const int64_t samples : {1, 3}) {
      const at::Tensor weights = (at::arange(150, at::kDouble) * 37).remainder(101).add(1).reshape({3, 50}).to(at::kFloat);
      add("multinomial", seed, "\"rows\": 3, \"columns\": 50, \"samples\": " + std::to_string(samples) + ", \"replacement\": false, \"dtype\": \"float32\"",
          at::multinomial(weights, samples, false, generator(seed)));
      add("multinomial", seed, "\"rows\": 3, \"columns\": 50, \"samples\": " + std::to_string(samples) + ", \"replacement\": true, \"dtype\": \"float32\"",
          at::multinomial(weights, samples, true, generator(seed)));
    }
  }
  std::printf("]}}\n");
}
