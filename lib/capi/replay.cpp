// include/vaa/replay.h
#include "vaa/replay.h"

#include <cmath>

#include "base/views.h"
#include "capi/guard.h"
#include "capi/handles.h"
#include "capi/rows.h"
#include "sampler/replay/difr.h"
#include "sampler/replay/replay.h"

struct vaa_replay {
  vaa::Replay replay;
};

namespace vaa {
namespace {

void check_results(const Matrix<double>& results, size_t rows) {
  if (results.rows == 0 || (results.rows == rows && results.columns == VAA_REPLAY_COLUMNS)) return;
  fail(VAA_ERROR_ARGUMENT, "results: has " + std::to_string(results.rows) + " rows of " + std::to_string(results.columns) + ", must have " + std::to_string(rows) + " of " + std::to_string(VAA_REPLAY_COLUMNS) + ", or none");
}

void put_row(const Replay& replay, const RowResult& r, std::span<double> to) {
  to[VAA_REPLAY_STATE] = static_cast<double>(r.state);
  to[VAA_REPLAY_TOKEN] = r.token < 0 ? std::nan("") : r.token;
  to[VAA_REPLAY_RANK] = static_cast<double>(r.rank);
  to[VAA_REPLAY_MARGIN] = r.margin;
  to[VAA_REPLAY_BAND] = r.band;
  to[VAA_REPLAY_DIFR] = r.difr;
  to[VAA_REPLAY_POSITION] = static_cast<double>(replay.place().position);
}

// push(r, noise of row r) for every row.
template <class Push>
void push_rows(vaa_replay* replay, size_t rows, vaa_ids tokens, vaa_f64_rows noise, vaa_f64_rows_out results, Push&& push) {
  const Matrix<const double> numbers = matrix<const double>(noise, "noise");
  const Matrix<double> out = matrix<double>(results, "results");
  if (view(tokens).size() != rows) fail(VAA_ERROR_ARGUMENT, "tokens: has " + std::to_string(tokens.size) + " ids, must have one for each of " + std::to_string(rows) + " rows");
  if (numbers.rows != 0 && numbers.rows != rows) fail(VAA_ERROR_ARGUMENT, "noise: has " + std::to_string(numbers.rows) + " rows, must have " + std::to_string(rows) + ", or none");
  check_results(out, rows);
  for (size_t r = 0; r < rows; ++r) {
    const RowResult& result = push(r, numbers.rows ? numbers.row(r) : std::span<const double>());
    if (out.rows != 0) put_row(replay->replay, result, out.row(r));
  }
}

}  // namespace
}  // namespace vaa

using vaa::given;
using vaa::guard;

extern "C" {

vaa_status vaa_replay_new(const vaa_engine* engine, vaa_str options, vaa_replay** out_replay, vaa_error** err) {
  return guard(err, [&] {
    given(out_replay, "out_replay");
    *out_replay = new vaa_replay{vaa::Replay(given(engine, "engine")->engine, vaa::view(options))};
  });
}

vaa_status vaa_replay_begin(vaa_replay* replay, vaa_str seed, vaa_ids prompt, vaa_error** err) {
  return guard(err, [&] { given(replay, "replay")->replay.begin(vaa::view(seed), vaa::view(prompt)); });
}

vaa_status vaa_replay_push(vaa_replay* replay, vaa_f32_rows logits, vaa_ids tokens, vaa_f64_rows noise, vaa_f64_rows_out results, vaa_error** err) {
  return guard(err, [&] {
    given(replay, "replay");
    const vaa::Matrix<const float> rows = vaa::matrix<const float>(logits, "logits");
    const std::span<const int32_t> ids = vaa::view(tokens);
    vaa::push_rows(replay, rows.rows, tokens, noise, results, [&](size_t r, std::span<const double> numbers) -> const vaa::RowResult& { return replay->replay.push(rows.row(r), ids[r], numbers); });
  });
}

vaa_status vaa_replay_push_top(vaa_replay* replay, vaa_ids ids, vaa_f64s logprobs, vaa_i64s ends, vaa_ids tokens, vaa_f64_rows noise, vaa_f64_rows_out results, vaa_error** err) {
  return guard(err, [&] {
    given(replay, "replay");
    const std::span<const int32_t> listed = vaa::view(ids), claimed = vaa::view(tokens);
    const std::span<const double> numbers = vaa::view(logprobs);
    const std::span<const int64_t> stops = vaa::view(ends);
    if (numbers.size() != listed.size()) vaa::fail(VAA_ERROR_ARGUMENT, "logprobs: are " + std::to_string(numbers.size()) + ", must be " + std::to_string(listed.size()) + " as there are ids");
    int64_t before = 0;
    for (size_t r = 0; r < stops.size(); ++r) {
      if (stops[r] < before || static_cast<uint64_t>(stops[r]) > listed.size())
        vaa::fail(VAA_ERROR_ARGUMENT, "ends[" + std::to_string(r) + "]: is " + std::to_string(stops[r]) + ", must not fall and lie in 0 to " + std::to_string(listed.size()));
      before = stops[r];
    }
    if (static_cast<size_t>(before) != listed.size()) vaa::fail(VAA_ERROR_ARGUMENT, "ends: reach " + std::to_string(before) + ", and there are " + std::to_string(listed.size()) + " ids");
    vaa::push_rows(replay, stops.size(), tokens, noise, results, [&](size_t r, std::span<const double> own) -> const vaa::RowResult& {
      const size_t begin = r == 0 ? 0 : static_cast<size_t>(stops[r - 1]), size = static_cast<size_t>(stops[r]) - begin;
      return replay->replay.push_top(listed.subspan(begin, size), numbers.subspan(begin, size), claimed[r], own);
    });
  });
}

vaa_status vaa_replay_report(const vaa_replay* replay, vaa_report** out_report, vaa_error** err) {
  return guard(err, [&] {
    given(out_report, "out_report");
    *out_report = new vaa_report{given(replay, "replay")->replay.report()};
  });
}

void vaa_replay_free(vaa_replay* replay) { delete replay; }

vaa_status vaa_difr_margins(vaa_f64s logits, vaa_f64s exponentials, double temperature, double clip, vaa_f64s_out scores, size_t* out_scores, vaa_f64s_out margins, size_t* out_margins, vaa_error** err) {
  return guard(err, [&] {
    given(out_scores, "out_scores");
    given(out_margins, "out_margins");
    const std::span<const double> row = vaa::view(logits);
    vaa::difr_margins(row, vaa::view(exponentials), temperature, clip, vaa::room<double>(scores, row.size(), "scores"), vaa::room<double>(margins, row.size(), "margins"));
    *out_scores = *out_margins = row.size();
  });
}

}  // extern "C"
