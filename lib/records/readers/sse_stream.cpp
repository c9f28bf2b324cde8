#include "records/readers/sse_stream.h"

#include "records/lines.h"

namespace vaa {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr size_t kFieldName = 16;  // room for "data: " beside the data of a line

}  // namespace

SseStream::SseStream(const FileContext& context, size_t max_event, ChatStream::Source source)
    : context_(context), max_event_(max_event), events_(max_event), chat_("openai_sse", context, source) {}

void SseStream::clear() {
  events_.clear();
  chat_.clear();
  partial_.clear();
  lines_ = 0;
  too_long_ = after_cr_ = false;
}

void SseStream::line(std::string_view line, int64_t number, SampleQueue* out) {
  if (number == 1 && line.substr(0, kByteOrderMark.size()) == kByteOrderMark) line.remove_prefix(kByteOrderMark.size());
  if (events_.ends_event(line)) take_event(out);
  if (events_.take(line, number)) take_event(out);
}

void SseStream::push(std::string_view bytes, SampleQueue* out) {
  while (!bytes.empty()) {
    if (after_cr_) {
      after_cr_ = false;
      if (bytes.front() == '\n') bytes.remove_prefix(1);
      continue;
    }
    const size_t end = find_cr_or_lf(bytes, 0);
    if (end == std::string_view::npos) return keep(bytes);
    after_cr_ = bytes[end] == '\r';
    end_line(bytes.substr(0, end), out);
    bytes.remove_prefix(end + 1);
  }
}

void SseStream::keep(std::string_view piece) {
  too_long_ |= piece.size() > max_event_ + kFieldName - partial_.size();
  if (too_long_) partial_.clear();
  else partial_ += piece;
}

void SseStream::end_line(std::string_view rest, SampleQueue* out) {
  ++lines_;
  if (partial_.empty() && !too_long_ && rest.size() <= max_event_ + kFieldName) return line(rest, lines_, out);
  keep(rest);
  if (too_long_) events_.take_too_long(lines_);
  else line(partial_, lines_, out);
  partial_.clear();
  too_long_ = false;
}

void SseStream::finish(SampleQueue* out) {
  if (!partial_.empty() || too_long_) end_line({}, out);
  if (events_.pending()) {
    // The last event lacks its empty line: whole, or cut short with the stream, which is the stream's end and no bad line.
    if (events_.too_long() || !chat_.event(events_.data(), events_.type(), events_.line(), out, &why_)) chat_.broken();
    events_.clear();
  }
  chat_.finish(out);
}

void SseStream::take_event(SampleQueue* out) {
  if (events_.too_long()) {
    context_.problems->add(context_.path, events_.line(), "event: is longer than " + std::to_string(max_event_) + " bytes and is left out");
    chat_.broken();
  } else if (!chat_.event(events_.data(), events_.type(), events_.line(), out, &why_)) {
    const std::string why = why_;
    chat_.broken();
    if (!by_lines(out)) context_.problems->add(context_.path, events_.line(), why);
  }
  events_.clear();
}

// A stream that broke off inside an event, with another stream saved right behind it: the joined lines are no event, the later ones are.
bool SseStream::by_lines(SampleQueue* out) {
  const std::string& data = events_.data();
  bool any = false;
  for (size_t begin = data.find('\n'); begin != std::string::npos;) {
    const size_t end = data.find('\n', begin + 1);
    const std::string_view line = std::string_view(data).substr(begin + 1, end == std::string::npos ? end : end - begin - 1);
    any |= chat_.event(line, events_.type(), events_.line(), out, &why_);
    begin = end;
  }
  return any;
}

}  // namespace vaa
