#include "catch.h"
#include "support.h"
#include "vaa/vaa.h"

TEST_CASE("vaa_diff: runs, hunks and prompts through the border", "[capi]") {
  vaa_diff* diff = nullptr;
  REQUIRE(vaa_diff_new({nullptr, 0}, nullptr, &diff, nullptr) == VAA_OK);
  const int32_t a[] = {1, 2, 3, 4}, b[] = {1, 2, 9, 4, 5};
  vaa_divergence d;
  REQUIRE(vaa_diff_run(diff, {a, 4}, {b, 5}, -1, &d, nullptr) == VAA_OK);
  CHECK(d.first_divergence == 2);
  CHECK(d.levenshtein == 2);
  CHECK(d.reconverge_reference == -1);
  vaa_i64s hunks;
  REQUIRE(vaa_diff_hunks(diff, {a, 4}, {b, 5}, &hunks, nullptr) == VAA_OK);
  CHECK(std::vector<int64_t>(hunks.data, hunks.data + hunks.size) == std::vector<int64_t>{2, 1, 2, 1, 4, 0, 4, 1});
  vaa_prompt_difference p;
  REQUIRE(vaa_diff_prompt(diff, {a, 4}, {a + 1, 3}, &p, nullptr) == VAA_OK);
  CHECK(p.which == VAA_PROMPT_BOS_MISSING);
  CHECK(p.longer == 1);
  vaa_error* err = nullptr;
  CHECK(vaa_diff_run(diff, {a, 4}, {b, 5}, -2, &d, &err) == VAA_ERROR_ARGUMENT);
  CHECK(std::string(vaa_error_message(err).data) == "max_distance: is -2, must be at least 0, or -1 for any");
  vaa_error_free(err);
  CHECK(vaa_diff_new({"{\"window\": 0}", 13}, nullptr, &diff, nullptr) == VAA_ERROR_OPTION);
  vaa_diff_free(diff);
  CHECK(vaa_prompt_class_name(-1).size == 0);
  CHECK(vaa_prompt_class_name(10).size == 0);
}
