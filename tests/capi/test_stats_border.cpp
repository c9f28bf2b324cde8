// include/vaa/stats.h from C: what is missing, too small or lent. The numbers are those of the library, which tests/unit/stats checks.
#include <cmath>
#include <vector>

#include "support.h"

namespace {

vaa_f64s f64s(const std::vector<double>& v) { return {v.data(), v.size()}; }
vaa_i64s i64s(const std::vector<int64_t>& v) { return {v.data(), v.size()}; }
vaa_u8s u8s(const std::vector<uint8_t>& v) { return {v.data(), v.size()}; }
vaa_ids ids(const std::vector<int32_t>& v) { return {v.data(), v.size()}; }

}  // namespace

TEST_CASE("stats: a result without a place for it is an error, and the other places keep what they had", "[capi]") {
  double low = 7;
  Error error = fault([&](vaa_error** err) { return vaa_stats_wilson(1, 2, 0.95, &low, nullptr, err); });
  CHECK(vaa_error_status(error.get()) == VAA_ERROR_ARGUMENT);
  CHECK(message(error) == "out_high is NULL");
  CHECK(low == 7);
  error = fault([&](vaa_error** err) { return vaa_stats_wilson(3, 2, 0.95, &low, &low, err); });
  CHECK(message(error) == "wilson: k is 3, must be at most 2");
  CHECK(low == 7);
  CHECK(vaa_stats_wilson(3, 2, 0.95, &low, &low, nullptr) == VAA_ERROR_ARGUMENT);
}

TEST_CASE("stats: a list that is too short names the room that is needed", "[capi]") {
  const std::vector<double> p = {0.01, 0.5, 0.02};
  std::vector<double> out(3);
  size_t size = 9;
  const Error error = fault([&](vaa_error** err) { return vaa_stats_holm(f64s(p), {out.data(), 2}, &size, err); });
  CHECK(vaa_error_status(error.get()) == VAA_ERROR_CAPACITY);
  CHECK(message(error) == "out: has room for 2, needs 3");
  CHECK(size == 9);
  ok([&](vaa_error** err) { return vaa_stats_holm(f64s(p), {out.data(), 3}, &size, err); });
  CHECK(size == 3);
  CHECK(out == std::vector<double>{0.03, 0.5, 0.04});
  CHECK(message(fault([&](vaa_error** err) { return vaa_stats_benjamini_hochberg(f64s(p), {nullptr, 3}, &size, err); })) == "out.data is NULL");
  CHECK(message(fault([&](vaa_error** err) { return vaa_stats_quantiles(f64s(p), f64s(p), {out.data(), 3}, nullptr, err); })) == "out_size is NULL");
  CHECK(message(fault([&](vaa_error** err) { return vaa_stats_holm({nullptr, 2}, {out.data(), 3}, &size, err); })) == "a view of size 2 has NULL as its data");
}

TEST_CASE("stats: a curve goes into rows that may lie apart", "[capi]") {
  const std::vector<double> exits = {3, 1, 3, 5}, entries = {0, 0, 2, 0};
  const std::vector<uint8_t> events = {1, 1, 0, 0};
  std::vector<double> cells(2 * 8, -1.0);
  size_t size = 0;
  double median = 0;
  ok([&](vaa_error** err) { return vaa_stats_kaplan_meier(f64s(exits), u8s(events), {cells.data(), 2, 6, 8}, &size, &median, err); });
  CHECK(size == 2);
  CHECK(cells[0] == 1);
  CHECK(cells[1] == 4);
  CHECK(cells[3] == 0.75);
  CHECK(cells[6] == -1);
  CHECK(cells[8] == 3);
  CHECK(cells[8 + 3] == 0.5);
  CHECK(median == 3);
  ok([&](vaa_error** err) { return vaa_stats_kaplan_meier_truncated(f64s(entries), f64s(exits), u8s(events), {cells.data(), 2, 6, 8}, &size, &median, err); });
  CHECK(cells[1] == 3);
  const auto message_with = [&](vaa_f64_rows_out rows) {
    return message(fault([&](vaa_error** err) { return vaa_stats_kaplan_meier(f64s(exits), u8s(events), rows, &size, &median, err); }));
  };
  CHECK(message_with({cells.data(), 1, 6, 8}) == "rows: has room for 1, needs 2");
  CHECK(message_with({cells.data(), 2, 5, 8}) == "kaplan_meier: rows.cols is 5, must be at least 6");
  CHECK(message_with({cells.data(), 2, 6, 5}) == "kaplan_meier: rows.stride is 5, must be at least 6");
  CHECK(message(fault([&](vaa_error** err) { return vaa_stats_kaplan_meier_truncated({nullptr, 0}, f64s(exits), u8s(events), {cells.data(), 2, 6, 8}, &size, &median, err); })) ==
        "kaplan_meier: the size of entries is 0, must be at least 1");
  // Nobody had the event: no rows, and none are needed.
  const std::vector<uint8_t> none(4, 0);
  ok([&](vaa_error** err) { return vaa_stats_kaplan_meier(f64s(exits), u8s(none), {nullptr, 0, 6, 6}, &size, &median, err); });
  CHECK(size == 0);
  CHECK(std::isinf(median));
}

TEST_CASE("stats: an empty array is an error and nothing is read from NULL", "[capi]") {
  double a = 0, b = 0, c = 0, d = 0;
  int64_t n = 0;
  CHECK(message(fault([&](vaa_error** err) { return vaa_stats_mean({nullptr, 0}, &a, &b, err); })) == "mean: the size of values is 0, must be at least 1");
  CHECK(message(fault([&](vaa_error** err) { return vaa_stats_kl_from_top_k({nullptr, 0}, {nullptr, 0}, {nullptr, 0}, {nullptr, 0}, &a, &n, &b, &c, err); })) ==
        "kl_from_top_k: the size of reference_ids is 0, must be at least 1");
  int32_t exact = 0;
  int64_t splits = 0;
  const std::vector<int64_t> prompts = {1, 1}, lengths = {0, 0};
  ok([&](vaa_error** err) {
    return vaa_stats_mmd(i64s(prompts), i64s(lengths), {nullptr, 0}, i64s(prompts), i64s(lengths), {nullptr, 0}, 10, 0, &a, &b, &n, &splits, &exact, err);
  });
  CHECK(a == 0);
  CHECK(b == 1);
  CHECK(exact == 1);
  CHECK(splits == 6);
  int32_t is_bound = 0, kind = 9;
  const std::vector<int32_t> top = {4, 5}, other = {6};
  const std::vector<double> logprobs = {-0.1, -3}, one = {-0.2};
  ok([&](vaa_error** err) { return vaa_stats_swing(ids(top), f64s(logprobs), 4, ids(other), f64s(one), 6, 0.25, &a, &b, &d, &is_bound, &kind, err); });
  CHECK(kind == VAA_SWING_SUSPECT);
  CHECK(is_bound == 1);
  ok([&](vaa_error** err) { return vaa_stats_sprt(0, 249, 0.001, 0.01, 0.05, 0.1, &a, &b, &c, &kind, &n, err); });
  CHECK(kind == VAA_SPRT_LOW);
  CHECK(n == 0);
}
