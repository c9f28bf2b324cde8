// Event streams: the lines of the specification, several streams in one file, five ways to end (docs/formats.md).
#include "catch.h"
#include "read_samples.h"

using namespace vaa;
using namespace vaa_test;

namespace {

std::string chunk(const std::string& choices, const std::string& id = "a") { return R"({"id":")" + id + R"(","object":"chat.completion.chunk","model":"m","choices":[)" + choices + "]}"; }
std::string delta(const std::string& text, int index = 0, const std::string& finish = "null") {
  return R"({"index":)" + std::to_string(index) + R"(,"delta":{"content":")" + text + R"("},"finish_reason":)" + finish + "}";
}
std::string event(const std::string& data) { return "data: " + data + "\n\n"; }
const std::string kDone = event("[DONE]");

Reading sse(const std::string& bytes, const OpenOptions& options = {}) {
  OpenOptions with = options;
  with.format = "openai_sse";
  return read_bytes(bytes, "stream.sse", with);
}

Sample one(const std::string& bytes) {
  const Reading reading = sse(bytes);
  for (const Problem& problem : reading.problems.first) INFO(problem.message);
  CHECK(reading.problems.count == 0);
  REQUIRE(reading.samples.size() == 1);
  return reading.samples[0];
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) text.replace(at, from.size(), to);
  return text;
}

}  // namespace

TEST_CASE("sse: pieces of text, reasoning and ids become one answer", "[records]") {
  const Reading reading = read_input(golden_sample("openai_chat_stream_vllm.sse"));
  REQUIRE(reading.samples.size() == 6);
  const Sample& sample = reading.samples[0];
  CHECK(sample.text(TextField::kOutputReasoning) == "\nStart with 14 + 9 = 23. Five more blue ones give 28.\n");
  CHECK(sample.text(TextField::kOutputText) == "\n\nThere are 23 marbles at first, and 28 after Lena adds 5.\n\nThe answer is \\boxed{28}.");
  CHECK(sample.ids.get(IdsField::kOutputTokenIds).size() == 54);
  CHECK(sample.integer(IntField::kCompletionTokens, 0) == 54);
  CHECK(sample.ids.get(IdsField::kPromptTokenIds).size() == 47);
  CHECK(sample.text(TextField::kFinishReason) == "stop");
  CHECK(sample.text(TextField::kModel) == "toy-8b");
  for (const Sample& each : reading.samples) CHECK(each.text(TextField::kStreamEnd) == "complete");
  const Sample& empty = reading.samples[2];
  CHECK(empty.has(TextField::kOutputText));
  CHECK(empty.text(TextField::kOutputText).empty());
  CHECK_FALSE(empty.has(TextField::kOutputReasoning));
}

TEST_CASE("sse: five ways in which a stream ends", "[records]") {
  const Reading reading = read_input(golden_sample("openai_stream_errors.sse"));
  REQUIRE(reading.samples.size() == 5);
  CHECK(reading.problems.count == 0);
  CHECK(reading.samples[0].text(TextField::kErrorMessage) == "EngineCore encountered an issue.");
  CHECK(reading.samples[0].integer(IntField::kErrorStatus, 0) == 500);
  CHECK(reading.samples[0].text(TextField::kOutputReasoning) == "\n72 buns minus 17 is");
  CHECK(reading.samples[0].ids.get(IdsField::kOutputTokenIds) == std::vector<int32_t>{137, 121, 255, 156, 254, 257, 103, 255, 155});
  CHECK_FALSE(reading.samples[1].has_output());
  CHECK(reading.samples[1].text(TextField::kErrorType) == "ServiceUnavailableError");
  CHECK(reading.samples[2].text(TextField::kOutputReasoning) == "\nStart with 14");
  CHECK(reading.samples[3].text(TextField::kOutputText) == "44 / 4 ");
  CHECK(reading.samples[4].text(TextField::kOutputText) == "44 ");
  for (const Sample& sample : reading.samples) CHECK_FALSE(sample.has(TextField::kFinishReason));
}

