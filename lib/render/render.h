// A report in words: terminal text, Markdown, JSON; English and Chinese. Reads the report's document only.
#pragma once
#include <string>
#include <string_view>

#include "report/report.h"

namespace vaa {

struct RenderOptions {
  std::string format = "json";  // json, text, markdown, noise
  std::string lang = "en";      // en, zh
  bool color = false;
  int width = 100;
};
// From the JSON of a call's options; `call` names it in messages.
RenderOptions render_options(std::string_view json, const char* call);
std::string render(const Report& report, const RenderOptions& options);

}  // namespace vaa
