// The order of frameworks' points: finish reason, tokens against the limit, the stream, an error, what the text suggests.
#include "judging.h"

using namespace vaa;
using judging::Given;

namespace {

void check(const judging::Verdicts& said, const char* want, const char* reason = "") {
  const std::string wanted = want;
  INFO(wanted << " " << reason);
  if (wanted == "unknown") CHECK(said.unknown("truncated"));
  if (wanted == "no") CHECK(said.clear("truncated"));
  if (wanted != "certain" && wanted != "suspected") return;
  REQUIRE(said.found("truncated"));
  const Finding& cut = said.first("truncated");
  CHECK(cut.confidence == (wanted == "certain" ? Confidence::kCertain : Confidence::kSuspected));
  CHECK(cut.severity == Severity::kInfo);
  CHECK(std::string(cut.reason) == reason);
}

}  // namespace

TEST_CASE("truncated: the finish reason comes first", "[quality]") {
  for (const char* finish : {"length", "abort", "error"}) check(Given().text("It is").finish(finish).judge(), "certain", "finish_reason");
  for (const char* finish : {"stop", "tool_calls", "content_filter", "repetition"})
    check(Given().text("<think>It is").finish(finish).set(IntField::kMaxTokens, 2).set(IntField::kCompletionTokens, 2).judge(), "no");
  for (const char* finish : {"", "unknown"}) check(Given().text("It is").finish(finish).judge(), "unknown");
}

TEST_CASE("truncated: tokens that reach the limit", "[quality]") {
  check(Given().text("It is").set(IntField::kMaxTokens, 5).set(IntField::kCompletionTokens, 5).judge(), "certain", "max_tokens");
  check(Given().text("It is").set(IntField::kMaxTokens, 5).set(IntField::kCompletionTokens, 4).ids({1, 2, 3, 4, 5}).judge(), "unknown");  // usage decides
  check(Given().text("It is").set(IntField::kMaxTokens, 3).ids({1, 2, 3}).judge(), "certain", "max_tokens");
  check(Given().text("It is").set(IntField::kMaxTokens, 0).ids({1, 2, 3}).judge(), "unknown");
}

TEST_CASE("truncated: a stream that broke, or an error beside a part", "[quality]") {
  for (const char* end : {"no_finish_reason", "cut", "cut_in_event", "error"}) check(Given().text("It is").set(TextField::kStreamEnd, end).judge(), "certain", "stream_end");
  check(Given().text("It is").set(TextField::kStreamEnd, "complete").judge(), "unknown");
  check(Given().text("It is").set(TextField::kErrorMessage, "reset").judge(), "certain", "request_error");
  check(Given().text("").set(TextField::kErrorMessage, "reset").judge(), "unknown");
}

TEST_CASE("truncated: an open thought or a loop to the end make it suspected", "[quality]") {
  check(Given().text("<think>It is").judge(), "suspected", "open_thought");
  check(Given().text(judging::prose(3) + judging::times("我再想一想。", 30)).judge(), "suspected", "loop");
  check(Given().text(judging::prose(3) + judging::times("我再想一想。", 60) + judging::prose(3)).judge(), "unknown");
}
