// Log-probabilities in their normal form: sampled token first, the others by falling logprob, no id twice, -9999.0 is minus infinity.
#include <cJSON.h>

#include <cmath>
#include <limits>
#include <map>
#include <memory>

#include "catch.h"
#include "read_samples.h"

using namespace vaa;
using namespace vaa_test;

namespace {

const double kInfinity = std::numeric_limits<double>::infinity();

std::string chat(const std::string& content, const std::string& more = "") {
  return R"({"id":"a","object":"chat.completion","choices":[{"index":0,"message":{"content":"x"},"logprobs":{"content":[)" + content + "]}" + more + "}]}";
}

struct Top {
  std::vector<std::pair<int32_t, double>> entries;
};

std::vector<Top> tops(const Sample& sample, IdsField ids_field, RealsField logprobs_field, IntsField ends_field) {
  std::vector<Top> out;
  const auto& ids = sample.ids.get(ids_field);
  const auto& logprobs = sample.real_lists.get(logprobs_field);
  REQUIRE(ids.size() == logprobs.size());
  size_t at = 0;
  for (const int64_t end : sample.int_lists.get(ends_field)) {
    Top top;
    for (; at < static_cast<size_t>(end); ++at) top.entries.emplace_back(ids[at], logprobs[at]);
    out.push_back(top);
  }
  CHECK(at == ids.size());
  return out;
}

std::vector<Top> output_tops(const Sample& sample) {
  REQUIRE(sample.has(IdsField::kOutputTopIds));
  return tops(sample, IdsField::kOutputTopIds, RealsField::kOutputTopLogprobs, IntsField::kOutputTopEnds);
}

// What the rule says of a token: own first, the rest of the given ones by falling logprob.
std::vector<std::pair<int32_t, double>> by_rule(int32_t own, double logprob, const std::map<int32_t, double>& given) {
  std::vector<std::pair<int32_t, double>> out;
  for (const auto& [id, value] : given)
    if (id != own) out.emplace_back(id, value);
  std::stable_sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  out.insert(out.begin(), {own, logprob});
  return out;
}

int32_t id_in(const cJSON* entry) { return static_cast<int32_t>(std::stol(std::string(cJSON_GetObjectItem(entry, "token")->valuestring).substr(9))); }

}  // namespace

TEST_CASE("top logprobs: those of a genuine shape are the file's, sampled token first", "[records]") {
  const Reading reading = read_input(golden_sample("openai_chat_response_vllm.jsonl"));
  const std::string bytes = file_bytes(golden_sample("openai_chat_response_vllm.jsonl"));
  const std::unique_ptr<cJSON, void (*)(cJSON*)> line(cJSON_Parse(bytes.c_str()), cJSON_Delete);  // the first line
  const cJSON* choice = cJSON_GetArrayItem(cJSON_GetObjectItem(line.get(), "choices"), 0);
  const cJSON* content = cJSON_GetObjectItem(cJSON_GetObjectItem(choice, "logprobs"), "content");
  const Sample& sample = reading.samples[0];
  const std::vector<Top> got = output_tops(sample);
  REQUIRE(static_cast<int>(got.size()) == cJSON_GetArraySize(content));
  for (size_t i = 0; i < got.size(); ++i) {
    const cJSON* entry = cJSON_GetArrayItem(content, static_cast<int>(i));
    const int32_t own = id_in(entry);
    const double logprob = cJSON_GetObjectItem(entry, "logprob")->valuedouble;
    CHECK(sample.ids.get(IdsField::kOutputTokenIds)[i] == own);
    CHECK(sample.real_lists.get(RealsField::kOutputLogprobs)[i] == logprob);
    std::map<int32_t, double> given;
    const cJSON* other = nullptr;
    cJSON_ArrayForEach(other, cJSON_GetObjectItem(entry, "top_logprobs")) given[id_in(other)] = cJSON_GetObjectItem(other, "logprob")->valuedouble;
    CHECK(got[i].entries == by_rule(own, logprob, given));
  }
}

