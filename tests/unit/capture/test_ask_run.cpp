#include <filesystem>
#include <fstream>
#include <future>
#include <map>
#include <set>

#include "capture/ask_run.h"
#include "capture/json_members.h"
#include "capture/sample_fields.h"
#include "catch.h"
#include "loopback.h"

using namespace vaa;
using namespace vaa::capture;
namespace fs = std::filesystem;
using loopback::Connection;

namespace {

struct Folder {
  Folder() {
    std::string made = (fs::temp_directory_path() / "vaa-ask-XXXXXX").string();
    REQUIRE(::mkdtemp(made.data()) != nullptr);
    path = made;
  }
  ~Folder() { fs::remove_all(path); }
  std::string path;
};

class Listed final : public RequestSource {
 public:
  explicit Listed(int64_t count) : count_(count) {}
  bool next(Request* request) override {
    if (at_ == count_) return false;
    const std::string id = "q" + std::to_string(at_++);
    *request = {id, "set", 0, "/v1/chat/completions", R"({"model": "other", "messages": [{"role": "user", "content": ")" + id + "\"}]}", "in.jsonl", at_};
    return true;
  }
  int64_t total() const override { return count_; }
  int64_t skipped() const override { return 0; }
  const std::vector<std::string>& problems() const override { return problems_; }

 private:
  int64_t at_ = 0, count_;
  std::vector<std::string> problems_;
};

// The question that a request holds.
std::string question(const loopback::Request& request) {
  const size_t at = request.body.find("\"content\": \"") + 12;
  return request.body.substr(at, request.body.find('"', at) - at);
}

struct Engine {
  explicit Engine(loopback::Script script) : server(std::move(script)) {
    known.url = known.endpoint = server.url();
    known.dialect = find_dialect("vllm");
    known.model = "toy";
    known.metrics = 0;
  }
  loopback::Server server;
  Server known;
};

AskSeen run(const Engine& engine, const std::string& out, Existing existing, int64_t count, vaa_task* task = nullptr, const char* purpose = "quality", int concurrency = 8) {
  AskerOptions options;
  options.session.connection.concurrency = concurrency;
  options.session.max_retry_wait_s = 0.01;
  options.session.retries = 1;
  AskSeen seen;
  seen.out_path = out;
  seen.options = ask_options("{\"for\": \"" + std::string(purpose) + "\"}");
  seen.concurrency = concurrency;
  Listed source(count);
  RecordLog log(out, existing);
  if (log.header().empty()) log.write_header(R"({"schema": "vaa.run/1"})");
  seen.taken_out = log.taken_out();
  const std::vector<Server> servers = {engine.known};
  AskRun asked(options, servers, &source, &log, &seen, task);
  asked.work();
  log.flush();
  return seen;
}

std::multimap<std::string, std::string> records(const std::string& path) {  // id: text or error
  std::multimap<std::string, std::string> found;
  std::ifstream file(path);
  const OwnedSample sample = new_sample();
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("{\"schema\": \"vaa.run/1\"", 0) == 0) continue;
    must([&](vaa_error** err) { return vaa_sample_from_json(sample.get(), border(line), err); });
    const std::string error = text_field(sample.get(), VAA_FIELD_ERROR_MESSAGE);
    found.emplace(text_field(sample.get(), VAA_FIELD_ID), error.empty() ? text_field(sample.get(), VAA_FIELD_OUTPUT_TEXT) : "error: " + error);
  }
  return found;
}

}  // namespace

