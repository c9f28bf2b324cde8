// Replies and metrics through their headers.
#include "support.h"

#include <cmath>
#include <vector>

namespace {

using Reply = Owned<vaa_reply, vaa_reply_free>;
using Metrics = Owned<vaa_metrics, vaa_metrics_free>;

Reply new_reply(std::string_view options = "") {
  vaa_reply* r = nullptr;
  ok([&](vaa_error** err) { return vaa_reply_new(str(options), &r, err); });
  return Reply(r);
}
Metrics new_metrics() {
  vaa_metrics* m = nullptr;
  ok([&](vaa_error** err) { return vaa_metrics_new(&m, err); });
  return Metrics(m);
}
std::string text_of(const Sample& sample, vaa_field field) {
  vaa_str value{};
  ok([&](vaa_error** err) { return vaa_sample_str(sample.get(), field, &value, err); });
  return text(value);
}
bool next(const Reply& reply, const Sample& sample) {
  int32_t more = -1;
  ok([&](vaa_error** err) { return vaa_reply_next(reply.get(), sample.get(), &more, err); });
  return more != 0;
}
std::string counted(const Metrics& metrics) {
  vaa_text* out = nullptr;
  ok([&](vaa_error** err) { return vaa_metrics_counted(metrics.get(), &out, err); });
  const Text owned(out);
  return text(vaa_text_str(owned.get()));
}

const std::string kStream = "data: {\"id\":\"a\",\"choices\":[{\"index\":0,\"text\":\"x\",\"token_ids\":[1]},{\"index\":1,\"text\":\"y\",\"token_ids\":[2]}]}\n\n"
                            "data: {\"id\":\"a\",\"choices\":[{\"index\":0,\"text\":\"\",\"finish_reason\":\"stop\"},{\"index\":1,\"text\":\"\",\"finish_reason\":\"length\"}]}\n\ndata: [DONE]\n\n";

}  // namespace

TEST_CASE("reply.h: a stream to its samples, one a choice, and another response", "[capi]") {
  const Reply reply = new_reply();
  const Sample sample = new_sample();
  for (int round = 0; round < 2; ++round) {
    ok([&](vaa_error** err) { return vaa_reply_begin(reply.get(), str("{\"prompt\":\"p\",\"n\":2}"), 10, err); });
    CHECK(vaa_reply_tokens(reply.get()) == 0);
    ok([&](vaa_error** err) { return vaa_reply_head(reply.get(), 200, str("text/event-stream"), err); });
    for (const char byte : kStream) ok([&](vaa_error** err) { return vaa_reply_push(reply.get(), {&byte, 1}, 12.5, err); });
    ok([&](vaa_error** err) { return vaa_reply_push(reply.get(), {nullptr, 0}, 13, err); });
    CHECK(vaa_reply_tokens(reply.get()) == 2);
    ok([&](vaa_error** err) { return vaa_reply_end(reply.get(), 20, str(""), err); });
    REQUIRE(next(reply, sample));
    CHECK(text_of(sample, VAA_FIELD_OUTPUT_TEXT) == "x");
    CHECK(text_of(sample, VAA_FIELD_PROMPT_TEXT) == "p");
    CHECK(text_of(sample, VAA_FIELD_STREAM_END) == "complete");
    double ttft = 0;
    ok([&](vaa_error** err) { return vaa_sample_f64(sample.get(), VAA_FIELD_TTFT_S, &ttft, err); });
    CHECK(ttft == 2.5);
    REQUIRE(next(reply, sample));
    CHECK(text_of(sample, VAA_FIELD_FINISH_REASON) == "length");
    CHECK_FALSE(next(reply, sample));
    CHECK_FALSE(vaa_sample_has(sample.get(), VAA_FIELD_OUTPUT_TEXT));
  }
}

TEST_CASE("reply.h: an empty body is a failure, an empty text is an answer", "[capi]") {
  const Reply reply = new_reply();
  const Sample sample = new_sample();
  const auto answer = [&](std::string_view body, std::string_view fault) {
    ok([&](vaa_error** err) { return vaa_reply_begin(reply.get(), str(""), std::nan(""), err); });
    ok([&](vaa_error** err) { return vaa_reply_push(reply.get(), str(body), 1, err); });
    ok([&](vaa_error** err) { return vaa_reply_end(reply.get(), std::nan(""), str(fault), err); });
    REQUIRE(next(reply, sample));
  };
  answer("", "");
  CHECK(text_of(sample, VAA_FIELD_ERROR_MESSAGE) == "the response is empty");
  CHECK_FALSE(vaa_sample_has(sample.get(), VAA_FIELD_OUTPUT_TEXT));
  answer("", "timed out");
  CHECK(text_of(sample, VAA_FIELD_ERROR_MESSAGE) == "timed out");
  answer("{\"object\":\"text_completion\",\"choices\":[{\"index\":0,\"text\":\"\",\"finish_reason\":\"stop\"}]}", "");
  CHECK_FALSE(vaa_sample_has(sample.get(), VAA_FIELD_ERROR_MESSAGE));
  CHECK(text_of(sample, VAA_FIELD_OUTPUT_TEXT).empty());
}

