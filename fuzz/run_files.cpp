// The files that stand beside the answers of a run: configs, results, payloads, as any bytes.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "must.h"
#include "records/python_literals.h"
#include "records/readers/aisbench_lines.h"
#include "records/readers/aisbench_results.h"
#include "records/readers/lm_eval_results.h"
#include "records/readers/lm_eval_scores.h"
#include "records/run_header.h"

using namespace vaa;

namespace {

void must_be_json(std::string_view text) {
  JsonReader json(text);
  VAA_MUST(json.skip() && json.finish());
}

void read_results(const std::string& path) {
  Problems problems;
  AisbenchResults results(path, "results.json", 1 << 16, &problems);
  Sample sample;
  for (int repeat = 0; repeat < 4; ++repeat) {
    for (const char* id : {"0", "1", "2", "x"}) {
      sample.clear();
      sample.set(TextField::kId, id);
      sample.set(IntField::kRepeat, repeat);
      results.join(&sample);
      if (sample.has(IntField::kScoreCorrect)) VAA_MUST(sample.has(RealField::kScoreValue));
    }
  }
  LmEvalResults scores;
  std::string why;
  if (!scores.read(path, &why)) {
    VAA_MUST(!why.empty());
    return;
  }
  RunFacts facts;
  std::vector<TaskScore> tasks;
  scores.fill(&facts, &tasks);
  must_be_json(header_json(facts));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  must_be_json(read_python_literals(bytes).json());
  must_be_json(read_run_header(bytes).json);

  Sample sample;
  JsonReader json(bytes);
  std::string why;
  if (!read_payload(&json, &sample, &why)) VAA_MUST(!why.empty());
  if (sample.has(IntsField::kOutputTopEnds)) VAA_MUST(sample.int_lists.get(IntsField::kOutputTopEnds).size() == sample.ids.get(IdsField::kOutputTokenIds).size());

  LmEvalTail tail;
  read_lm_eval_tail(bytes, &tail);

  const int fd = ::memfd_create("fuzz", MFD_CLOEXEC);
  VAA_MUST(fd >= 0 && ::write(fd, data, size) == static_cast<ssize_t>(size));
  read_results("/proc/self/fd/" + std::to_string(fd));
  ::close(fd);
  return 0;
}