TEST_CASE("sse: any line end, with or without blank, comments, other fields, a byte order mark", "[records]") {
  const std::string bytes = ": ping\n\nevent: message\nid: 7\nretry: 10\n" + event(chunk(delta("4"))) + ": ping\n" + event(chunk(delta("2", 0, "\"stop\""))) + kDone;
  const std::string same = one(bytes).text(TextField::kOutputText).data();
  CHECK(same == "42");
  for (const std::string& other : {replaced(bytes, "\n", "\r\n"), replaced(bytes, "\n", "\r"), replaced(bytes, "data: ", "data:"), "\xEF\xBB\xBF" + bytes,
                                   replaced(bytes, "\n\n", "\n"), replaced(bytes, "\n\n", "\n\n\n\n"), bytes.substr(0, bytes.size() - 1), bytes.substr(0, bytes.size() - 2)}) {
    const Sample sample = one(other);
    CHECK(sample.text(TextField::kOutputText) == "42");
    CHECK(sample.text(TextField::kStreamEnd) == "complete");
  }
}

TEST_CASE("sse: data lines of one event are joined by a line feed", "[records]") {
  const std::string bytes = "data: {\"id\":\"a\",\ndata: \"object\":\"chat.completion.chunk\",\ndata:\ndata: \"choices\":[{\"delta\":{\"content\":\"x\"},\ndata: \"finish_reason\":\"stop\"}]}\n\n" + kDone;
  CHECK(one(bytes).text(TextField::kOutputText) == "x");
  CHECK(one(replaced(bytes, "\n", "\r")).text(TextField::kOutputText) == "x");
}

TEST_CASE("sse: chunks of several indexes interleave", "[records]") {
  const Reading reading = sse(event(chunk(delta("b1", 1))) + event(chunk(delta("a1", 0) + "," + delta("c1", 2))) + event(chunk(delta("a2", 0, "\"stop\""))) + event(chunk(delta("b2", 1, "\"length\""))) +
                              event(R"({"id":"a","choices":[],"usage":{"prompt_tokens":3,"completion_tokens":9}})") + kDone);
  REQUIRE(reading.samples.size() == 3);
  const char* texts[] = {"a1a2", "b1b2", "c1"};
  const char* ends[] = {"complete", "complete", "no_finish_reason"};
  for (size_t i = 0; i < 3; ++i) {
    CHECK(reading.samples[i].text(TextField::kOutputText) == texts[i]);
    CHECK(reading.samples[i].integer(IntField::kRepeat, -1) == static_cast<int64_t>(i));
    CHECK(reading.samples[i].text(TextField::kStreamEnd) == ends[i]);
    CHECK(reading.samples[i].integer(IntField::kPromptTokens, -1) == 3);
    CHECK_FALSE(reading.samples[i].has(IntField::kCompletionTokens));
  }
}

TEST_CASE("sse: another id begins another stream, also without an end mark", "[records]") {
  const Reading reading = sse(event(chunk(delta("x"), "a")) + event(chunk(delta("y", 0, "\"stop\""), "b")) + event(chunk(delta("z"), "c")));
  REQUIRE(reading.samples.size() == 3);
  CHECK(reading.samples[0].text(TextField::kStreamEnd) == "cut");
  CHECK(reading.samples[1].text(TextField::kStreamEnd) == "complete");
  CHECK(reading.samples[2].text(TextField::kStreamEnd) == "cut");
  CHECK(reading.samples[2].text(TextField::kId) == "c");
  CHECK(reading.samples[2].integer(IntField::kSourceLine, 0) == 5);
}

TEST_CASE("sse: chunks without an id are named by the stream's place", "[records]") {
  const std::string nameless = R"({"choices":[{"delta":{"content":"x"},"finish_reason":"stop"}]})";
  const Reading reading = sse(event(nameless) + kDone + event(nameless) + kDone);
  REQUIRE(reading.samples.size() == 2);
  CHECK(reading.samples[0].text(TextField::kId) == "1");
  CHECK(reading.samples[1].text(TextField::kId) == "2");
  CHECK_FALSE(reading.samples[0].has(TextField::kRequestId));
}

