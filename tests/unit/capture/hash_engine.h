// Servers whose model is a hash of the ids before a place: what vLLM's endpoints would say, from a thread of the test. A fault from a position on can be planted, on either path.
#pragma once
#include <atomic>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/text_hash.h"
#include "capture/json_members.h"
#include "loopback.h"

namespace vaa::capture::test {

struct HashFault {
  int64_t from = -1;          // the id at this position and later ones are predicted wrongly; -1: none
  bool prefill = true, decode = true;
};

inline int32_t hashed_id(const std::vector<int32_t>& ids, bool wrong) {
  const size_t seen = ids.size() < 16 ? ids.size() : 16;
  const uint64_t hash = hash_bytes(ids.size() + (wrong ? 1u << 30 : 0), {reinterpret_cast<const char*>(ids.data() + ids.size() - seen), seen * sizeof(int32_t)});
  return static_cast<int32_t>(100 + hash % 400);
}
// An answer as a record: `prompt` ids, then greedy ones up to `size`.
inline std::vector<int32_t> greedy(std::vector<int32_t> ids, size_t size) {
  while (ids.size() < size) ids.push_back(hashed_id(ids, false));
  return ids;
}

class HashEngine {
 public:
  explicit HashEngine(HashFault fault = {}, bool logprobs = true) : fault_(fault), logprobs_(logprobs), server_([this](loopback::Connection& c, const loopback::Request& r) { answer(c, r); }) {}
  std::string url() const { return server_.url(); }
  std::atomic<int> rungs{0};  // completions of a prompt of ids over 8

 private:
  void answer(loopback::Connection& connection, const loopback::Request& request) {
    const auto asked = [&](const char* line) { return request.head.rfind(line, 0) == 0; };
    if (asked("GET /v1/models")) return reply(connection, 200, R"({"object": "list", "data": [{"id": "toy", "object": "model", "owned_by": "vllm", "max_model_len": 100000}]})");
    if (asked("GET /version")) return reply(connection, 200, R"({"version": "0.11.0"})");
    if (asked("POST /tokenize")) return reply(connection, 200, R"({"count": 3, "max_model_len": 100000, "tokens": [1, 2, 3]})");
    if (asked("POST /v1/completions")) return reply(connection, 200, complete(request.body));
    reply(connection, 404, R"({"detail": "Not Found"})");
  }

  static void reply(loopback::Connection& connection, int status, const std::string& body) {
    connection.send("HTTP/1.1 " + std::to_string(status) + " X\r\nContent-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
  }

  std::string complete(const std::string& body) {
    const auto members = json_members(body);
    std::vector<int32_t> ids = {1, 2, 3};
    size_t bad = 0;
    JsonReader json(member_value(members, "prompt"));
    if (json.peek() == JsonKind::kArray) json.ids(&ids, &bad);
    rungs += ids.size() > 8;
    const size_t prompt = ids.size();
    const std::string_view count = member_value(members, "max_tokens");
    const size_t tokens = count.empty() ? 16 : static_cast<size_t>(std::stoi(std::string(count)));
    std::string given, likeliest, names, logprobs;
    for (size_t i = 0; i < tokens; ++i) {
      const bool faulty = fault_.from >= 0 && static_cast<int64_t>(ids.size()) >= fault_.from && (i == 0 ? fault_.prefill : fault_.decode);
      const int32_t right = hashed_id(ids, false), id = faulty ? hashed_id(ids, true) : right, other = id == 700 ? 701 : 700;
      const char* comma = i ? ", " : "";
      given += comma + std::to_string(id);
      names += comma + ("\"token_id:" + std::to_string(id) + "\"");
      logprobs += comma + std::string("-0.1");
      likeliest += comma + ("{\"token_id:" + std::to_string(id) + "\": -0.1, \"token_id:" + std::to_string(other) + "\": -3.5}");
      ids.push_back(id);
    }
    const std::string lists = logprobs_ ? R"({"text_offset": [], "token_logprobs": [)" + logprobs + R"(], "tokens": [)" + names + R"(], "top_logprobs": [)" + likeliest + "]}" : "null";
    return R"({"id": "c", "object": "text_completion", "created": 1, "model": "toy", "choices": [{"index": 0, "text": "x", "logprobs": )" + lists +
           R"(, "finish_reason": "length", "stop_reason": null, "token_ids": [)" + given + R"(]}], "usage": {"prompt_tokens": )" + std::to_string(prompt) + R"(, "completion_tokens": )" + std::to_string(tokens) +
           R"(, "total_tokens": )" + std::to_string(prompt + tokens) + "}}";
  }

  HashFault fault_;
  bool logprobs_;
  loopback::Server server_;  // last: its threads use the rest
};

}  // namespace vaa::capture::test
