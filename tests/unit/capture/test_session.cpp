#include <condition_variable>
#include <future>
#include <mutex>
#include <set>

#include "capture/session.h"
#include "catch.h"
#include "loopback.h"

using namespace vaa;
using namespace vaa::capture;
using loopback::Connection;
using loopback::Request;

namespace {

constexpr double kLong = 60;  // seconds to wait for what comes at once

Server at(const std::string& url) {
  Server server;
  server.url = server.endpoint = url;
  server.dialect = find_dialect("vllm");
  return server;
}

SessionOptions options(int concurrency = 8) {
  SessionOptions made;
  made.connection.concurrency = concurrency;
  made.max_retry_wait_s = 0.01;
  return made;
}

Question chat(int64_t place) {
  return {place, 0, "/v1/chat/completions", R"({"model": "toy", "messages": [{"role": "user", "content": "hi"}]})"};
}

std::string text(const Answer& answer, vaa_field field, size_t choice = 0) {
  vaa_str value{};
  return vaa_sample_str(answer.samples.at(choice).get(), field, &value, nullptr) == VAA_OK ? std::string(view(value)) : "(not recorded)";
}

Answer one(const SessionOptions& how, loopback::Script script) {
  loopback::Server server(std::move(script));
  Session session(how, {at(server.url())});
  session.ask(chat(17));
  Answer answer;
  REQUIRE(session.next(&answer, kLong, nullptr));
  CHECK(session.busy() == 0);
  return answer;
}

}  // namespace

TEST_CASE("session: an answer is a sample with its endpoint, rank, replica and times", "[capture][threads]") {
  std::string url;
  loopback::Server server([](Connection& peer, const Request&) {
    peer.send(loopback::response(200, loopback::chat("28"), "application/json", "X-Data-Parallel-Rank: 3\r\nX-Served-By: pod-7\r\nX-Request-Id: r-1\r\n"));
  });
  Session session(options(), {at(server.url())});
  session.ask(chat(17));
  CHECK(session.busy() == 1);
  Answer answer;
  REQUIRE(session.next(&answer, kLong, nullptr));
  CHECK(answer.question.place == 17);
  CHECK_FALSE(answer.failed);
  CHECK(answer.tries == 1);
  CHECK(text(answer, VAA_FIELD_OUTPUT_TEXT) == "28");
  CHECK(text(answer, VAA_FIELD_FINISH_REASON) == "stop");
  CHECK(text(answer, VAA_FIELD_ENDPOINT) == server.url());
  CHECK(text(answer, VAA_FIELD_REPLICA) == "pod-7");
  CHECK(text(answer, VAA_FIELD_REQUEST_ID) == "chatcmpl-1");
  int64_t rank = 0;
  CHECK(vaa_sample_i64(answer.samples[0].get(), VAA_FIELD_RANK, &rank, nullptr) == VAA_OK);
  CHECK(rank == 3);
  double start = 0, end = 0;
  CHECK(vaa_sample_f64(answer.samples[0].get(), VAA_FIELD_START_S, &start, nullptr) == VAA_OK);
  CHECK(vaa_sample_f64(answer.samples[0].get(), VAA_FIELD_END_S, &end, nullptr) == VAA_OK);
  CHECK(start <= end);
  CHECK(std::abs(end - now_s()) < 60);
  CHECK_FALSE(session.next(&answer, kLong, nullptr));
}

TEST_CASE("session: a stream is whole when it says so, and cut when it does not", "[capture][threads]") {
  const Answer whole = one(options(), [](Connection& peer, const Request&) {
    peer.send(loopback::stream_head(true) + loopback::chunk(loopback::event("2")) + loopback::chunk(loopback::event("8", "stop") + "data: [DONE]\n\n") + loopback::chunk(""));
  });
  CHECK(text(whole, VAA_FIELD_OUTPUT_TEXT) == "28");
  CHECK(text(whole, VAA_FIELD_STREAM_END) == "complete");
  CHECK_FALSE(whole.failed);
  const Answer cut = one(options(), [](Connection& peer, const Request&) {
    peer.send(loopback::stream_head(true) + loopback::chunk(loopback::event("2")));
    peer.close();
  });
  CHECK(text(cut, VAA_FIELD_OUTPUT_TEXT) == "2");
  CHECK(text(cut, VAA_FIELD_STREAM_END) == "cut");
  CHECK(cut.failed);
  CHECK(cut.tries == 1);
}

