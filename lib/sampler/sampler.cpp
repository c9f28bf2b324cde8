#include "sampler/sampler.h"

#include <algorithm>
#include <functional>
#include <string>

#include "base/failure.h"
#include "base/parallel.h"

namespace vaa {
namespace {

std::string number(size_t n) { return std::to_string(n); }
std::string number(int64_t n) { return std::to_string(n); }

[[noreturn]] void refuse(const std::string& message) { fail(VAA_ERROR_ARGUMENT, message); }

const std::vector<OptionSpec>& option_table() {
  static const std::vector<OptionSpec> table = [] {
    std::vector<OptionSpec> all = pipeline_options();
    all.push_back({"threads", OptionSpec::Type::kInt, 1, kMaxThreads, "", "1"});
    return all;
  }();
  return table;
}

}  // namespace

void check_history(std::span<const int32_t> history, std::span<const int64_t> spans, size_t rows, size_t vocabulary) {
  if (spans.empty() && !history.empty()) refuse("spans: has no numbers, but history has " + number(history.size()) + " ids");
  for (size_t i = 0; i < history.size(); ++i) {
    if (history[i] < 0 || static_cast<size_t>(history[i]) >= vocabulary) {
      refuse("history[" + number(i) + "]: id " + number(int64_t{history[i]}) + " is outside the vocabulary of " + number(vocabulary));
    }
  }
  if (!spans.empty() && spans.size() != 3 * rows) refuse("spans: has " + number(spans.size()) + " numbers, must have 3 for each of " + number(rows) + " rows, or none");
  for (size_t i = 0; i < spans.size(); i += 3) {
    if (spans[i] >= 0 && spans[i] <= spans[i + 1] && spans[i + 1] <= spans[i + 2] && static_cast<uint64_t>(spans[i + 2]) <= history.size()) continue;
    refuse("row " + number(i / 3) + ": spans: are " + number(spans[i]) + ", " + number(spans[i + 1]) + ", " + number(spans[i + 2]) + ", must not fall and lie in 0 to " + number(history.size()) +
           ", the size of history");
  }
}

Sampler::Sampler(const Engine& engine, std::string_view options) : Sampler(engine, Options(options, option_table().data(), option_table().size(), "vaa_sampler_new")) {}

void Sampler::check(const SamplerInput& input) const {
  const size_t rows = input.logits.rows;
  if (rows > 0 && input.logits.columns == 0) refuse("logits: rows have no columns");
  if (input.logits.columns > INT32_MAX) refuse("logits: has " + number(input.logits.columns) + " columns, more than there are token ids");
  check_history(input.history, input.spans, rows, input.logits.columns);
  if (input.params.rows > 1 && input.params.rows != rows) refuse("params: has " + number(input.params.rows) + " rows, must have 1, " + number(rows) + " as logits, or none");
  if (input.params.rows > 0 && input.params.columns > kParams) refuse("params: has " + number(input.params.columns) + " columns, at most " + number(kParams) + " are known");
}

RowInput Sampler::row_of(const SamplerInput& input, size_t r, Params* params) const {
  RowInput row;
  row.logits = input.logits.row(r);
  row.number = static_cast<int64_t>(r);
  if (!input.spans.empty()) {
    const size_t begin = static_cast<size_t>(input.spans[3 * r]), middle = static_cast<size_t>(input.spans[3 * r + 1]), end = static_cast<size_t>(input.spans[3 * r + 2]);
    row.prompt = input.history.subspan(begin, middle - begin);
    row.output = input.history.subspan(middle, end - middle);
  }
  if (input.params.rows > 0) {
    *params = pipeline_.params_from(input.params.row(input.params.rows == 1 ? 0 : r), row.number);
    row.params = params;
  }
  return row;
}

// Each thread has rows that follow one another, so the fault of the lowest thread is that of the first faulty row.
template <class Take>
void Sampler::each(const SamplerInput& input, Until until, Take&& take) {
  check(input);
  const size_t rows = input.logits.rows, workers = std::min(rows_.size(), rows);
  const auto work = [&](int64_t w) {
    const size_t worker = static_cast<size_t>(w), end = rows * (worker + 1) / workers;
    Params params;
    for (size_t r = rows * worker / workers; r < end; ++r) {
      const RowInput row_input = row_of(input, r, &params);
      LogitRow* row = &rows_[worker];
      pipeline_.run(row_input, until, row);
      take(r, row, worker);
    }
  };
  parallel_for(static_cast<int>(workers), static_cast<int64_t>(workers), std::cref(work));  // a reference fits into std::function without memory of its own
}

void Sampler::probs(const SamplerInput& input, Matrix<double> out) {
  each(input, Until::kDrawn, [&](size_t r, LogitRow* row, size_t) {
    const std::span<double> to = out.row(r);
    if (!row->cut) {
      for (size_t i = 0; i < row->size; ++i) to[i] = row->probability(i);
      return;
    }
    std::fill(to.begin(), to.end(), 0.0);
    for (size_t i = 0; i < row->size; ++i) to[static_cast<size_t>(row->ids[i])] = row->probability(i);
  });
}

void Sampler::kept(const SamplerInput& input, std::span<const int32_t>* ids, std::span<const int64_t>* ends) {
  for (std::vector<int32_t>& list : kept_) list.clear();
  ends_.resize(input.logits.rows);
  each(input, Until::kDrawn, [&](size_t r, LogitRow* row, size_t worker) {
    for (size_t i = 0; i < row->size; ++i) kept_[worker].push_back(row->id(i));
    ends_[r] = static_cast<int64_t>(row->size);
  });
  ids_.clear();
  for (const std::vector<int32_t>& list : kept_) ids_.insert(ids_.end(), list.begin(), list.end());
  for (size_t r = 1; r < ends_.size(); ++r) ends_[r] += ends_[r - 1];
  *ids = ids_;
  *ends = ends_;
}

void Sampler::draw(const SamplerInput& input, Matrix<const double> noise, std::span<int32_t> ids) {
  const size_t need = noise_size(pipeline_.engine(), input.logits.columns);
  if (noise.rows != input.logits.rows || (noise.rows > 0 && noise.columns != need)) {
    refuse("noise: has " + number(noise.rows) + " rows of " + number(noise.columns) + ", must have " + number(input.logits.rows) + " of " + number(need));
  }
  each(input, Until::kDrawn, [&](size_t r, LogitRow* row, size_t) { ids[r] = vaa::draw(pipeline_.engine(), noise.row(r), row); });
}

void Sampler::logprobs(const SamplerInput& input, std::span<const int32_t> tokens, LogprobsMode mode, std::span<double> values, std::span<int64_t> ranks) {
  if (tokens.size() != input.logits.rows) refuse("tokens: has " + number(tokens.size()) + " ids, must have one for each of " + number(input.logits.rows) + " rows");
  for (size_t r = 0; r < tokens.size(); ++r) {
    if (tokens[r] < 0 || static_cast<size_t>(tokens[r]) >= input.logits.columns) {
      refuse("row " + number(r) + ": token " + number(int64_t{tokens[r]}) + " is outside the vocabulary of " + number(input.logits.columns));
    }
  }
  const bool raw = mode == LogprobsMode::kRaw || mode == LogprobsMode::kRawLogits;
  each(input, raw ? Until::kLoaded : Until::kReported, [&](size_t r, LogitRow* row, size_t) {
    const Logprob one = logprob_of(tokens[r], mode, row);
    values[r] = one.value;
    ranks[r] = one.rank;
  });
}

}  // namespace vaa
