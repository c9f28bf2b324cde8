// Responses that fail: errors in a stream, streams that are cut, error bodies of any shape, what is no answer, what cannot be read.
#include "replied.h"

using namespace vaa;
using namespace vaa_test;

TEST_CASE("reply: an error in a stream keeps what had arrived", "[records]") {
  const Sample sample = one(event(chunk(delta("x", ids("5")))) + event(R"({"error":{"message":"out of memory","type":"InternalServerError","code":500}})") + kDone);
  CHECK(sample.text(TextField::kOutputText) == "x");
  CHECK(sample.text(TextField::kErrorMessage) == "out of memory");
  CHECK(sample.integer(IntField::kErrorStatus, 0) == 500);
  CHECK(sample.text(TextField::kStreamEnd) == "error");
  CHECK_FALSE(one(event(R"({"error":"busy"})")).has_output());
}

TEST_CASE("reply: wherever a stream is cut it fails with what had arrived, unless it was finished", "[records]") {
  const std::string body = event(chunk(R"({"index":0,"delta":{"role":"assistant","content":""}})")) + event(chunk(delta("ab", ids("1")))) + event(chunk(delta("cd", ids("2") + kStop))) + kDone;
  for (const std::string& fault : {std::string(), std::string("connection reset by peer")}) {
    for (size_t n = 1; n <= body.size(); ++n) {
      INFO("cut at " << n);
      const Sample sample = one({body.substr(0, n), 200, "text/event-stream", "", fault}, static_cast<int>(n % 3));
      const std::string_view text = sample.text(TextField::kOutputText);
      CHECK(std::string_view("abcd").substr(0, text.size()) == text);
      CHECK(sample.has_output() == !text.empty());
      CHECK((sample.text(TextField::kStreamEnd) == "complete") == sample.has(TextField::kFinishReason));
      CHECK(sample.failed() == !sample.has(TextField::kFinishReason));
      if (sample.failed() && !fault.empty()) CHECK(sample.text(TextField::kErrorMessage) == fault);
      if (!sample.failed()) CHECK(member(extra(sample), "fault").string() == fault);
    }
  }
}

TEST_CASE("reply: an end mark without a finish reason is no failure, nor is a fault behind it", "[records]") {
  const Sample sample = one({event(chunk(delta("x"))) + kDone, 200, "", "", "timeout"});
  CHECK(sample.text(TextField::kStreamEnd) == "no_finish_reason");
  CHECK_FALSE(sample.failed());
  CHECK(member(extra(sample), "fault").string() == "timeout");
}

TEST_CASE("reply: an error body of any shape fails with its status and message, a page too", "[records]") {
  struct Case {
    const char *body, *message, *type;
  };
  const Case cases[] = {
      {R"({"error":{"message":"m","type":"BadRequestError","param":null,"code":400}})", "m", "BadRequestError"},
      {R"({"object":"error","message":"m","type":"BadRequestError","param":null,"code":400})", "m", "BadRequestError"},
      {R"({"error":"Unauthorized"})", "Unauthorized", ""},
      {R"({"detail":[{"type":"missing","loc":["body","messages"],"msg":"Field required"}]})", "body.messages: Field required", "missing"},
      {R"({"error":{"code":503,"message":"Loading model","type":"unavailable_error"}})", "Loading model", "unavailable_error"},
      {R"({"detail":"Not Found"})", "Not Found", ""},
      {"<html>502</html>\n", "<html>502</html>\n", ""},
      {"Internal Server Error", "Internal Server Error", ""},
      {"\"text\"", "text", ""},
      {R"({"unknown":1})", R"({"unknown":1})", ""},
      {R"({"error":)", R"({"error":)", ""},
      {R"({"object":"chat.completion","choices":[]})", "status 429", ""},
      {"", "status 429", ""},
      {" \r\n", "status 429", ""},
  };
  for (const Case& c : cases) {
    for (const char* type : {"", "application/json", "text/html", "text/event-stream"}) {
      INFO(c.body << " as " << type);
      const Sample sample = one({c.body, 429, type, "", ""}, 1);
      CHECK(sample.text(TextField::kErrorMessage) == c.message);
      CHECK(sample.text(TextField::kErrorType) == c.type);
      CHECK(sample.integer(IntField::kErrorStatus, 0) == 429);
      CHECK_FALSE(sample.has_output());
    }
  }
}