TEST_CASE("ask: every question is asked once and stands once, what failed too; a second run asks what failed alone", "[capture][threads]") {
  const Folder folder;
  const std::string out = folder.path + "/out.jsonl";
  std::atomic<bool> broken{true};
  const Engine engine([&](Connection& peer, const loopback::Request& request) {
    const std::string asked = question(request);
    const int number = std::atoi(asked.c_str() + 1);
    if (broken && number % 10 == 3) return peer.send(loopback::response(400, "{\"error\": {\"message\": \"bad request\", \"type\": \"BadRequestError\"}}"));
    if (broken && number % 10 == 7) {
      peer.send(loopback::stream_head(true) + loopback::chunk(loopback::event("half")));
      return peer.close();
    }
    peer.send(loopback::response(200, loopback::chat("to " + asked)));
  });
  const AskSeen first = run(engine, out, Existing::kRefuse, 100);
  CHECK(first.total == 100);
  const ServerTally& tally = first.tally.servers.at(0);
  CHECK(tally.answered == 80);
  CHECK(tally.failed == 20);
  CHECK(tally.partial == 10);
  CHECK(first.tally.failures.at("HTTP 400 BadRequestError").first == 10);
  CHECK(first.tally.failures.at("HTTP 400 BadRequestError").second == "bad request");
  CHECK(first.tally.failures.at("cut in the answer").first == 10);
  auto kept = records(out);
  CHECK(kept.size() == 100);
  for (int i = 0; i < 100; ++i) CHECK(kept.count("q" + std::to_string(i)) == 1);
  CHECK(kept.find("q5")->second == "to q5");
  CHECK(kept.find("q13")->second == "error: bad request");

  broken = false;
  const int asked_before = engine.server.requests();
  const AskSeen second = run(engine, out, Existing::kResume, 100);
  CHECK(engine.server.requests() - asked_before == 20);
  CHECK(second.taken_out == 20);
  CHECK(second.tally.servers.at(0).resumed == 80);
  CHECK(second.tally.servers.at(0).answered == 20);
  kept = records(out);
  CHECK(kept.size() == 100);
  for (int i = 0; i < 100; ++i) {
    const auto [from, to] = kept.equal_range("q" + std::to_string(i));
    REQUIRE(std::distance(from, to) == 1);
    CHECK(from->second == "to q" + std::to_string(i));
  }
}

TEST_CASE("ask: a record says what was asked, of whom, and how often it was sent", "[capture][threads]") {
  const Folder folder;
  const Engine engine([](Connection& peer, const loopback::Request& request) {
    if (request.place == 0) return peer.send(loopback::response(503, "loading", "text/plain"));
    peer.send(loopback::response(200, loopback::chat("28")));
  });
  run(engine, folder.path + "/out.jsonl", Existing::kRefuse, 1);
  std::ifstream file(folder.path + "/out.jsonl");
  std::string line;
  std::getline(file, line);
  std::getline(file, line);
  const OwnedSample sample = new_sample();
  REQUIRE(vaa_sample_from_json(sample.get(), border(line), nullptr) == VAA_OK);
  CHECK(text_field(sample.get(), VAA_FIELD_DATASET) == "set");
  CHECK(text_field(sample.get(), VAA_FIELD_ENDPOINT) == engine.server.url());
  CHECK(text_field(sample.get(), VAA_FIELD_PROMPT_MESSAGES).find("q0") != std::string::npos);
  const std::string extra = text_field(sample.get(), VAA_FIELD_EXTRA);
  const auto ask = json_members(member_value(json_members(extra), "ask"));
  CHECK(member_value(ask, "custom_id") == "\"q0\"");
  CHECK(member_value(ask, "tries") == "2");
  CHECK(member_value(ask, "key").size() == 34);
  CHECK(member_value(ask, "hash").size() == 34);
}

