// A response pushed as a client would, and its samples.
#pragma once
#include <cmath>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "catch.h"
#include "records/json_tree.h"
#include "records/reply.h"

namespace vaa_test {

struct Response {
  std::string body;
  int32_t status = 200;
  std::string content_type;
  std::string request;
  std::string fault;
};

// How a body is cut: bytes a push, 0 all at once, below 0 lengths drawn from 1 to 40 (the number is the seed).
inline std::vector<vaa::Sample> replies(vaa::Reply* reply, const Response& response, int cut = 0) {
  std::mt19937 random(static_cast<unsigned>(cut));
  reply->begin(response.request, 1000);
  if (response.status) reply->head(response.status, response.content_type);
  std::string_view rest = response.body;
  for (int i = 0; !rest.empty(); ++i) {
    const size_t n = std::min(rest.size(), cut == 0 ? rest.size() : cut > 0 ? static_cast<size_t>(cut) : 1 + random() % 40);
    reply->push(std::string(rest.substr(0, n)), 1000 + i);
    rest.remove_prefix(n);
  }
  reply->end(2000, response.fault);
  std::vector<vaa::Sample> samples;
  vaa::Sample sample;
  while (reply->next(&sample)) {
    samples.push_back(sample);
    sample.clear();
  }
  return samples;
}

inline std::vector<vaa::Sample> replies(const Response& response, int cut = 0) {
  vaa::Reply reply(int64_t{1} << 20);
  return replies(&reply, response, cut);
}

// Without what depends on when the bytes came.
inline std::string record_of(vaa::Sample sample) {
  sample.reals.unset(vaa::RealField::kTtftS);
  std::string line;
  vaa::append_record(&line, sample);
  return line;
}

// Chunks and events.
inline std::string chunk(const std::string& choices, const std::string& id = "a") { return R"({"id":")" + id + R"(","object":"chat.completion.chunk","model":"m","choices":[)" + choices + "]}"; }
inline std::string delta(const std::string& text, const std::string& more = "", int index = 0) {
  return R"({"index":)" + std::to_string(index) + R"(,"delta":{"content":")" + text + R"("})" + more + "}";
}
inline std::string ids(const std::string& list) { return ",\"token_ids\":[" + list + "]"; }
inline std::string event(const std::string& data) { return "data: " + data + "\n\n"; }
inline const std::string kDone = event("[DONE]");
inline const std::string kStop = ",\"finish_reason\":\"stop\"";

inline vaa::Sample one(const Response& response, int cut = 0) {
  const std::vector<vaa::Sample> samples = replies(response, cut);
  REQUIRE(samples.size() == 1);
  return samples[0];
}
inline vaa::Sample one(const std::string& body) { return one(Response{body, 200, "", "", ""}); }

inline vaa::JsonTree extra(const vaa::Sample& sample) {
  vaa::JsonTree tree;
  if (sample.has(vaa::TextField::kExtra)) REQUIRE(parse_json_tree(sample.text(vaa::TextField::kExtra), &tree));
  return tree;
}

}  // namespace vaa_test
