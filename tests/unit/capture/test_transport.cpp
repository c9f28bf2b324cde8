#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <future>
#include <map>

#include "base/failure.h"
#include "capture/transport.h"
#include "catch.h"
#include "loopback.h"

using namespace vaa;
using namespace vaa::capture;
using Kind = HttpEnd::Kind;
using loopback::Connection;
using loopback::Request;

namespace {

struct Task {
  Task() { vaa_task_new(&handle, nullptr); }
  ~Task() { vaa_task_free(handle); }
  vaa_task* handle = nullptr;
};

struct Recorder final : HttpSink {
  void header(std::string_view name, std::string_view value) override { headers[std::string(name)] = value; }
  void head(int code, std::string_view type, double) override {
    status = code;
    content_type = type;
  }
  void bytes(std::string_view bytes, double) override {
    if (body.size() + bytes.size() > most) fail(VAA_ERROR_CAPACITY, "too much");
    body.append(bytes);
  }
  void end(const HttpEnd& how, double) override {
    ++ends;
    ended = how;
  }
  std::map<std::string, std::string> headers;
  std::string content_type, body;
  size_t most = SIZE_MAX;
  int status = 0, ends = 0;
  HttpEnd ended;
};

void finish(Transport* transport, const vaa_task* task = nullptr) {
  while (transport->in_flight() > 0) transport->run(1000, task);
}

Recorder get(const std::string& url, ConnectionOptions options = {}, std::string_view body = "") {
  Recorder recorder;
  Transport transport(options);
  transport.start(url, body, &recorder);
  finish(&transport);
  return recorder;
}

Recorder get(loopback::Script script, ConnectionOptions options = {}) {
  loopback::Server server(std::move(script));
  return get(server.url() + "/v1/models", std::move(options));
}

std::string words(const Recorder& recorder) { return recorder.ended.fault; }

// `printf 'hello hello hello hello\n' | gzip -n`.
const unsigned char kGzip[] = {0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x03, 0xcb, 0x48, 0xcd, 0xc9, 0xc9, 0x57, 0xc8, 0x40, 0x27, 0xb9, 0x00, 0x00, 0x88, 0x59, 0x0b, 0x18, 0x00, 0x00, 0x00};

}  // namespace

TEST_CASE("transport: a whole response comes with its status, type, headers and body", "[capture][threads]") {
  const Recorder got = get([](Connection& peer, const Request&) { peer.send(loopback::response(200, "{\"a\": 1}", "application/json", "X-Data-Parallel-Rank:  3 \r\nRetry-After: 7\r\n")); });
  CHECK(got.status == 200);
  CHECK(got.content_type == "application/json");
  CHECK(got.headers.at("x-data-parallel-rank") == "3");
  CHECK(got.body == "{\"a\": 1}");
  CHECK(got.ends == 1);
  CHECK(got.ended.kind == Kind::kWhole);
  CHECK(got.ended.fault == "");
  CHECK(got.ended.sent);
  CHECK(got.ended.began);
  CHECK(got.ended.sends == 1);
  CHECK(got.ended.retry_after_s == 7);
}

TEST_CASE("transport: a request is a GET or a POST with key, headers and body as given", "[capture][threads]") {
  std::promise<Request> seen;
  loopback::Server server([&](Connection& peer, const Request& request) {
    seen.set_value(request);
    peer.send(loopback::response(200, "{}"));
  });
  ConnectionOptions options;
  options.key = "sk-secret";
  options.headers = {"X-Team: red", "X-Empty: "};
  get(server.url() + "/v1/chat/completions", options, "{\"model\": \"toy\"}");
  const Request request = seen.get_future().get();
  CHECK(request.head.substr(0, 40) == "POST /v1/chat/completions HTTP/1.1\r\nHost");
  CHECK(request.head.find("\r\nAuthorization: Bearer sk-secret\r\n") != std::string::npos);
  CHECK(request.head.find("\r\nX-Team: red\r\n") != std::string::npos);
  CHECK(request.head.find("\r\nX-Empty:\r\n") != std::string::npos);
  CHECK(request.head.find("\r\nContent-Type: application/json\r\n") != std::string::npos);
  CHECK(request.head.find("Expect:") == std::string::npos);
  CHECK(request.body == "{\"model\": \"toy\"}");
}