TEST_CASE("ask: a cancelled run keeps what was whole, and asks none of it again", "[capture][threads]") {
  const Folder folder;
  const std::string out = folder.path + "/out.jsonl";
  vaa_task* task = nullptr;
  REQUIRE(vaa_task_new(&task, nullptr) == VAA_OK);
  const std::unique_ptr<vaa_task, Freed<vaa_task_free>> owned(task);  // outlives the server, whose threads cancel it
  std::atomic<bool> hold{true};
  std::mutex mutex;
  std::multiset<std::string> answered;
  const Engine engine([&](Connection& peer, const loopback::Request& request) {
    if (hold && request.place >= 20) {  // eight are held back, none of the twenty before is
      if (request.place == 27) vaa_task_cancel(task);
      peer.wait_for_close();
      return;
    }
    {
      const std::lock_guard<std::mutex> lock(mutex);
      answered.insert(question(request));
    }
    peer.send(loopback::response(200, loopback::chat("28")));
  });
  vaa_status status = VAA_OK;
  try {
    run(engine, out, Existing::kRefuse, 50, task);
  } catch (const Failure& failure) {
    status = failure.status();
  }
  CHECK(status == VAA_ERROR_CANCELLED);
  CHECK(records(out).size() == 20);
  hold = false;
  const AskSeen second = run(engine, out, Existing::kResume, 50);
  CHECK(second.tally.servers.at(0).resumed == 20);
  CHECK(second.tally.servers.at(0).answered == 30);
  CHECK(answered.size() == 50);
  CHECK(std::set<std::string>(answered.begin(), answered.end()).size() == 50);
  CHECK(records(out).size() == 50);
}

TEST_CASE("ask: for the cache each question comes twice, the second after the first was answered", "[capture][threads]") {
  const Folder folder;
  std::mutex mutex;
  std::map<std::string, int> whole;
  std::atomic<int> early{0};
  const Engine engine([&](Connection& peer, const loopback::Request& request) {
    const std::string asked = question(request);
    int before = 0;
    {
      const std::lock_guard<std::mutex> lock(mutex);
      before = whole[asked];
      if (before > 1) ++early;
    }
    std::string answer = loopback::chat("to " + asked);
    answer.insert(answer.rfind("}}"), std::string(", \"prompt_tokens_details\": {\"cached_tokens\": ") + (before ? "16" : "0") + "}");
    {
      const std::lock_guard<std::mutex> lock(mutex);
      ++whole[asked];
    }
    peer.send(loopback::response(200, answer));
  });
  const AskSeen seen = run(engine, folder.path + "/out.jsonl", Existing::kRefuse, 30, nullptr, "cache");
  const ServerTally& tally = seen.tally.servers.at(0);
  CHECK(early == 0);
  CHECK(tally.answered == 60);
  CHECK(tally.second_answers == 30);
  CHECK(tally.second_same == 30);
  CHECK(tally.cached_answers == 30);
  CHECK(seen.total == 60);
}

TEST_CASE("ask: an edited question is asked anew", "[capture][threads]") {
  const Folder folder;
  const std::string out = folder.path + "/out.jsonl";
  const Engine engine([](Connection& peer, const loopback::Request&) { peer.send(loopback::response(200, loopback::chat("28"))); });
  run(engine, out, Existing::kRefuse, 5);
  CHECK(engine.server.requests() == 5);
  run(engine, out, Existing::kResume, 5);
  CHECK(engine.server.requests() == 5);
  run(engine, out, Existing::kResume, 5, nullptr, "compare");  // other fields: another question
  CHECK(engine.server.requests() == 10);
}

TEST_CASE("ask: the progress counts answers of all that will come", "[capture][threads]") {
  const Folder folder;
  vaa_task* task = nullptr;
  REQUIRE(vaa_task_new(&task, nullptr) == VAA_OK);
  const Engine engine([](Connection& peer, const loopback::Request& request) {
    peer.send(request.place == 3 ? loopback::response(400, "{\"error\": \"no\"}") : loopback::response(200, loopback::chat("28")));
  });
  run(engine, folder.path + "/out.jsonl", Existing::kRefuse, 10, task);
  CHECK(vaa_task_total(task) == 10);
  CHECK(vaa_task_samples(task) == 10);
  CHECK(vaa_task_failed(task) == 1);
  vaa_task_free(task);
}
