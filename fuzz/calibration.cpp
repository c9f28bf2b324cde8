// Records of any bytes, line by line, as a run whose sampler is judged: a report with a verdict, chances that are chances, counts that add up. The first byte picks the options.
#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "must.h"
#include "records/sample.h"
#include "report/document.h"
#include "sampler/calibration/calibration_run.h"

using namespace vaa;

namespace {

constexpr std::array<std::string_view, 6> kOptions{"", R"({"temperature": 0.6, "top_k": 2, "top_p": 0.9, "min_p": 0.05})", R"({"scored": true})", R"({"logprobs": "processed", "temperature": 1.5, "min_p": 0.1})",
                                                   R"({"engine": "llama_cpp", "vocab_size": 3, "bos_id": 1, "max_groups": 2})", R"({"temperature": 0})"};

void must_be_chance(const Document& p) { VAA_MUST(p.kind() != JsonKind::kNumber || (p.number() >= 0 && p.number() <= 1)); }

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const size_t which = bytes.empty() ? 0 : static_cast<uint8_t>(bytes[0]) % kOptions.size();
  sampler::Calibration calibration(sampler::calibrate_run_options(kOptions[which], "fuzz"));
  int64_t samples = 0;
  while (!bytes.empty()) {
    const size_t end = std::min(bytes.find('\n'), bytes.size());
    Sample sample;
    std::string why;
    if (read_record(bytes.substr(0, end), &sample, &why)) {
      calibration.add(sample);
      samples += 1;
    }
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
  }
  const Report report = calibration.report();
  const Document document = Document::parse(report.json());
  int64_t answers = 0;
  for (const Document& group : document.at("sampler", "groups").items()) {
    answers += group["answers"].integer();
    for (const Document& check : group["checks"].items()) must_be_chance(check["p_beyond"]), must_be_chance(check["p_adjusted"]);
  }
  VAA_MUST(calibration.samples() == samples && answers <= samples);
  return 0;
}