TEST_CASE("sse: errors of any shape, and what follows one", "[records]") {
  const Reading reading = sse(event(R"({"error":"busy"})") + event(R"({"object":"error","message":"m","code":400})") + event(chunk(delta("x", 0, "\"stop\""))) + kDone + "event: error\ndata: gone\n\n");
  REQUIRE(reading.samples.size() == 4);
  CHECK(reading.samples[0].text(TextField::kErrorMessage) == "busy");
  CHECK(reading.samples[1].text(TextField::kErrorMessage) == "m");
  CHECK_FALSE(reading.samples[2].failed());
  CHECK(reading.samples[3].text(TextField::kErrorMessage) == "gone");
  CHECK(reading.samples[3].text(TextField::kStreamEnd) == "error");
}

TEST_CASE("sse: pieces of tool calls are put together", "[records]") {
  const Sample sample = one(event(chunk(R"({"index":0,"delta":{"role":"assistant","content":""}})")) +
                            event(chunk(R"({"index":0,"delta":{"tool_calls":[{"index":0,"id":"t","type":"function","function":{"name":"f","arguments":""}}]}})")) +
                            event(chunk(R"({"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\"a\""}},{"index":1,"id":"u","function":{"name":"g","arguments":"{}"}}]}})")) +
                            event(chunk(R"({"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":":1}"}}]},"finish_reason":"tool_calls"})")) + kDone);
  CHECK_FALSE(sample.has(TextField::kOutputText));
  CHECK(replaced(replaced(std::string(sample.text(TextField::kToolCalls)), ": ", ":"), ", ", ",") ==
        R"([{"id":"t","type":"function","function":{"name":"f","arguments":"{\"a\":1}"}},{"id":"u","type":"function","function":{"name":"g","arguments":"{}"}}])");
}

TEST_CASE("sse: logprobs of the chunks are one list", "[records]") {
  const auto piece = [](const std::string& entries) { return event(chunk(R"({"index":0,"delta":{"content":"x"},"logprobs":{"content":[)" + entries + "]}}")); };
  const Sample sample = one(piece(R"({"token":"token_id:5","logprob":-1,"top_logprobs":[{"token":"token_id:5","logprob":-1},{"token":"token_id:6","logprob":-2}]})") +
                            event(chunk(R"({"index":0,"delta":{"content":"y"},"logprobs":null})")) +
                            piece(R"({"token":"token_id:7","logprob":-3,"top_logprobs":[]},{"token":"token_id:8","logprob":-4,"top_logprobs":[{"token":"token_id:9","logprob":-0.5}]})") + kDone);
  CHECK(sample.ids.get(IdsField::kOutputTokenIds) == std::vector<int32_t>{5, 7, 8});
  CHECK(sample.real_lists.get(RealsField::kOutputLogprobs) == std::vector<double>{-1, -3, -4});
  CHECK(sample.ids.get(IdsField::kOutputTopIds) == std::vector<int32_t>{5, 6, 8, 9});
  CHECK(sample.int_lists.get(IntsField::kOutputTopEnds) == std::vector<int64_t>{2, 2, 4});
}

TEST_CASE("sse: a malformed event in the middle is a finding, the stream goes on", "[records]") {
  const Reading reading = sse(event(chunk(delta("x"))) + event("{\"id\":") + event("{\"id\":\"a\"}") + event(chunk(delta("y", 0, "\"stop\""))) + kDone);
  REQUIRE(reading.samples.size() == 1);
  CHECK(reading.samples[0].text(TextField::kOutputText) == "xy");
  CHECK(reading.samples[0].text(TextField::kStreamEnd) == "complete");
  REQUIRE(reading.problems.count == 2);
  CHECK(reading.problems.first[0].line == 3);
  CHECK(reading.problems.first[1].line == 5);
}

