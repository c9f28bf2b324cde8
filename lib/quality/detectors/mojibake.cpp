// UTF-8 read as another encoding (docs/detectors.md; the search is in quality/mojibake_scan.cpp).
#include "quality/features.h"
#include "quality/language_names.h"
#include "quality/mojibake_scan.h"

namespace vaa {
namespace {

constexpr double kThreshold = 0.6;

const char* name(ReadAs read_as) {
  switch (read_as) {
    case ReadAs::kGbk: return "read_as_gbk";
    case ReadAs::kShiftJis: return "read_as_shift_jis";
    case ReadAs::kWindows1251: return "read_as_windows_1251";
    case ReadAs::kKoi8: return "read_as_koi8";
    default: return "read_as_windows_1252";
  }
}

State detect(const Features& features, std::vector<Finding>* findings) {
  if (!features.any_text()) return State::kUnknown;
  State state = State::kNo;
  for (const TextPart& part : features.parts()) {
    const Mojibake& mojibake = features.scripts(part).mojibake;
    if (!mojibake.found || mojibake.read_as == ReadAs::kByteLevel) continue;
    Finding finding = features.place(part, mojibake.place.at, mojibake.place.size);
    finding.count = static_cast<int64_t>(mojibake.sequences);
    finding.measure = mojibake.share;
    finding.threshold = kThreshold;
    finding.reason = name(mojibake.read_as);
    if (prompt_speaks_of_encodings(features.prompt())) excuse(&finding, "asked");
    findings->push_back(finding);
    state = State::kFound;
  }
  return state;
}

}  // namespace

extern const Detector kMojibake = {
    "mojibake", Severity::kFail, 0.001, 5, detect,
    {"mojibake", "乱码"},
    {"UTF-8 was read as another encoding, such as Latin-1 or GBK.", "UTF-8 文本被当作 Latin-1、GBK 等其他编码读取。"},
    {{"The characters outside code are turned back into the bytes of Latin-1 or Windows-1252, Windows-1251, KOI8-R, GBK and Shift-JIS. A finding: 3 "
      "sequences of UTF-8 that hold 60 % of all bytes beyond ASCII, or 6 in one place that hold 80 % there. Sequences begin with a character or behind one "
      "another; in GBK and Shift-JIS those of two bytes count in rows of 5 of one script, or behind a Latin letter.",
      "把代码以外的字符还原成 Latin-1 或 Windows-1252、Windows-1251、KOI8-R、GBK、Shift-JIS 的字节。判定：3 个 UTF-8 序列占全部非 ASCII 字节的 60%，或一处有 "
      "6 个、占该处的 80%。序列须从字符边界开始或紧接前一个；GBK、Shift-JIS 中的双字节序列，须同一种文字连续 5 个，或紧跟拉丁字母。"},
     {"217,000 answers and 150,000 pieces of documentation, source code, tables and logs in many languages: 1 text, which is mojibake indeed (a fortune that "
      "was encoded twice). Planted in 36 texts of 27 languages: whole texts are found in all of Latin-1, Windows-1252, Windows-1251, KOI8-R, GBK and "
      "Shift-JIS but Korean read as Shift-JIS, which leaves U+FFFD only.",
      "217000 条回答，以及多种语言的文档、源代码、表格、日志 150000 段：1 段，确实是乱码（一条被编码两次的段子）。植入 27 种语言的 36 篇文本：整篇乱码在 "
      "Latin-1、Windows-1252、Windows-1251、KOI8-R、GBK、Shift-JIS 下全部找到，只有韩文被读成 Shift-JIS 例外，那只剩 U+FFFD。"},
     {"Quotation marks and accents of Europe, real Chinese, Japanese and Russian pass. Info only where the prompt speaks of encodings. Missed: 60 characters "
      "with one or two accents, Big5, EUC-KR, and what a decoder replaced by U+FFFD (replacement_char).",
      "欧洲各种引号和重音、真正的中文、日文、俄文都不报。提示词谈到编码的只判提示。漏报：60 个字符里只有一两个重音的、Big5、EUC-KR，以及被解码器换成 U+FFFD 的"
      "（见 replacement_char）。"},
     {"A client that reads a stream without charset as Latin-1, though `text/event-stream` is always UTF-8 (aiXplain#923, Maestro#110); a terminal or file "
      "of Windows opened as GBK; a proxy that encodes once more. Seldom the model: then many answers of one dataset have it.",
      "客户端把没写 charset 的流当成 Latin-1，而 `text/event-stream` 一律是 UTF-8（aiXplain#923、Maestro#110）；Windows 终端或文件按 GBK 打开；代理又编码一次"
      "。很少是模型的问题：那样同一数据集会有许多条。"},
     {"Ask the server by `curl --raw` and look at the bytes: right there, the client decodes wrongly; set UTF-8 explicitly and split lines at bytes. Wrong "
      "there, look at the proxy, then at the detokenizer.",
      "用 `curl --raw` 直接请求服务端看字节：字节正确，是客户端解码错，请显式指定 UTF-8，并按字节切行；字节已错，依次查代理和 detokenizer。"}}};

}  // namespace vaa
