// What a monitor says of the loop that it watches.
#include "base/json_writer.h"
#include "quality/detector.h"
#include "quality/finding_json.h"
#include "quality/monitor.h"

namespace vaa {

const char* monitor_state_name(MonitorState state) {
  constexpr const char* kNames[] = {"nothing", "suspected", "loop"};
  return kNames[static_cast<size_t>(state)];
}

std::optional<Finding> Monitor::finding() const {
  if (state() == MonitorState::kNothing) return std::nullopt;
  Finding out;
  const bool loop = state() == MonitorState::kLoop;
  const auto tell = [&](const auto& watch) {
    out.severity = *watch.excuse && !loop ? Severity::kInfo : loop && !watch.counting ? Severity::kFail : Severity::kWarn;
    out.confidence = loop ? Confidence::kCertain : Confidence::kSuspected;
    out.reason = watch.excuse;
    out.count = static_cast<int64_t>(watch.run.count());
    out.measure = static_cast<double>(watch.run.cover());
    out.threshold = static_cast<double>(watch.least.loop);
  };
  if (read_ == 0) {
    tell(*ids_);
    out.flag = find_flag("repetition_loop");
    out.part = Part::kSample;
    if (!ids_->legible) out.confidence = Confidence::kSuspected;
    out.onset_token = static_cast<int64_t>(ids_->run.begin);
    out.length_tokens = static_cast<int64_t>(ids_->run.cover());
    out.period_tokens = static_cast<int64_t>(ids_->run.period);
    return out;
  }
  const Watch<uint8_t>& watch = text_decides() ? *text_ : *counters_;
  tell(watch);
  out.flag = find_flag(text_decides() ? "repetition_loop" : "counter_loop");
  out.onset_byte = static_cast<int64_t>(watch.first_byte);
  out.length_bytes = static_cast<int64_t>(watch.end_byte) - out.onset_byte;
  if (!text_decides()) return out;
  out.period_bytes = static_cast<int64_t>(watch.run.period);
  out.onset_char = watch.first_char;
  out.length_chars = watch.end_char - watch.first_char;
  out.period_chars = watch.period_chars;
  return out;
}

std::string Monitor::report() const {
  std::string text;
  JsonWriter json(&text);
  json.begin_object().member("schema", "vaa.monitor/1").member("state", monitor_state_name(state()));
  json.key("tokens");
  read_ == 0 && ids_ ? json.integer(static_cast<int64_t>(ids_->tail.size())) : json.null();
  json.key("bytes");
  read_ != 0 ? json.integer(static_cast<int64_t>(read_)) : json.null();
  json.key("finding");
  const std::optional<Finding> found = finding();
  if (!found) {
    json.null();
  } else {
    const std::string& unit = read_ == 0 ? ids_->unit : text_decides() ? text_->unit : counters_->unit;
    json.begin_object();
    append_finding_members(&json, *found);
    if (!unit.empty()) json.member("excerpt", unit);
    json.end_object();
  }
  json.end_object();
  return text;
}

}  // namespace vaa
