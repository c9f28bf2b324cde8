#include "compare/compare_run.h"

#include "base/parallel.h"
#include "quality/sample_batch.h"

namespace vaa {
namespace {

void read_side(RunSide* side, const Checker& checker, const ComparedInput& from, int threads, Task* task) {
  const auto stream = from.input.open();
  stream->watch(task);
  const int64_t before = task ? task->done.load(std::memory_order_relaxed) : 0;
  OrderedPipeline<SampleBatch> pipeline(threads);
  std::vector<ScratchPointer> scratch;
  for (int i = 0; i < pipeline.workers(); ++i) scratch.push_back(checker.new_scratch());
  const auto read = [&](SampleBatch& batch) {
    const bool more = fill_batch(stream.get(), &batch);
    if (task) task->done.store(before + stream->bytes_done(), std::memory_order_relaxed);
    return more;
  };
  const auto judge = [&](SampleBatch& batch, int worker) {
    for (size_t i = 0; i < batch.size; ++i) {
      if (task) task->check();
      checker.judge(batch.samples[i], scratch[static_cast<size_t>(worker)].get(), &batch.judgements[i]);
    }
  };
  const auto keep = [&](SampleBatch& batch) {
    for (size_t i = 0; i < batch.size; ++i) side->add(batch.samples[i], batch.judgements[i]);
    if (task) task->samples.fetch_add(static_cast<int64_t>(batch.size), std::memory_order_relaxed);
  };
  pipeline.run(read, judge, keep, task);
  side->path = from.path;
  side->format = from.input.format();
  side->header = from.input.header().json;
  side->scores = from.input.header().scores;
  side->bad_lines = stream->problems().count + from.input.problems().count;
  side->finish();
}

}  // namespace

CompareRunOptions compare_run_options(std::string_view json) {
  const auto comparison = comparison_option_table();
  std::vector<OptionSpec> table(comparison.begin(), comparison.end());
  table.push_back({"threads", OptionSpec::Type::kInt, 1, 1024, "", "1", "threads that judge"});
  const Options options(json, table.data(), table.size(), "vaa_compare_records");
  return {comparison_options(options), static_cast<int>(options.integer("threads"))};
}

Report compare_runs(const Checker& checker, const ComparedInput& reference, const ComparedInput& target, const CompareRunOptions& options, Task* task) {
  if (task) task->total.store(reference.input.bytes_total() + target.input.bytes_total(), std::memory_order_relaxed);
  Comparison comparison(checker, options.comparison);
  read_side(&comparison.side(false), checker, reference, options.threads, task);
  read_side(&comparison.side(true), checker, target, options.threads, task);
  return comparison.report();
}

}  // namespace vaa
