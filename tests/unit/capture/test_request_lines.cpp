// Requests out of files and runs.
#include <algorithm>
#include <set>

#include "capture/json_members.h"
#include "capture/request.h"
#include "refused.h"
#include "written_file.h"

using namespace vaa;
using namespace vaa::capture;

namespace {

std::vector<Request> all(RequestSource* source) {
  std::vector<Request> requests;
  for (Request request; source->next(&request);) requests.push_back(request);
  CHECK(static_cast<int64_t>(requests.size()) == source->total());
  return requests;
}

std::vector<std::string> ids(const std::vector<Request>& requests) {
  std::vector<std::string> names;
  for (const Request& request : requests) names.push_back(request.id);
  return names;
}

std::string batch_line(const std::string& id, const std::string& text = "What is 6 * 7?") {
  return R"({"custom_id": ")" + id + R"(", "method": "POST", "url": "/v1/chat/completions", "body": {"model": "toy", "messages": [{"role": "user", "content": ")" + text + "\"}]}}\n";
}

std::string record(const std::string& id, const std::string& output, int repeat = 0, bool prompt = true) {
  return R"({"schema": "vaa.record/1", "id": ")" + id + R"(", "repeat": )" + std::to_string(repeat) + R"(, "dataset": "gsm8k")" + (prompt ? R"(, "prompt": {"text": "Question )" + id + R"("})" : "") +
         R"(, "output": {"text": ")" + output + R"("}, "finish_reason": "stop", "sampling": {"temperature": 0.6, "seed": 18446744073709551615}})" + "\n";
}

std::string faulty(const std::string& line) {
  return refused(VAA_ERROR_FORMAT, [&] { parse_request_line(line); });
}

}  // namespace

TEST_CASE("request lines: a batch line gives its id, path and the bytes of its body", "[capture]") {
  const Request request = parse_request_line(R"({"custom_id": "gsm8k/17", "method": "POST", "url": "/v1/completions", "body": {"prompt":[1,2],  "seed":18446744073709551615}})");
  CHECK(request.id == "gsm8k/17");
  CHECK(request.path == "/v1/completions");
  CHECK(request.body == R"({"prompt":[1,2],  "seed":18446744073709551615})");
  CHECK(parse_request_line(R"({"custom_id": 17, "url": "/v1/chat/completions", "body": {"messages": []}})").id == "17");
}

TEST_CASE("request lines: a bare body is a request too", "[capture]") {
  CHECK(parse_request_line(R"({"messages": []})").path == "/v1/chat/completions");
  const Request text = parse_request_line(R"({"model": "toy", "prompt": "x"})");
  CHECK(text.path == "/v1/completions");
  CHECK(text.body == R"({"model": "toy", "prompt": "x"})");
  CHECK(text.id.empty());
}

TEST_CASE("request lines: what is no request says which member is wrong and what is allowed", "[capture]") {
  CHECK(holds(faulty("[1]"), "must be a JSON object, is an array"));
  CHECK(holds(faulty("{\"body\": {\"messages\": []}, \"url\": \"/v1/chat"), "is no JSON: column 44: "));
  CHECK(faulty("not json").rfind("is no JSON: column 1: ", 0) == 0);
  CHECK(holds(faulty("null"), "must be a JSON object, is null"));
  CHECK(holds(faulty(R"({"id": 3})"), "neither body"));
  CHECK(faulty(R"({"body": {"messages": []}})") == "url: is missing");
  CHECK(holds(faulty(R"({"url": "/v1/embeddings", "body": {"input": "x"}})"), "url: \"/v1/embeddings\" is not asked; allowed are"));
  CHECK(holds(faulty(R"({"method": "GET", "url": "/v1/completions", "body": {"prompt": "x"}})"), "method: is \"GET\", must be \"POST\""));
  CHECK(faulty(R"({"url": "/v1/completions", "body": [1]})") == "body: must be an object");
  CHECK(faulty(R"({"url": "/v1/completions", "body": {"messages": []}})") == "body: prompt is missing");
  CHECK(faulty(R"({"url": "/v1/chat/completions", "body": {"messages": "x"}})") == "body: messages must be a list");
  CHECK(faulty(R"({"url": "/v1/completions", "body": {"prompt": 5}})") == "body: prompt must be text or a list");
  CHECK(faulty(R"({"custom_id": [], "url": "/v1/completions", "body": {"prompt": "x"}})") == "custom_id: must be text");
}

