// Two to four runs of any bytes, as `vaa compare OLD NEW --aa OLD2 --aa-target NEW2` reads them: a report with a verdict, the same for any number of threads; noise that it measured is read again.
// The runs stand behind each other, divided by lines of "====".
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/failure.h"
#include "compare/compare_run.h"
#include "memory_file.h"
#include "must.h"
#include "report/document.h"

using namespace vaa;

namespace {

constexpr std::string_view kBetween = "\n====\n";

std::vector<std::string_view> runs_of(std::string_view bytes) {
  std::vector<std::string_view> runs;
  for (size_t end = bytes.find(kBetween); runs.size() + 1 < kRunRoles && end != bytes.npos; end = bytes.find(kBetween)) {
    runs.push_back(bytes.substr(0, end + 1));
    bytes.remove_prefix(end + kBetween.size());
  }
  runs.push_back(bytes);
  return runs;
}

struct Opened {
  explicit Opened(std::string_view bytes) : file(bytes), path(file.path()), input(open_input(path, {})), compared{*input, path} {}
  MemoryFile file;
  std::string path;
  std::unique_ptr<const Input> input;
  ComparedInput compared;
};

void must_be_chance(const Document& p) { VAA_MUST(p.kind() != JsonKind::kNumber || (p.number() >= 0 && p.number() <= 1)); }

void must_be_report(const Report& report) {
  const Document document = Document::parse(report.json());
  VAA_MUST(static_cast<int>(report.verdict()) >= 0 && static_cast<int>(report.verdict()) <= 3 && !document.at("verdict", "reason").text().empty());
  for (const Document& step : document.at("comparison", "steps").items()) {
    for (const char* name : {"p", "p_beyond", "p_adjusted"}) must_be_chance(step[name]);
    const auto& interval = step["interval"].items();
    VAA_MUST(interval.size() == 2 && (interval[0].kind() != JsonKind::kNumber || interval[1].kind() != JsonKind::kNumber || interval[0].number() <= interval[1].number()));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const Checker checker("{}", nullptr);
  const std::vector<std::string_view> runs = runs_of({reinterpret_cast<const char*>(data), size});
  if (runs.size() < 2) return 0;
  std::vector<std::unique_ptr<Opened>> opened;
  ComparedInputs inputs{};
  try {
    for (const std::string_view run : runs) opened.push_back(std::make_unique<Opened>(run));
  } catch (const Failure& failure) {
    VAA_MUST(failure.status() == VAA_ERROR_FORMAT || failure.status() == VAA_ERROR_UNSUPPORTED);
    return 0;
  }
  for (size_t role = 0; role < opened.size(); ++role) inputs[role] = &opened[role]->compared;
  static constexpr const char* kChanges[] = {"none", "version", "quant", "spec"};
  const char* change = kChanges[size / 16 % 4];
  const auto options = [&](const char* threads) { return compare_run_options(std::string(R"({"change": ")") + change + R"(", "threads": )" + threads + "}"); };
  const Report report = compare_runs(checker, inputs, options("1"), nullptr);
  must_be_report(report);
  if (size % 16 == 0) VAA_MUST(compare_runs(checker, inputs, options("3"), nullptr).json() == report.json());
  return 0;
}
