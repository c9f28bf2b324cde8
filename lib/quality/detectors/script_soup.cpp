// Many writing systems in turn within a line: tokens drawn at random (docs/detectors.md; the windows are in quality/soup_window.h).
#include <algorithm>

#include "quality/features.h"
#include "text/utf8.h"

namespace vaa {
namespace {

constexpr size_t kLeastDense = 90, kLeastThin = 300;
constexpr size_t kQuote = 24;  // bytes of the soup that the prompt is searched for

State detect(const Features& features, std::vector<Finding>* findings) {
  if (!features.any_text()) return State::kUnknown;
  State state = State::kNo;
  for (const TextPart& part : features.parts()) {
    const Soup& soup = features.scripts(part).soup;
    if (soup.dense < kLeastDense && soup.thin < kLeastThin) continue;
    Finding finding = features.place(part, soup.begin, soup.end - soup.begin);
    const bool dense = soup.dense >= kLeastDense;
    finding.measure = static_cast<double>(dense ? soup.dense : soup.thin);
    finding.threshold = static_cast<double>(dense ? kLeastDense : kLeastThin);
    const std::string_view begin = part.text.substr(soup.begin);
    if (features.prompt().contains(begin.substr(0, utf8_floor(begin, kQuote)))) excuse(&finding, "asked");
    findings->push_back(finding);
    state = State::kFound;
  }
  return state;
}

}  // namespace

extern const Detector kScriptSoup = {
    "script_soup", Severity::kFail, 0.001, 5, detect,
    {"soup of scripts", "多种文字混杂"},
    {"Writing systems change every few letters, as in tokens drawn at random.", "几个字就换一种文字，像是随机抽取的词元。"},
    {{"At each letter the last 48 letters of the line (24 at least) are looked at. Dense: 3 script groups and 12 changes between them, or 4 and 8, or 5 and 5"
      "; 90 such letters are a finding. Thin: 3 groups and 5 changes; 300 such letters. Han, kana and Bopomofo are one group, digits and symbols none; a "
      "change across `, : ; / |`, brackets, `=` or a line end does not count.",
      "逐个字母看同一行最近的 48 个字母（至少 24 个）。密集：3 种文字且切换 12 次，或 4 种 8 次，或 5 种 5 次，这样的字母达到 90 个即报。稀疏：3 种文字且切换"
      " 5 次，要 300 个。汉字、假名、注音算一种，数字和符号不算；隔着 `, : ; / |`、括号、`=` 或换行的切换不计。"},
     {"34,615 answers of strong models: 2, both real; 182,723 answers of 227 models: 3, all read, 2 real and 1 a regular expression full of letters of all "
      "kinds that no one could use either. Universal Declaration of Human Rights in some 500 languages, documentation in 12 languages, source code: 0.",
      "强模型回答 34615 条：2 条，都是真的；227 个模型 182723 条：3 条，全部看过，2 条是真的，1 条是塞满各种字母、本身也没法用的正则表达式。约 500 种语言的《"
      "世界人权宣言》、12 种语言的文档、源代码：0。"},
     {"\"Good morning\" in 14 languages, multilingual JSON, mathematics with Greek letters, Chinese full of English terms pass. Info only where the prompt "
      "holds the same text. Missed: soup shorter than 90 letters, and random pieces of one script (word_salad, low_logprob).",
      "14 种语言的“早上好”、多语言 JSON、带希腊字母的数学、夹着英文术语的中文都不会误报。提示词自己含同样文字的只判提示。漏报：不足 90 个字母的，以及同一种文字"
      "的随机碎片（见 word_salad、low_logprob）。"},
     {"Logits that are noise, so that tokens are drawn at random: NaN rows turned into uniform sampling (sglang#33187), broken quantisation or weights ("
      "vllm#6060, ollama#2391, llama.cpp#7056), KV cache lost or overwritten in transfer (vllm-ascend#5660, vllm-ascend#8853), graph or batch slots that "
      "belong to another request (vllm-ascend#9727).",
      "logits 已是噪声，词元等于随机抽取：NaN 的行被当成均匀分布采样（sglang#33187），量化或权重损坏（vllm#6060、ollama#2391、llama.cpp#7056），KV cache 在"
      "传输中丢失或被覆盖（vllm-ascend#5660、vllm-ascend#8853），图模式或 batch 的槽位串到别的请求（vllm-ascend#9727）。"},
     {"Record logprobs for such a prompt: near -ln of the vocabulary size at the onset means uniform logits. Send the request alone, then in eager mode, "
      "then with unquantised weights; the first change that cures it names the part. If it comes with load only, look at KV transfer and preemption.",
      "对这样的请求打开 logprobs：起点处若接近 -ln V（V 为词表大小），就是 logits 均匀。再依次单发、改 eager、换未量化权重，哪一步治好就在哪里；只在高负载出现，"
      "就查 KV 传输和抢占。"}}};

}  // namespace vaa
