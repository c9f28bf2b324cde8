#include <fstream>
#include <sstream>

#include "catch.h"
#include "support.h"
#include "vaa/vaa.h"

namespace {

// A line of golden/diff_reference.txt, which make_diff_reference.py describes.
struct ReferenceLine {
  bool prompt = false;
  std::vector<int64_t> expected;
  std::vector<int32_t> reference, target;
};
std::vector<ReferenceLine> reference_lines() {
  std::ifstream file(std::string(VAA_GOLDEN) + "/diff_reference.txt");
  std::vector<ReferenceLine> out;
  for (std::string line; std::getline(file, line);) {
    std::istringstream numbers(line);
    ReferenceLine one;
    numbers >> one.prompt;
    one.expected.resize(9);
    for (int64_t& number : one.expected) numbers >> number;
    for (auto* ids : {&one.reference, &one.target}) {
      size_t size = 0;
      numbers >> size;
      ids->resize(size);
      for (int32_t& id : *ids) numbers >> id;
    }
    REQUIRE(numbers);
    out.push_back(one);
  }
  return out;
}
vaa_ids view(const std::vector<int32_t>& ids) { return {ids.data(), ids.size()}; }

}  // namespace

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

TEST_CASE("vaa_diff: the numbers of an independent program", "[capi]") {
  vaa_diff* diff = nullptr;
  REQUIRE(vaa_diff_new(str(R"({"window": 3})"), nullptr, &diff, nullptr) == VAA_OK);
  const auto lines = reference_lines();
  REQUIRE(lines.size() > 40);
  for (const ReferenceLine& line : lines) {
    if (line.prompt) {
      vaa_prompt_difference p;
      REQUIRE(vaa_diff_prompt(diff, view(line.reference), view(line.target), &p, nullptr) == VAA_OK);
      CHECK(std::vector<int64_t>{p.which, p.longer, p.reference_at, p.reference_size, p.target_at, p.target_size, 0, 0, 0} == line.expected);
      continue;
    }
    vaa_divergence d;
    REQUIRE(vaa_diff_run(diff, view(line.reference), view(line.target), -1, &d, nullptr) == VAA_OK);
    CHECK(std::vector<int64_t>{d.first_divergence, d.prefix, d.suffix, d.levenshtein, d.lcs, d.indel, d.reconverge_reference, d.reconverge_target, d.length_only} == line.expected);
    CHECK(d.same_bytes == -1);
    CHECK(d.more_than == -1);
    vaa_i64s hunks;
    REQUIRE(vaa_diff_hunks(diff, view(line.reference), view(line.target), &hunks, nullptr) == VAA_OK);
    int64_t edits = 0;
    for (size_t i = 0; i + 3 < hunks.size; i += 4) edits += std::max(hunks.data[i + 1], hunks.data[i + 3]);
    CHECK(edits == d.levenshtein);
    if (d.levenshtein == 0) continue;
    const int64_t whole = d.levenshtein;
    REQUIRE(vaa_diff_run(diff, view(line.reference), view(line.target), whole - 1, &d, nullptr) == VAA_OK);
    CHECK(d.levenshtein == -1);
    CHECK(d.more_than == whole - 1);
    CHECK(d.prefix == line.expected[1]);
  }
  vaa_diff_free(diff);
}
