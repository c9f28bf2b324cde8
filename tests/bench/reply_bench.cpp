// A streamed token through vaa_reply_push, an event a push as servers send them, beside simdjson On-Demand taking the same fields from the same events, in turns. The peer gets
// each event's JSON alone and has no lines to find, no times and portions to count, no faults to keep.
//   reply_bench [--tokens N]    N tokens a stream (default 200000)
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include <simdjson.h>

#include "cpu_clock.h"
#include "vaa/vaa.h"

namespace {
std::atomic<int64_t> allocations{0};
}
[[gnu::visibility("default")]] void* operator new(size_t size) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  if (void* p = std::malloc(size)) return p;
  throw std::bad_alloc();
}
[[gnu::visibility("default")]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::visibility("default")]] void operator delete(void* p, size_t) noexcept { std::free(p); }

namespace {

using simdjson::ondemand::object;

struct Kind {
  const char* name;
  bool logprobs;
};

struct Taken {
  std::string text, id, model;
  std::vector<int32_t> ids;
  std::vector<double> logprobs, top;
};

void check(vaa_status status, vaa_error* error) {
  if (status == VAA_OK) return;
  std::fprintf(stderr, "%s\n", vaa_error_message(error).data);
  std::exit(1);
}

std::vector<std::string> events(int tokens, bool logprobs) {
  std::vector<std::string> out;
  for (int i = 0; i < tokens; ++i) {
    const std::string id = std::to_string(1000 + i * 7919 % 150000), other = std::to_string(i % 150000);
    std::string event = R"(data: {"id":"chatcmpl-982853fa561437632f0b1d","object":"chat.completion.chunk","created":1796001576,"model":"toy-8b","choices":[{"index":0,"delta":{"content":" word)" +
                        std::to_string(i % 10) + "\"},";
    if (logprobs)
      event += R"("logprobs":{"content":[{"token":"token_id:)" + id + R"(","logprob":-0.19699,"bytes":[32,119],"top_logprobs":[{"token":"token_id:)" + id +
               R"(","logprob":-0.19699,"bytes":[32,119]},{"token":"token_id:)" + other + R"(","logprob":-1.41397,"bytes":[69]}]}]},)";
    else
      event += "\"logprobs\":null,";
    out.push_back(event + "\"finish_reason\":null,\"token_ids\":[" + id + "]}]}\n\n");
  }
  return out;
}

double through_vaa(vaa_reply* reply, vaa_sample* sample, const std::vector<std::string>& stream, int64_t* allocated, size_t* ids) {
  vaa_error* error = nullptr;
  int32_t more = 0;
  vaa_ids got{};
  const std::string done = "data: [DONE]\n\n";
  const double start = cpu_seconds();
  check(vaa_reply_begin(reply, {"", 0}, 0, &error), error);
  const int64_t before = allocations.load();
  for (const std::string& event : stream) check(vaa_reply_push(reply, {event.data(), event.size()}, 1, &error), error);
  *allocated = allocations.load() - before;
  check(vaa_reply_push(reply, {done.data(), done.size()}, 1, &error), error);
  check(vaa_reply_end(reply, 2, {"", 0}, &error), error);
  check(vaa_reply_next(reply, sample, &more, &error), error);
  const double took = cpu_seconds() - start;
  check(vaa_sample_ids(sample, VAA_FIELD_OUTPUT_TOKEN_IDS, &got, &error), error);
  *ids = got.size;
  return took;
}

double through_simdjson(simdjson::ondemand::parser* parser, const std::vector<simdjson::padded_string>& stream, Taken* taken) {
  taken->text.clear(), taken->ids.clear(), taken->logprobs.clear(), taken->top.clear();
  const double start = cpu_seconds();
  for (const simdjson::padded_string& event : stream) {
    auto document = parser->iterate(event);
    object chunk = document.get_object();
    taken->id.assign(std::string_view(chunk["id"].get_string()));
    taken->model.assign(std::string_view(chunk["model"].get_string()));
    for (object choice : chunk["choices"].get_array()) {
      const int64_t index = choice["index"].get_int64();
      if (index != 0) std::exit(1);
      taken->text.append(std::string_view(choice["delta"]["content"].get_string()));
      auto logprobs = choice["logprobs"];
      if (!logprobs.is_null()) {
        for (object entry : logprobs["content"].get_array()) {
          const std::string_view token = entry["token"].get_string();
          taken->ids.push_back(static_cast<int32_t>(std::strtol(token.data() + 9, nullptr, 10)));
          taken->logprobs.push_back(double(entry["logprob"].get_double()));
          for (object other : entry["top_logprobs"].get_array()) {
            const std::string_view name = other["token"].get_string();
            taken->ids.push_back(static_cast<int32_t>(std::strtol(name.data() + 9, nullptr, 10)));
            taken->top.push_back(double(other["logprob"].get_double()));
          }
        }
      }
      if (!choice["finish_reason"].is_null()) std::exit(1);
      for (const int64_t id : choice["token_ids"].get_array()) taken->ids.push_back(static_cast<int32_t>(id));
    }
  }
  return cpu_seconds() - start;
}

}  // namespace

int main(int argc, char** argv) {
  int tokens = 200000;
  if (argc == 3 && std::string(argv[1]) == "--tokens") tokens = std::max(1, std::atoi(argv[2]));
  else if (argc != 1) return std::fprintf(stderr, "usage: reply_bench [--tokens N]\n"), 2;
  vaa_error* error = nullptr;
  vaa_reply* reply = nullptr;
  vaa_sample* sample = nullptr;
  check(vaa_reply_new({"", 0}, &reply, &error), error);
  check(vaa_sample_new(&sample, &error), error);
  std::printf("%-22s %10s %14s %10s %12s\n", "a token", "vaa ns", "simdjson ns", "ratio", "allocations");
  for (const Kind& kind : {Kind{"id", false}, Kind{"id, top-2 logprobs", true}}) {
    const std::vector<std::string> stream = events(tokens, kind.logprobs);
    std::vector<simdjson::padded_string> documents;
    for (const std::string& event : stream) documents.emplace_back(std::string_view(event).substr(6, event.size() - 8));
    simdjson::ondemand::parser parser;
    Taken taken;
    double ours = 1e9, peers = 1e9;
    int64_t allocated = 0;
    size_t ids = 0;
    for (int round = 0; round < 5; ++round) {
      ours = std::min(ours, through_vaa(reply, sample, stream, &allocated, &ids));
      peers = std::min(peers, through_simdjson(&parser, documents, &taken));
    }
    if (ids != stream.size()) return std::fprintf(stderr, "%zu ids of %zu tokens\n", ids, stream.size()), 1;
    std::printf("%-22s %10.0f %14.0f %10.2f %12.6f\n", kind.name, 1e9 * ours / tokens, 1e9 * peers / tokens, ours / peers, static_cast<double>(allocated) / tokens);
  }
  vaa_reply_free(reply);
  vaa_sample_free(sample);
}