TEST_CASE("reply: no answer is never an empty answer", "[records]") {
  for (const char* body : {"", "\n", "<html>maintenance</html>", "{\"a\":1}", "{\"choices\":", "[DONE]", "data: [DONE]\n\n", ": ping\n\n", "data: x\n\n", "7", "null", "[]"}) {
    for (const char* type : {"", "text/event-stream"}) {
      INFO(body << " as " << type);
      const std::vector<Sample> samples = replies({body, 200, type, "", ""}, 1);
      REQUIRE(samples.size() == 1);
      CHECK(samples[0].failed());
      CHECK(samples[0].integer(IntField::kErrorStatus, 0) == 200);
      CHECK_FALSE(samples[0].has_output());
      const Sample reset = one({body, 0, type, "", "connection refused"}, 1);
      CHECK(reset.text(TextField::kErrorMessage) == "connection refused");
      CHECK_FALSE(reset.has(IntField::kErrorStatus));
    }
  }
  CHECK(one("{\"choices\":").text(TextField::kErrorMessage) == "the response cannot be read: column 12: the text ends inside the document");
}

TEST_CASE("reply: a bad event is told in the sample, the stream goes on", "[records]") {
  const Sample sample = one(event(chunk(delta("x"))) + "data: {\"id\":\n\n" + event(chunk(delta("y", kStop))) + kDone);
  CHECK(sample.text(TextField::kOutputText) == "xy");
  CHECK(sample.text(TextField::kStreamEnd) == "complete");
  const JsonTree tree = extra(sample);
  CHECK(member(member(tree, "problems"), "count").integer() == 1);
  CHECK(member(member(member(tree, "problems"), "first").members.at(0).second, "line").integer() == 3);
}

TEST_CASE("reply: logprobs of another length than the ids are recorded as they came, and said", "[records]") {
  const std::string logprobs = R"(,"logprobs":{"content":[{"token":"token_id:1","logprob":-1,"top_logprobs":[]}]})";
  const Sample sample = one(event(chunk(delta("x", ids("1,2") + logprobs + kStop))) + kDone);
  CHECK(sample.ids.get(IdsField::kOutputTokenIds) == std::vector<int32_t>{1, 2});
  CHECK(sample.real_lists.get(RealsField::kOutputLogprobs) == std::vector<double>{-1});
  CHECK(member(member(extra(sample), "problems"), "notes").members.size() == 1);
}

TEST_CASE("reply: what is longer than max_event is said and not kept", "[records]") {
  const std::string blank(100000, ' ');
  Reply reply(4096);
  for (const int cut : {0, 1, 777}) {
    INFO("cut " << cut);
    const Sample body = replies(&reply, {"{\"choices\":" + blank + "[]}", 200, "", "", ""}, cut).at(0);
    CHECK(body.text(TextField::kErrorMessage) == "the response is longer than max_event, 4096 bytes");
    CHECK(member(extra(body), "body").string().size() == 1000);
    const std::string long_event = event(chunk(delta("x"))) + event("{" + blank) + "data:" + blank.substr(0, 3000) + "\ndata:" + blank.substr(0, 3000) + "\n\n" + event(chunk(delta("y", kStop))) + kDone;
    const Sample stream = replies(&reply, {long_event, 200, "", "", ""}, cut).at(0);
    CHECK(stream.text(TextField::kOutputText) == "xy");
    const JsonTree tree = extra(stream);
    CHECK(member(member(tree, "problems"), "count").integer() == 2);
    CHECK(member(member(member(tree, "problems"), "first").members.at(0).second, "message").string() == "event: is longer than 4096 bytes and is left out");
    const Sample white = replies(&reply, {blank, 200, "", "", ""}, cut).at(0);
    CHECK(white.text(TextField::kErrorMessage) == "the response is longer than max_event, 4096 bytes");
  }
}

TEST_CASE("reply: a request that cannot be read is said in the samples of its answer", "[records]") {
  const std::pair<const char*, const char*> cases[] = {{R"({"prompt":"p","temperature":"hot"})", "request: temperature: is text, must be a number"},
                                                       {R"({"prompt":"p"} x)", "request: column 16: text behind the document"},
                                                       {R"({"messages": [)", "request: column 15: the text ends inside the document"},
                                                       {"[]", "request: is an array, must be an object"}};
  for (const auto& [request, message] : cases) {
    const Sample sample = one({R"({"error":"bad request"})", 400, "", request, ""});
    CHECK(sample.text(TextField::kErrorMessage) == "bad request");
    CHECK(member(member(member(extra(sample), "problems"), "first").members.at(0).second, "message").string() == message);
  }
}
