// Responses that arrive in pieces: what a file of the same bytes gives, however they are cut; and what a live response says beyond a file.
#include "catch.h"
#include "read_samples.h"
#include "replied.h"

#include "base/failure.h"
#include "records/json_tree.h"

using namespace vaa;
using namespace vaa_test;

namespace {

// The record without where it comes from, what a file is named by, and when it came.
std::string as_in_file(Sample sample) {
  for (const TextField field : {TextField::kSourceFormat, TextField::kSourceFile, TextField::kDataset}) sample.texts.unset(field);
  if (!sample.has(TextField::kRequestId)) sample.texts.unset(TextField::kId);
  sample.ints.unset(IntField::kSourceLine);
  for (const RealField field : {RealField::kStartS, RealField::kEndS, RealField::kTtftS}) sample.reals.unset(field);
  const std::string_view end = sample.text(TextField::kStreamEnd);
  if (end == "cut" || end == "cut_in_event") {  // a failure in a response, a fact in a file
    sample.texts.unset(TextField::kErrorMessage);
  }
  if (sample.integer(IntField::kErrorStatus, 0) == 200) sample.ints.unset(IntField::kErrorStatus);  // of which a file knows nothing
  JsonTree tree = extra(sample);
  std::erase_if(tree.members, [](const TreeMember& member) { return member.first == "chunk_tokens" || member.first == "problems"; });
  sample.texts.unset(TextField::kExtra);
  if (!tree.members.empty()) sample.set(TextField::kExtra, tree.json());
  return record_of(sample);
}

// The response gives the samples of the file, whole, byte by byte and in random cuts.
void check_same(const Response& response, const std::vector<Sample>& file) {
  const std::vector<Sample> whole = replies(response);
  REQUIRE(whole.size() == file.size());
  for (size_t i = 0; i < file.size(); ++i) {
    CHECK(as_in_file(whole[i]) == as_in_file(file[i]));
    CHECK(whole[i].has(RealField::kStartS));
    CHECK(whole[i].real(RealField::kEndS, 0) == 2000);
  }
  for (const int cut : {1, 2, 3, -1, -2, -3}) {
    INFO("cut " << cut);
    const std::vector<Sample> pieces = replies(response, cut);
    REQUIRE(pieces.size() == whole.size());
    for (size_t i = 0; i < whole.size(); ++i) CHECK(record_of(pieces[i]) == record_of(whole[i]));
  }
}

// A file of several streams, cut where one begins.
std::vector<std::string> streams_of(const std::string& bytes) {
  std::vector<std::string> streams;
  for (size_t begin = 0; begin < bytes.size();) {
    const size_t end = std::min(bytes.find("\n: sample", begin), bytes.size() - 1) + 1;
    streams.push_back(bytes.substr(begin, end - begin));
    begin = end;
  }
  return streams;
}

std::vector<std::string> lines_of(const std::string& bytes) {
  std::vector<std::string> lines;
  for (size_t begin = 0; begin < bytes.size();) {
    const size_t end = std::min(bytes.find('\n', begin), bytes.size());
    if (end > begin) lines.push_back(bytes.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

}  // namespace

TEST_CASE("reply: each recorded stream gives the sample of the file reader, however it is cut", "[records]") {
  for (const char* name : {"openai_chat_stream_vllm.sse", "openai_completion_stream_vllm.sse", "openai_chat_stream_crlf.sse", "openai_stream_errors.sse"}) {
    INFO(name);
    const std::vector<std::string> streams = streams_of(file_bytes(golden_sample(name)));
    const std::vector<Sample> file = read_input(golden_sample(name)).samples;
    REQUIRE(streams.size() == file.size());
    for (size_t i = 0; i < file.size(); ++i) check_same({streams[i], 200, "text/event-stream", "", ""}, {file[i]});
  }
}

TEST_CASE("reply: each recorded body gives the sample of the file reader, however it is cut", "[records]") {
  for (const char* name : {"openai_chat_response_vllm.jsonl", "openai_completion_response_vllm.jsonl", "sglang_generate.jsonl", "sglang_chat_response.jsonl", "llamacpp_completion.jsonl",
                           "mindie_infer.jsonl"}) {
    INFO(name);
    for (const std::string& line : lines_of(file_bytes(golden_sample(name)))) check_same({line, 200, "application/json", "", ""}, read_bytes(line).samples);
  }
}

TEST_CASE("reply: recorded requests and error bodies give the samples of their pairs", "[records]") {
  for (const char* name : {"openai_request_response_pairs.jsonl", "openai_error_bodies.jsonl"}) {
    INFO(name);
    for (const std::string& line : lines_of(file_bytes(golden_sample(name)))) {
      JsonTree pair;
      REQUIRE(parse_json_tree(line, &pair));
      const JsonTree& body = member(pair, "response");
      Response response{body.is(JsonKind::kString) ? body.text : body.json(), static_cast<int32_t>(member(pair, "status").integer()), "", "", ""};
      if (member(pair, "request").is(JsonKind::kObject)) response.request = member(pair, "request").json();
      std::vector<Sample> file = read_bytes(line).samples;
      for (Sample& sample : file) sample.reals.unset(RealField::kE2eS);
      const std::vector<Sample> got = replies(response);
      REQUIRE(got.size() == file.size());
      for (size_t i = 0; i < got.size(); ++i) {
        CHECK(got[i].text(TextField::kOutputText) == file[i].text(TextField::kOutputText));
        CHECK(got[i].ids.get(IdsField::kOutputTokenIds) == file[i].ids.get(IdsField::kOutputTokenIds));
        CHECK(got[i].text(TextField::kErrorMessage) == file[i].text(TextField::kErrorMessage));
        CHECK(got[i].text(TextField::kErrorType) == file[i].text(TextField::kErrorType));
        CHECK(got[i].integer(IntField::kErrorStatus, 0) == file[i].integer(IntField::kErrorStatus, 0));
        CHECK(got[i].has(TextField::kPromptMessages) == file[i].has(TextField::kPromptMessages));
        CHECK(got[i].real(RealField::kTemperature, -1) == file[i].real(RealField::kTemperature, -1));
      }
    }
  }
}

TEST_CASE("reply: what came with each chunk, and when the first output did", "[records]") {
  const std::string role = event(chunk(R"({"index":0,"delta":{"role":"assistant","content":""}})"));
  const std::vector<std::string> pushes = {role, ": ping\n\n", event(chunk(delta("", ids("5")))), event(chunk(delta("x", ids("6")))), event(chunk(delta("y", ids("7,8,9")))),
                                           event(chunk(delta("z"))), event(chunk(delta("", kStop))), kDone};
  Reply reply(1 << 20);
  reply.begin(R"({"model":"asked","prompt":[1,2,3],"temperature":0.5,"max_tokens":9})", 50);
  reply.head(200, "text/event-stream; charset=iso-8859-1");
  const int64_t tokens[] = {0, 0, 1, 2, 5, 5, 5, 5};
  for (size_t i = 0; i < pushes.size(); ++i) {
    reply.push(pushes[i], 50.25 + static_cast<double>(i));
    CHECK(reply.tokens() == tokens[i]);
  }
  reply.end(60, "");
  Sample sample;
  REQUIRE(reply.next(&sample));
  CHECK(member(extra(sample), "chunk_tokens").json() == "[[1, 2], [3, 1], [0, 1]]");
  CHECK(sample.real(RealField::kTtftS, 0) == 2.25);
  CHECK(sample.real(RealField::kStartS, 0) == 50);
  CHECK(sample.real(RealField::kEndS, 0) == 60);
  CHECK(sample.text(TextField::kModel) == "m");
  CHECK(sample.ids.get(IdsField::kPromptTokenIds) == std::vector<int32_t>{1, 2, 3});
  CHECK(sample.real(RealField::kTemperature, 0) == 0.5);
  CHECK(sample.integer(IntField::kMaxTokens, 0) == 9);
  CHECK_FALSE(reply.next(&sample));
}

TEST_CASE("reply: times that are not known stay not recorded", "[records]") {
  Reply reply(1 << 20);
  reply.begin("", std::nan(""));
  reply.push(event(chunk(delta("x", kStop))) + kDone, 5);
  reply.end(std::nan(""), "");
  Sample sample;
  REQUIRE(reply.next(&sample));
  for (const RealField field : {RealField::kStartS, RealField::kEndS, RealField::kTtftS, RealField::kE2eS}) CHECK_FALSE(sample.has(field));
}

TEST_CASE("reply: without ids there is no list of them, and chunks count as tokens", "[records]") {
  Reply reply(1 << 20);
  reply.begin("", 0);
  reply.push(event(chunk(delta("x"))) + event(chunk(delta("y"))) + event(chunk(delta("", kStop))), 1);
  CHECK(reply.tokens() == 2);
  reply.end(2, "");
  Sample sample;
  REQUIRE(reply.next(&sample));
  CHECK_FALSE(extra(sample).find("chunk_tokens"));
}

TEST_CASE("reply: interleaved choices have their own portions and times", "[records]") {
  Reply reply(1 << 20);
  reply.begin("", 0);
  reply.push(event(chunk(delta("b", ids("4,5"), 1))), 1);
  reply.push(event(chunk(delta("a", ids("6")) + "," + delta("c", ids("7"), 1))), 2);
  reply.push(event(chunk(delta("d", ids("8") + kStop))) + kDone, 3);
  reply.end(4, "");
  Sample first, second;
  REQUIRE(reply.next(&first));
  REQUIRE(reply.next(&second));
  CHECK(first.text(TextField::kOutputText) == "ad");
  CHECK(first.real(RealField::kTtftS, 0) == 2);
  CHECK(member(extra(first), "chunk_tokens").json() == "[[1, 2]]");
  CHECK(second.integer(IntField::kRepeat, 0) == 1);
  CHECK(second.text(TextField::kStreamEnd) == "no_finish_reason");
  CHECK(second.real(RealField::kTtftS, 0) == 1);
  CHECK(member(extra(second), "chunk_tokens").json() == "[[2, 1], [1, 1]]");
}

TEST_CASE("reply: the first bytes say what it is where the content type is missing or lies", "[records]") {
  const std::string stream = event(chunk(delta("x", kStop))) + kDone;
  const std::string whole = R"({"object":"chat.completion","choices":[{"index":0,"message":{"content":"x"},"finish_reason":"stop"}]})";
  for (const char* type : {"", "application/json", "text/plain", "TEXT/Event-Stream", " text/event-stream ;charset=latin-1"}) {
    for (const std::string& before : {std::string(), std::string("\xEF\xBB\xBF"), std::string("\r\n\r\n"), std::string("\n \t")}) {
      for (const int cut : {0, 1}) {
        INFO(type << " " << before.size());
        CHECK(one({before + whole, 200, type, "", ""}, cut).text(TextField::kOutputText) == "x");
        if (before.find(' ') == std::string::npos) CHECK(one({before + stream, 200, type, "", ""}, cut).text(TextField::kStreamEnd) == "complete");
      }
    }
  }
  for (const char* first : {": ping\n\n", "event: message\n", "id: 1\n", "retry: 5\n"}) CHECK(one(first + stream).text(TextField::kOutputText) == "x");
}

TEST_CASE("reply: only CR and LF end a line, bytes are UTF-8 whatever was said of them", "[records]") {
  const std::string text = "caf\xC3\xA9 \xC2\x85 \xE2\x80\xA8 \xF0\x9F\x98\x80 \\ud83d\\ude00 \\n";
  const std::string body = event(chunk(delta(text, ids("1")))) + "data:" + chunk(delta("\xE4\xBD", ids("2"))) + "\r\rdata: " + chunk(delta("\xA0", ids("3") + kStop)) + "\r\n\r\n" + kDone;
  for (const int cut : {0, 1, 2, 5, -7}) {
    const Sample sample = one({body, 200, "text/event-stream; charset=iso-8859-1", "", ""}, cut);
    CHECK(sample.text(TextField::kOutputText) == "caf\xC3\xA9 \xC2\x85 \xE2\x80\xA8 \xF0\x9F\x98\x80 \xF0\x9F\x98\x80 \n\xE4\xBD\xA0");
    CHECK(sample.ids.get(IdsField::kOutputTokenIds) == std::vector<int32_t>{1, 2, 3});
    CHECK_FALSE(extra(sample).find("problems"));
  }
}

TEST_CASE("reply: a push that ends in CR shows its event at once, a line feed that follows belongs to it", "[records]") {
  Reply reply(1 << 20);
  reply.begin("", 0);
  reply.push("data: " + chunk(delta("x", ids("1"))) + "\r\n\r", 1);
  CHECK(reply.tokens() == 1);
  reply.push("\ndata: " + chunk(delta("y", ids("2") + kStop)) + "\r\n\r\n", 2);
  CHECK(reply.tokens() == 2);
}

TEST_CASE("reply: doubled chunks are kept as they came", "[records]") {
  const std::string piece = event(chunk(delta("x", ids("7"))));
  const Sample sample = one(piece + piece + event(chunk(delta("", kStop))) + kDone);
  CHECK(sample.text(TextField::kOutputText) == "xx");
  CHECK(sample.ids.get(IdsField::kOutputTokenIds) == std::vector<int32_t>{7, 7});
}

TEST_CASE("reply: a response is one stream, whatever id its chunks have and whatever comes after the end mark", "[records]") {
  const Sample sample = one(event(chunk(delta("x"), "a")) + event(chunk(delta("y"), "b")) + kDone + event(chunk(delta("z", kStop), "a")));
  CHECK(sample.text(TextField::kOutputText) == "xyz");
  CHECK(sample.text(TextField::kId) == "a");
  CHECK(sample.text(TextField::kRequestId) == "a");
  CHECK(member(extra(sample), "chunks_of_other_ids").integer() == 1);
}

TEST_CASE("reply: one object takes response after response", "[records]") {
  Reply reply(1 << 20);
  const Response good{event(chunk(delta("x", ids("1") + kStop))) + kDone, 200, "", R"({"model":"q"})", ""};
  const std::string first = record_of(replies(&reply, good).at(0));
  for (const Response& between : {Response{"<html>", 502, "text/html", R"({"prompt":"p"})", "reset"}, Response{"data: {\"id", 200, "", "", ""}, Response{event("x") + event(chunk(delta("z"), "other")), 200, "", "", ""}}) {
    reply.begin("", 1);
    reply.push("data: " + chunk(delta("half")), 2);
    replies(&reply, between, 1);
    CHECK(record_of(replies(&reply, good).at(0)) == first);
  }
}

TEST_CASE("reply: calls out of turn are errors", "[records]") {
  const auto says = [](auto&& call) {
    try {
      call();
    } catch (const Failure& failure) {
      return failure.message();
    }
    return std::string();
  };
  Reply reply(1 << 20);
  Sample sample;
  CHECK(says([&] { reply.push("x", 0); }) == "vaa_reply_push: no response was begun; vaa_reply_begin comes first");
  CHECK(says([&] { reply.end(0, ""); }) == "vaa_reply_end: no response was begun; vaa_reply_begin comes first");
  reply.begin("", 0);
  CHECK(says([&] { reply.head(7, ""); }) == "status: is 7, must be 100 to 999");
  CHECK(says([&] { reply.next(&sample); }) == "vaa_reply_next: the response has not ended; vaa_reply_end comes first");
  reply.push("data", 0);
  CHECK(says([&] { reply.head(200, ""); }) == "vaa_reply_head: bytes of the body have come already");
  reply.end(0, "");
  CHECK(says([&] { reply.push("x", 0); }) == "vaa_reply_push: the response has ended; vaa_reply_begin begins the next");
}

TEST_CASE("reply: SGLang's own stream repeats the answer so far", "[records]") {
  const auto body = [](const std::string& text, const std::string& list, int tokens, const std::string& logprobs, const std::string& finish) {
    return R"({"text":")" + text + R"(","output_ids":[)" + list + R"(],"meta_info":{"id":"s","finish_reason":)" + finish + R"(,"prompt_tokens":3,"completion_tokens":)" + std::to_string(tokens) +
           R"(,"output_token_logprobs":[)" + logprobs + "]}}";
  };
  const std::string last = body("ab", "7,8,9", 3, "[-1,7,null],[-2,8,null],[-3,9,null]", R"({"type":"stop","matched":9})");
  const Sample whole = one(last);
  const Sample streamed = one(event(body("a", "7", 1, "[-1,7,null]", "null")) + event(body("ab ", "7,8", 2, "[-1,7,null],[-2,8,null]", "null")) + event(last) + kDone);
  CHECK(member(extra(streamed), "chunk_tokens").json() == "[[1, 3]]");
  CHECK(streamed.text(TextField::kStreamEnd) == "complete");
  CHECK(as_in_file(streamed) == as_in_file([&] {
          Sample sample = whole;
          sample.set(TextField::kStreamEnd, "complete");
          return sample;
        }()));
  // With --incremental-streaming-output it does not.
  const Sample pieces = one(event(body("a", "7", 1, "", "null")) + event(body("b", "8,9", 3, "", R"({"type":"length","length":3})")) + kDone);
  CHECK(pieces.text(TextField::kOutputText) == "ab");
  CHECK(pieces.ids.get(IdsField::kOutputTokenIds) == std::vector<int32_t>{7, 8, 9});
  const Sample failed = one(event(body("a", "7", 1, "", "null")) + event(R"({"error":{"message":"lost"}})"));
  CHECK(failed.text(TextField::kErrorMessage) == "lost");
  CHECK(failed.text(TextField::kStreamEnd) == "error");
  CHECK(failed.text(TextField::kOutputText) == "a");
}

TEST_CASE("reply: llama.cpp's own stream ends without a mark, and its ids leave the stop token out", "[records]") {
  const std::string first = R"({"index":0,"content":"a","tokens":[5],"stop":false,"tokens_predicted":1})";
  const std::string end = R"({"index":0,"content":"","tokens":[],"stop":true,"model":"m","tokens_predicted":2,"stop_type":"eos","stopping_word":"","truncated":true})";
  const Sample sample = one(event(first) + event(end));
  CHECK(sample.text(TextField::kOutputText) == "a");
  CHECK(sample.ids.get(IdsField::kOutputTokenIds) == std::vector<int32_t>{5});
  CHECK(sample.integer(IntField::kIdsIncludeStop, -1) == 0);
  CHECK(sample.text(TextField::kFinishReason) == "stop");
  CHECK(sample.text(TextField::kStreamEnd) == "complete");
  CHECK(member(extra(sample), "prompt_truncated").truth);
  CHECK(one(event(first)).text(TextField::kStreamEnd) == "cut");
  // Text that was held back: the ids of its other tokens never come.
  const Sample held = one(event(R"({"index":0,"content":"\u4eba","tokens":[5],"stop":false,"tokens_predicted":3})") + event(end.substr(0, end.find("\"tokens_predicted\":2")) + "\"tokens_predicted\":4,\"stop_type\":\"limit\"}"));
  CHECK_FALSE(held.has(IdsField::kOutputTokenIds));
  CHECK(member(member(extra(held), "problems"), "notes").members.size() == 1);
}

TEST_CASE("reply: a million tokens", "[records]") {
  constexpr int kTokens = 1000000;
  Reply reply(1 << 20);
  reply.begin("", 0);
  for (int i = 0; i < kTokens; ++i) reply.push("data: {\"id\":\"a\",\"choices\":[{\"index\":0,\"text\":\"x\",\"token_ids\":[" + std::to_string(i) + "]}]}\n\n", i);
  CHECK(reply.tokens() == kTokens);
  reply.push(kDone, kTokens);
  reply.end(kTokens, "");
  Sample sample;
  REQUIRE(reply.next(&sample));
  const std::vector<int32_t>& all = sample.ids.get(IdsField::kOutputTokenIds);
  REQUIRE(all.size() == kTokens);
  CHECK(all.back() == kTokens - 1);
  CHECK(member(extra(sample), "chunk_tokens").json() == "[[1, 1000000]]");
}
