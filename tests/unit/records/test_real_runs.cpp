// The genuine runs in examples/data give every sample that planted.json names, failed requests as such, and nothing else.
#include <map>
#include <set>

#include "catch.h"
#include "reading.h"
#include "records/folder_input.h"
#include "records/json_tree.h"

using namespace vaa;

TEST_CASE("real runs: every answer that the server gave is there under its name", "[records]") {
  size_t runs = 0;
  for (const FolderEntry& entry : list_folder(VAA_EXAMPLE_DATA)) {
    const std::string folder = join_path(VAA_EXAMPLE_DATA, entry.name);
    JsonTree planted;
    if (!entry.folder || !is_file(join_path(folder, "planted.json"))) continue;
    INFO(entry.name);
    REQUIRE(parse_json_tree(reading::file_bytes(join_path(folder, "planted.json")), &planted));
    ++runs;
    // A failure is one more repeat of its question here; planted.json counts failures from 0 again.
    std::multiset<std::string> want, got;
    std::set<std::string> names;
    for (const auto& [key, sample] : planted.members) {
      if (member(sample, "missing").truth) continue;
      const bool failed = member(sample, "request_failed").truth;
      want.insert(std::string(member(sample, "dataset").string()) + "/" + std::to_string(member(sample, "id").integer()) + (failed ? " failed" : "/" + std::to_string(member(sample, "repeat").integer())));
    }
    const auto read = reading::read_all(join_path(folder, "run"));
    for (const Sample& s : read.samples) {
      const std::string question = std::string(s.text(TextField::kDataset)) + "/" + std::string(s.text(TextField::kId)), repeat = std::to_string(s.integer(IntField::kRepeat, -1));
      CHECK(names.insert(question + "/" + repeat).second);
      got.insert(question + (s.failed() ? " failed" : "/" + repeat));
    }
    CHECK(got == want);
    CHECK(read.opening.count == 0);
    CHECK((read.problems.count == 0 || read.samples.empty()));
  }
  CHECK(runs >= 10);
}

TEST_CASE("real runs: the scores of the samples give the score of the run", "[records]") {
  for (const FolderEntry& entry : list_folder(VAA_EXAMPLE_DATA)) {
    const std::string run = join_path(join_path(VAA_EXAMPLE_DATA, entry.name), "run");
    if (!entry.folder || !is_folder(run) || entry.name.find("lost") != std::string::npos) continue;
    INFO(entry.name);
    const auto read = reading::read_all(run);
    for (const TaskScore& score : read.header.scores) {
      double sum = 0;
      int64_t count = 0;
      for (const Sample& s : read.samples) {
        if (s.text(TextField::kDataset) != score.dataset || s.text(TextField::kScoreMetric) != score.metric) continue;
        sum += s.real(RealField::kScoreValue, 0);
        ++count;
      }
      if (count == 0) continue;  // another metric, or a group
      INFO(score.dataset << " " << score.metric);
      CHECK(sum / static_cast<double>(count) * (score.percent ? 100 : 1) == Approx(score.value));
    }
  }
}