TEST_CASE("reply.h: wrong options, NULL and calls out of turn are errors that name themselves", "[capi]") {
  vaa_reply* none = nullptr;
  const auto wrong = [&](std::string_view options) { return message(fault([&](vaa_error** err) { return vaa_reply_new(str(options), &none, err); })); };
  CHECK(wrong("{\"max_event\":1023}").find("vaa_reply_new: max_event: 1023 is out of range") == 0);
  CHECK(wrong("{\"max\":1}").find("vaa_reply_new: max: no such option") == 0);
  CHECK(none == nullptr);
  CHECK(message(fault([&](vaa_error** err) { return vaa_reply_new(str(""), nullptr, err); })) == "out_reply is NULL");
  CHECK(message(fault([&](vaa_error** err) { return vaa_reply_begin(nullptr, str(""), 0, err); })) == "reply is NULL");
  const Reply reply = new_reply();
  const Sample sample = new_sample();
  int32_t more = 7;
  CHECK(message(fault([&](vaa_error** err) { return vaa_reply_push(reply.get(), str("x"), 0, err); })) == "vaa_reply_push: no response was begun; vaa_reply_begin comes first");
  ok([&](vaa_error** err) { return vaa_reply_begin(reply.get(), str(""), 0, err); });
  const Error early = fault([&](vaa_error** err) { return vaa_reply_next(reply.get(), sample.get(), &more, err); });
  CHECK(vaa_error_status(early.get()) == VAA_ERROR_ARGUMENT);
  CHECK(more == 7);
  CHECK(message(fault([&](vaa_error** err) { return vaa_reply_next(reply.get(), nullptr, &more, err); })) == "sample is NULL");
  CHECK(message(fault([&](vaa_error** err) { return vaa_reply_push(reply.get(), {nullptr, 3}, 0, err); })) == "a view of size 3 has NULL as its data");
  CHECK(vaa_reply_tokens(nullptr) == 0);
  vaa_reply_free(nullptr);
}

TEST_CASE("metrics.h: pages to what was counted between them", "[capi]") {
  const Metrics metrics = new_metrics();
  CHECK(counted(metrics) == R"({"schema": "vaa.counters/1", "scrapes": 0, "from_s": null, "to_s": null, "bad_lines": 0, "engines": []})");
  for (const auto& [value, time] : std::vector<std::pair<std::string, double>>{{"5", 1.5}, {"12", 2}})
    ok([&, v = value, t = time](vaa_error** err) { return vaa_metrics_push(metrics.get(), str("vllm:num_preemptions_total{engine=\"0\",model_name=\"m\"} " + v + "\nbad line\n"), t, err); });
  CHECK(counted(metrics) ==
        R"({"schema": "vaa.counters/1", "scrapes": 2, "from_s": 1.5, "to_s": 2, "bad_lines": 2, "engines": [{"engine": "0", "model": "m", "kind": "vllm", "restarts": 0, )"
        R"("spec": {"drafts": null, "draft_tokens": null, "accepted_tokens": null, "accepted_per_position": null}, "prefix_cache": {"queries": null, "hits": null}, )"
        R"("preemptions": 7, "requests": null, "prompt_tokens": null, "generation_tokens": null, "running_max": null, "waiting_max": null}]})");
  const Error page = fault([&](vaa_error** err) { return vaa_metrics_push(metrics.get(), str(""), 3, err); });
  CHECK(vaa_error_status(page.get()) == VAA_ERROR_FORMAT);
  CHECK(message(page) == "page: is empty");
  CHECK(message(fault([&](vaa_error** err) { return vaa_metrics_push(nullptr, str(""), 3, err); })) == "metrics is NULL");
  CHECK(message(fault([&](vaa_error** err) { return vaa_metrics_counted(metrics.get(), nullptr, err); })) == "out_text is NULL");
  vaa_metrics_free(nullptr);
}
