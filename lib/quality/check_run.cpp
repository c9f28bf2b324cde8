#include "quality/check_run.h"

#include <memory>
#include <optional>
#include <vector>

#include "base/failure.h"
#include "base/options.h"
#include "base/parallel.h"
#include "base/write_file.h"
#include "quality/sample_batch.h"

namespace vaa {
namespace {

std::span<const OptionSpec> check_run_table() {
  static const std::vector<OptionSpec> kTable = [] {
    const auto tally = tally_option_table();
    std::vector<OptionSpec> table(tally.begin(), tally.end());
    table.push_back({"threads", OptionSpec::Type::kInt, 1, 1024, "", "1", "threads that judge"});
    table.push_back({"samples_path", OptionSpec::Type::kText, 0, 4096, "", "\"\"", "a file for one JSON line a sample"});
    table.push_back({"samples_fd", OptionSpec::Type::kInt, 0, 2147483647, "", "", "an open descriptor for the same"});
    table.push_back({"export_path", OptionSpec::Type::kText, 0, 4096, "", "\"\"", "a file for the requests of samples with export_flag"});
    table.push_back({"export_flag", OptionSpec::Type::kText, 0, 64, "", "\"\"", "the flag, or any"});
    table.push_back({"baseline_path", OptionSpec::Type::kText, 0, 4096, "", "\"\"", "a run to compare with instead of the ceilings"});
    return table;
  }();
  return kTable;
}

// Bit set of the flags whose samples are exported.
uint64_t export_mask(const CheckRunOptions& options) {
  if (options.export_path.empty()) return 0;
  return options.export_flag == "any" ? ~uint64_t{0} : uint64_t{1} << find_flag(options.export_flag);
}

struct Batch : SampleBatch {
  std::string lines;     // one a sample, where they are wanted
  std::string requests;  // of the samples to export
  int64_t unasked = 0;   // samples to export whose prompt is not recorded
};

// The files that a run writes while it goes.
class Outputs {
 public:
  explicit Outputs(const CheckRunOptions& options) : fd_(options.samples_fd) {
    if (!options.samples_path.empty()) lines_.emplace(options.samples_path);
    if (!options.export_path.empty()) requests_.emplace(options.export_path);
  }
  bool wants_lines() const { return lines_ || fd_ >= 0; }
  void write(const Batch& batch) {
    if (lines_) lines_->write(batch.lines);
    if (fd_ >= 0) write_fully(fd_, batch.lines, "samples_fd");
    if (requests_) requests_->write(batch.requests);
  }
  void commit() {
    if (lines_) lines_->commit();
    if (requests_) requests_->commit();
  }

 private:
  int fd_;
  std::optional<AtomicFile> lines_, requests_;
};

// Reads, judges and tallies all of `input`; `outputs` may be null.
void run_into(Tally* tally, const Checker& checker, SampleStream* stream, const CheckRunOptions& options, Outputs* outputs, Task* task) {
  stream->watch(task);
  const int64_t before = task ? task->done.load(std::memory_order_relaxed) : 0;
  const uint64_t exported = outputs ? export_mask(options) : 0;
  const bool lines = outputs && outputs->wants_lines();
  int64_t unasked = 0;
  OrderedPipeline<Batch> pipeline(options.threads);
  std::vector<ScratchPointer> scratch;
  for (int i = 0; i < pipeline.workers(); ++i) scratch.push_back(checker.new_scratch());

  const auto read = [&](Batch& batch) {
    const bool more = fill_batch(stream, &batch);
    if (task) task->done.store(before + stream->bytes_done(), std::memory_order_relaxed);
    return more;
  };
  const auto judge = [&](Batch& batch, int worker) {
    batch.lines.clear();
    batch.requests.clear();
    batch.unasked = 0;
    for (size_t i = 0; i < batch.size; ++i) {
      if (task) task->check();
      const Sample& sample = batch.samples[i];
      Judgement& judgement = batch.judgements[i];
      checker.judge(sample, scratch[static_cast<size_t>(worker)].get(), &judgement);
      if (lines) {
        append_sample_line(&batch.lines, sample, judgement, checker, options.tally.text);
        batch.lines += '\n';
      }
      if ((judgement.found & exported) == 0) continue;
      if (append_request_line(&batch.requests, sample)) batch.requests += '\n';
      else ++batch.unasked;
    }
  };
  const auto account = [&](Batch& batch) {
    for (size_t i = 0; i < batch.size; ++i) tally->add(batch.samples[i], batch.judgements[i]);
    unasked += batch.unasked;
    if (outputs) outputs->write(batch);
    if (task) task->samples.fetch_add(static_cast<int64_t>(batch.size), std::memory_order_relaxed);
  };
  pipeline.run(read, judge, account, task);
  if (unasked > 0) stream->problems().note("export: " + std::to_string(unasked) + " samples with the flag have no prompt recorded and were left out");
}

}  // namespace

CheckRunOptions check_run_options(std::string_view json) {
  const auto table = check_run_table();
  const Options options(json, table.data(), table.size(), "vaa_check_records");
  CheckRunOptions run;
  run.tally = tally_options(options);
  run.threads = static_cast<int>(options.integer("threads"));
  run.samples_path = options.text("samples_path");
  run.samples_fd = options.has("samples_fd") ? static_cast<int>(options.integer("samples_fd")) : -1;
  run.export_path = options.text("export_path");
  run.export_flag = options.text("export_flag");
  run.baseline_path = options.text("baseline_path");
  if (run.export_path.empty() != run.export_flag.empty()) fail(VAA_ERROR_OPTION, "export_path: goes with export_flag, and export_flag with export_path");
  if (!run.export_flag.empty() && run.export_flag != "any" && find_flag(run.export_flag) < 0) {
    std::string known = "any";
    for (const Detector* d : detector_table()) known += std::string(", ") + d->name;
    fail(VAA_ERROR_OPTION, "export_flag: " + quoted(run.export_flag) + " is no flag, allowed are " + known);
  }
  if (!run.export_path.empty() && !run.tally.text) fail(VAA_ERROR_OPTION, "export_path: requests hold prompts, which text: false leaves out");
  if (!run.baseline_path.empty() && !run.tally.baseline.empty()) fail(VAA_ERROR_OPTION, "baseline_path: goes without baseline, which gives the rate as numbers");
  return run;
}

Report check_run(const Checker& checker, const Input& input, std::string_view path, const CheckRunOptions& options, Task* task) {
  std::unique_ptr<Tally> baseline;
  if (!options.baseline_path.empty()) {
    const auto other = open_input(options.baseline_path, options.baseline_open);
    TallyOptions quiet = options.tally;
    quiet.max_rows = 0;
    baseline = std::make_unique<Tally>(checker, quiet);
    if (task) task->total.store(other->bytes_total() + input.bytes_total(), std::memory_order_relaxed);
    const auto stream = other->open();
    run_into(baseline.get(), checker, stream.get(), options, nullptr, task);
  } else if (task) {
    task->total.store(input.bytes_total(), std::memory_order_relaxed);
  }
  Tally tally(checker, options.tally);
  if (baseline) tally.set_baseline(baseline.get(), options.baseline_path);
  Outputs outputs(options);
  const auto stream = input.open();
  run_into(&tally, checker, stream.get(), options, &outputs, task);
  InputFacts facts;
  facts.path = path;
  facts.format = input.format();
  facts.header = &input.header();
  facts.opening = &input.problems();
  facts.reading = &stream->problems();
  Report report = tally.report(facts);
  outputs.commit();
  return report;
}

}  // namespace vaa