TEST_CASE("transport: chunks, and pieces cut anywhere, give the bytes of the body", "[capture][threads]") {
  const Recorder got = get([](Connection& peer, const Request&) {
    const std::string all = loopback::stream_head(true) + loopback::chunk("data: a\n") + loopback::chunk("\ndata: [DONE]\n\n") + loopback::chunk("");
    for (const char c : all) peer.send(std::string_view(&c, 1));
  });
  CHECK(got.content_type == "text/event-stream; charset=utf-8");
  CHECK(got.body == "data: a\n\ndata: [DONE]\n\n");
  CHECK(got.ended.kind == Kind::kWhole);
}

TEST_CASE("transport: what is compressed arrives unpacked", "[capture][threads]") {
  const std::string packed(reinterpret_cast<const char*>(kGzip), sizeof kGzip);
  const Recorder got = get([&](Connection& peer, const Request&) { peer.send(loopback::response(200, packed, "text/plain", "Content-Encoding: gzip\r\n")); });
  CHECK(got.body == "hello hello hello hello\n");
  const Recorder broken = get([&](Connection& peer, const Request&) { peer.send(loopback::response(200, "no gzip at all", "text/plain", "Content-Encoding: gzip\r\n")); });
  CHECK(broken.ended.kind == Kind::kBroken);
  CHECK(broken.ended.fault != "");
}

TEST_CASE("transport: a redirect is an answer, not a way", "[capture][threads]") {
  const Recorder got = get([](Connection& peer, const Request&) { peer.send(loopback::response(307, "", "text/html", "Location: http://127.0.0.1:1/\r\n")); });
  CHECK(got.status == 307);
  CHECK(got.ended.kind == Kind::kWhole);
}

TEST_CASE("transport: 1xx responses are passed over", "[capture][threads]") {
  const Recorder got = get([](Connection& peer, const Request&) { peer.send("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\nRetry-After: 9\r\n\r\n" + loopback::response(200, "{}")); });
  CHECK(got.status == 200);
  CHECK(got.headers.count("link") == 0);
  CHECK(got.ended.retry_after_s == -1);
}

TEST_CASE("transport: each way to break off has its kind and words with the host", "[capture][threads]") {
  const int port = loopback::closed_port();
  const std::string host = "127.0.0.1:" + std::to_string(port);
  const Recorder refused = get("http://" + host + "/v1/models");
  CHECK(refused.ended.kind == Kind::kRefused);
  CHECK(words(refused) == host + ": cannot connect: Connection refused");
  CHECK_FALSE(refused.ended.sent);

  const Recorder closed = get([](Connection& peer, const Request&) { peer.close(); });
  CHECK(closed.ended.kind == Kind::kLost);
  CHECK(closed.ended.sent);
  CHECK_FALSE(closed.ended.began);
  CHECK(words(closed).find(": the connection was closed before a byte of the answer") != std::string::npos);

  const Recorder reset = get([](Connection& peer, const Request&) { peer.reset(); });
  CHECK(reset.ended.kind == Kind::kLost);
  CHECK_FALSE(reset.ended.began);
  CHECK(words(reset).find("Connection reset by peer") != std::string::npos);

  const Recorder cut = get([](Connection& peer, const Request&) {
    peer.send(loopback::stream_head(true) + loopback::chunk("data: a\n\n"));
    peer.close();
  });
  CHECK(cut.ended.kind == Kind::kLost);
  CHECK(cut.ended.began);
  CHECK(cut.body == "data: a\n\n");
  CHECK(words(cut).find("the connection was closed before the answer was whole") != std::string::npos);

  const Recorder babble = get([](Connection& peer, const Request&) {
    peer.send("SSH-2.0-OpenSSH_9.2\r\n");
    peer.close();
  });
  CHECK(babble.ended.kind == Kind::kBroken);
  CHECK(babble.ended.began);
  CHECK(words(babble).find("no HTTP/1.1 response") != std::string::npos);
}

