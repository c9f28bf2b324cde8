// Event streams of OpenAI-compatible servers, several in one file (docs/formats.md).
#include "records/readers/chat_stream.h"
#include "records/readers/sse_events.h"

namespace vaa {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

class SseParser : public UnitParser {
 public:
  explicit SseParser(const FileContext& context)
      : context_(context), events_(static_cast<size_t>(context.options ? context.options->max_line : OpenOptions().max_line)), stream_("openai_sse", context) {}

  // A bad event is reported here and not to the caller: the samples of its line belong to streams that were whole.
  bool parse(const UnitView& unit, SampleQueue* out, std::string*) override {
    std::string_view line = unit.bytes;
    if (unit.number == 1 && line.substr(0, kByteOrderMark.size()) == kByteOrderMark) line.remove_prefix(kByteOrderMark.size());
    if (events_.ends_event(line)) take_event(out);
    if (events_.take(line, unit.number)) take_event(out);
    return true;
  }

  void finish(SampleQueue* out) override {
    if (events_.pending()) {
      // The last event lacks its empty line: whole, or cut short with the file, which is the stream's end and no bad line.
      std::string why;
      if (events_.too_long() || !stream_.event(events_.data(), events_.type(), events_.line(), out, &why)) stream_.broken();
      events_.clear();
    }
    stream_.finish(out);
  }

 private:
  void take_event(SampleQueue* out) {
    std::string why;
    if (events_.too_long()) {
      context_.problems->add(context_.path, events_.line(), "event: is longer than max_line");
      stream_.broken();
    } else if (!stream_.event(events_.data(), events_.type(), events_.line(), out, &why)) {
      stream_.broken();
      if (!by_lines(out)) context_.problems->add(context_.path, events_.line(), why);
    }
    events_.clear();
  }

  // A stream that broke off inside an event, with another stream saved right behind it: the joined lines are no event, the later ones are.
  bool by_lines(SampleQueue* out) {
    const std::string& data = events_.data();
    bool any = false;
    std::string why;
    for (size_t begin = data.find('\n'); begin != std::string::npos;) {
      const size_t end = data.find('\n', begin + 1);
      const std::string_view line = std::string_view(data).substr(begin + 1, end == std::string::npos ? end : end - begin - 1);
      any |= stream_.event(line, events_.type(), events_.line(), out, &why);
      begin = end;
    }
    return any;
  }

  FileContext context_;
  SseEvents events_;
  ChatStream stream_;
};

bool recognise(const Probe& probe) {
  const std::string_view first = probe.first;
  return first.substr(0, 5) == "data:" || first.substr(0, 6) == "event:" || first.substr(0, 1) == ":";
}

std::unique_ptr<UnitParser> parser(const FileContext& context) { return std::make_unique<SseParser>(context); }

}  // namespace

extern const Format kOpenaiSse;
const Format kOpenaiSse = {
    {"openai_sse", "event streams", "server-sent events of chat and completion streams, several in one file", "data: or : at the start of a line"},
    Unit::kEvents,
    recognise,
    parser,
};

}  // namespace vaa
