#include "quality/sample_batch.h"

namespace vaa {
namespace {

constexpr size_t kBatchSamples = 64;
constexpr size_t kBatchBytes = size_t{2} << 20;

}  // namespace

bool fill_batch(SampleStream* stream, SampleBatch* batch) {
  size_t bytes = 0;
  batch->size = 0;
  while (batch->size < kBatchSamples && bytes < kBatchBytes) {
    if (batch->size == batch->samples.size()) {
      batch->samples.emplace_back();
      batch->judgements.emplace_back();
    }
    Sample& sample = batch->samples[batch->size];
    sample.release();
    if (!stream->next(&sample)) break;
    bytes += sample.footprint();
    ++batch->size;
  }
  return batch->size > 0;
}

}  // namespace vaa
