#include "compare/compare_run.h"

#include <memory>
#include <utility>
#include <vector>

#include "base/failure.h"
#include "base/parallel.h"
#include "quality/sample_batch.h"
#include "quality/without_text.h"
#include "text/bounded.h"

namespace vaa {
namespace {

struct CompareBatch {
  int32_t role = 0;
  SampleBatch samples;
  std::vector<TokenStrip> strips;  // of each sample
  std::vector<SideFaults> faults;
  std::vector<uint8_t> has_ids;
};

// Reads the runs side by side: the next batch is of the run of which the smallest share was read.
class RunReader {
 public:
  RunReader(const ComparedInputs& inputs, Task* task) : inputs_(inputs), task_(task) {
    for (size_t role = 0; role < inputs.size(); ++role) {
      if (!inputs[role]) continue;
      streams_[role] = inputs[role]->input.open();
      streams_[role]->watch(task);
      open_[role] = true;
    }
  }
  bool fill(CompareBatch* batch) {
    for (int32_t role = next(); role >= 0; role = next()) {
      const auto at = static_cast<size_t>(role);
      batch->role = role;
      open_[at] = fill_batch(streams_[at].get(), &batch->samples);
      if (task_) task_->done.store(bytes_done(), std::memory_order_relaxed);
      if (open_[at]) return true;
    }
    return false;
  }
  const SampleStream& stream(size_t role) const { return *streams_[role]; }

 private:
  double share(size_t role) const {
    const int64_t total = inputs_[role]->input.bytes_total();
    return static_cast<double>(streams_[role]->bytes_done()) / (total > 0 ? static_cast<double>(total) : 1e18);
  }
  int32_t next() const {
    int32_t least = -1;
    for (size_t role = 0; role < kRunRoles; ++role) {
      if (open_[role] && (least < 0 || share(role) < share(static_cast<size_t>(least)))) least = static_cast<int32_t>(role);
    }
    return least;
  }
  int64_t bytes_done() const {
    int64_t n = 0;
    for (const auto& stream : streams_) n += stream ? stream->bytes_done() : 0;
    return n;
  }
  const ComparedInputs& inputs_;
  Task* task_;
  std::array<std::unique_ptr<SampleStream>, kRunRoles> streams_;
  std::array<bool, kRunRoles> open_{};
};

void read_strips(CompareBatch* batch, const Vocab* vocab) {
  const size_t size = batch->samples.size;
  batch->strips.resize(size);
  batch->faults.assign(size, {});
  batch->has_ids.assign(size, 0);
  for (size_t i = 0; i < size; ++i) batch->has_ids[i] = read_strip(batch->samples.samples[i], vocab, &batch->strips[i], &batch->faults[i]);
}

// Without the folder: a report may leave the house.
std::string problem_words(const Problem& problem) {
  return bounded(std::string(base_name(problem.file)) + (problem.line > 0 ? ", line " + std::to_string(problem.line) : "") + ": " + problem.message, 4 * kMaxName);
}

void describe(RunSide* side, const ComparedInput& from, const SampleStream& stream) {
  side->path = from.path;
  side->format = from.input.format();
  side->header = from.input.header().json;
  side->scores = from.input.header().scores;
  side->bad_lines = stream.problems().count + from.input.problems().count;
  for (const Problems* met : {&from.input.problems(), &stream.problems()}) {
    if (side->first_problem.empty() && !met->first.empty()) side->first_problem = problem_words(met->first[0]);
  }
  side->finish();
}

// A run beside itself differs in nothing: its noise would be taken for none, or what differs for its noise.
void refuse_twice(const ComparedInputs& inputs) {
  static constexpr const char* kNames[kRunRoles] = {"reference", "target", "reference_again", "target_again"};
  for (size_t role = kReferenceAgain; role < kRunRoles; ++role) {
    for (size_t other = 0; inputs[role] && other < role; ++other) {
      if (inputs[other] && same_file(inputs[role]->path, inputs[other]->path)) fail(VAA_ERROR_ARGUMENT, std::string(kNames[role]) + ": is " + quoted(inputs[role]->path, 400) + ", the same file as " + kNames[other] + ": nothing was measured; a run of its own is needed");
    }
  }
}

}  // namespace

CompareRunOptions compare_run_options(std::string_view json) {
  const auto comparison = comparison_option_table();
  std::vector<OptionSpec> table(comparison.begin(), comparison.end());
  table.push_back({"threads", OptionSpec::Type::kInt, 1, 1024, "", "1", "threads that judge"});
  const Options options(json, table.data(), table.size(), "vaa_compare_records");
  return {comparison_options(options), static_cast<int>(options.integer("threads"))};
}

Report compare_runs(const Checker& checker, const ComparedInputs& inputs, const CompareRunOptions& options, Task* task) {
  ComparisonOptions judged = options.comparison;
  judged.reference_again = inputs[kReferenceAgain] != nullptr;
  judged.target_again = inputs[kTargetAgain] != nullptr;
  if (judged.reference_again && !judged.noise.empty()) fail(VAA_ERROR_OPTION, "vaa_compare_records: noise: is given beside the reference's second run, allowed is one of the two");
  refuse_twice(inputs);
  int64_t total = 0;
  for (const ComparedInput* input : inputs) total += input ? input->input.bytes_total() : 0;
  if (task) task->total.store(total, std::memory_order_relaxed);
  Comparison comparison(checker, std::move(judged));
  for (const RunRole role : {kReferenceRun, kTargetRun}) comparison.take_request(role, inputs[role]->input);
  RunReader reader(inputs, task);
  OrderedPipeline<CompareBatch> pipeline(options.threads);
  std::vector<ScratchPointer> scratch;
  for (int i = 0; i < pipeline.workers(); ++i) scratch.push_back(checker.new_scratch());
  const auto read = [&](CompareBatch& batch) { return reader.fill(&batch); };
  const auto judge = [&](CompareBatch& batch, int worker) {
    for (size_t i = 0; i < batch.samples.size; ++i) {
      if (task) task->check();
      checker.judge(batch.samples.samples[i], scratch[static_cast<size_t>(worker)].get(), &batch.samples.judgements[i]);
    }
    read_strips(&batch, checker.vocab());
  };
  const auto keep = [&](CompareBatch& batch) {
    for (size_t i = 0; i < batch.samples.size; ++i) comparison.add(batch.role, batch.samples.samples[i], batch.samples.judgements[i], batch.has_ids[i] ? &batch.strips[i] : nullptr, batch.faults[i]);
    if (task) task->samples.fetch_add(static_cast<int64_t>(batch.samples.size), std::memory_order_relaxed);
  };
  pipeline.run(read, judge, keep, task);
  for (size_t role = 0; role < inputs.size(); ++role) {
    if (inputs[role]) describe(&comparison.side(static_cast<int32_t>(role)), *inputs[role], reader.stream(role));
  }
  return comparison.finish();
}

}  // namespace vaa
