// tests/golden/samples/expected.json: what every file of that folder must give, sample by sample, when its reader and the checker meet.
#include <algorithm>
#include <fstream>
#include <sstream>

#include "base/json.h"
#include "judging.h"
#include "records/reader.h"

using namespace vaa;

namespace {

const std::string kSamples = VAA_GOLDEN "/samples/";

struct Expected {
  std::string dataset, id, truncated = "unknown";
  int64_t repeat = 0;
  std::vector<std::string> must, may, unknown;
  bool failed = false;
  bool has_dataset = false;
};
struct ExpectedFile {
  std::string path, reader;
  std::vector<Expected> samples;
};

void read_list(JsonReader* json, std::vector<std::string>* out) {
  std::string name;
  json->array();
  while (json->element() && json->string(&name)) out->push_back(name);
}

Expected read_sample(JsonReader* json) {
  Expected out;
  std::string_view key;
  json->object();
  while (json->key(&key)) {
    if (key == "dataset" && json->peek() == JsonKind::kString) out.has_dataset = json->string(&out.dataset);
    else if (key == "id") json->string(&out.id);
    else if (key == "repeat") json->int64(&out.repeat);
    else if (key == "must_find") read_list(json, &out.must);
    else if (key == "may_find") read_list(json, &out.may);
    else if (key == "unknown") read_list(json, &out.unknown);
    else if (key == "truncated") json->string(&out.truncated);
    else if (key == "request_failed") json->boolean(&out.failed);
    else json->skip();
  }
  return out;
}

std::vector<ExpectedFile> read_expected() {
  std::ifstream file(kSamples + "expected.json");
  std::stringstream all;
  all << file.rdbuf();
  const std::string document = all.str();
  JsonReader json(document);
  std::vector<ExpectedFile> files;
  std::string_view key;
  json.object();
  while (json.key(&key)) {
    if (key != "files") {
      json.skip();
      continue;
    }
    json.object();
    while (json.key(&key)) {
      ExpectedFile entry;
      entry.path = key;
      json.object();
      while (json.key(&key)) {
        if (key == "reader") {
          json.string(&entry.reader);
        } else if (key == "samples") {
          json.array();
          while (json.element()) entry.samples.push_back(read_sample(&json));
        } else {
          json.skip();
        }
      }
      files.push_back(std::move(entry));
    }
  }
  REQUIRE(json.finish());
  return files;
}

bool listed(const std::vector<std::string>& list, std::string_view flag) { return std::find(list.begin(), list.end(), flag) != list.end(); }

void check_truncated(const Expected& expected, const judging::Verdicts& said) {
  INFO("truncated: " << expected.truncated);
  if (expected.truncated == "unknown") CHECK(said.unknown("truncated"));
  else if (expected.truncated == "no") CHECK(said.clear("truncated"));
  else CHECK(said.first("truncated").confidence == (expected.truncated == "certain" ? Confidence::kCertain : Confidence::kSuspected));
}

void check_sample(const Expected& expected, const Sample& sample, const Vocab* vocab) {
  INFO("dataset " << expected.dataset << " id " << expected.id << " repeat " << expected.repeat);
  const Checker checker("", vocab);
  Judgement judgement;
  checker.judge(sample, checker.new_scratch().get(), &judgement);
  const judging::Verdicts said(judgement);
  CHECK(sample.failed() == expected.failed);
  for (const std::string& flag : expected.must) {
    INFO(flag << " must be found");
    if (find_flag(flag) >= 0) CHECK(said.found(flag));
  }
  for (const Detector* row : detector_table()) {
    const std::string flag = row->name;
    if (flag == "truncated") continue;
    INFO(flag);
    if (!listed(expected.must, flag) && !listed(expected.may, flag)) CHECK_FALSE(said.alarm(flag));
    if (listed(expected.unknown, flag) || listed(expected.unknown, "*")) CHECK(said.unknown(flag));
  }
  check_truncated(expected, said);
}

// The samples of an input by their names; the order of files in a folder is the reader's.
void check_input(const ExpectedFile& entry, const Vocab* vocab) {
  INFO(entry.path);
  const std::unique_ptr<const Input> input = open_input(kSamples + entry.path, {});
  const std::unique_ptr<SampleStream> stream = input->open();
  std::vector<Sample> samples;
  for (Sample sample; stream->next(&sample);) samples.push_back(sample);
  REQUIRE(samples.size() == entry.samples.size());
  for (const Expected& expected : entry.samples) {
    const auto named = [&](const Sample& sample) {
      return sample.text(TextField::kId) == expected.id && sample.integer(IntField::kRepeat, 0) == expected.repeat &&
             (!expected.has_dataset || sample.text(TextField::kDataset) == expected.dataset);
    };
    const auto found = std::find_if(samples.begin(), samples.end(), named);
    INFO("dataset " << expected.dataset << " id " << expected.id << " repeat " << expected.repeat);
    REQUIRE(found != samples.end());
    check_sample(expected, *found, vocab);
  }
}

}  // namespace

TEST_CASE("samples: every file gives the flags of expected.json", "[quality][samples]") {
  size_t inputs = 0;
  for (const ExpectedFile& entry : read_expected()) {
    if (entry.reader != "first" || entry.samples.empty()) continue;
    check_input(entry, nullptr);
    ++inputs;
  }
  CHECK(inputs == 29);
}

TEST_CASE("samples: a run of AISBench gives the same with and without the ids' vocabulary", "[quality][samples]") {
  // <think> and </think> are no tokens of their own there, <eos> is 2.
  std::vector<std::string> tokens(1000, " word");
  const Vocab vocab = judging::make_vocab(tokens, {2});
  for (const ExpectedFile& entry : read_expected())
    if (entry.path == "run_aisbench" || entry.path == "vaa_records.jsonl") check_input(entry, &vocab);
}
