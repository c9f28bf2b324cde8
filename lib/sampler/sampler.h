// Rows of one call through a pipeline, on threads; the memory of each thread is kept from call to call.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "sampler/draw.h"

namespace vaa {

// A matrix of the caller's.
template <class Value>
struct Matrix {
  Value* data = nullptr;
  size_t rows = 0, columns = 0, stride = 0;
  std::span<Value> row(size_t r) const { return {data + r * stride, columns}; }
};

struct SamplerInput {
  Matrix<const float> logits;
  std::span<const int32_t> history;
  std::span<const int64_t> spans;   // three a row, or none
  Matrix<const double> params;      // one row for all, or one each, or none
};

// Ids outside the vocabulary, and spans that are none of `rows` rows.
void check_history(std::span<const int32_t> history, std::span<const int64_t> spans, size_t rows, size_t vocabulary);

class Sampler {
 public:
  Sampler(const Engine& engine, std::string_view options);

  void probs(const SamplerInput& input, Matrix<double> out);
  // Ids and where each row's end; both until the next call.
  void kept(const SamplerInput& input, std::span<const int32_t>* ids, std::span<const int64_t>* ends);
  void draw(const SamplerInput& input, Matrix<const double> noise, std::span<int32_t> ids);
  void logprobs(const SamplerInput& input, std::span<const int32_t> tokens, LogprobsMode mode, std::span<double> values, std::span<int64_t> ranks);

  const Pipeline& pipeline() const { return pipeline_; }

 private:
  Sampler(const Engine& engine, const Options& options) : pipeline_(engine, options, "vaa_sampler_new"), rows_(static_cast<size_t>(options.integer("threads"))), kept_(rows_.size()) {}
  void check(const SamplerInput& input) const;
  RowInput row_of(const SamplerInput& input, size_t r, Params* params) const;
  // take(r, row, worker) for every row.
  template <class Take>
  void each(const SamplerInput& input, Until until, Take&& take);

  Pipeline pipeline_;
  std::vector<LogitRow> rows_;  // one a thread
  std::vector<std::vector<int32_t>> kept_;
  std::vector<int32_t> ids_;
  std::vector<int64_t> ends_;
};

}  // namespace vaa
