// Streams that are old enough, and in company enough, to be read late: nothing of them changes but when they are read.
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <future>

#include "capture/late_read.h"
#include "capture/session.h"
#include "catch.h"
#include "loopback.h"

using namespace vaa;
using namespace vaa::capture;
using Kind = HttpEnd::Kind;
using loopback::Connection;
using loopback::Request;

namespace {

constexpr size_t kCompany = 16;   // from so many on streams are read late
constexpr double kOldS = 1.2;     // a stream of this age is, where its sink is patient
constexpr double kLong = 60;
constexpr double kTickS = 0.02;   // two ticks of the slowest kernel clock

struct Sink final : HttpSink {
  void header(std::string_view, std::string_view) override {}
  void head(int, std::string_view, double) override {}
  void bytes(std::string_view bytes, double time_s) override {
    body.append(bytes);
    last_s = time_s;
  }
  void end(const HttpEnd& how, double time_s) override {
    ++ends;
    ended = how;
    end_s = time_s;
  }
  bool patient() const override { return !body.empty(); }
  std::string body;
  double last_s = 0, end_s = 0;
  int ends = 0;
  HttpEnd ended;
};

// Streams that have brought a piece and are read late by now. The first request's goes on as `rest` says, once told to; the others stay silent.
struct Company {
  explicit Company(std::function<void(Connection&)> rest, ConnectionOptions options = {})
      : server([this, rest](Connection& peer, const Request& request) {
          peer.send(loopback::stream_head(true) + loopback::chunk("first "));
          if (request.body != "0") return void(peer.wait_for_close());
          go.get_future().wait();
          rest(peer);
          gone_on.set_value();
          peer.wait_for_close();
        }),
        transport(options), sinks(kCompany), bodies(kCompany) {
    vaa_task_new(&task, nullptr);
    for (size_t i = 0; i < kCompany; ++i) {
      bodies[i] = std::to_string(i);
      transport.start(server.url(), bodies[i], &sinks[i]);
    }
    const double begun = steady_s();
    while (steady_s() < begun + kOldS || !all_began()) transport.run(10, task);
  }
  ~Company() {
    if (!told) go.set_value();
    vaa_task_cancel(task);
    transport.run(0, task);
    vaa_task_free(task);
  }
  bool all_began() const {
    for (const Sink& sink : sinks)
      if (sink.body.empty()) return false;
    return true;
  }
  void tell() {
    told = true;
    go.set_value();
  }
  // What the server sends next is with the kernel when this comes back.
  void go_on() {
    tell();
    gone_on.get_future().wait();
  }
  void until_the_first_ends() {
    while (sinks[0].ends == 0) transport.run(1000, task);
  }
  std::promise<void> go, gone_on;
  bool told = false;
  loopback::Server server;
  Transport transport;
  std::vector<Sink> sinks;
  std::vector<std::string> bodies;
  vaa_task* task = nullptr;
};

std::string text(const Answer& answer, vaa_field field) {
  vaa_str value{};
  return vaa_sample_str(answer.samples.at(0).get(), field, &value, nullptr) == VAA_OK ? std::string(view(value)) : "(not recorded)";
}

double real(const Answer& answer, vaa_field field) {
  double value = -1;
  CHECK(vaa_sample_f64(answer.samples.at(0).get(), field, &value, nullptr) == VAA_OK);
  return value;
}

}  // namespace

TEST_CASE("late reads: bytes wait a 16th of the stream's age, 0.25 s at most, and half a buffer at most", "[capture]") {
  CHECK(may_wait(0.5, 100, 0.05) == 0);  // 0.03 s: under the time between two looks
  CHECK(may_wait(1.6, 100, 0.05) == Approx(0.1));
  CHECK(may_wait(1.6, 0, 0.05) == Approx(0.1));
  CHECK(may_wait(3600, 100, 0.05) == Approx(0.25));
  CHECK(may_wait(3600, 4096, 0.05) == Approx(0.1));   // 8,192 bytes take 0.1 s
  CHECK(may_wait(3600, 10000, 0.05) == 0);            // 0.04 s
  CHECK(may_wait(3600, 16384, 0.25) == 0);            // a buffer was filled
}

TEST_CASE("late reads: a socket that does not say when it received has just received", "[capture]") {
  int ends[2];
  REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  CHECK(quiet_s(ends[0]) == 0);
  ::close(ends[0]);
  ::close(ends[1]);
  CHECK(quiet_s(-1) == 0);
}

TEST_CASE("late reads: what is read late has the time at which it arrived", "[capture][threads]") {
  Company company([](Connection& peer) { peer.send(loopback::chunk("last") + loopback::chunk("")); });
  const double before = now_s();
  company.go_on();
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  const double read = now_s();
  company.until_the_first_ends();
  const Sink& sink = company.sinks[0];
  CHECK(sink.ended.kind == Kind::kWhole);
  CHECK(sink.body == "first last");
  CHECK(sink.last_s >= before - kTickS);
  CHECK(sink.last_s < read - 0.1);
  CHECK(sink.end_s >= sink.last_s);
  CHECK(sink.end_s < read - 0.1);
}

