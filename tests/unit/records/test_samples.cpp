// Every sample file gives what expected.json says: names, counts, failures, lines, scores, header; or is refused by name. Flags are tested with the detectors.
#include <cmath>
#include <map>

#include "catch.h"
#include "reading.h"
#include "records/json_tree.h"

using namespace vaa;

namespace {

const JsonTree& expected() {
  static const JsonTree tree = [] {
    JsonTree out;
    REQUIRE(parse_json_tree(reading::file_bytes(reading::golden("expected.json")), &out));
    return out;
  }();
  return tree;
}

std::string shown_id(const Sample& s) {
  return std::string(s.text(TextField::kDataset)) + " " + std::string(s.text(TextField::kId)) + " " + std::to_string(s.integer(IntField::kRepeat, -1));
}

void check_sample(const Sample& s, const JsonTree& want, const std::string& format) {
  INFO(shown_id(s));
  CHECK(s.text(TextField::kId) == member(want, "id").string());
  CHECK(s.integer(IntField::kRepeat, -1) == member(want, "repeat").integer());
  if (member(want, "dataset").is(JsonKind::kString)) CHECK(s.text(TextField::kDataset) == member(want, "dataset").string());
  if (member(want, "line").is(JsonKind::kNumber)) CHECK(s.integer(IntField::kSourceLine, -1) == member(want, "line").integer());
  if (member(want, "file").is(JsonKind::kString)) CHECK(s.text(TextField::kSourceFile) == member(want, "file").string());
  if (member(want, "correct").is(JsonKind::kBool)) {
    REQUIRE(s.has(IntField::kScoreCorrect));
    CHECK(s.integer(IntField::kScoreCorrect, -1) == member(want, "correct").truth);
  } else {
    CHECK_FALSE(s.has(IntField::kScoreCorrect));
  }
  if (member(want, "stream_end").is(JsonKind::kString)) CHECK(s.text(TextField::kStreamEnd) == member(want, "stream_end").string());
  CHECK(s.failed() == member(want, "request_failed").truth);
  CHECK(s.text(TextField::kSourceFormat) == format);
}

// Scores that can be had from the samples alone: the mean of every metric over the questions that have one.
std::map<std::string, std::pair<double, int64_t>> means(const std::vector<Sample>& samples) {
  std::map<std::string, std::pair<double, int64_t>> out;
  const auto add = [&](const std::string& metric, double value) {
    out[metric].first += value;
    ++out[metric].second;
  };
  for (const Sample& s : samples) {
    if (s.has(RealField::kScoreValue)) add(std::string(s.text(TextField::kScoreMetric)), s.real(RealField::kScoreValue, 0));
    JsonTree extra;
    if (!s.has(TextField::kExtra)) continue;
    REQUIRE(parse_json_tree(s.text(TextField::kExtra), &extra));
    for (const auto& [metric, value] : member(extra, "scores").members) add(metric, value.real());
  }
  for (auto& [metric, sum] : out) sum.first /= static_cast<double>(sum.second);
  return out;
}

void check_scores(const reading::Read& read, const JsonTree& want) {
  const auto from_samples = means(read.samples);
  for (const auto& [key, score] : member(want, "accuracy").members) {
    const std::string metric(member(score, "metric").string());
    INFO(metric);
    bool found = false;
    for (const TaskScore& s : read.header.scores) {
      if (s.metric != metric || (member(score, "dataset").is(JsonKind::kString) && s.dataset != member(score, "dataset").string())) continue;
      found = true;
      CHECK(s.value == Approx(member(score, "value").real()));
      CHECK(s.n == member(score, "n").integer());
    }
    if (found) continue;
    REQUIRE(from_samples.count(metric) == 1);
    CHECK(from_samples.at(metric).first == Approx(member(score, "value").real()));
    CHECK(from_samples.at(metric).second == member(score, "n").integer());
  }
}

void check_header(const reading::Read& read, const JsonTree& want) {
  JsonTree header;
  REQUIRE(parse_json_tree(read.header.json, &header));
  CHECK(member(header, "schema").string() == "vaa.run/1");
  for (const auto& [path, value] : member(want, "header").members) {
    INFO(path);
    const size_t dot = path.find('.');
    const JsonTree& outer = member(header, path.substr(0, dot));
    const JsonTree& found = dot == std::string::npos ? outer : member(outer, path.substr(dot + 1));
    REQUIRE(found.kind == value.kind);
    if (value.is(JsonKind::kNumber)) CHECK(found.real() == value.real());
    else CHECK(found.text == value.text);
  }
}

void check_file(const std::string& name, const JsonTree& want) {
  const reading::Read read = reading::read_all(reading::golden(name));
  const std::string format(member(want, "format").string());
  CHECK(read.format == format);
  CHECK(read.problems.count == 0);
  for (const Problem& p : read.problems.first) UNSCOPED_INFO(p.file << ":" << p.line << ": " << p.message);
  const auto& samples = member(want, "samples").members;
  REQUIRE(read.samples.size() == samples.size());
  CHECK(static_cast<int64_t>(read.samples.size()) == member(member(want, "count"), "samples").integer());
  int64_t failures = 0;
  for (size_t i = 0; i < samples.size(); ++i) {
    check_sample(read.samples[i], samples[i].second, format);
    failures += read.samples[i].failed();
  }
  CHECK(failures == member(member(want, "count"), "request_failures").integer());
  check_scores(read, want);
  check_header(read, want);
  for (const auto& [key, id] : member(want, "token_ids").members) {
    bool has = false;
    for (const Sample& s : read.samples) has = has || (s.text(TextField::kId) == id.text && s.has(IdsField::kOutputTokenIds));
    INFO("token ids of " << id.text);
    CHECK(has);
  }
}

}  // namespace

TEST_CASE("samples: each file that is read gives the names, counts, lines, scores and header of expected.json", "[records]") {
  for (const auto& [name, want] : member(expected(), "files").members) {
    if (member(want, "reader").string() != "first") continue;
    INFO(name);
    check_file(name, want);
  }
}

TEST_CASE("samples: a file that is not read by itself is named and refused", "[records]") {
  for (const auto& [name, want] : member(expected(), "files").members) {
    const std::string_view reader = member(want, "reader").string();
    if (reader != "joined" && reader != "later") continue;
    INFO(name);
    std::string message;
    CHECK(reading::open_status(reading::golden(name), &message) == VAA_ERROR_UNSUPPORTED);
    INFO(message);
    CHECK(message.find(name) != std::string::npos);
    CHECK((message.find("give") != std::string::npos || message.find("say --text-field") != std::string::npos));
  }
}

TEST_CASE("samples: what is no input is refused with a hint", "[records]") {
  for (const std::string name : {"README.md", "expected.json", "toy_vocab.json"}) {
    INFO(name);
    std::string message;
    CHECK(reading::open_status(reading::golden(name), &message) == VAA_ERROR_FORMAT);
    CHECK(message.find("vaa formats") != std::string::npos);
  }
}
