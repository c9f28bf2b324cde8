// What is read from the lists of a sample, and what is counted as wrong with them.
#include <cmath>
#include <string>

#include "catch.h"
#include "sampler/calibration/listed_row.h"

using namespace vaa::sampler;

namespace {

struct Read {
  vaa::Sample sample;
  ListFaults faults;
  std::string name = "gsm8k/1";
  std::vector<ListedRow> rows;
  size_t asked = 0;
  explicit Read(const std::string& output) {
    vaa::parse_record(R"({"schema": "vaa.record/1", "id": "1", "output": )" + output + "}", &sample);
    AnswerLists lists;
    if (!find_lists(sample, name, &lists, &faults)) return;
    RowReader reader(lists, name, &faults);
    asked = reader.asked();
    ListedRow row;
    for (size_t i = 0; i < reader.size(); ++i)
      if (reader.read(i, &row)) rows.push_back(row);
  }
};

}  // namespace

TEST_CASE("listed row: a chosen token beyond the k likeliest stands behind them", "[calibrate]") {
  const Read read(R"({"token_ids": [5, 9], "top_logprobs": [[[5, -0.5], [6, -1.5]], [[9, -4.0], [5, -0.1], [6, -3.0]]]})");
  CHECK(read.asked == 2);
  REQUIRE(read.rows.size() == 2);
  CHECK(read.rows[0].inside());
  CHECK(read.rows[1].listed == 2);
  CHECK(read.rows[1].chosen == 2);
  CHECK_FALSE(read.rows[1].inside());
  CHECK(read.rows[1].mass == Approx(std::exp(-0.1) + std::exp(-3.0)));
}

TEST_CASE("listed row: what no logprob can be is counted and left out", "[calibrate]") {
  const Read read(R"({"token_ids": [1, 1, 1, 1, 1], "top_logprobs": [[[1, 0.5], [2, -1]], [[1, -0.5], [1, -1]], [[1, -0.1], [2, -0.1]], [], [[1, -9999.0], [2, -0.1]]]})");
  CHECK(read.faults.positive == 1);
  CHECK(read.faults.twice == 1);
  CHECK(read.faults.mass == 1);
  CHECK(read.faults.without_list == 1);
  CHECK(read.faults.first == "gsm8k/1, token 0: logprob 0.5");
  REQUIRE(read.rows.size() == 1);
  CHECK(read.rows[0].masked);
  CHECK(std::isinf(read.rows[0].chosen_logprob()));
}

TEST_CASE("listed row: a chosen token that is not listed is no likelier than the last", "[calibrate]") {
  const Read read(R"({"token_ids": [3, 4], "top_logprobs": [[[3, -0.5], [6, -1.5]], [[5, -0.5], [6, -1.5]]]})");
  CHECK(read.faults.chosen_missing == 1);
  CHECK(read.rows[1].chosen_logprob() == -1.5);
  CHECK_FALSE(read.rows[1].inside());
}

TEST_CASE("listed row: answers without what is needed are counted by what they lack", "[calibrate]") {
  CHECK(Read(R"({"text": "no ids"})").faults.answers_without_ids == 1);
  CHECK(Read(R"({"token_ids": [1]})").faults.answers_without_lists == 1);
}
