// What counts as another handling of the same ids, and what two servers only spell otherwise.
#include "catch.h"
#include "compare/handled_output.h"
#include "compare/strip_pair.h"

using namespace vaa;

namespace {

struct Said {
  const char* text = nullptr;
  const char* reasoning = nullptr;
  const char* tool_calls = nullptr;
  const char* finish = "stop";
  const char* stop_reason = nullptr;
  std::vector<int32_t> ids = {7, 8, 9};
  int includes_stop = -1;
};

TokenStrip strip_of(const Said& said) {
  Sample s;
  s.set(TextField::kId, "q");
  s.set(RealField::kTemperature, 0);
  s.ids.put(IdsField::kOutputTokenIds) = said.ids;
  for (const auto& [field, text] : {std::pair{TextField::kOutputText, said.text}, {TextField::kOutputReasoning, said.reasoning}, {TextField::kToolCalls, said.tool_calls}, {TextField::kFinishReason, said.finish}, {TextField::kStopReason, said.stop_reason}}) {
    if (text != nullptr) s.set(field, text);
  }
  if (said.includes_stop >= 0) s.set(IntField::kIdsIncludeStop, said.includes_stop);
  TokenStrip strip;
  SideFaults faults;
  REQUIRE(read_strip(s, nullptr, &strip, &faults));
  return strip;
}
TokenPair pair_of(const Said& a, const Said& b) {
  LineSums fit;
  return PairReader(nullptr).compare(strip_of(a), strip_of(b), &fit).pair;
}
uint8_t handling(const Said& a, const Said& b) { return pair_of(a, b).handling; }
Said calls(const char* json) { return {.tool_calls = json, .finish = "tool_calls"}; }

}  // namespace

TEST_CASE("handled output: calls are their names and arguments, whatever their ids and their spelling", "[compare]") {
  const char* const one = R"([{"id":"call_1","type":"function","function":{"name":"f","arguments":"{\"a\":1,\"b\":[true]}"}}])";
  CHECK(handling(calls(one), calls(R"([{"id":"call_2","type":"function","function":{"name":"f","arguments":"{\"a\":1,\"b\":[true]}"}}])")) == 0);
  CHECK(handling(calls(one), calls(R"([{"index":0,"function":{"arguments":{"b":[true],"a":1},"name":"f","description":null},"id":"x"}])")) == 0);
  CHECK(handling(calls(one), calls(R"([{"function":{"name":"g","arguments":"{\"a\":1,\"b\":[true]}"}}])")) == kToolCallsDiffer);
  CHECK(handling(calls(one), calls(R"([{"function":{"name":"f","arguments":"{\"a\":2,\"b\":[true]}"}}])")) == kToolCallsDiffer);
  CHECK(handling(calls(one), calls(R"([{"function":{"name":"f","arguments":"{\"a\":1,\"b\":[true]"}}])")) == kToolCallsDiffer);
  CHECK(handling(calls(one), calls("[]")) == kToolCallsDiffer);
  CHECK(handling(calls(one), {.finish = "tool_calls"}) == 0);  // not recorded
}

TEST_CASE("handled output: an id within the arguments is an argument", "[compare]") {
  CHECK(handling(calls(R"([{"function":{"name":"f","arguments":"{\"id\":1}"}}])"), calls(R"([{"function":{"name":"f","arguments":"{\"id\":2}"}}])")) == kToolCallsDiffer);
}

TEST_CASE("handled output: a thought in the text is the one that the other side records apart", "[compare]") {
  const Said apart{.text = "42", .reasoning = "abc"};
  CHECK(handling({.text = "<think>\nabc\n</think>\n\n42"}, apart) == 0);
  CHECK(handling({.text = "abc\n</think>\n\n42"}, apart) == 0);
  CHECK(handling({.text = "<think>abc</think>\n\n43"}, apart) == kTextDiffers);
  CHECK(handling({.text = "<think>abd</think>\n\n42"}, apart) == kReasoningDiffers);
  CHECK(handling({.text = "\n\n42", .reasoning = "abc\n"}, apart) == 0);
  CHECK(handling({.text = "abc"}, {.text = "", .reasoning = "abc"}) == 0);  // whether the text is a thought is not told
}

TEST_CASE("handled output: where neither side parts the thought, every byte of the text counts", "[compare]") {
  CHECK(handling({.text = "<think>abc</think>42"}, {.text = "<think>abc42"}) == kTextDiffers);
  CHECK(handling({.text = " 42"}, {.text = "42"}) == kTextDiffers);
  CHECK(handling({.text = "42"}, {.text = ""}) == kTextDiffers);
  CHECK(handling({.text = "42", .reasoning = "abc"}, {.text = "42", .reasoning = ""}) == kReasoningDiffers);
}

TEST_CASE("handled output: an unknown finish reason is none", "[compare]") {
  CHECK(handling({.finish = "unknown"}, {.finish = "stop"}) == 0);
  CHECK(handling({.finish = "length"}, {.finish = "stop"}) == kFinishDiffers);
}

TEST_CASE("handled output: a stop token that one side alone keeps is no early end", "[compare]") {
  const std::vector<int32_t> kept = {7, 8, 2}, left_out = {7, 8};
  for (const char* finish : {"stop", "tool_calls"}) {
    CHECK(pair_of({.finish = finish, .ids = kept, .includes_stop = 1}, {.finish = finish, .ids = left_out, .includes_stop = 0}).first_divergence == -1);
    CHECK(pair_of({.finish = finish, .ids = left_out, .includes_stop = 0}, {.finish = finish, .ids = kept, .includes_stop = 1}).first_divergence == -1);
    CHECK(pair_of({.finish = finish, .ids = kept}, {.finish = finish, .ids = left_out}).first_divergence == -1);
    CHECK(pair_of({.finish = finish, .ids = left_out}, {.finish = finish, .ids = kept, .includes_stop = 1}).first_divergence == -1);
  }
  CHECK(pair_of({.ids = kept}, {.ids = {7}}).first_divergence == 1);
  CHECK(pair_of({.ids = kept, .includes_stop = 1}, {.ids = left_out, .includes_stop = 1}).first_divergence == 2);
  CHECK(pair_of({.ids = kept, .includes_stop = 0}, {.ids = left_out}).first_divergence == 2);
  CHECK(pair_of({.ids = kept}, {.finish = "length", .ids = left_out}).first_divergence == 2);
}

TEST_CASE("handled output: an answer that a stop string ended holds no stop token", "[compare]") {
  CHECK(pair_of({.stop_reason = "END", .includes_stop = 1}, {.stop_reason = "END", .includes_stop = 0}).first_divergence == -1);
  CHECK(pair_of({.stop_reason = "2", .includes_stop = 1}, {.stop_reason = "2", .ids = {7, 8}, .includes_stop = 0}).first_divergence == -1);
}
