// Responses of OpenAI-compatible servers, chat and completion, one JSON document or one a line, in the dialects of vLLM, SGLang and llama.cpp (docs/formats.md).
#include "records/readers/openai_body.h"

namespace vaa {
namespace {

bool recognise(const Probe& probe) {
  const std::string_view object = probe.text("object");
  if (object == "chat.completion" || object == "text_completion" || object == "error") return true;
  return probe.keys.size() == 1 && probe.kind("error") == JsonKind::kObject;
}

std::unique_ptr<UnitParser> parser(const FileContext& context) { return body_parser(openai_reader(), "openai", context); }

}  // namespace

extern const Format kOpenai;
const Format kOpenai = {
    {"openai", "OpenAI-compatible responses", "chat and completion responses, one JSON document or one a line", "object is chat.completion or text_completion"},
    Unit::kLines,
    recognise,
    parser,
};

}  // namespace vaa
