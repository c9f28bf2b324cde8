#include "quality/json_faults.h"

#include <algorithm>

#include "quality/asks.h"
#include "quality/features.h"
#include "quality/json_shape.h"

namespace vaa {
namespace {

constexpr std::string_view kSpace = " \t\r\n";
constexpr std::string_view kCall = "<tool_call>", kCallEnd = "</tool_call", kFunction = "<function", kFunctionEnd = "</function>", kParameter = "<parameter",
                           kParameterEnd = "</parameter>";

bool starts(std::string_view text, size_t at, std::string_view with) { return text.compare(at, with.size(), with) == 0; }
bool is_name_byte(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.' || c == ':' || c == '/'; }

class FaultFinder {
 public:
  FaultFinder(std::string_view text, JsonFaults* out) : text_(text), out_(out) {}

  // Reads the call whose tag stands at text[at]; where to go on.
  size_t call(size_t at) {
    out_where_ = JsonFaults::Where::kCall;
    if (starts(text_, at, kFunction)) return function(at);
    size_t body = skip_space(at + kCall.size());
    if (body == text_.size()) return fault("cut", body, true), body;
    const char c = text_[body];
    if (c == '{' || c == '[') return value(body, kCallEnd);
    if (c == '<') return function(body);
    return named(body);
  }

  // One value of text[begin, end), and no more than white space or more values behind it where `whole`.
  bool json(size_t begin, size_t end, bool whole, JsonFaults::Where where) {
    out_where_ = where;
    for (size_t at = begin;;) {
      const JsonShape shape = read_json_shape(text_, at, end);
      if (!shape.valid()) {
        const bool open = end == text_.size();
        fault(shape.cut() && !open ? "incomplete" : shape.fault, shape.at, shape.cut() && open, shape.habit(), end);
        return false;
      }
      at = std::min(text_.find_first_not_of(kSpace, shape.end), end);
      if (!whole || at >= end) return true;
    }
  }

 private:
  size_t skip_space(size_t at) const { return std::min(text_.find_first_not_of(kSpace, at), text_.size()); }

  void fault(const char* reason, size_t at, bool cut, bool habit = false, size_t end = std::string_view::npos) {
    if (out_->count++ > 0) return;
    out_->where = out_where_;
    out_->reason = reason;
    out_->cut = cut;
    out_->habit = habit;
    out_->at = at;
    out_->end = std::min(end, text_.size());
  }

  // JSON up to `close`, which need not follow at the end of the text.
  size_t value(size_t begin, std::string_view close) {
    const JsonShape shape = read_json_shape(text_, begin, text_.size());
    const size_t next = shape.valid() ? skip_space(shape.end) : std::min(text_.find(close, shape.at), text_.size());
    if (!shape.valid()) fault(shape.fault, shape.at, shape.cut(), shape.habit(), next);
    else if (next < text_.size() && text_[next] != '<') fault("trailing", next, false);
    return next;
  }

  // <tool_call>name … of templates that write <arg_key> and <arg_value>, or nothing, behind the name.
  size_t named(size_t at) {
    size_t end = at;
    while (end < text_.size() && is_name_byte(text_[end])) ++end;
    const size_t next = skip_space(end);
    const size_t close = std::min(text_.find(kCallEnd, at), text_.size());
    if (end > at && (next == text_.size() || text_[next] == '<')) return close;
    // Prose may speak of the tag; what a closing tag ends is a call.
    if (close < text_.size()) fault("syntax", at, false, false, close);
    return close;
  }

  // <tag=name>; npos: it is not well-formed.
  size_t open_tag(size_t at, std::string_view tag) const {
    if (!starts(text_, at, tag)) return std::string_view::npos;
    size_t end = at + tag.size();
    if (end == text_.size()) return end;
    if (text_[end] != '=') return std::string_view::npos;
    const size_t name = ++end;
    while (end < text_.size() && is_name_byte(text_[end])) ++end;
    if (end == text_.size()) return end;
    return end > name && text_[end] == '>' ? end + 1 : std::string_view::npos;
  }

  // <function=name><parameter=name>value</parameter>…</function>, or <function=name>{…}</function>.
  size_t function(size_t begin) {
    size_t at = open_tag(begin, kFunction);
    if (at == std::string_view::npos) return broken(begin);
    at = skip_space(at);
    if (at < text_.size() && text_[at] == '{') return value(at, kFunctionEnd);
    while (at < text_.size()) {
      if (starts(text_, at, kFunctionEnd)) return at + kFunctionEnd.size();
      const size_t inside = open_tag(at, kParameter);
      if (inside == std::string_view::npos) return broken(at);
      const size_t close = text_.find(kParameterEnd, inside);
      at = close == std::string_view::npos ? text_.size() : skip_space(close + kParameterEnd.size());
    }
    fault("cut", text_.size(), true);
    return text_.size();
  }
  size_t broken(size_t at) {
    const size_t end = std::min(text_.find(kFunctionEnd, at), text_.size());
    fault(starts(kFunctionEnd, 0, text_.substr(at)) || starts(kParameterEnd, 0, text_.substr(at)) ? "cut" : "syntax", at, at == text_.size());
    return end;
  }

  std::string_view text_;
  JsonFaults* out_;
  JsonFaults::Where out_where_ = JsonFaults::Where::kCall;
};

// Texts behind the key "arguments", at any depth.
void read_recorded(std::string_view calls, JsonFaultMemory* memory, JsonFaults* out) {
  JsonReader& reader = memory->reader;
  const auto wrong = [&](const char* reason, const JsonShape& shape) {
    if (out->count++ > 0) return;
    *out = {JsonFaults::Where::kRecordedCall, 1, reason, shape.cut(), shape.habit(), true, false, 0, 0};
  };
  reader.reset(calls);
  constexpr std::string_view kKey = "\"arguments\"";
  size_t at = calls.find(kKey);
  for (; at != std::string_view::npos && !reader.failed(); at = calls.find(kKey, at)) {
    at = std::min(calls.find_first_not_of(kSpace, at + kKey.size()), calls.size());
    if (at == calls.size() || calls[at] != ':') continue;
    at = std::min(calls.find_first_not_of(kSpace, at + 1), calls.size());
    if (at == calls.size() || calls[at] != '"') continue;
    reader.reset(calls.substr(at));
    if (!reader.string(&memory->arguments)) break;
    at += reader.position();
    if (memory->arguments.find_first_not_of(kSpace) == std::string::npos) {
      wrong("no_arguments", {});
      continue;
    }
    JsonShape shape = read_json_shape(memory->arguments, 0, memory->arguments.size());
    if (shape.valid() && memory->arguments.find_first_not_of(kSpace, shape.end) != std::string::npos) shape.fault = "trailing";
    if (!shape.valid()) wrong(shape.fault, shape);
  }
}

// The body of a fence that is marked json; size 0: it is none, or lies behind the end of `text`.
Place json_body(std::string_view text, const Place& fence) {
  if (fence.at >= text.size()) return {};
  const std::string_view whole = text.substr(fence.at, fence.size);
  const char mark = whole.empty() ? '\0' : whole[0];
  const size_t ticks = std::min(whole.find_first_not_of(mark), whole.size()), line = whole.find('\n');
  if (ticks < 3 || line == std::string_view::npos) return {};
  std::string_view info = whole.substr(ticks, line - ticks);
  info = info.substr(std::min(info.find_first_not_of(" \t"), info.size()));
  info = info.substr(0, info.find_last_not_of(" \t\r") + 1);
  if (info != "json" && info != "JSON") return {};
  const std::string_view body = whole.substr(line);
  const size_t last = body.find_last_not_of(" \t\r\n");
  const bool closed = last != std::string_view::npos && body[last] == mark;
  const size_t size = closed ? body.find_last_not_of(mark, last) + 1 : body.size();
  return body.substr(0, size).find_first_not_of(kSpace) == std::string_view::npos ? Place{} : Place{fence.at + line, size};
}

// { and what begins a member, or [ and what begins a value.
bool begins_json(std::string_view text, size_t at, bool asked) {
  const size_t next = text.find_first_not_of(kSpace, at + 1);
  if (next == std::string_view::npos) return asked;
  if (text[at] == '{' && text[next] == '"') {
    if (asked) return true;
    // A key and its colon, or no end of the key: {"a", "b"} is a set.
    const size_t key_end = text.find('"', next + 1);
    const size_t colon = key_end == std::string_view::npos ? key_end : text.find_first_not_of(kSpace, key_end + 1);
    return colon == std::string_view::npos || text[colon] == ':';
  }
  if (!asked) return false;
  constexpr std::string_view kValues = "{[\"-0123456789tfn]'/";
  return text[at] == '{' ? text[next] != '{' && text[next] != '%' : kValues.find(text[next]) != std::string_view::npos;
}

}  // namespace

JsonFaults find_json_faults(const Features& features) {
  JsonFaults out;
  if (features.has_tool_calls()) read_recorded(features.sample().text(TextField::kToolCalls), &features.json_faults(), &out);
  const TextPart& part = features.text();
  const std::string_view answer = features.answer();
  if (!part.known || answer.empty() || out.count > 0) return out;
  const size_t begin = part.markup.answer_begin, end = begin + answer.size();
  const std::string_view text = part.text.substr(0, end);
  FaultFinder finder(text, &out);
  size_t done = begin;
  for (const size_t at : part.markup.calls)
    if (at >= done && at < end) done = finder.call(at);
  out.required = out.count > 0;
  if (done > begin || out.count > 0) return out;

  const size_t first = text.find_first_not_of(kSpace, begin);
  const bool bracket = first != std::string_view::npos && (text[first] == '{' || text[first] == '[');
  const bool fenced = std::any_of(part.markup.code.begin(), part.markup.code.end(), [&](const Place& place) { return json_body(text, place).size > 0; });
  if (!bracket && !fenced) return out;
  const bool asked = features.prompt().recorded() && read_asks(features.prompt().text()).json;
  if (bracket && begins_json(text, first, asked)) finder.json(first, end, false, JsonFaults::Where::kAnswer);
  if (asked) {
    for (const Place& place : part.markup.code) {
      const Place body = json_body(text, place);
      if (place.at < begin || body.size == 0 || body.at + body.size > end) continue;
      out.other_valid |= finder.json(body.at, body.at + body.size, true, JsonFaults::Where::kFence);
    }
  }
  out.required = asked;
  return out;
}

}  // namespace vaa