TEST_CASE("session: 429 and 503 are asked again, and what comes then counts alone", "[capture][threads]") {
  const Answer answer = one(options(), [](Connection& peer, const Request& request) {
    if (request.place == 0) peer.send(loopback::response(429, "{\"error\": {\"message\": \"slow down\"}}", "application/json", "Retry-After: 0\r\n"));
    else if (request.place == 1) peer.send(loopback::response(503, "<html>loading</html>", "text/html"));
    else peer.send(loopback::response(200, loopback::chat("28")));
  });
  CHECK_FALSE(answer.failed);
  CHECK(answer.tries == 3);
  CHECK(answer.samples.size() == 1);
  CHECK(text(answer, VAA_FIELD_OUTPUT_TEXT) == "28");
  CHECK(text(answer, VAA_FIELD_ERROR_MESSAGE) == "(not recorded)");
}

TEST_CASE("session: a request that was lost before its first byte is asked again, one whose answer had begun is not", "[capture][threads]") {
  const Answer lost = one(options(), [](Connection& peer, const Request& request) {
    if (request.place == 0) peer.reset();
    else peer.send(loopback::response(200, loopback::chat("28")));
  });
  CHECK_FALSE(lost.failed);
  CHECK(lost.tries == 2);
  const Answer begun = one(options(), [](Connection& peer, const Request& request) {
    if (request.place == 0) {
      peer.send("HTTP/1.1 200 OK\r\n");
      peer.close();
    } else {
      peer.send(loopback::response(200, loopback::chat("28")));
    }
  });
  CHECK(begun.failed);
  CHECK(begun.tries == 1);
}

TEST_CASE("session: tries end in a failed sample that says how many, and Retry-After beyond the longest wait at once", "[capture][threads]") {
  SessionOptions few = options();
  few.retries = 2;
  const Answer tried = one(few, [](Connection& peer, const Request&) { peer.send(loopback::response(503, "{\"error\": {\"message\": \"no room\"}}")); });
  CHECK(tried.failed);
  CHECK(tried.tries == 3);
  CHECK(text(tried, VAA_FIELD_ERROR_MESSAGE) == "no room (given up after 3 tries)");
  int64_t status = 0;
  CHECK(vaa_sample_i64(tried.samples[0].get(), VAA_FIELD_ERROR_STATUS, &status, nullptr) == VAA_OK);
  CHECK(status == 503);
  const Answer told = one(few, [](Connection& peer, const Request&) { peer.send(loopback::response(429, "{\"error\": {\"message\": \"slow down\"}}", "application/json", "Retry-After: 5\r\n")); });
  CHECK(told.tries == 1);
  CHECK(text(told, VAA_FIELD_ERROR_MESSAGE) == "slow down (not asked again: the server says Retry-After 5 s, max_retry_wait_s is 0.01 s)");
}

TEST_CASE("session: a server that is not there gives failed samples that name it", "[capture][threads]") {
  SessionOptions few = options();
  few.retries = 1;
  const std::string host = "127.0.0.1:" + std::to_string(loopback::closed_port());
  Session session(few, {at("http://" + host)});
  for (int64_t place = 0; place < 20; ++place) session.ask(chat(place));
  std::set<int64_t> places;
  for (Answer answer; session.next(&answer, kLong, nullptr); session.recycle(&answer)) {
    CHECK(answer.failed);
    CHECK(answer.tries == 2);
    CHECK(text(answer, VAA_FIELD_ERROR_MESSAGE) == host + ": cannot connect: Connection refused (given up after 2 tries)");
    places.insert(answer.question.place);
  }
  CHECK(places.size() == 20);
}

TEST_CASE("session: no more fly at once than concurrency says, and none is lost", "[capture][threads]") {
  std::atomic<int> here{0}, most{0};
  loopback::Server server([&](Connection& peer, const Request& request) {
    const int now = ++here;
    for (int seen = most; now > seen && !most.compare_exchange_weak(seen, now);) {
    }
    if (request.place % 7 == 3) {
      --here;
      return peer.reset();
    }
    const std::string answer = loopback::response(200, loopback::chat(std::to_string(request.place)));
    --here;
    peer.send(answer);
  });
  Session session(options(5), {at(server.url())});
  for (int64_t place = 0; place < 300; ++place) session.ask(chat(place));
  std::multiset<int64_t> places;
  for (Answer answer; session.next(&answer, kLong, nullptr); session.recycle(&answer)) {
    places.insert(answer.question.place);
    CHECK_FALSE(answer.failed);
  }
  CHECK(places.size() == 300);
  CHECK(std::set<int64_t>(places.begin(), places.end()).size() == 300);
  CHECK(most <= 5);
}

