// A batch of drafts as the caller has it, and where each request's rows stand in it.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "engines/policy.h"
#include "reject/verifier/methods/method.h"
#include "sampler/sampler.h"

namespace vaa {

struct DraftBatch {
  std::span<const int32_t> drafts;
  std::span<const int64_t> cu;             // cu_num_draft_tokens
  std::span<const int32_t> parents;
  Matrix<const float> target;
  Matrix<const float> draft_probs;
  std::span<const int32_t> history;        // of rows of the target, as the sampler has it
  std::span<const int64_t> spans;
  Matrix<const double> params;             // of requests: none, one, or one each
  std::span<const double> uniforms;
  Matrix<const float> noise;
  std::span<const int32_t> bonus;
};

// How it is laid out, by options.
struct BatchShape {
  LayoutRule layout;
  bool leading_zero;
  DraftLaw::Form draft_form;
  bool noise_by_request;
  bool one_uniform;   // noise of an inverse CDF
};

// Of one request, as indices into the batch.
struct RequestPlace {
  size_t draft, drafts;  // the first, and how many
  size_t row, rows;      // of the target
  size_t uniform;        // the first
};

// Checks shapes and ids; a failure names what does not fit, by request, position and value. Returns the most drafts that a row of ids can have.
size_t place_requests(const DraftBatch& batch, const BatchShape& shape, const Method& method, std::vector<RequestPlace>* out);

}  // namespace vaa
