// The monitor through its header.
#include "support.h"

namespace {

using Monitor = Owned<vaa_monitor, vaa_monitor_free>;

Monitor new_monitor(std::string_view options = "", const vaa_vocab* vocab = nullptr) {
  vaa_monitor* m = nullptr;
  ok([&](vaa_error** err) { return vaa_monitor_new(str(options), vocab, &m, err); });
  return Monitor(m);
}
int32_t push(const Monitor& monitor, std::string_view text) {
  int32_t state = -1;
  ok([&](vaa_error** err) { return vaa_monitor_push_text(monitor.get(), str(text), &state, err); });
  return state;
}
int32_t push(const Monitor& monitor, const std::vector<int32_t>& ids) {
  int32_t state = -1;
  ok([&](vaa_error** err) { return vaa_monitor_push_ids(monitor.get(), {ids.data(), ids.size()}, &state, err); });
  return state;
}
vaa_findings findings(const Monitor& monitor) {
  vaa_findings found{};
  ok([&](vaa_error** err) { return vaa_monitor_findings(monitor.get(), &found, err); });
  return found;
}

}  // namespace

TEST_CASE("monitor.h: ids to a loop, its record, its report, and another stream", "[capi]") {
  const Monitor monitor = new_monitor();
  CHECK(findings(monitor).size == 0);
  std::vector<int32_t> ids;
  for (int32_t i = 0; i < 50; ++i) ids.push_back(1000 + i);
  for (int32_t i = 0; i < 200; ++i) ids.push_back(i % 5);
  CHECK(push(monitor, ids) == VAA_MONITOR_LOOP);
  const vaa_findings found = findings(monitor);
  REQUIRE(found.size == 1);
  CHECK(has_flag(found, "repetition_loop"));
  CHECK(!unknown(found, "repetition_loop"));
  CHECK(unknown(found, "truncated"));
  const vaa_finding& loop = found.data[0];
  CHECK(loop.severity == VAA_FAIL);
  CHECK(loop.confidence == VAA_SUSPECTED);
  CHECK(loop.part == VAA_PART_SAMPLE);
  CHECK(loop.onset_token == 50);
  CHECK(loop.length_tokens == 200);
  CHECK(loop.period_tokens == 5);
  CHECK(loop.count == 40);
  CHECK(loop.onset_byte == -1);
  CHECK(loop.measure == 200);
  CHECK(loop.threshold == 150);
  vaa_text* words = nullptr;
  ok([&](vaa_error** err) { return vaa_monitor_report(monitor.get(), &words, err); });
  const Text report(words);
  CHECK(text(vaa_text_str(words)).find("\"state\": \"loop\"") != std::string::npos);
  vaa_monitor_reset(monitor.get());
  CHECK(findings(monitor).size == 0);
  CHECK(push(monitor, "It goes on. ") == VAA_MONITOR_NOTHING);
}

TEST_CASE("monitor.h: a state comes back when text is cut anywhere; the vocabulary is borrowed", "[capi]") {
  const std::string tokens = "---- there";
  const std::vector<int64_t> ends = {4, 10};
  vaa_vocab* v = nullptr;
  ok([&](vaa_error** err) { return vaa_vocab_from_arrays({reinterpret_cast<const uint8_t*>(tokens.data()), tokens.size()}, {ends.data(), ends.size()}, {nullptr, 0}, &v, err); });
  const Vocab vocab(v);
  CHECK(push(new_monitor("", v), std::vector<int32_t>(150, 1)) == VAA_MONITOR_LOOP);
  CHECK(push(new_monitor("", v), std::vector<int32_t>(150, 0)) == VAA_MONITOR_SUSPECTED);
  const Monitor monitor = new_monitor("{\"min_count\": 4, \"min_cover\": 100}");
  const std::string text = "水面很静，水面很静，水面很静，水面很静，水面很静，水面很静，水面很静，水面很静，水面很静，水面很静，水面很静，";
  int32_t state = VAA_MONITOR_NOTHING;
  for (const char c : text) state = push(monitor, std::string_view(&c, 1));
  CHECK(state == VAA_MONITOR_LOOP);
  CHECK(findings(monitor).data[0].period_chars == 5);
}

TEST_CASE("monitor.h: what is wrong is an error with a name", "[capi]") {
  vaa_monitor* m = nullptr;
  const auto refused = [&](std::string_view options) { return message(fault([&](vaa_error** err) { return vaa_monitor_new(str(options), nullptr, &m, err); })); };
  CHECK(refused("{\"min_count\": 3}").find("vaa_monitor_new: min_count: 3 is out of range") == 0);
  CHECK(refused("{\"mincount\": 3}").find("min_count") != std::string::npos);
  CHECK(m == nullptr);
  const Monitor monitor = new_monitor("{\"counters\": true}");
  const int32_t id = 1;
  int32_t state = 7;
  CHECK(message(fault([&](vaa_error** err) { return vaa_monitor_push_ids(monitor.get(), {&id, 1}, &state, err); })).find("counters") != std::string::npos);
  push(monitor, "a");
  const Error mixed = fault([&](vaa_error** err) { return vaa_monitor_push_ids(monitor.get(), {&id, 1}, &state, err); });
  CHECK(vaa_error_status(mixed.get()) == VAA_ERROR_ARGUMENT);
  CHECK(message(mixed) == "chunk: ids after text: a monitor takes ids or text, not both, until it is reset");
  CHECK(state == 7);
  CHECK(vaa_error_status(fault([&](vaa_error** err) { return vaa_monitor_push_text(nullptr, str("a"), &state, err); }).get()) == VAA_ERROR_ARGUMENT);
  CHECK(vaa_error_status(fault([&](vaa_error** err) { return vaa_monitor_push_text(monitor.get(), {nullptr, 3}, &state, err); }).get()) == VAA_ERROR_ARGUMENT);
  CHECK(vaa_error_status(fault([&](vaa_error** err) { return vaa_monitor_push_text(monitor.get(), str("a"), nullptr, err); }).get()) == VAA_ERROR_ARGUMENT);
  CHECK(vaa_error_status(fault([&](vaa_error** err) { return vaa_monitor_findings(monitor.get(), nullptr, err); }).get()) == VAA_ERROR_ARGUMENT);
  CHECK(vaa_error_status(fault([&](vaa_error** err) { return vaa_monitor_report(nullptr, nullptr, err); }).get()) == VAA_ERROR_ARGUMENT);
  vaa_monitor_reset(nullptr);
  vaa_monitor_free(nullptr);
}