TEST_CASE("transport: what a sink refuses ends its own transfer", "[capture][threads]") {
  loopback::Server server([](Connection& peer, const Request&) { peer.send(loopback::response(200, std::string(100, 'x'))); });
  Transport transport({});
  Recorder small, large;
  small.most = 10;
  transport.start(server.url(), "", &small);
  transport.start(server.url(), "", &large);
  finish(&transport);
  CHECK(small.ended.kind == Kind::kBroken);
  CHECK(words(small) == "127.0.0.1:" + std::to_string(server.port()) + ": too much");
  CHECK(large.ended.kind == Kind::kWhole);
  CHECK(large.body.size() == 100);
}

TEST_CASE("transport: headers without end are refused", "[capture][threads]") {
  const Recorder got = get([](Connection& peer, const Request&) {
    peer.send("HTTP/1.1 200 OK\r\n");
    const std::string line = "X-Filler: " + std::string(1000, 'x') + "\r\n";
    for (int i = 0; i < 400; ++i) peer.send(line);
  });
  CHECK(got.ended.kind == Kind::kBroken);
  CHECK(words(got).find("262144 bytes") != std::string::npos);
}

TEST_CASE("transport: silence, and an answer without end, are ended by their limits", "[capture][threads]") {
  const auto silent = [](Connection& peer, const Request&) {
    peer.send(loopback::stream_head());
    peer.wait_for_close();
  };
  ConnectionOptions idle;
  idle.idle_timeout_s = 0.05;
  const Recorder quiet = get(silent, idle);
  CHECK(quiet.ended.kind == Kind::kIdle);
  CHECK(quiet.ended.began);
  CHECK(words(quiet).find("no byte for 0.05 s (idle_timeout_s)") != std::string::npos);
  ConnectionOptions whole;
  whole.timeout_s = 0.05;
  const Recorder late = get(silent, whole);
  CHECK(late.ended.kind == Kind::kTimeout);
  CHECK(late.ended.sent);
  CHECK(words(late).find("no whole answer within 0.05 s (timeout_s)") != std::string::npos);
}

TEST_CASE("transport: a cancelled task ends every transfer", "[capture][threads]") {
  std::promise<void> begun;
  loopback::Server server([&](Connection& peer, const Request& request) {
    if (request.place == 7) begun.set_value();
    peer.wait_for_close();
  });
  Transport transport({});
  std::vector<Recorder> recorders(8);
  for (Recorder& recorder : recorders) transport.start(server.url(), "", &recorder);
  const Task task;
  std::thread canceller([&] {
    begun.get_future().wait();
    vaa_task_cancel(task.handle);
  });
  finish(&transport, task.handle);
  canceller.join();
  for (const Recorder& recorder : recorders) {
    CHECK(recorder.ends == 1);
    CHECK(recorder.ended.kind == Kind::kCancelled);
  }
}

TEST_CASE("transport: connections are kept and used again, and one that was closed meanwhile is opened anew", "[capture][threads]") {
  std::promise<void> closed;
  loopback::Server server([&](Connection& peer, const Request& request) {
    peer.send(loopback::response(200, "{}"));
    if (request.place == 2) {
      peer.close();
      closed.set_value();
    }
  });
  Transport transport({});
  for (int i = 0; i < 3; ++i) {
    Recorder recorder;
    transport.start(server.url(), "", &recorder);
    finish(&transport);
    CHECK(recorder.ended.kind == Kind::kWhole);
  }
  CHECK(server.connections() == 1);
  closed.get_future().wait();
  Recorder recorder;
  transport.start(server.url(), "", &recorder);
  finish(&transport);
  CHECK(recorder.ended.kind == Kind::kWhole);
  CHECK(server.connections() == 2);
}

