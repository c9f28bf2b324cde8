// Samples that go through a pipeline together, with what is judged of them.
#pragma once
#include <cstddef>
#include <vector>

#include "quality/checker.h"
#include "records/reader.h"

namespace vaa {

struct SampleBatch {
  std::vector<Sample> samples;
  std::vector<Judgement> judgements;
  size_t size = 0;  // of both that are in use
};
// Reads the next samples; false: there are no more. A batch is small enough that a cancel is seen within 100 ms and memory stays bounded, and large enough that handing it over costs
// nothing.
bool fill_batch(SampleStream* stream, SampleBatch* batch);

}  // namespace vaa
