// Bytes or code points that are no text: invalid UTF-8, lone surrogates, noncharacters (docs/detectors.md).
#include "quality/features.h"

namespace vaa {
namespace {

State detect(const Features& features, std::vector<Finding>* findings) {
  if (!features.any_text()) return State::kUnknown;
  State state = State::kNo;
  for (const TextPart& part : features.parts()) {
    const Spot& spot = part.odd.invalid;
    if (spot.count == 0 || features.prompt().contains(part.text.substr(spot.first, spot.length))) continue;
    Finding finding = features.place(part, spot.first, spot.length);
    finding.count = spot.count;
    if (part.odd.unfinished > 0 && spot.first + part.odd.unfinished >= part.text.size() && excused_as_cut(features.ending(), &finding)) continue;
    findings->push_back(finding);
    state = State::kFound;
  }
  return state;
}

}  // namespace

extern const Detector kInvalidUnicode = {
    "invalid_unicode", Severity::kFail, 0.001, 5, detect,
    {"invalid Unicode", "非法 Unicode"},
    {"The text holds bytes that are no UTF-8, lone surrogates or code points that are no characters.", "文本中含有非法 UTF-8 字节、孤立代理项或非字符码点。"},
    {{"Bytes that are no UTF-8, lone surrogates (also from JSON's \\ud83d) and noncharacters (U+FDD0 to U+FDEF, the last two code points of every plane), "
      "unless the prompt holds the same bytes. Half a character at the very end of an answer that was cut is the cut itself; not known whether cut: a "
      "suspected warning.",
      "非法 UTF-8 字节、孤立代理项（包括 JSON 里的 \\ud83d）、非字符码点（U+FDD0 到 U+FDEF，以及每个平面最后两个码点）；提示词里有同样字节的除外。被截断的回答末"
      "尾半个字符属于截断本身；不知道是否被截断时判疑似警告。"},
     {"The Unicode standard draws the line, nothing is estimated. Published answers (alpaca_eval): 0 of 182,723; the Universal Declaration in some 500 "
      "languages: 0. The ceiling of 0.1 % is that of all damage by bytes.",
      "界线由 Unicode 标准给定，没有要估计的量。公开回答（alpaca_eval）182723 条：0；约 500 种语言的《世界人权宣言》：0。上限 0.1%，与其他字节损坏相同。"},
     {"The file may be at fault and not the server: Python's surrogateescape writes bad bytes as lone surrogates, a log or a database cuts at a byte limit. "
      "Readers that repair the text (errors=\"replace\") turn it into replacement_char before vaa sees it.",
      "可能是落盘的一方有错，而不是服务端：Python 的 surrogateescape 把坏字节写成孤立代理项，日志或数据库按字节数截断。读取时就“修好”的（errors=\"replace\"），"
      "到 vaa 手里已经变成 replacement_char。"},
     {"A delta that ends between the two halves of a surrogate pair (KohakuTerrarium#48): gateways that cut strings by UTF-16 units, as JavaScript and Java "
      "count. A detokenizer that sends the bytes of byte-fallback tokens before the character is whole. A client that cuts the stream at any byte and keeps "
      "the pieces apart.",
      "增量正好断在一对代理项中间（KohakuTerrarium#48）：网关按 UTF-16 单元切字符串，JavaScript、Java 就是这样计长度的。detokenizer 没等字符凑齐就把 byte "
      "fallback 的字节发了出去。客户端在任意字节处切流，又各段分别保存。"},
     {"Save the stream as bytes, `curl -sN URL -d @request.json > raw.sse`, and `vaa check raw.sse`. Invalid there: the server sends it. Clean: client, "
      "gateway or logger cut it. Then once without streaming.",
      "按字节保存流：`curl -sN URL -d @request.json > raw.sse`，再 `vaa check raw.sse`。还是非法：服务端发的。正常：客户端、网关或日志切坏的。再用非流式试一"
      "次。"}}};

}  // namespace vaa