TEST_CASE("request lines: broken lines of a file are named, skipped and counted; blank ones are nothing", "[capture]") {
  const WrittenFile file("\xEF\xBB\xBF" + batch_line("a") + "\n" + "{broken\n" + batch_line("b") + "  \r\n" + R"({"url": "/v1/embeddings", "body": {}})" + "\n" + R"({"prompt": "last, without a line feed"})");
  const auto source = open_requests(file.path(), {}, nullptr);
  CHECK(source->total() == 3);
  CHECK(source->skipped() == 2);
  REQUIRE(source->problems().size() == 2);
  CHECK(holds(source->problems()[0], file.path() + ":3: "));
  CHECK(holds(source->problems()[1], file.path() + ":6: url"));
  const auto requests = all(source.get());
  CHECK(ids(requests) == std::vector<std::string>{"a", "b", "7"});
  CHECK(requests[1].source_line == 4);
  CHECK(requests[1].source_file == file.path());
}

TEST_CASE("request lines: a broken first line does not hide a file of requests", "[capture]") {
  const WrittenFile file("garbage\n" + batch_line("a"));
  const auto source = open_requests(file.path(), {}, nullptr);
  CHECK(ids(all(source.get())) == std::vector<std::string>{"a"});
  CHECK(source->skipped() == 1);
}

TEST_CASE("request lines: only the first 20 problems are kept, all are counted", "[capture]") {
  std::string text = batch_line("a");
  for (int i = 0; i < 50; ++i) text += "broken\n";
  const auto source = open_requests(WrittenFile(text).path(), {}, nullptr);
  CHECK(source->skipped() == 50);
  CHECK(source->problems().size() == 20);
}

TEST_CASE("request lines: repeats of a question come one after another", "[capture]") {
  SourceOptions options;
  options.repeat = 3;
  const WrittenFile file(batch_line("a") + batch_line("b"));
  const auto source = open_requests(file.path(), options, nullptr);
  const auto requests = all(source.get());
  CHECK(ids(requests) == std::vector<std::string>{"a", "a", "a", "b", "b", "b"});
  for (size_t i = 0; i < requests.size(); ++i) CHECK(requests[i].repeat == static_cast<int64_t>(i % 3));
}

TEST_CASE("request lines: a custom_id that stands again is a repeat, so that no two requests have one name", "[capture]") {
  SourceOptions options;
  options.repeat = 2;
  const WrittenFile file(batch_line("a") + batch_line("b") + batch_line("a"));
  const auto source = open_requests(file.path(), options, nullptr);
  std::vector<std::string> names;
  for (const Request& request : all(source.get())) names.push_back(request.id + std::to_string(request.repeat));
  CHECK(names == std::vector<std::string>{"a0", "a1", "b0", "b1", "a2", "a3"});
}

TEST_CASE("request lines: repeats of a run that is repeated stay apart", "[capture]") {
  SourceOptions options;
  options.repeat = 2;
  const WrittenFile run(record("a", "One.", 0) + record("a", "Two.", 1));
  std::set<int64_t> repeats;
  const auto source = open_requests(run.path(), options, nullptr);
  for (const Request& request : all(source.get())) repeats.insert(request.repeat);
  CHECK(repeats == std::set<int64_t>{0, 1, 2, 3});
}

TEST_CASE("request lines: a run gives prompts and sampling parameters as they were recorded", "[capture]") {
  const WrittenFile run(record("17", "42"));
  const auto source = open_requests(run.path(), {}, nullptr);
  const auto requests = all(source.get());
  REQUIRE(requests.size() == 1);
  CHECK(requests[0].id == "17");
  CHECK(requests[0].dataset == "gsm8k");
  CHECK(requests[0].path == "/v1/completions");
  CHECK(requests[0].body == R"({"prompt": "Question 17", "temperature": 0.6, "seed": 18446744073709551615})");
  CHECK(requests[0].source_line == 1);
}

TEST_CASE("request lines: samples without a prompt and lines that cannot be read are named and counted", "[capture]") {
  const WrittenFile run(record("1", "x") + record("2", "x", 0, false) + "{\"schema\": \"vaa.record/1\", \"id\": }\n");
  const auto source = open_requests(run.path(), {}, nullptr);
  CHECK(ids(all(source.get())) == std::vector<std::string>{"1"});
  CHECK(source->skipped() == 2);
  REQUIRE(source->problems().size() == 2);
  CHECK(holds(source->problems()[0], ":2: sample \"2\" has no prompt recorded"));
  CHECK(holds(source->problems()[1], ":3: "));
}

