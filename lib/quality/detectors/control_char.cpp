// Control characters that no text holds: C0 but tab, line feed and carriage return, and DEL (docs/detectors.md).
#include <algorithm>
#include <iterator>

#include "quality/features.h"

namespace vaa {
namespace {

constexpr char kEscape = 0x1B;

bool speaks_of_terminals(std::string_view prompt) {
  constexpr std::string_view kWords[] = {"ANSI", "ansi", "terminal", "Terminal", "escape", "color", "colour", "print", "Print", "终端", "转义", "颜色", "彩色", "打印"};
  return std::any_of(std::begin(kWords), std::end(kWords), [&](std::string_view word) { return prompt.find(word) != std::string_view::npos; });
}

// Every escape character begins a sequence of ECMA-48: "ESC [", parameters, and a final byte.
bool is_in_sequences(std::string_view text) {
  for (size_t at = text.find(kEscape); at != std::string_view::npos; at = text.find(kEscape, at + 1)) {
    if (text.substr(at + 1, 1) != "[") return false;
    const size_t end = text.find_first_not_of("0123456789;:?", at + 2);
    if (end == std::string_view::npos || text[end] < '@' || text[end] > '~') return false;
  }
  return true;
}

State detect(const Features& features, std::vector<Finding>* findings) {
  if (!features.any_text()) return State::kUnknown;
  State state = State::kNo;
  for (const TextPart& part : features.parts()) {
    Spot spot = part.odd.control;
    if (spot.count == 0) continue;
    const uint64_t escape = control_bit(kEscape) & part.odd.controls;
    const uint64_t asked = features.prompt().controls() & part.odd.controls;
    if (asked != 0) spot = find_odd_characters(part.text, asked).control;
    if (spot.count == 0) continue;
    const char* reason = "";
    if ((escape & ~asked) != 0 && speaks_of_terminals(features.prompt().text()) && is_in_sequences(part.text)) {
      const Spot others = find_odd_characters(part.text, asked | escape).control;
      if (others.count == 0) reason = "asked";
      else spot = others;
    }
    Finding finding = features.place(part, spot.first, spot.length);
    finding.count = spot.count;
    finding.reason = reason;
    if (*reason != 0) finding.severity = Severity::kInfo;
    findings->push_back(finding);
    state = State::kFound;
  }
  return state;
}

}  // namespace

extern const Detector kControlChar = {
    "control_char", Severity::kFail, 0.001, 5, detect,
    {"control characters", "控制字符"},
    {"The text holds control characters that are no line ends or tabs.", "文本中含有换行和制表符以外的控制字符。"},
    {{"C0 control characters but tab, line feed and carriage return, and DEL, in text or reasoning; not those that the prompt holds too. Escape sequences (`ESC [ 31 m`) are info where the prompt speaks of ANSI, a terminal, escapes, colours or printing. NUL is one like any "
      "other and ends no text. C1 controls (U+0080 to U+009F) are the mark of text decoded as Latin-1: see mojibake.",
      "正文或思考里出现制表、换行、回车以外的 C0 控制字符，或 DEL；提示词里也有的除外。提示词提到 ANSI、终端、转义、颜色或打印时，转义序列（`ESC [ 31 m`）只判提示。NUL 与其他控制字符一样，不会截断文本。C1 控制字符（U+0080 到 U+009F）是"
      "按 Latin-1 误解码的迹象，见 mojibake。"},
     {"Published answers (alpaca_eval): 7 of 182,723, all read: runs of backspaces and single U+0003, U+0004, U+001E, U+001F within garbage. 34,615 of "
      "strong models: 0. The Universal Declaration in some 500 languages: 0. Ceiling 0.1 %, room for texts that quote one.",
      "公开回答（alpaca_eval）：182723 条中 7 条，逐条看过：成串的退格，或夹在乱码里的 U+0003、U+0004、U+001E、U+001F。强模型 34615 条：0。约 500 种语言的《"
      "世界人权宣言》：0。上限 0.1%，给引用这类字符的文本留的。"},
     {"Terminal colours that were asked for in other words. Form feeds of old plain-text files that a model "
      "recites. A character that the prompt holds excuses itself alone, not others.",
      "用别的说法要求的终端颜色。模型背诵老式纯文本时带出的换页符。提示词里的控制字符只豁免它自己，不豁免别的。"},
     {"Replies fed back into the context with what they held: ASCII 28 between ordinary sentences (llama.cpp#2758). Byte tokens below 32 stand in every "
      "byte-level vocabulary, and only a broken row of logits, a draft with another vocabulary or a very high temperature picks them: then replacement_char "
      "or script_soup stand beside it.",
      "把带控制字符的回复又喂回上下文：普通句子之间冒出 ASCII 28（llama.cpp#2758）。字节级词表都有小于 32 的字节词元，只有 logits 坏了、draft 模型词表不一"
      "致或温度过高才会采到：这时旁边多半还有 replacement_char 或 script_soup。"},
     {"`vaa check RUN --format jsonl` gives onset and excerpt. Ask again with `return_token_ids` and logprobs: a byte token of very low probability (rank "
      "over 1,000) points to sampler or logits; a probable one came from the prompt, so print the prompt after the chat template.",
      "用 `vaa check RUN --format jsonl` 看起点和摘录。带 `return_token_ids` 和 logprobs 重发：概率极低（排名 1000 以外）的字节词元，查采样器和 logits；概"
      "率不低的，是提示词带进来的，把套完 chat template 的 prompt 打印出来看。"}}};

}  // namespace vaa
