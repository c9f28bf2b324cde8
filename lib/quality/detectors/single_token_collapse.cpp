// The whole output is one symbol (docs/detectors.md).
#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>

#include "quality/byte_lanes.h"
#include "quality/features.h"
#include "text/special_tokens.h"
#include "text/unicode.h"
#include "text/utf8.h"

namespace vaa {
namespace {

constexpr size_t kLeast = 12;      // characters
constexpr size_t kLaughter = 64;   // of one letter may be a laugh or a cry
constexpr size_t kDrawn = 1024;    // of one letter or rule sign beside others may be a scream, a form, zeros in base64, a program

// Characters but white space, and but the marks and joiners that belong to the one before.
template <class Visit>
void each_symbol(std::string_view text, const Visit& visit) {
  for (size_t at = 0; at < text.size();) {
    const Utf8Step step = utf8_step(text, at);
    if (step.code <= ' ' && step.valid) {
      at += step.size;
      continue;
    }
    const bool plain = step.code < 0x7F || (step.code >= 0x4E00 && step.code <= 0x9FFF);  // nothing of these is
    const CodeProperties properties = plain ? CodeProperties() : code_properties(step.code);
    const bool attached = properties.white_space || (properties.category >= Category::kNonspacingMark && properties.category <= Category::kSpacingMark) ||
                          properties.category == Category::kFormat;
    if ((!attached || !step.valid) && !visit(step.code, text.substr(at, step.size))) return;
    at += step.size;
  }
}

struct Collapse {
  std::string_view symbol;
  size_t count = 0, all = 0;
  bool letter = false;
};

// Of two symbols that differ one is another than any that may be nine of ten. True where so many pairs of ASCII characters differ, sixteen looked at at once, that none of
// `characters` can be: in most texts.
bool surely_mixed(std::string_view text, size_t characters) {
  const auto differ = [](const char* p) {
    const ByteLanes one = load_lanes(p), other = load_lanes(p + kLanes);
    const auto symbol = [](const ByteLanes& v) { return (v - '!') < 0x7F - '!'; };
    return symbol(one) & symbol(other) & (one != other);
  };
  return 10 * count_lanes(text.data(), text.data() + text.size(), 2 * kLanes, differ) > characters;
}

// The symbol that may be nine of ten (Boyer and Moore's vote), and then how many it is. Stops where too many of the characters, of which the text has at most so many, are others
// for any symbol.
Collapse find_collapse(std::string_view text, size_t characters) {
  Collapse out;
  size_t lead = 0, against = 0;
  uint32_t code = 0;
  each_symbol(text, [&](uint32_t c, std::string_view bytes) {
    if (lead == 0) {
      code = c;
      out.symbol = bytes;
      out.letter = is_letter(c);
      if (code_properties(c).category == Category::kDecimalDigit) out.symbol = {};
    }
    if (c == code) ++lead;
    else --lead, ++against;
    return 10 * against <= characters;
  });
  if (out.symbol.empty() || 10 * against > characters) return {};
  each_symbol(text, [&](uint32_t c, std::string_view) {
    ++out.all;
    out.count += c == code;
    return true;
  });
  return out;
}

// Lines with white space of three lengths and more: a picture, which no single token makes.
bool is_drawing(std::string_view text) {
  constexpr size_t kForms = 3;
  std::array<std::string_view, kForms> blanks;
  size_t forms = 0, at = 0;
  while (at < text.size() && forms < kForms) {
    const size_t begin = std::min(text.find_first_of(" \n", at), text.size());
    const size_t end = std::min(text.find_first_not_of(" \n", begin), text.size());
    const std::string_view blank = text.substr(begin, end - begin);
    if (!blank.empty() && std::find(blanks.begin(), blanks.begin() + static_cast<ptrdiff_t>(forms), blank) == blanks.begin() + static_cast<ptrdiff_t>(forms)) blanks[forms++] = blank;
    at = end;
  }
  return forms == kForms && text.find('\n') != std::string_view::npos;
}

// The prompt holds such a stretch, or a number near the count, or asks for a rule.
const char* excuse(const Features& features, const Collapse& found) {
  const std::vector<int32_t>& numbers = features.prompt().numbers();
  const auto near = [&](int32_t n) { return std::abs(n - static_cast<double>(found.count)) <= 1.5; };
  if (std::any_of(numbers.begin(), numbers.end(), near)) return "asked";
  std::string stretch;
  for (int i = 0; i < 4; ++i) stretch += found.symbol;
  if (features.prompt().contains(stretch)) return "in_prompt";
  constexpr std::string_view kRules = "-_=*~#.─━═—", kAsks[] = {"line", "divider", "separator", "dash", "hyphen", "分割线", "分隔线", "横线"};
  const auto said = [&](std::string_view word) { return features.prompt().text().find(word) != std::string_view::npos; };
  return kRules.find(found.symbol) != std::string_view::npos && std::any_of(std::begin(kAsks), std::end(kAsks), said) ? "asked" : nullptr;
}

// What people and programs write too, where nothing shows that the limit cut it; nullptr: nothing that is known.
const char* doubt(std::string_view text, const Collapse& found) {
  constexpr std::string_view kSigns = "_-=*.~#+─━═—";
  const bool beside = found.count < found.all && found.count <= kDrawn;
  if (found.letter && (beside || found.count < kLaughter)) return "letter";
  if (beside && kSigns.find(found.symbol) != std::string_view::npos) return "rule";
  return is_drawing(text) ? "drawing" : nullptr;
}

State detect(const Features& features, std::vector<Finding>* findings) {
  if (!features.any_text()) return State::kUnknown;
  const TextPart& part = features.last_part();
  const std::string_view text = part.text.substr(0, stripped_size(part.text));
  if (surely_mixed(text, part.odd.characters)) return State::kNo;
  const Collapse found = find_collapse(text, part.odd.characters);
  if (found.all < kLeast || 10 * found.count < 9 * found.all) return State::kNo;
  Finding finding = features.place(part, 0, text.size());
  finding.count = static_cast<int64_t>(found.count);
  finding.measure = static_cast<double>(found.count) / static_cast<double>(found.all);
  finding.threshold = 0.9;
  const Ending& ending = features.ending();
  const std::span<const Place> code = part.markup.code;
  if (ending.cut != Ending::Cut::kCertain && code.size() == 1 && 10 * code.front().size >= 9 * text.size()) return State::kNo;  // a drawing, a file of zeros
  const char* const reason = ending.cut == Ending::Cut::kCertain ? nullptr : excuse(features, found);
  if (reason) {
    excuse(&finding, reason);
  } else if (const char* const doubted = ending.cut != Ending::Cut::kCertain ? doubt(text, found) : nullptr) {
    finding.severity = Severity::kWarn;
    finding.confidence = Confidence::kSuspected;
    finding.reason = doubted;
  }
  findings->push_back(finding);
  return State::kFound;
}

}  // namespace

extern const Detector kSingleTokenCollapse = {
    "single_token_collapse", Severity::kFail, 0.001, 5, detect,
    {"one symbol only", "塌缩成单个符号"},
    {"The whole output is one symbol.", "整个输出只是同一个符号。"},
    {{"At least 12 characters are no white space, and nine of ten of them are one symbol that is no digit; marks, joiners and special tokens at the end "
      "are not counted. Info where the answer was not cut and a number in the prompt is within 1.5 of the count, the prompt holds four of it in a row, or "
      "asks for a line or divider of it. Where no limit is known to have cut it, a suspected warning: one letter under 64 times; up to 1,024 of a letter or a rule sign (`_ - = * . ~ # +`) "
      "with anything beside it (a scream, a form, zeros in base64); lines with white space of three lengths (a drawing). "
      "Not where a code fence is nine tenths of the answer.",
      "非空白字符至少 12 个，其中九成是同一个非数字符号；变音记号、连接符和末尾的特殊标记不计。没被截断，且题中有数字与个数相差不超过 1.5、提示词里有连续四"
      "个该符号、或要求用它画线的，只判提示。没有证据表明到上限被截断时，以下记疑似警告：同一字母不到 64 个；字母或画线符号（`_ - = * . ~ # +`）不超过 1024 个且旁边还有别的字符（尖叫、表单、base64 的零）；多行且空白有三种长度（图画）。代码块占回答九成的不报。"},
     {"Published answers (alpaca_eval, 34,615 of strong models): 3, all read: 1,333 equal emoji, 24 KB of blank Braille, a house of dots. Universal Declaration "
      "in some 500 languages, documentation, source code: 0. Cases of all-exclamation answers: all found.",
      "公开回答（alpaca_eval，强模型 34615 条）：3 条，逐条看过：1333 个相同的 emoji、24 KB 的空白盲文、用点画的房子。约 500 种语言的《世界人权宣言》、文"
      "档、源代码：0。全是感叹号的案例：全部找到。"},
     {"Laughs, screams and rules that were asked for in other words; pictures of one character. Under 12 characters nothing can be said. An answer that "
      "begins well and collapses later is repetition_loop.",
      "用别的说法要来的笑声、尖叫、分隔线；用单个字符拼的画。不到 12 个字符无法判断。开头正常、后来才塌缩的归 repetition_loop。"},
     {"NaN or infinite logits, whose arg max is token 0: `!` in Qwen and GPT-2 vocabularies (vllm#14126, sglang#33187). Dummy graph runs that write convolution "
      "or Mamba state (vllm-ascend#10901, #11408). KV transfer that failed in disaggregated prefill (vllm-ascend#5660, #8853). Overflow in float16.",
      "logits 为 NaN 或无穷，argmax 落在 0 号词元：Qwen、GPT-2 词表里就是 `!`（vllm#14126、sglang#33187）。图模式的空跑写坏卷积或 Mamba 状态（vllm-ascend#10901、"
      "#11408）。PD 分离时 KV 传输失败（vllm-ascend#5660、#8853）。float16 溢出。"},
     {"Run with the engine's NaN counter (`VLLM_COMPUTE_NANS_IN_LOGITS=1`, metric `vllm:corrupted_requests`), then the same prompt alone in bfloat16 and "
      "eager mode; `vaa check RUN --export single_token_collapse --export-out again.jsonl` gives the requests.",
      "打开引擎的 NaN 计数（`VLLM_COMPUTE_NANS_IN_LOGITS=1`，指标 `vllm:corrupted_requests`）再跑，然后同一条提示词用 bfloat16、eager 单独跑；请求用 `vaa "
      "check RUN --export single_token_collapse --export-out again.jsonl` 导出。"}}};

}  // namespace vaa