TEST_CASE("request lines: a flag chooses the samples that have it", "[capture]") {
  const std::string good = "The answer is forty-two, as six times seven is forty-two.";
  const WrittenFile run(record("1", good) + record("2", "") + record("3", good) + record("4", ""));
  SourceOptions options;
  for (const char* flag : {"empty", "any"}) {
    options.flag = flag;
    const auto source = open_requests(run.path(), options, nullptr);
    CHECK(ids(all(source.get())) == std::vector<std::string>{"2", "4"});
  }
  options.flag = "emty";
  CHECK(holds(refused(VAA_ERROR_OPTION, [&] { open_requests(run.path(), options, nullptr); }), "flag: \"emty\" is no flag; did you mean empty?"));
  options.flag = "empty";
  const WrittenFile requests(batch_line("a"));
  CHECK(holds(refused(VAA_ERROR_OPTION, [&] { open_requests(requests.path(), options, nullptr); }), "holds requests, not answers"));
}

TEST_CASE("request lines: ids choose, with or without the dataset, and one that is not there is named", "[capture]") {
  const WrittenFile run(record("1", "x") + record("2", "x") + record("3", "x"));
  SourceOptions options;
  options.ids = {"3", "gsm8k/1", "9"};
  const auto source = open_requests(run.path(), options, nullptr);
  CHECK(ids(all(source.get())) == std::vector<std::string>{"1", "3"});
  REQUIRE(source->problems().size() == 1);
  CHECK(holds(source->problems()[0], "ids: \"9\" is not in"));
}

TEST_CASE("request lines: a sample is the same for a seed, whatever the order of the input, and comes in its order", "[capture]") {
  std::vector<std::string> lines;
  for (int i = 0; i < 200; ++i) lines.push_back(record(std::to_string(i), "x"));
  const auto drawn = [&](uint64_t seed, int64_t count) {
    std::string text;
    for (const std::string& line : lines) text += line;
    const WrittenFile run(text);
    SourceOptions options;
    options.sample = count;
    options.seed = seed;
    const auto source = open_requests(run.path(), options, nullptr);
    return ids(all(source.get()));
  };
  const auto sorted = [](std::vector<std::string> names) { return std::sort(names.begin(), names.end()), names; };
  const auto first = drawn(1, 20);
  REQUIRE(first.size() == 20);
  CHECK(std::is_sorted(first.begin(), first.end(), [](const auto& a, const auto& b) { return std::stoi(a) < std::stoi(b); }));
  CHECK(drawn(1, 20) == first);
  CHECK(drawn(2, 20) != first);
  CHECK(drawn(1, 1000).size() == 200);
  const auto larger = sorted(drawn(1, 60)), smaller = sorted(first);
  CHECK(std::includes(larger.begin(), larger.end(), smaller.begin(), smaller.end()));
  std::reverse(lines.begin(), lines.end());
  CHECK(sorted(drawn(1, 20)) == sorted(first));
}

TEST_CASE("request lines: every question is drawn about as often as any other", "[capture]") {
  std::string text;
  for (int i = 0; i < 40; ++i) text += record(std::to_string(i), "x");
  const WrittenFile run(text);
  std::vector<int> counts(40);
  SourceOptions options;
  options.sample = 10;
  for (options.seed = 0; options.seed < 200; ++options.seed) {
    const auto source = open_requests(run.path(), options, nullptr);
    for (const Request& request : all(source.get())) ++counts[static_cast<size_t>(std::stoi(request.id))];
  }
  // 200 draws of 10 of 40: binomial of mean 50, standard deviation 6.1; five of them to either side.
  for (const int count : counts) CHECK((count > 19 && count < 81));
}

TEST_CASE("request lines: inputs that hold no requests are refused with what is missing", "[capture]") {
  CHECK(holds(refused(VAA_ERROR_NOT_FOUND, [] { open_requests("/nowhere/run.jsonl", {}, nullptr); }), "/nowhere/run.jsonl"));
  CHECK(holds(refused(VAA_ERROR_ARGUMENT, [] { open_requests("/dev/null", {}, nullptr); }), "no plain file"));
  const WrittenFile neither("{\"question\": \"?\"}\n");
  try {
    open_requests(neither.path(), {}, nullptr);
    FAIL("taken");
  } catch (const Failure& failure) {
    CHECK(holds(failure.message(), "none of its first lines is a request"));
  }
}
