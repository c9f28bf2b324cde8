#include "reject/verifier/batch.h"

#include <algorithm>
#include <string>

#include "base/failure.h"
#include "base/figures.h"

namespace vaa {
namespace {

std::string number(size_t n) { return std::to_string(n); }
std::string number(int64_t n) { return std::to_string(n); }
[[noreturn]] void refuse(const std::string& message) { fail(VAA_ERROR_ARGUMENT, message); }

std::string where_of(size_t request, size_t position) { return "request " + number(request) + ", position " + number(position) + ": "; }

void check_size(const char* name, size_t has, size_t need, const char* because) {
  if (has != need) refuse(std::string(name) + ": has " + number(has) + ", must have " + number(need) + ", " + std::string(because));
}

// The counts of drafts, from cumulative ones.
size_t request_count(const DraftBatch& batch, const BatchShape& shape) {
  if (!shape.leading_zero) return batch.cu.size();
  if (batch.cu.empty()) refuse("cu_num_draft_tokens: is empty, must begin with 0 by the option cu");
  if (batch.cu[0] != 0) refuse("cu_num_draft_tokens[0]: is " + number(batch.cu[0]) + ", must be 0 by the option cu");
  return batch.cu.size() - 1;
}

void check_cu(const DraftBatch& batch) {
  int64_t before = 0;
  for (size_t i = 0; i < batch.cu.size(); ++i) {
    if (batch.cu[i] < before) refuse("cu_num_draft_tokens[" + number(i) + "]: falls from " + number(before) + " to " + number(batch.cu[i]) + ", must not fall");
    before = batch.cu[i];
  }
}

// Where everything of each request begins; `width`: columns of padded drafts.
void place_all(const DraftBatch& batch, const BatchShape& shape, bool coins_of_rows, size_t width, std::vector<RequestPlace>* out) {
  const size_t skip = shape.leading_zero ? 1 : 0;
  size_t draft = 0;
  for (size_t i = 0; i < out->size(); ++i) {
    const size_t end = static_cast<size_t>(batch.cu[i + skip]), begin = i + skip == 0 ? 0 : static_cast<size_t>(batch.cu[i + skip - 1]), drafts = end - begin;
    RequestPlace& place = (*out)[i];
    if (shape.layout == LayoutRule::kPadded) {
      if (drafts > width) refuse("request " + number(i) + ": has " + number(drafts) + " drafts by cu_num_draft_tokens, and rows of drafts have room for " + number(width));
      place = {i * width, drafts, i * (width + 1), drafts + 1, coins_of_rows ? i * (width + 1) : i * width};
    } else {
      const size_t with_bonus = shape.layout == LayoutRule::kFlatWithBonus ? 1 : 0;
      place = {draft, drafts, draft + with_bonus * i, drafts + with_bonus, coins_of_rows ? draft + with_bonus * i : draft};
    }
    draft += drafts;
  }
}

void check_ids(const DraftBatch& batch, const Method& method, std::span<const RequestPlace> places) {
  const size_t vocabulary = batch.target.columns;
  for (size_t i = 0; i < places.size(); ++i) {
    for (size_t j = 0; j < places[i].drafts; ++j) {
      const int32_t draft = batch.drafts[places[i].draft + j];
      if (draft < kPadding || (draft >= 0 && static_cast<size_t>(draft) >= vocabulary)) {
        refuse(where_of(i, j) + "draft " + number(int64_t{draft}) + " is outside the vocabulary of " + number(vocabulary) + ", and not -1");
      }
      if (!method.tree || batch.parents.empty()) continue;
      const int32_t parent = batch.parents[places[i].draft + j];
      if (parent < -1 || parent >= static_cast<int32_t>(j)) refuse(where_of(i, j) + "parent " + number(int64_t{parent}) + " is not a draft before it, nor -1");
    }
    if (!batch.bonus.empty() && batch.bonus[i] != kUnknownId && (batch.bonus[i] < 0 || (batch.target.rows > 0 && static_cast<size_t>(batch.bonus[i]) >= vocabulary))) {
      refuse("request " + number(i) + ": bonus " + number(int64_t{batch.bonus[i]}) + " is outside the vocabulary of " + number(vocabulary) + ", and not -2 (not known)");
    }
  }
}

void check_uniforms(const DraftBatch& batch, const Method& method, std::span<const RequestPlace> places) {
  if (batch.uniforms.empty()) return;
  for (size_t i = 0; i < places.size(); ++i) {
    for (size_t j = 0; j < (method.coins_of_rows ? places[i].rows : places[i].drafts); ++j) {
      const double u = batch.uniforms[places[i].uniform + j];
      if (u >= 0 && u <= 1) continue;
      refuse(where_of(i, j) + "uniform is " + exact_number(u) + ", must be 0 to 1");
    }
  }
}

void check_shapes(const DraftBatch& batch, const BatchShape& shape, const Method& method, size_t requests, size_t rows) {
  constexpr char kOfDrafts[] = "one for each draft", kOfRows[] = "one for each row of the target", kOfRequests[] = "one for each request";
  if (method.tree && shape.layout == LayoutRule::kFlat) refuse("layout: is flat, and method " + std::string(method.name) + " needs a row of the target behind every draft: flat_with_bonus or padded");
  if (!batch.parents.empty() && !method.tree) refuse("parents: are given, and method " + std::string(method.name) + " takes a chain of drafts");
  if (!batch.parents.empty()) check_size("parents", batch.parents.size(), batch.drafts.size(), kOfDrafts);
  check_size("target: rows", batch.target.rows, rows, shape.layout == LayoutRule::kFlat ? kOfDrafts : "one for each draft and one for each request");
  if (rows > 0 && batch.target.columns == 0) refuse("target: rows have no columns");
  if (batch.target.columns > INT32_MAX) refuse("target: has " + number(batch.target.columns) + " columns, more than there are token ids");
  if (shape.draft_form == DraftLaw::Form::kOneHot && batch.draft_probs.rows != 0) refuse("draft_probs: are given, and the option draft_probs says one_hot");
  if (shape.draft_form != DraftLaw::Form::kOneHot) {
    check_size("draft_probs: rows", batch.draft_probs.rows, batch.drafts.size(), kOfDrafts);
    if (batch.draft_probs.rows > 0) check_size("draft_probs: columns", batch.draft_probs.columns, shape.draft_form == DraftLaw::Form::kValue ? 1 : batch.target.columns, "by the option draft_probs");
  }
  if (!batch.uniforms.empty()) check_size("uniforms", batch.uniforms.size(), method.coins_of_rows ? rows : batch.drafts.size(), method.coins_of_rows ? kOfRows : kOfDrafts);
  if (batch.noise.rows != 0) {
    check_size("noise: rows", batch.noise.rows, shape.noise_by_request ? requests : rows, shape.noise_by_request ? kOfRequests : kOfRows);
    check_size("noise: columns", batch.noise.columns, shape.one_uniform ? 1 : batch.target.columns, "by the policy's recovery");
  }
  if (!batch.bonus.empty()) check_size("bonus", batch.bonus.size(), requests, kOfRequests);
  if (batch.params.rows > 1) check_size("params: rows", batch.params.rows, requests, kOfRequests);
  if (batch.params.columns > kParams) refuse("params: has " + number(batch.params.columns) + " columns, at most " + number(kParams) + " are known");
}

}  // namespace

size_t place_requests(const DraftBatch& batch, const BatchShape& shape, const Method& method, std::vector<RequestPlace>* out) {
  const size_t requests = request_count(batch, shape);
  check_cu(batch);
  const size_t total = requests == 0 ? 0 : static_cast<size_t>(batch.cu.back());
  size_t width = 0, rows = 0;
  if (shape.layout == LayoutRule::kPadded) {
    if (requests == 0 ? !batch.drafts.empty() : batch.drafts.size() % requests != 0) refuse("drafts: has " + number(batch.drafts.size()) + ", must be rows of the same width for " + number(requests) + " requests");
    width = requests == 0 ? 0 : batch.drafts.size() / requests;
    rows = batch.drafts.size() + requests;
  } else {
    check_size("drafts", batch.drafts.size(), total, "as cu_num_draft_tokens ends");
    rows = total + (shape.layout == LayoutRule::kFlatWithBonus ? requests : 0);
  }
  out->resize(requests);
  place_all(batch, shape, method.coins_of_rows, width, out);
  check_shapes(batch, shape, method, requests, rows);
  check_ids(batch, method, *out);
  check_uniforms(batch, method, *out);
  for (const RequestPlace& place : *out) width = std::max(width, place.drafts);
  return width;
}

}  // namespace vaa
