// What real engines answered, byte for byte (tests/golden/engines): streamed and whole are one answer, errors fail with their status, a page of metrics has no bad line.
#include <algorithm>
#include <cctype>
#include <filesystem>

#include "catch.h"
#include "read_samples.h"
#include "replied.h"

#include "records/engine_counters.h"
#include "records/json_tree.h"

using namespace vaa;
using namespace vaa_test;

namespace {

const std::string kFolder = std::string(VAA_GOLDEN) + "/engines/";

// What follows the headers, with the chunks of the transfer put together.
std::string body_of(const std::string& http, std::string* head) {
  const size_t end = http.find("\r\n\r\n") + 4;
  *head = http.substr(0, end);
  std::transform(head->begin(), head->end(), head->begin(), [](unsigned char c) { return std::tolower(c); });
  if (head->find("transfer-encoding: chunked") == std::string::npos) return http.substr(end);
  std::string body;
  for (size_t at = end; at < http.size();) {
    const size_t line = http.find("\r\n", at), size = std::stoul(http.substr(at, line - at), nullptr, 16);
    body += http.substr(line + 2, size);
    at = line + 2 + size + 2;
  }
  return body;
}

Response response_of(const std::string& path) {
  std::string head;
  Response response;
  response.body = body_of(file_bytes(path), &head);
  response.status = std::stoi(head.substr(9, 3));
  const size_t type = head.find("content-type: ");
  if (type != std::string::npos) response.content_type = head.substr(type + 14, head.find("\r\n", type) - type - 14);
  const std::string request = path.substr(0, path.size() - 4) + "request";
  if (!std::filesystem::exists(request)) return response;
  const std::string sent = file_bytes(request);
  response.request = sent.substr(std::min(sent.find("\r\n\r\n") + 4, sent.size()));
  return response;
}

std::vector<std::string> recorded() {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(kFolder))
    if (entry.path().extension() == ".http") paths.push_back(entry.path().string());
  std::sort(paths.begin(), paths.end());
  return paths;
}

// A question that got an answer; some engines answer what others refuse.
bool is_answer(const Response& response) {
  return response.status == 200 && (response.body.find("\"choices\":") != std::string::npos || response.body.find("\"stop_type\":") != std::string::npos);
}

std::vector<double> logprobs(const Sample& sample) { return sample.has(RealsField::kOutputLogprobs) ? sample.real_lists.get(RealsField::kOutputLogprobs) : std::vector<double>(); }
std::vector<int32_t> ids(const Sample& sample, IdsField field) { return sample.has(field) ? sample.ids.get(field) : std::vector<int32_t>(); }

}  // namespace

TEST_CASE("engine replies: answers and errors of real engines are read, however they are cut", "[records]") {
  REQUIRE_FALSE(recorded().empty());
  for (const std::string& path : recorded()) {
    const Response response = response_of(path);
    INFO(path);
    if (path.find("detokenize") != std::string::npos) continue;  // {"content"}, as llama.cpp answers a question
    const std::vector<Sample> whole = replies(response);
    REQUIRE_FALSE(whole.empty());
    for (const Sample& sample : whole) {
      CHECK((sample.failed() || sample.has(TextField::kFinishReason)));
      if (!sample.failed()) CHECK(sample.has_output());
      if (response.status >= 400) CHECK(sample.integer(IntField::kErrorStatus, 0) == response.status);
      // One engine stops an answer where another is asked for.
      if (is_answer(response) && path.find("second_caller") == std::string::npos) CHECK_FALSE(sample.failed());
    }
    for (const int cut : {1, -1}) {
      const std::vector<Sample> pieces = replies(response, cut);
      REQUIRE(pieces.size() == whole.size());
      for (size_t i = 0; i < whole.size(); ++i) CHECK(record_of(pieces[i]) == record_of(whole[i]));
    }
  }
}

TEST_CASE("engine replies: streamed and whole are the same greedy answer", "[records]") {
  size_t compared = 0;
  for (const std::string& path : recorded()) {
    const size_t at = path.find("_stream");
    if (at == std::string::npos) continue;
    std::string other = path;
    other.erase(at, 7);
    if (!std::filesystem::exists(other) || !is_answer(response_of(other))) continue;
    INFO(path);
    const std::vector<Sample> streamed = replies(response_of(path), 7), whole = replies(response_of(other));
    REQUIRE(streamed.size() == whole.size());
    const auto limit = [](const Sample& sample) { return sample.integer(IntField::kMaxTokens, -1); };
    if (limit(streamed[0]) != limit(whole[0])) continue;
    ++compared;
    for (size_t i = 0; i < whole.size(); ++i) {
      CHECK(streamed[i].text(TextField::kOutputText) == whole[i].text(TextField::kOutputText));
      CHECK(streamed[i].text(TextField::kFinishReason) == whole[i].text(TextField::kFinishReason));
      CHECK(streamed[i].text(TextField::kStreamEnd) == "complete");
      for (const IdsField field : {IdsField::kPromptTokenIds, IdsField::kOutputTokenIds, IdsField::kOutputTopIds})
        if (path.find("verbose") == std::string::npos) CHECK(ids(streamed[i], field) == ids(whole[i], field));  // llama.cpp's whole list of ids is not streamed
      CHECK(logprobs(streamed[i]) == logprobs(whole[i]));
      for (const IntField field : {IntField::kPromptTokens, IntField::kCompletionTokens})
        if (streamed[i].has(field)) CHECK(streamed[i].integer(field, -1) == whole[i].integer(field, -1));  // llama-cpp-python streams no usage
    }
  }
  CHECK(compared >= 5);
}

TEST_CASE("engine replies: the portions of a stream are all of its ids", "[records]") {
  for (const std::string& path : recorded()) {
    if (path.find("_stream") == std::string::npos) continue;
    INFO(path);
    for (const Sample& sample : replies(response_of(path), 100)) {
      JsonTree extra;
      if (!sample.has(TextField::kExtra) || !parse_json_tree(sample.text(TextField::kExtra), &extra) || !extra.find("chunk_tokens")) continue;
      int64_t sum = 0;
      for (const TreeMember& portion : extra.find("chunk_tokens")->members) sum += portion.second.members.at(0).second.integer() * portion.second.members.at(1).second.integer();
      if (sample.has(IdsField::kOutputTokenIds)) CHECK(sum == static_cast<int64_t>(sample.ids.get(IdsField::kOutputTokenIds).size()));
      if (sample.has(IntField::kCompletionTokens)) CHECK(sum == sample.integer(IntField::kCompletionTokens, 0));
    }
  }
}

TEST_CASE("engine replies: a page of metrics is read without a bad line", "[records]") {
  for (const std::string& path : recorded()) {
    if (std::filesystem::path(path).stem() != "metrics") continue;
    INFO(path);
    std::string head;
    const std::string page = body_of(file_bytes(path), &head);
    EngineCounters counters;
    counters.push(page, 0);
    counters.push(page, 1);
    JsonTree tree;
    REQUIRE(parse_json_tree(counters.json(), &tree));
    CHECK(member(tree, "bad_lines").integer() == 0);
    REQUIRE(member(tree, "engines").members.size() == 1);
    const JsonTree& engine = member(tree, "engines").members[0].second;
    for (const char* field : {"prompt_tokens", "generation_tokens", "running_max", "waiting_max"}) {
      INFO(field);
      CHECK(member(engine, field).is(JsonKind::kNumber));
    }
  }
}