TEST_CASE("top logprobs: in every golden file the sampled token is first, none comes twice, the rest falls", "[records]") {
  size_t seen = 0;
  for (const char* name : {"openai_chat_response_vllm.jsonl", "openai_completion_response_vllm.jsonl", "sglang_generate.jsonl", "llamacpp_completion.jsonl"}) {
    INFO(name);
    for (const Sample& sample : read_input(golden_sample(name)).samples) {
      if (!sample.has(IdsField::kOutputTopIds)) continue;
      const std::vector<Top> all = output_tops(sample);
      const auto& ids = sample.ids.get(IdsField::kOutputTokenIds);
      const auto& logprobs = sample.real_lists.get(RealsField::kOutputLogprobs);
      REQUIRE(all.size() == logprobs.size());
      for (size_t i = 0; i < all.size(); ++i) {
        ++seen;
        REQUIRE_FALSE(all[i].entries.empty());
        if (i < ids.size()) CHECK(all[i].entries[0].first == ids[i]);
        CHECK(all[i].entries[0].second == logprobs[i]);
        std::map<int32_t, int> times;
        for (size_t k = 0; k < all[i].entries.size(); ++k) {
          CHECK(++times[all[i].entries[k].first] == 1);
          if (k > 1) CHECK(all[i].entries[k].second <= all[i].entries[k - 1].second);
        }
      }
    }
  }
  CHECK(seen > 300);
}

TEST_CASE("top logprobs: out of order, twice, and without the sampled token", "[records]") {
  const Reading reading = read_bytes(chat(R"({"token":"token_id:5","logprob":-3,"top_logprobs":[{"token":"token_id:7","logprob":-2},{"token":"token_id:9","logprob":-1},
{"token":"token_id:7","logprob":-4},{"token":"token_id:9","logprob":-0.5}]},{"token":"token_id:6","logprob":-1,"top_logprobs":[]})"));
  REQUIRE(reading.samples.size() == 1);
  const std::vector<Top> all = output_tops(reading.samples[0]);
  REQUIRE(all.size() == 2);
  CHECK(all[0].entries == std::vector<std::pair<int32_t, double>>{{5, -3}, {9, -0.5}, {7, -2}});
  CHECK(all[1].entries.empty());
}

