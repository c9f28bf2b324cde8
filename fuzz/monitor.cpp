// A stream of text or ids with a repeated part: the monitor says the same however it is cut, what it finds is a repetition of the stream, and it lasts to the end while it is suspected.
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "must.h"
#include "quality/monitor.h"
#include "text/utf8.h"

using namespace vaa;

namespace {

constexpr const char* kOptions[] = {
    "", R"({"counters": true})", R"({"min_count": 4, "min_cover": 24, "symbols_cover": 100})", R"({"prompt": "Say it 30 times: ababab"})", R"({"max_period": 128, "long_cover": 24})"};

template <class Stream>
void must_repeat(const Stream& stream, int64_t at, int64_t size, int64_t period) {
  VAA_MUST(at >= 0 && size >= 0 && period > 0 && at + size <= static_cast<int64_t>(stream.size()));
  for (int64_t i = at; i + period < at + size; ++i) VAA_MUST(stream[static_cast<size_t>(i)] == stream[static_cast<size_t>(i + period)]);
}

MonitorState push(Monitor* monitor, std::string_view chunk) { return monitor->push_text(chunk); }
MonitorState push(Monitor* monitor, std::span<const int32_t> chunk) { return monitor->push_ids(chunk); }

// Used before, as in a server.
Monitor& used_monitor(size_t options, bool second) {
  static std::unique_ptr<Monitor> monitors[std::size(kOptions)][2];
  std::unique_ptr<Monitor>& monitor = monitors[options][second];
  if (!monitor) monitor = std::make_unique<Monitor>(monitor_options(kOptions[options]), nullptr);
  monitor->reset();
  return *monitor;
}

// The report after the stream in pieces of 1 to `largest` symbols.
template <class View>
std::string cut(const View& stream, size_t options, size_t largest) {
  Monitor& monitor = used_monitor(options, true);
  MonitorState before = MonitorState::kNothing;
  for (size_t at = 0, size = 0; at < stream.size(); at += size) {
    size = std::min(1 + at * 7 % largest, stream.size() - at);
    const MonitorState state = push(&monitor, View(stream.data() + at, size));
    VAA_MUST(before != MonitorState::kLoop || state == MonitorState::kLoop);
    VAA_MUST((state != MonitorState::kNothing) == monitor.finding().has_value());
    before = state;
  }
  return monitor.report();
}

template <class View>
void check_stream(const View& stream, size_t options, size_t largest) {
  Monitor& whole = used_monitor(options, false);
  push(&whole, stream);
  VAA_MUST(cut(stream, options, largest) == whole.report());
  const auto found = whole.finding();
  if (found && found->period_tokens > 0) must_repeat(stream, found->onset_token, found->length_tokens, found->period_tokens);
  if (found && found->period_bytes > 0) must_repeat(stream, found->onset_byte, found->length_bytes, found->period_bytes);
}

void check_characters(std::string_view text, const Finding& found) {
  const auto at = static_cast<size_t>(found.onset_byte), length = static_cast<size_t>(found.length_bytes);
  if (found.onset_char < 0 || !utf8_valid(text.substr(0, at + length))) return;
  VAA_MUST(found.onset_char == static_cast<int64_t>(utf8_count(text.substr(0, at))));
  VAA_MUST(found.length_chars == static_cast<int64_t>(utf8_count(text.substr(at, length))));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 4) return 0;
  const bool ids = data[0] & 1;
  const size_t options = data[0] / 2 % std::size(kOptions);
  const size_t largest = 1 + data[1], repeats = data[2], unit = std::min<size_t>(data[3], size - 4);
  const std::string_view rest(reinterpret_cast<const char*>(data) + 4, size - 4);
  std::string text(rest.substr(unit / 2, rest.size() / 2));
  for (size_t i = 0; i < repeats && text.size() < (1 << 13); ++i) text += rest.substr(0, unit);
  text += rest.substr(rest.size() / 2);
  if (!ids) {
    check_stream(std::string_view(text), options, largest);
    Monitor& monitor = used_monitor(options, false);
    monitor.push_text(text);
    if (const auto found = monitor.finding()) check_characters(text, *found);
    return 0;
  }
  if (std::string_view(kOptions[options]).find("counters") != std::string_view::npos) return 0;
  std::vector<int32_t> stream;
  for (const char c : text) stream.push_back(static_cast<signed char>(c) * 16777215);
  check_stream(std::span<const int32_t>(stream), options, largest);
  return 0;
}
