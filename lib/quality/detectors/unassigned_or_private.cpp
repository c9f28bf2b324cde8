// Code points that no font shows: unassigned ones and those of private use (docs/detectors.md).
#include "quality/features.h"

namespace vaa {
namespace {

State detect(const Features& features, std::vector<Finding>* findings) {
  if (!features.any_text()) return State::kUnknown;
  State state = State::kNo;
  for (const TextPart& part : features.parts()) {
    const Scripts& scripts = features.scripts(part);
    if (scripts.odd_count == 0 || features.prompt().contains(part.text.substr(scripts.odd.at, scripts.odd.size))) continue;
    Finding finding = features.place(part, scripts.odd.at, scripts.odd.size);
    finding.severity = Severity::kWarn;
    finding.confidence = scripts.odd_unassigned ? Confidence::kCertain : Confidence::kSuspected;
    finding.count = static_cast<int64_t>(scripts.odd_count);
    findings->push_back(finding);
    state = State::kFound;
  }
  return state;
}

}  // namespace

extern const Detector kUnassignedOrPrivate = {
    "unassigned_or_private", Severity::kWarn, 1.0, -1, detect,
    {"private or unassigned characters", "私用或未分配字符"},
    {"Code points of private use or without a character stand in the text.", "文本中出现了私用区或尚未分配的码位。"},
    {{"Code points of private use (U+E000 to U+F8FF, planes 15 and 16) or without a character in Unicode 15, outside code and not in the prompt. Unassigned "
      "ones are certain, private ones suspected. Passed over: noncharacters (invalid_unicode), and unassigned places for emoji, Han and currency signs, "
      "where newer versions of Unicode put characters.",
      "代码以外、提示词里没有的私用区码位（U+E000 到 U+F8FF、第 15、16 平面）或 Unicode 15 中未分配的码位。未分配的判确定，私用的判疑似。不看：非字符（见 "
      "invalid_unicode），以及新版 Unicode 会放入表情、汉字、货币符号的未分配位置。"},
     {"182,723 answers: 3, all read: two answers that had gone to pieces, and one odd subscript. Strong models, the declaration of human rights, English "
      "documentation and source code but tests of a compiler (3): 0; Chinese manuals: 1 (a letter lost in conversion).",
      "182723 条回答：3 条，全部看过：两条已经崩坏，一条是怪异的下标。强模型、《世界人权宣言》、英文文档、除编译器测试（3 段）外的源代码：0；中文手册：1（转"
      "换时丢失的字母）。"},
     {"Icon fonts of shells (U+E0A0 …) in code pass, elsewhere they are flagged, as are the bullets of old word processors (U+F0B7) and the apple (U+F8FF): "
      "someone without the font sees a box. A warning; it fails no run.",
      "终端图标字体（U+E0A0 等）在代码里不报，在正文里会报；旧文字处理软件的项目符号（U+F0B7）、苹果徽标（U+F8FF）也会报：没有相应字体的人只看到方框。只是警"
      "告，不会使运行不通过。"},
     {"Marks of a model for its own client that were not converted, such as citations U+E200 to U+E202 (codex#8626); tokens drawn at random; a decoder that "
      "maps unknown bytes to private code points.",
      "模型给自家客户端用的标记没有转换，例如引文标记 U+E200 到 U+E202（codex#8626）；词元随机抽取；解码器把未知字节映射到私用码位。"},
     {"Look at the excerpt: the same code points in many answers are marks that the client or server has to convert; single ones amid broken text are random "
      "tokens, and script_soup or low_logprob should stand beside it.",
      "看摘录：许多回答里是同样的码位，那是客户端或服务端该转换的标记；零星出现在破碎文本里，那是随机词元，旁边通常还有 script_soup 或 low_logprob。"}}};

}  // namespace vaa