TEST_CASE("top logprobs: hundreds of alternatives are ordered, too", "[records]") {
  std::string list;
  std::map<int32_t, double> given;
  for (int i = 0; i < 500; ++i) {
    const int32_t id = (i * 7919) % 1009;
    const double logprob = -1.0 - ((i * 31) % 499);
    list += (i ? "," : "") + std::string(R"({"token":"token_id:)") + std::to_string(id) + R"(","logprob":)" + std::to_string(logprob) + "}";
    given[id] = logprob;
  }
  const Reading reading = read_bytes(chat(R"({"token":"token_id:2000","logprob":-0.5,"top_logprobs":[)" + list + "]}"));
  REQUIRE(reading.samples.size() == 1);
  const std::vector<Top> all = output_tops(reading.samples[0]);
  REQUIRE(all.size() == 1);
  REQUIRE(all[0].entries.size() == given.size() + 1);
  CHECK(all[0].entries[0] == std::pair<int32_t, double>{2000, -0.5});
  for (size_t k = 1; k < all[0].entries.size(); ++k) {
    CHECK(given.at(all[0].entries[k].first) == all[0].entries[k].second);
    if (k > 1) CHECK(all[0].entries[k].second <= all[0].entries[k - 1].second);
  }
}

TEST_CASE("logprobs: -9999.0 is minus infinity, null is no number", "[records]") {
  const Reading reading = read_bytes(chat(R"({"token":"token_id:5","logprob":-9999.0,"top_logprobs":[{"token":"token_id:5","logprob":-9999.0},{"token":"token_id:6","logprob":-9998.5}]},{"token":"token_id:8","logprob":null})"));
  REQUIRE(reading.samples.size() == 1);
  const auto& logprobs = reading.samples[0].real_lists.get(RealsField::kOutputLogprobs);
  REQUIRE(logprobs.size() == 2);
  CHECK(logprobs[0] == -kInfinity);
  CHECK(std::isnan(logprobs[1]));
  CHECK(output_tops(reading.samples[0])[0].entries == std::vector<std::pair<int32_t, double>>{{5, -kInfinity}, {6, -9998.5}});
}

TEST_CASE("logprobs: ids come from token_id:N where token_ids is not there", "[records]") {
  const Reading reading = read_bytes(chat(R"({"token":"token_id:171","logprob":-0.1},{"token":"token_id:2","logprob":-0.2})"));
  CHECK(reading.samples.at(0).ids.get(IdsField::kOutputTokenIds) == std::vector<int32_t>{171, 2});
  CHECK(reading.samples[0].text(TextField::kIdsProvenance) == "engine");
  CHECK(reading.samples[0].integer(IntField::kIdsIncludeStop, -1) == 1);
  CHECK_FALSE(reading.samples[0].has(IdsField::kOutputTopIds));
}

TEST_CASE("logprobs: ids past 31 bits and odd forms are text, and then there are no ids", "[records]") {
  for (const char* token : {"token_id:2147483648", "token_id:", "token_id:-1", "token_id:1e3", "token_id:99999999999999999999", "Token_id:1", "7"}) {
    const Reading reading = read_bytes(chat(std::string(R"({"token":")") + token + R"(","logprob":-0.1})"));
    REQUIRE(reading.samples.size() == 1);
    CHECK_FALSE(reading.samples[0].has(IdsField::kOutputTokenIds));
    CHECK(reading.samples[0].real_lists.get(RealsField::kOutputLogprobs).size() == 1);
  }
  CHECK(read_bytes(chat(R"({"token":"token_id:2147483647","logprob":-0.1})")).samples.at(0).ids.get(IdsField::kOutputTokenIds)[0] == 2147483647);
}

TEST_CASE("logprobs: alternatives that are text only stay out, said once a run", "[records]") {
  const std::string line = chat(R"({"token":"4","logprob":-0.1,"top_logprobs":[{"token":"4","logprob":-0.1},{"token":"5","logprob":-1}]})");
  const Reading reading = read_bytes(line + "\n" + line + "\n");
  REQUIRE(reading.samples.size() == 2);
  CHECK(reading.problems.count == 0);
  REQUIRE(reading.problems.notes.size() == 1);
  CHECK(reading.problems.notes[0].find("stay out of top_logprobs") != std::string::npos);
  for (const Sample& sample : reading.samples) {
    CHECK_FALSE(sample.has(IdsField::kOutputTopIds));
    CHECK(sample.real_lists.get(RealsField::kOutputLogprobs) == std::vector<double>{-0.1});
  }
}

TEST_CASE("logprobs: U+FFFD in a token's text is normal and touches nothing", "[records]") {
  const Reading reading = read_bytes(chat("{\"token\":\"\xEF\xBF\xBD\",\"logprob\":-0.1,\"bytes\":[239,191,189]}", R"(,"token_ids":[900])"));
  REQUIRE(reading.samples.size() == 1);
  CHECK(reading.samples[0].text(TextField::kOutputText) == "x");
  CHECK(reading.problems.count == 0);
  CHECK(reading.problems.notes.empty());
}

TEST_CASE("logprobs: a list longer than the ids is kept and not paired, said once", "[records]") {
  const std::string line = chat(R"({"token":"a","logprob":-0.1},{"token":"b","logprob":-0.2},{"token":"c","logprob":-0.3})", R"(,"token_ids":[7])");
  const Reading reading = read_bytes(line + "\n" + line);
  REQUIRE(reading.samples.size() == 2);
  CHECK(reading.samples[0].ids.get(IdsField::kOutputTokenIds) == std::vector<int32_t>{7});
  CHECK(reading.samples[0].real_lists.get(RealsField::kOutputLogprobs).size() == 3);
  REQUIRE(reading.problems.notes.size() == 1);
  CHECK(reading.problems.notes[0].find("differ in length") != std::string::npos);
}

TEST_CASE("logprobs of a completion: lists side by side, the map of the top", "[records]") {
  const Reading reading = read_bytes(R"({"id":"c","object":"text_completion","choices":[{"index":0,"text":" 28","logprobs":{"text_offset":[0,3],"token_logprobs":[null,-0.5],)"
                                     R"("tokens":["token_id:4","token_id:5"],"top_logprobs":[null,{"token_id:9":-0.75,"token_id:8":-0.25,"token_id:5":-0.5}]}}]})");
  REQUIRE(reading.samples.size() == 1);
  const Sample& sample = reading.samples[0];
  CHECK(sample.ids.get(IdsField::kOutputTokenIds) == std::vector<int32_t>{4, 5});
  CHECK(std::isnan(sample.real_lists.get(RealsField::kOutputLogprobs)[0]));
  const std::vector<Top> all = output_tops(sample);
  REQUIRE(all.size() == 2);
  CHECK(all[0].entries.empty());
  CHECK(all[1].entries == std::vector<std::pair<int32_t, double>>{{5, -0.5}, {8, -0.25}, {9, -0.75}});
}

TEST_CASE("logprobs of a completion: lists of different lengths are a bad line", "[records]") {
  const Reading reading = read_bytes(R"({"id":"c","object":"text_completion","choices":[{"text":"","logprobs":{"token_logprobs":[-1],"tokens":["a","b"]}}]})");
  CHECK(reading.samples.empty());
  CHECK(reading.problems.count == 1);
  CHECK(reading.problems.first[0].message == "logprobs: tokens, token_logprobs and top_logprobs differ in length");
  CHECK(reading.problems.first[0].line == 1);
}

TEST_CASE("prompt_logprobs: the prompt's own token is found by its id and comes first", "[records]") {
  const Reading reading = read_bytes(R"({"id":"a","object":"chat.completion","prompt_logprobs":[null,{"13":{"logprob":-0.41,"rank":1},"11":{"logprob":-2.31,"rank":9}},{"100":{"logprob":-9999.0}}],)"
                                     R"("choices":[{"index":0,"message":{"content":"x"}}],"prompt_token_ids":[1,11,100]})");
  REQUIRE(reading.samples.size() == 1);
  const Sample& sample = reading.samples[0];
  const auto& own = sample.real_lists.get(RealsField::kPromptLogprobs);
  REQUIRE(own.size() == 3);
  CHECK(std::isnan(own[0]));
  CHECK(own[1] == -2.31);
  CHECK(own[2] == -kInfinity);
  const std::vector<Top> all = tops(sample, IdsField::kPromptTopIds, RealsField::kPromptTopLogprobs, IntsField::kPromptTopEnds);
  REQUIRE(all.size() == 3);
  CHECK(all[0].entries.empty());
  CHECK(all[1].entries == std::vector<std::pair<int32_t, double>>{{11, -2.31}, {13, -0.41}});
  CHECK(all[2].entries == std::vector<std::pair<int32_t, double>>{{100, -kInfinity}});
}

TEST_CASE("prompt_logprobs: without prompt_token_ids they stay out, said once; a key that is no id is a bad line", "[records]") {
  const Reading without = read_bytes(R"({"id":"a","object":"chat.completion","prompt_logprobs":[null],"choices":[{"message":{"content":"x"}}]})");
  CHECK(without.samples.at(0).has(RealsField::kPromptLogprobs) == false);
  CHECK(without.problems.notes.size() == 1);
  const Reading bad = read_bytes(R"({"id":"a","object":"chat.completion","prompt_logprobs":[{"x":{"logprob":-1}}],"prompt_token_ids":[1],"choices":[{"message":{"content":"x"}}]})");
  CHECK(bad.samples.empty());
  CHECK(bad.problems.first.at(0).message == "prompt_logprobs: key \"x\" is no token id");
}
