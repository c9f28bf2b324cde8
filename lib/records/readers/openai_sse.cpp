// Event streams of OpenAI-compatible servers, several in one file (docs/formats.md).
#include "records/readers/sse_stream.h"

namespace vaa {
namespace {

class SseParser : public UnitParser {
 public:
  explicit SseParser(const FileContext& context)
      : stream_(context, static_cast<size_t>(context.options ? context.options->max_line : OpenOptions().max_line), ChatStream::Source::kFile) {}

  bool parse(const UnitView& unit, SampleQueue* out, std::string*) override {
    stream_.line(unit.bytes, unit.number, out);
    return true;
  }
  void finish(SampleQueue* out) override { stream_.finish(out); }

 private:
  SseStream stream_;
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