TEST_CASE("sse: a stream cut inside an event with the next stream right behind it", "[records]") {
  const std::string first = event(chunk(delta("x"), "a"));
  const Reading reading = sse(first + "data: " + chunk(delta("lost"), "a").substr(0, 40) + "\n" + event(chunk(delta("y", 0, "\"stop\""), "b")) + kDone);
  REQUIRE(reading.samples.size() == 2);
  CHECK(reading.samples[0].text(TextField::kStreamEnd) == "cut_in_event");
  CHECK(reading.samples[0].text(TextField::kOutputText) == "x");
  CHECK(reading.samples[1].text(TextField::kStreamEnd) == "complete");
  CHECK(reading.samples[1].text(TextField::kOutputText) == "y");
}

TEST_CASE("sse: wherever the file ends, what had arrived is there and nothing else is said", "[records]") {
  const std::string bytes = event(chunk(delta("ab"))) + event(chunk(delta("cd"))) + event(chunk(delta("ef", 0, "\"stop\""))) + kDone;
  for (size_t n = 1; n < bytes.size(); ++n) {
    INFO("cut at " << n);
    const Reading reading = sse(bytes.substr(0, n));
    CHECK(reading.problems.count == 0);
    REQUIRE(reading.samples.size() <= 1);
    if (reading.samples.empty()) continue;
    const Sample& sample = reading.samples[0];
    CHECK(std::string("abcdef").substr(0, sample.text(TextField::kOutputText).size()) == sample.text(TextField::kOutputText));
    CHECK((sample.text(TextField::kStreamEnd) == "complete") == sample.has(TextField::kFinishReason));
  }
}

TEST_CASE("sse: wrong kinds inside an event are findings", "[records]") {
  for (const char* data : {"7", "[]", "\"x\"", "{}", R"({"choices":7})", R"({"choices":[7]})", R"({"choices":[{"index":"x"}]})", R"({"choices":[{"delta":7}]})", R"({"choices":[{"delta":{"content":7}}]})",
                           R"({"choices":[{"token_ids":[-5.5]}]})", R"({"choices":[{"logprobs":7}]})", R"({"choices":[{"delta":{"tool_calls":7}}]})"}) {
    INFO(data);
    const Reading reading = sse(event(chunk(delta("x"))) + event(data) + kDone);
    CHECK(reading.problems.count == 1);
    REQUIRE(reading.samples.size() == 1);
    CHECK(reading.samples[0].text(TextField::kOutputText) == "x");
  }
}

TEST_CASE("sse: an event over max_line and more indexes than any server has are refused, memory stays bounded", "[records]") {
  OpenOptions small;
  small.max_line = 4096;
  std::string bytes = event(chunk(delta("x")));
  for (int i = 0; i < 1000; ++i) bytes += "data: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n";
  bytes += "\n" + event(chunk(delta("y", 0, "\"stop\""))) + kDone;
  const Reading reading = sse(bytes, small);
  REQUIRE(reading.samples.size() == 1);
  CHECK(reading.samples[0].text(TextField::kOutputText) == "xy");
  REQUIRE(reading.problems.count == 1);
  CHECK(reading.problems.first[0].line == 3);
  std::string many;
  for (int i = 0; i < 16390; ++i) many += event(R"({"id":"a","choices":[{"index":)" + std::to_string(i) + R"(,"text":"x"}]})");
  const Reading wide = sse(many + kDone);
  CHECK(wide.samples.size() == 16384);
  CHECK(wide.problems.count == 6);
}

TEST_CASE("sse: a stream of many tokens", "[records]") {
  constexpr int kTokens = 100000;
  std::string bytes;
  for (int i = 0; i < kTokens; ++i) bytes += event(R"({"id":"a","choices":[{"index":0,"text":"x","token_ids":[)" + std::to_string(i) + "]}]}");
  const Sample sample = one(bytes + kDone);
  CHECK(sample.text(TextField::kOutputText) == std::string(kTokens, 'x'));
  const auto& ids = sample.ids.get(IdsField::kOutputTokenIds);
  REQUIRE(ids.size() == kTokens);
  for (int i = 0; i < kTokens; ++i) REQUIRE(ids[static_cast<size_t>(i)] == i);
}