TEST_CASE("session: a cancelled task hands out what is whole, then throws, and the session goes on with new questions", "[capture][threads]") {
  std::promise<void> silent;
  loopback::Server server([&](Connection& peer, const Request& request) {
    if (request.place != 1) return peer.send(loopback::response(200, loopback::chat("28")));
    silent.set_value();
    peer.wait_for_close();
  });
  Session session(options(1), {at(server.url())});
  for (int64_t place = 0; place < 3; ++place) session.ask(chat(place));
  vaa_task* task = nullptr;
  REQUIRE(vaa_task_new(&task, nullptr) == VAA_OK);
  Answer answer;
  REQUIRE(session.next(&answer, kLong, task));
  CHECK(answer.question.place == 0);
  std::thread canceller([&] {
    silent.get_future().wait();
    vaa_task_cancel(task);
  });
  vaa_status status = VAA_OK;
  try {
    session.next(&answer, kLong, task);
  } catch (const Failure& failure) {
    status = failure.status();
  }
  canceller.join();
  CHECK(status == VAA_ERROR_CANCELLED);
  CHECK(session.busy() == 0);
  vaa_task_free(task);
  session.ask(chat(3));
  REQUIRE(session.next(&answer, kLong, nullptr));
  CHECK(answer.question.place == 3);
}

TEST_CASE("session: next comes back when its wait is over", "[capture][threads]") {
  std::promise<void> go;
  loopback::Server server([&](Connection& peer, const Request&) {
    go.get_future().wait();
    peer.send(loopback::response(200, loopback::chat("28")));
  });
  Session session(options(), {at(server.url())});
  session.ask(chat(0));
  Answer answer;
  CHECK_FALSE(session.next(&answer, 0, nullptr));
  CHECK_FALSE(session.next(&answer, 0.01, nullptr));
  CHECK(session.busy() == 1);
  go.set_value();
  CHECK(session.next(&answer, kLong, nullptr));
}

TEST_CASE("session: choices of one answer are samples by their index", "[capture][threads]") {
  const Answer answer = one(options(), [](Connection& peer, const Request&) {
    peer.send(loopback::response(200, R"({"id":"c","object":"chat.completion","model":"toy","choices":[
      {"index":1,"message":{"role":"assistant","content":"b"},"finish_reason":"stop"},{"index":0,"message":{"role":"assistant","content":"a"},"finish_reason":"length"}]})"));
  });
  REQUIRE(answer.samples.size() == 2);
  for (size_t i = 0; i < 2; ++i) {
    int64_t index = -1;
    CHECK(vaa_sample_i64(answer.samples[i].get(), VAA_FIELD_REPEAT, &index, nullptr) == VAA_OK);
    CHECK(text(answer, VAA_FIELD_OUTPUT_TEXT, i) == (index == 0 ? "a" : "b"));
  }
  CHECK(text(answer, VAA_FIELD_ENDPOINT, 1).substr(0, 17) == "http://127.0.0.1:");
}

TEST_CASE("session: a key that a server sends back is in no record", "[capture][threads]") {
  SessionOptions how = options();
  how.connection.key = "sk-XYZZY";
  const Answer answer = one(how, [](Connection& peer, const Request& request) {
    CHECK(request.head.find("Authorization: Bearer sk-XYZZY") != std::string::npos);
    peer.send(loopback::response(401, R"({"error": {"message": "Incorrect API key provided: sk-XYZZY"}})"));
  });
  CHECK(answer.failed);
  vaa_text* record = nullptr;
  REQUIRE(vaa_sample_to_json(answer.samples[0].get(), &record, nullptr) == VAA_OK);
  const std::string json(view(vaa_text_str(record)));
  vaa_text_free(record);
  CHECK(json.find("Incorrect API key provided: <key>") != std::string::npos);
  CHECK(json.find("XYZZY") == std::string::npos);
}

TEST_CASE("session: a long stream in small pieces arrives whole, and its first token is timed when it comes", "[capture][threads]") {
  constexpr int kTokens = 500;
  std::promise<void> seen;
  loopback::Server server([&](Connection& peer, const Request&) {
    peer.send(loopback::stream_head(true) + loopback::chunk(loopback::event("a")));
    seen.get_future().wait();
    for (int i = 1; i < kTokens; ++i) peer.send(loopback::chunk(loopback::event("b", i + 1 == kTokens ? "length" : "")));
    peer.send(loopback::chunk("data: [DONE]\n\n") + loopback::chunk(""));
  });
  Session session(options(), {at(server.url())});
  session.ask(chat(0));
  Answer answer;
  while (session.tokens() == 0) REQUIRE_FALSE(session.next(&answer, 0.01, nullptr));
  const double first_s = now_s();
  seen.set_value();
  REQUIRE(session.next(&answer, kLong, nullptr));
  CHECK(text(answer, VAA_FIELD_OUTPUT_TEXT) == "a" + std::string(kTokens - 1, 'b'));
  CHECK(text(answer, VAA_FIELD_FINISH_REASON) == "length");
  CHECK(answer.tokens == kTokens);
  double start = 0, ttft = 0;
  CHECK(vaa_sample_f64(answer.samples[0].get(), VAA_FIELD_START_S, &start, nullptr) == VAA_OK);
  CHECK(vaa_sample_f64(answer.samples[0].get(), VAA_FIELD_TTFT_S, &ttft, nullptr) == VAA_OK);
  CHECK(start + ttft <= first_s);
}