TEST_CASE("transport: many transfers fly at once", "[capture][threads]") {
  constexpr int kMany = 64;
  std::mutex mutex;
  std::condition_variable all;
  int here = 0;
  loopback::Server server([&](Connection& peer, const Request& request) {
    std::unique_lock<std::mutex> lock(mutex);
    if (++here == kMany) all.notify_all();
    all.wait(lock, [&] { return here >= kMany; });
    lock.unlock();
    peer.send(loopback::response(200, request.body));
  });
  ConnectionOptions options;
  options.concurrency = kMany;
  Transport transport(options);
  std::vector<Recorder> recorders(kMany);
  std::vector<std::string> bodies;
  for (int i = 0; i < kMany; ++i) bodies.push_back(std::string(static_cast<size_t>(i) * 1000 + 1, static_cast<char>('a' + i % 26)));
  for (size_t i = 0; i < kMany; ++i) transport.start(server.url(), bodies[i], &recorders[i]);
  finish(&transport);
  for (size_t i = 0; i < kMany; ++i) CHECK(recorders[i].body == bodies[i]);
}

TEST_CASE("transport: user, password and key stand in no message", "[capture][threads]") {
  ConnectionOptions options;
  options.key = "sk-secret";
  const Recorder got = get("http://user:pass@127.0.0.1:" + std::to_string(loopback::closed_port()) + "/v1", options);
  CHECK(words(got).find("pass") == std::string::npos);
  CHECK(host_of("http://user:p%40ss@host:8000/v1?a=b@c") == "host:8000");
  CHECK(host_of("https://[::1]:8000") == "[::1]:8000");
  options.key = "sk-secret\nX-Injected: 1";
  try {
    Transport transport(options);
    FAIL("taken");
  } catch (const Failure& failure) {
    CHECK(failure.status() == VAA_ERROR_OPTION);
    CHECK(failure.message().find("secret") == std::string::npos);
  }
}

TEST_CASE("transport: more connections than files may be open are refused, with the limit", "[capture]") {
  rlimit before{};
  REQUIRE(getrlimit(RLIMIT_NOFILE, &before) == 0);
  const rlimit small{256, before.rlim_max};
  REQUIRE(setrlimit(RLIMIT_NOFILE, &small) == 0);
  ConnectionOptions options;
  options.concurrency = 512;
  std::string message;
  try {
    Transport transport(options);
  } catch (const Failure& failure) {
    message = failure.message();
  }
  setrlimit(RLIMIT_NOFILE, &before);
  CHECK(message == "concurrency: 512 connections need 528 open files, this process may open 256; raise it with ulimit -n, or ask fewer at once");
}

TEST_CASE("transport: options that cannot be are refused by name", "[capture]") {
  const auto message = [](const ConnectionOptions& options) {
    try {
      Transport transport(options);
    } catch (const Failure& failure) {
      return failure.message();
    }
    return std::string();
  };
  ConnectionOptions options;
  options.headers = {"no colon"};
  CHECK(message(options) == "headers: \"no colon\" is none, they are given as \"Name: value\"");
  options.headers = {"A: b\r\nC: d"};
  CHECK(message(options) == "headers: \"A\" is none, they are given as \"Name: value\"");
  options.headers = {};
  options.ca_file = "/no/such/file.pem";
  CHECK(message(options) == "ca_file: \"/no/such/file.pem\" cannot be read");
}

TEST_CASE("fetch: an answer over its bound is a fault", "[capture][threads]") {
  loopback::Server server([](Connection& peer, const Request&) { peer.send(loopback::response(200, std::string(100, 'x'))); });
  const HttpResponse whole = fetch({}, {server.url(), ""}, 100, nullptr);
  CHECK(whole.body.size() == 100);
  CHECK(whole.end.kind == Kind::kWhole);
  const HttpResponse cut = fetch({}, {server.url(), ""}, 99, nullptr);
  CHECK(cut.end.kind == Kind::kBroken);
  CHECK(cut.end.fault.find("the answer goes over 99 bytes") != std::string::npos);
}