TEST_CASE("late reads: a connection that is cut or reset ends its stream with what had come", "[capture][threads]") {
  Company cut([](Connection& peer) {
    peer.send(loopback::chunk("more"));
    peer.close();
  });
  cut.go_on();
  cut.until_the_first_ends();
  CHECK(cut.sinks[0].body == "first more");
  CHECK(cut.sinks[0].ended.kind == Kind::kLost);
  CHECK(cut.sinks[0].ended.fault.find("the connection was closed before the answer was whole") != std::string::npos);
  CHECK(cut.transport.in_flight() == kCompany - 1);
  Company reset([](Connection& peer) { peer.reset(); });
  reset.tell();
  reset.until_the_first_ends();
  CHECK(reset.sinks[0].body == "first ");
  CHECK(reset.sinks[0].ended.kind == Kind::kLost);
  CHECK(reset.transport.in_flight() == kCompany - 1);
}

TEST_CASE("late reads: a burst of many buffers comes whole and in order", "[capture][threads]") {
  std::string burst;
  for (int i = 0; burst.size() < 3000000; ++i) burst += std::to_string(i) + " ";
  Company company([&](Connection& peer) { peer.send(loopback::chunk(burst) + loopback::chunk("")); });
  company.tell();
  company.until_the_first_ends();
  CHECK(company.sinks[0].ended.kind == Kind::kWhole);
  CHECK((company.sinks[0].body == "first " + burst));
}

TEST_CASE("late reads: a cancelled task ends them", "[capture][threads]") {
  Company company([](Connection&) {});
  vaa_task_cancel(company.task);
  company.transport.run(1000, company.task);
  CHECK(company.transport.in_flight() == 0);
  for (const Sink& sink : company.sinks) {
    CHECK(sink.ends == 1);
    CHECK(sink.ended.kind == Kind::kCancelled);
    CHECK(sink.body == "first ");
  }
}

TEST_CASE("late reads: a limit counts from the last byte that arrived, and what has arrived is read before it ends a stream", "[capture][threads]") {
  ConnectionOptions options;
  options.idle_timeout_s = kOldS + 0.5;
  Company company([](Connection& peer) { peer.send(loopback::chunk("more")); }, options);
  company.go_on();
  std::this_thread::sleep_for(std::chrono::milliseconds(600));  // before anything is read: all but the first have been silent for longer than the limit
  while (company.transport.in_flight() > 0) company.transport.run(100, company.task);
  CHECK(company.sinks[0].body == "first more");
  for (const Sink& sink : company.sinks) {
    CHECK(sink.ended.kind == Kind::kIdle);
    CHECK(sink.end_s - sink.last_s > options.idle_timeout_s - kTickS);
  }
}

TEST_CASE("late reads: many streams at once give every token once and in order, and their first tokens when they came", "[capture][threads]") {
  constexpr size_t kStreams = 64;
  constexpr int kTokens = 120;
  std::promise<void> first, rest;
  const auto first_may = first.get_future().share(), rest_may = rest.get_future().share();
  std::vector<double> sent(kStreams);
  loopback::Server server([&](Connection& peer, const Request& request) {
    const size_t at = request.body.find("\"content\": \"") + 12;
    const size_t place = std::stoul(request.body.substr(at));
    peer.send(loopback::stream_head(true));
    first_may.wait();
    sent[place] = now_s();
    peer.send(loopback::chunk(loopback::event("0 ")));
    rest_may.wait();
    for (int i = 1; i < kTokens; ++i) {
      peer.send(loopback::chunk(loopback::event(std::to_string(i) + " ", i + 1 == kTokens ? "length" : "")));
      std::this_thread::sleep_for(std::chrono::milliseconds(10));  // a token's time
    }
    peer.send(loopback::chunk("data: [DONE]\n\n") + loopback::chunk(""));
  });
  Server known;
  known.url = known.endpoint = server.url();
  known.dialect = find_dialect("vllm");
  SessionOptions options;
  options.connection.concurrency = kStreams;
  Session session(options, {known});
  for (size_t place = 0; place < kStreams; ++place)
    session.ask({static_cast<int64_t>(place), 0, "/v1/chat/completions", R"({"model": "toy", "messages": [{"role": "user", "content": ")" + std::to_string(place) + R"("}], "stream": true})"});
  Answer answer;
  const double begun = steady_s();
  while (steady_s() < begun + kOldS) REQUIRE_FALSE(session.next(&answer, 0.01, nullptr));
  first.set_value();
  while (session.tokens() < static_cast<int64_t>(kStreams)) REQUIRE_FALSE(session.next(&answer, 0.01, nullptr));
  const double seen = now_s();
  rest.set_value();
  std::string whole;
  for (int i = 0; i < kTokens; ++i) whole += std::to_string(i) + " ";
  for (size_t i = 0; i < kStreams; ++i, session.recycle(&answer)) {
    REQUIRE(session.next(&answer, kLong, nullptr));
    CHECK_FALSE(answer.failed);
    CHECK(answer.tokens == kTokens);
    CHECK(text(answer, VAA_FIELD_OUTPUT_TEXT) == whole);
    const double token_s = real(answer, VAA_FIELD_START_S) + real(answer, VAA_FIELD_TTFT_S);
    CHECK(token_s >= sent[static_cast<size_t>(answer.question.place)] - 1e-6);
    CHECK(token_s <= seen + 1e-6);
    CHECK(real(answer, VAA_FIELD_END_S) > seen);
  }
  CHECK(session.busy() == 0);
}
