#include "quality/token_signs.h"

#include <algorithm>
#include <cmath>

#include "text/vocab.h"

namespace vaa {
namespace {

constexpr double kMinusInfinity = -9999.0;          // what engines write for it
constexpr double kSure = -0.010050335853501441;         // ln 0.99
constexpr int64_t kLeastOthers = 4;

void note(size_t at, TokenSpots* spots) {
  if (spots->count++ == 0) spots->first = at;
}
void widen(size_t at, size_t size, TokenStretch* longest) {
  if (size > longest->size) *longest = {at, size};
}

void read_ids(std::span<const int32_t> ids, const Vocab* vocab, TokenSigns* out) {
  const int64_t last = vocab ? static_cast<int64_t>(vocab->size()) - 1 : -1;
  for (size_t at = 0, end = 0; at < ids.size(); at = end) {
    const int32_t id = ids[at];
    end = at + 1;
    while (end < ids.size() && ids[end] == id) ++end;
    widen(at, end - at, &out->longest_run);
    if (id == 0 || id == last) widen(at, end - at, &out->edge_run);
    if (id < 0) note(at, &out->negative), out->negative.count += static_cast<int64_t>(end - at - 1);
    if (!vocab) continue;
    if (id > last) note(at, &out->outside), out->outside.count += static_cast<int64_t>(end - at - 1);
    else if (id >= 0 && !vocab->special(id) && vocab->token(id).empty()) widen(at, end - at, &out->blank_run);
  }
}

void read_logprobs(const std::vector<double>& values, TokenSigns* out) {
  constexpr size_t kWindow = TokenSigns::kWindow;
  double sum = 0;
  size_t sure = 0, usable = 0;  // lengths of what ends here: tokens above 0.99, finite values
  out->all_zero = true;
  for (size_t i = 0; i < values.size(); ++i) {
    const double value = values[i];
    out->all_zero = out->all_zero && value == 0;
    if (std::isnan(value)) note(i, &out->nan);
    else if (value > TokenSigns::kMostPositive) note(i, &out->positive);
    else if (value <= kMinusInfinity) note(i, &out->impossible);
    sure = value > kSure ? sure + 1 : 0;
    widen(i + 1 - sure, sure, &out->sure);
    if (!(value > kMinusInfinity) || std::isinf(value)) {
      usable = 0;
      sum = 0;
      continue;
    }
    sum += value;
    if (++usable > kWindow) sum -= values[i - kWindow];
    if (usable >= kWindow && !(sum / kWindow >= out->lowest_mean)) {
      out->lowest_mean = sum / kWindow;
      out->lowest_at = i + 1 - kWindow;
    }
  }
}

void read_ranks(const std::vector<double>& top, const std::vector<int64_t>& ends, TokenSigns* out) {
  size_t run = 0, begin = 0;
  for (size_t i = 0; i < ends.size(); ++i) {
    const auto end = static_cast<size_t>(ends[i]);
    const bool outside = static_cast<int64_t>(end - begin) > kLeastOthers && top[begin] < top[end - 1];
    run = outside ? run + 1 : 0;
    widen(i + 1 - run, run, &out->beyond);
    begin = end;
  }
}

}  // namespace

bool list_ends_fit(const std::vector<int64_t>& ends, size_t size) {
  int64_t before = 0;
  for (const int64_t end : ends) {
    if (end < before) return false;
    before = end;
  }
  return before == static_cast<int64_t>(size);
}

TokenSigns read_token_signs(const Sample& sample, const Vocab* vocab) {
  TokenSigns out;
  if (sample.has(IdsField::kOutputTokenIds)) read_ids(sample.ids.get(IdsField::kOutputTokenIds), vocab, &out);
  const std::string_view mode = sample.text(TextField::kLogprobsMode);
  if (mode.find("logits") != std::string_view::npos || !sample.has(RealsField::kOutputLogprobs)) return out;
  const std::vector<double>& values = sample.real_lists.get(RealsField::kOutputLogprobs);
  if (values.empty()) return out;
  out.known = true;
  read_logprobs(values, &out);
  if (!sample.has(RealsField::kOutputTopLogprobs) || !sample.has(IntsField::kOutputTopEnds)) return out;
  const std::vector<double>& top = sample.real_lists.get(RealsField::kOutputTopLogprobs);
  const std::vector<int64_t>& ends = sample.int_lists.get(IntsField::kOutputTopEnds);
  if (list_ends_fit(ends, top.size())) read_ranks(top, ends, &out);
  return out;
}

}  // namespace vaa
