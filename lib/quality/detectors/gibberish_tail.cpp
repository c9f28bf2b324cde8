// The end of the answer falls apart into fragments that run into each other (docs/detectors.md).
#include <algorithm>
#include <bitset>

#include "quality/byte_lanes.h"
#include "quality/features.h"
#include "text/unicode.h"
#include "text/utf8.h"

namespace vaa {
namespace {

constexpr size_t kTail = 400, kLeastText = 300;  // bytes
constexpr size_t kLeastJoints = 4, kLeastKinds = 3;
constexpr size_t kRarer = 5;                     // joints are so many times rarer before the tail

constexpr std::string_view kMarks = ",;:!?.";

// Marks of a sentence with two letters on both sides ("here,and so", "now!We begin"); a full stop only before a capital. Names of files, hosts and members have none of the others.
struct Joints {
  size_t count = 0, first = 0;
  std::bitset<kMarks.size()> kinds;

  void read(std::string_view text, size_t begin, size_t end) {
    int letters = 0;                 // before `at`, two at most
    size_t mark = kMarks.npos, mark_at = 0;
    for (size_t at = begin; at < end;) {
      const Utf8Step step = utf8_step(text, at);
      const bool letter = step.valid && is_letter(step.code);
      if (letter && mark != kMarks.npos && ++behind == 2) add(mark, mark_at);
      if (letter) {
        letters = std::min(letters + 1, 2);
        if (behind == 1 && mark != kMarks.npos && kMarks[mark] == '.' && code_properties(step.code).category != Category::kUpper) mark = kMarks.npos;
      } else {
        const size_t kind = step.code < 0x80 ? kMarks.find(static_cast<char>(step.code)) : kMarks.npos;
        mark = letters == 2 ? kind : kMarks.npos;
        mark_at = at;
        letters = behind = 0;
      }
      at += step.size;
    }
  }

 private:
  void add(size_t kind, size_t at) {
    if (count++ == 0) first = at;
    kinds.set(kind);
  }
  int behind = 0;  // letters behind the mark
};

// Whether enough marks for the joints of text[split, …) have a letter, or a part of one, on both sides: sixteen bytes at once, so perhaps a few before `split` too.
bool may_join(std::string_view text, size_t split) {
  const auto joins = [](const char* p) {
    const auto letter = [](const ByteLanes& v) { return (((v | 0x20) - 'a') < 26) | (v >= 0x80); };
    const ByteLanes v = load_lanes(p);
    return letter(load_lanes(p - 1)) & letter(load_lanes(p + 1)) & ((v == ',') | (v == ';') | (v == ':') | (v == '!') | (v == '?') | (v == '.'));
  };
  const char* const last = text.data() + text.size() - 1;
  const size_t looked_at = (text.size() - split + kLanes - 1) / kLanes * kLanes;
  return looked_at + 1 >= text.size() || count_lanes(last - looked_at, last, kLanes, joins) >= kLeastJoints;
}

State detect(const Features& features, std::vector<Finding>* findings) {
  if (!features.any_text()) return State::kUnknown;
  const TextPart& part = features.last_part();
  const std::string_view text = part.text;
  if (text.size() < kLeastText) return State::kNo;
  const size_t split = utf8_floor(text, text.size() - std::min(kTail, text.size() / 2));
  if (!part.markup.code.empty() && part.markup.code.back().at + part.markup.code.back().size > split) return State::kNo;
  if (!may_join(text, split)) return State::kNo;
  Joints tail, head;
  tail.read(text, split, text.size());
  if (tail.count < kLeastJoints || tail.kinds.count() < kLeastKinds) return State::kNo;
  head.read(text, 0, split);
  if (tail.count * split < kRarer * head.count * (text.size() - split)) return State::kNo;
  Finding finding = features.place(part, tail.first, text.size() - tail.first);
  finding.severity = Severity::kInfo;
  finding.confidence = Confidence::kSuspected;
  finding.count = static_cast<int64_t>(tail.count);
  finding.measure = static_cast<double>(tail.count);
  finding.threshold = kLeastJoints;
  findings->push_back(finding);
  return State::kFound;
}

}  // namespace

extern const Detector kGibberishTail = {
    "gibberish_tail", Severity::kInfo, 1.0, -1, detect,
    {"gibberish at the end", "结尾语无伦次"},
    {"The end of the answer falls apart into fragments that run into each other.", "回答的结尾散成互相粘连的碎片。"},
    {{"The last 400 bytes hold at least 4 joints of at least 3 kinds, a comma, semicolon, colon, exclamation or question mark, or a full stop before a capital, with two "
      "letters directly on both sides (here,and so; now!We begin), five times as dense as in the text before. Always suspected, and info.",
      "最后 400 字节里至少有 4 处、至少 3 种“粘连”：逗号、分号、冒号、叹号、问号，或大写字母前的句点，两侧都直接连着两个字母（如 here,and so、now!We begin），"
      "密度是前文的五倍以上。一律为疑似、提示级。"},
     {"182,723 answers of 227 models, 11,171 pieces of C source, 3,336 of Python, 23,000 of documentation in many languages: none.",
      "227 个模型的 182723 条回答、11171 段 C 源码、3336 段 Python 源码、多种语言的文档约 23000 段：均无命中。"},
     {"Code at the end, and text that is written without blanks all along, pass. It sees fragments that run into each other and nothing else: fragments parted by blanks are missed "
      "(word_salad, script_soup and low_logprob see some of them).",
      "结尾是代码、或通篇不留空格的文本不报。只看得到粘连的碎片；碎片之间有空格时会漏掉，其中一部分由 word_salad、script_soup、low_logprob 发现。"},
     {"Turns and drafts of other streams mixed into one answer (oh-my-pi#8818), KV blocks that were freed and written again while the answer went on, a draft model whose tokens are "
      "accepted unverified.",
      "别的流的轮次或草稿混进同一个回答（oh-my-pi#8818）；KV 块被释放并改写而回答仍在继续；投机解码的草稿未经验证就被接受。"},
     {"Ask again alone (concurrency 1) and with log-probabilities: gibberish that goes away alone is a matter of batching or of the cache, and low_logprob then tells whether the model was "
      "given wrong logits or the sampler drew badly.",
      "在并发为 1 时带上对数概率重问一遍：单独运行就消失的，问题在批处理或缓存；low_logprob 能区分是 logits 错了还是采样错了。"}}};

}  // namespace vaa
