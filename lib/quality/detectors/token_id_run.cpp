// Runs of ids that no model writes: NaN logits pick the same id at each step (docs/detectors.md).
#include <algorithm>

#include "quality/features.h"
#include "text/unicode.h"
#include "text/utf8.h"
#include "text/vocab.h"

namespace vaa {
namespace {

constexpr size_t kLeast = 8;         // equal ids in a row
constexpr size_t kCertain = 16;      // without a vocabulary or a text that shows what they are

// White space, digits, rules and dot leaders come in rows of one token by right.
bool is_plain(std::string_view token) {
  for (size_t at = 0; at < token.size();) {
    const Utf8Step step = utf8_step(token, at);
    const bool rule = step.code < 0x80 && step.code > ' ' && !is_letter(step.code) && step.code != '!' && step.code != '?';
    if (!step.valid || !(is_white_space(step.code) || rule || (step.code >= 0x2500 && step.code <= 0x28FF))) return false;
    at += step.size;
  }
  return !token.empty();
}

struct Suspect {
  TokenStretch run;
  const char* reason = "";
  Confidence confidence = Confidence::kCertain;
};

// A run at the end that the text does not show is padding behind an answer that ended.
bool is_padding(const Features& features, const TokenStretch& run) {
  if (run.at == 0 || run.at + run.size < features.ids().size() || features.ending().cut == Ending::Cut::kCertain || features.answer_blank()) return false;
  const int32_t id = features.ids()[run.at];
  if (features.vocab()) return features.vocab()->special(id) || features.vocab()->token(id).empty();
  const std::string_view text = features.text().text;
  if (!features.text().known || text.size() < kLeast) return false;
  const auto tail = [](const Loop& loop) { return loop.tail && !loop.tokens; };
  return text.find_last_not_of(text.back()) + kLeast >= text.size() && std::none_of(features.loops().begin(), features.loops().end(), tail);
}

// Id 0 or the vocabulary's last in a row.
bool suspect_edge(const Features& features, const TokenStretch& run, Suspect* out) {
  if (run.size < kLeast) return false;
  const int32_t id = features.ids()[run.at];
  const Vocab* const vocab = features.vocab();
  if (vocab && is_plain(vocab->token(id))) return false;
  *out = {run, id == 0 ? "id_0" : "last_id", Confidence::kCertain};
  if (is_padding(features, run)) *out = {run, "padding", Confidence::kSuspected};
  else if (!vocab && run.size < kCertain) out->confidence = Confidence::kSuspected;
  return true;
}

// The output is one id over and over, and too short for a loop.
bool suspect_whole(const Features& features, const TokenStretch& run, Suspect* out) {
  const size_t size = features.ids().size();
  if (!features.loops().empty() || run.size < kLeast || run.size + 1 + size / 16 < size) return false;
  const Vocab* const vocab = features.vocab();
  const std::string_view text = features.text().text;
  if (vocab ? is_plain(vocab->token(features.ids()[run.at])) : features.text().known && is_plain(text)) return false;
  *out = {run, "one_id", vocab || run.size >= kCertain ? Confidence::kCertain : Confidence::kSuspected};
  return true;
}

bool was_asked(const Features& features, size_t count) {
  if (features.sample().integer(IntField::kIgnoreEos, 0) != 0) return false;
  const std::vector<int32_t>& numbers = features.prompt().numbers();
  const auto near = [&](int32_t n) { return n + 2 >= static_cast<int64_t>(count) && n <= static_cast<int64_t>(count) + 2; };
  return features.prompt().asks_repetition() && std::any_of(numbers.begin(), numbers.end(), near);
}

State detect(const Features& features, std::vector<Finding>* findings) {
  if (!features.ids_known()) return State::kUnknown;
  const TokenSigns& signs = features.signs();
  const size_t before = findings->size();
  const auto add = [&](size_t at, size_t size, int64_t count, const char* reason, Confidence confidence) -> Finding& {
    Finding finding;
    finding.part = Part::kSample;
    finding.onset_token = static_cast<int64_t>(at);
    finding.length_tokens = static_cast<int64_t>(size);
    finding.count = count;
    finding.reason = reason;
    finding.confidence = confidence;
    return findings->emplace_back(finding);
  };
  if (signs.negative.count > 0) add(signs.negative.first, 1, signs.negative.count, "negative_id", Confidence::kCertain);
  if (signs.outside.count > 0) add(signs.outside.first, 1, signs.outside.count, "outside_vocabulary", Confidence::kSuspected);
  Suspect suspect;
  bool found = suspect_edge(features, signs.edge_run, &suspect) || suspect_whole(features, signs.longest_run, &suspect);
  if (!found && signs.blank_run.size >= kLeast) {
    suspect = {signs.blank_run, "no_bytes", Confidence::kCertain};
    found = true;
  }
  if (found) {
    const size_t size = suspect.run.size;
    Finding& finding = add(suspect.run.at, size, static_cast<int64_t>(size), suspect.reason, suspect.confidence);
    finding.measure = static_cast<double>(size);
    finding.threshold = static_cast<double>(kLeast);
    if (suspect.reason == std::string_view("padding")) finding.severity = Severity::kWarn;
    if (was_asked(features, size)) excuse(&finding, "asked");
  }
  return findings->size() > before ? State::kFound : State::kNo;
}

}  // namespace

extern const Detector kTokenIdRun = {
    "token_id_run", Severity::kFail, 0.001, 5, detect,
    {"run of one token id", "同一词元 id 连续出现"},
    {"The same token id comes at each step, as NaN logits choose it, or ids are there that no vocabulary has.", "每一步都是同一个词元 id（logits 为 NaN 时如此），或出现词表中不存在的 id。"},
    {{"Of the output ids: id 0 or the vocabulary's last id 8 times in a row; an output of at least 8 ids that is one id over and over and too short for "
      "repetition_loop; 8 tokens without bytes in a row; an id below 0; with a vocabulary, an id past it (suspected). White space, digits, rules and dot "
      "leaders are left out where a vocabulary or the text shows them. Without a vocabulary 16 in a row make it certain.",
      "看输出的词元 id：id 0 或词表最后一个 id 连续 8 次；整条输出（至少 8 个）都是同一个 id，且短到 repetition_loop 管不着；连续 8 个不产生任何字节的 "
      "词元；负的 id；有词表时，超出词表的 id（疑似）。词表或文本表明是空白、数字、分隔线、点线的不算。没有词表时，连续 16 次才算确定。"},
     {"No public set of answers with ids was at hand: the rule is from the reports below and has no measured rate. Byte-pair vocabularies hold `!!`, `!!!!` "
      "and longer as one token, so that eight single ones do not come from healthy logits. Ceiling 0.1 %, as for all damage.",
      "手头没有带词元 id 的公开回答集：规则来自下列报告，没有测过误报率。BPE 词表里 `!!`、`!!!!` 及更长的串都是单个词元，正常的 logits 不会连出八个单独的"
      " `!`。上限 0.1%，与其他损坏类相同。"},
     {"Padding: a batch that was padded with id 0 behind its end token is warn, reason `padding`, where a vocabulary or a clean text shows it. A number of "
      "the prompt that is near the count: info. Long loops of one id are repetition_loop's. A wrong vocabulary shows as ids past it.",
      "填充：批量生成在结束符之后用 id 0 补齐的，词表或干净的文本能看出来时只判警告，原因是 `padding`。提示词里有接近次数的数字：只提示。单个 id 的长循环归 "
      "repetition_loop。词表给错了也会表现为 id 超出词表。"},
     {"NaN logits: the argmax of NaN is id 0, `!` in the vocabularies of GPT-2 and Qwen (vllm#22881, float16 overflow in vllm#14126, dummy graph runs that "
      "write state in vllm-ascend#10901 and #11408). Another constant id: 8191 (vllm#53029). Ids past the vocabulary from padded logits (vllm#21876). "
      "Buffers that were never written: 0.",
      "logits 为 NaN：对 NaN 取 argmax 得 id 0，在 GPT-2 和 Qwen 词表里就是 `!`（vllm#22881；vllm#14126 是 float16 溢出；vllm-ascend#10901、#11408 是图模式空"
      "跑写脏状态）。也有别的固定 id，如 8191（vllm#53029）。补齐的 logits 采到词表外（vllm#21876）。没写过的缓冲区：全 0。"},
     {"Start with `VLLM_COMPUTE_NANS_IN_LOGITS=1` and read `vllm:corrupted_requests`, or ask for `logprobs` and look for NaN and -9999. Then the same prompt "
      "alone, eager instead of graphs, and in bfloat16 instead of float16.",
      "用 `VLLM_COMPUTE_NANS_IN_LOGITS=1` 启动，看 `vllm:corrupted_requests`；或请求时带 `logprobs`，看有没有 NaN 和 -9999。再把同一题单独发、关图模式（eager"
      "）、float16 换 bfloat16 各试一次。"}}};

}  // namespace vaa
