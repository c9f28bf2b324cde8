// Options from any bytes: taken, or refused with VAA_ERROR_OPTION and one readable line.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/failure.h"
#include "base/options.h"
#include "base/utf8_sequence.h"
#include "must.h"

using namespace vaa;
using Type = OptionSpec::Type;

namespace {

const OptionSpec kTable[] = {
    {"threads", Type::kInt, 1, 1024, "", "1"},          {"seed", Type::kInt},
    {"temperature", Type::kReal, 0, 2, "", "0.5"},      {"scale", Type::kReal},
    {"format", Type::kChoice, 0, 0, "json|text|markdown", "\"text\""},
    {"text_field", Type::kText, 1, 8},                  {"label", Type::kText},
    {"no_text", Type::kBool, 0, 0, "", "false"},        {"require", Type::kTexts, 0, 0, "", "[]"},
};

void must_be_one_line(const std::string& text) {
  VAA_MUST(!text.empty() && text.size() < 4096);
  const char* end = text.data() + text.size();
  for (const char* p = text.data(); p < end; p += utf8_sequence(p, end)) VAA_MUST(utf8_sequence(p, end) > 0 && static_cast<uint8_t>(*p) >= 0x20 && *p != 0x7F);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  must_be_one_line(quoted(bytes));
  try {
    const Options options(bytes, kTable, "f");
    VAA_MUST(options.integer("threads") >= 1 && options.integer("threads") <= 1024);
    VAA_MUST(options.real("temperature") >= 0 && options.real("temperature") <= 2);
    VAA_MUST(!options.has("scale") || std::isfinite(options.real("scale")));
    const std::string& format = options.text("format");
    VAA_MUST(format == "json" || format == "text" || format == "markdown");
    VAA_MUST(!options.has("text_field") || (options.text("text_field").size() >= 1 && options.text("text_field").size() <= 8));
    options.boolean("no_text");
    options.texts("require");
  } catch (const Failure& failure) {
    VAA_MUST(failure.status() == VAA_ERROR_OPTION);
    must_be_one_line(failure.message());
  }
  return 0;
}
