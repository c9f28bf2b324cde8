// A report in words: terminal text, Markdown, JSON; English and Chinese. Reads the report's document only.
#pragma once
#include <string>

#include "report/report.h"

namespace vaa {

struct RenderOptions {
  std::string format = "json";  // json, text, markdown
  std::string lang = "en";      // en, zh
  bool color = false;
  int width = 100;
};
std::string render(const Report& report, const RenderOptions& options);

}  // namespace vaa
