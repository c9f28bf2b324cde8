#include "render/render_text.h"

#include <algorithm>

#include "render/layout.h"
#include "render/text_table.h"

namespace vaa {
namespace {

class Painter {
 public:
  explicit Painter(bool color) : color_(color) {}
  std::string tone(Tone t, const std::string& text) const { return t == Tone::kPlain ? text : paint(code(t), text); }
  std::string heading(const std::string& text) const { return paint("1", text); }
  std::string verdict(Tone t, const std::string& text) const { return paint(std::string("1;") + code(t), text); }

 private:
  static const char* code(Tone t) { return t == Tone::kGood ? "32" : t == Tone::kBad ? "31" : t == Tone::kUnsure ? "33" : t == Tone::kFaint ? "2" : "0"; }
  std::string paint(const std::string& code, const std::string& text) const { return color_ && !text.empty() ? "\x1b[" + code + "m" + text + "\x1b[0m" : text; }
  bool color_;
};

void append_wrapped(std::string* out, const std::string& text, const std::string& first, size_t indent, size_t width, Tone tone, const Painter& paint) {
  std::string lead = first;
  for (const std::string& line : wrapped(text, width > indent + 20 ? width - indent : 20)) {
    *out += lead + paint.tone(tone, line) + "\n";
    lead = std::string(indent, ' ');
  }
}

void append_line(std::string* out, const BlockLine& line, const Painter& paint, size_t width) {
  append_wrapped(out, clean(line.text), "  ", 4, width, line.tone, paint);
  if (!line.quoted.empty()) {
    for (const std::string& part : wrapped(clean(line.quoted), width > 26 ? width - 6 : 20)) *out += "    " + paint.tone(Tone::kFaint, "│ " + part) + "\n";
  }
  if (!line.request.empty()) append_wrapped(out, clean(line.request), "    ", 4, width, Tone::kPlain, paint);
  if (!line.command.empty()) *out += "    $ " + clean(line.command) + "\n";  // never broken: to be copied
}

}  // namespace

std::string render_text(const Blocks& blocks, const RenderOptions& options) {
  const Painter paint(options.color);
  const size_t width = static_cast<size_t>(std::clamp(options.width, 40, 500));
  std::string out;
  const size_t indent = display_width(blocks.verdict) + 2;
  append_wrapped(&out, clean(blocks.reason), paint.verdict(blocks.tone, blocks.verdict) + "  ", indent, width, Tone::kPlain, paint);
  out += "\n";
  for (const std::string& fact : blocks.facts) append_wrapped(&out, clean(fact), "", 2, width, Tone::kFaint, paint);
  for (const Block& block : blocks.blocks) {
    out += "\n";
    for (const std::string& line : wrapped(clean(block.heading), width)) out += paint.heading(line) + "\n";
    for (const TableLine& line : text_table(block, width)) out += paint.tone(line.tone, line.text) + "\n";
    for (const BlockLine& line : block.lines) append_line(&out, line, paint, width);
  }
  return out;
}

}  // namespace vaa
