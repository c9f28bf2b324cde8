// The output ends in copies that differ by a number or a word each (docs/detectors.md).
#include <algorithm>
#include <cstdlib>

#include "quality/features.h"
#include "text/special_tokens.h"

namespace vaa {
namespace {

struct Least {
  size_t copies, cover;
};
bool wide(const NearLoop& loop, const Least& least) { return loop.count >= least.copies && loop.cover() >= least.cover; }
constexpr Least kNumbers{8, 200}, kNumbersUnknown{8, 400}, kWords{12, 300}, kWordsUnknown{16, 1000};

bool in_code(const TextPart& part, size_t at) {
  return std::any_of(part.markup.code.begin(), part.markup.code.end(), [&](const Place& code) { return code.at <= at && at < code.at + code.size; });
}

// Words rather than signs and numbers ("6. The Return" has as many of both): not a table, a log, code.
bool is_language(const NearLoop& loop) { return loop.others <= 2 * loop.words; }
// Sentences whose words stay: not a list of names. Two letters of a script without blanks count as a word.
size_t kept_words(const NearLoop& loop) { return loop.kept - loop.letters + loop.letters / 2; }
bool keeps_words(const NearLoop& loop) { return kept_words(loop) >= 3 * (loop.count - 1) && 10 * loop.kept >= 6 * loop.words && 2 * loop.others <= loop.words; }

bool asked(const Features& features, size_t count) {
  const std::vector<int32_t>& numbers = features.prompt().numbers();
  return std::any_of(numbers.begin(), numbers.end(), [&](int32_t n) { return std::abs(n - static_cast<double>(count)) <= 1.5; });
}

State detect(const Features& features, std::vector<Finding>* findings) {
  if (!features.any_text()) return State::kUnknown;
  const Ending& ending = features.ending();
  if (ending.by_itself) return State::kNo;
  const TextPart& part = features.last_part();
  const bool looping = std::any_of(features.loops().begin(), features.loops().end(), [](const Loop& loop) { return loop.tail && loop.severity >= Severity::kWarn; });
  const std::string_view text = part.text.substr(0, stripped_size(part.text));
  if (looping || part.decoded) return State::kNo;
  const NearLoops near = find_near_loops(text, &features.near_loops());
  const bool unknown = ending.cut == Ending::Cut::kUnknown, numbers = wide(near.numbers, unknown ? kNumbersUnknown : kNumbers);
  const NearLoop& loop = numbers ? near.numbers : near.words;
  const Least& least = numbers ? (unknown ? kNumbersUnknown : kNumbers) : unknown ? kWordsUnknown : kWords;
  if (!wide(loop, least)) return State::kNo;
  const LoopUnit unit = read_unit(text.substr(loop.last_copy, loop.end - loop.last_copy));
  if (!unit.words || unit.weak || !is_language(loop)) return State::kNo;
  if (!numbers && (!keeps_words(loop) || in_code(part, loop.last_copy))) return State::kNo;
  Finding finding = features.place(part, loop.begin, text.size() - loop.begin);
  finding.count = static_cast<int64_t>(loop.count);
  finding.severity = Severity::kWarn;
  finding.confidence = numbers && !unknown ? Confidence::kCertain : Confidence::kSuspected;
  finding.reason = numbers ? "numbers" : "words";
  finding.measure = static_cast<double>(loop.count);
  finding.threshold = static_cast<double>(least.copies);
  const bool eos = features.sample().integer(IntField::kIgnoreEos, 0) != 0;
  if (eos || (unknown && asked(features, loop.count))) excuse(&finding, eos ? "ignore_eos" : "asked");
  findings->push_back(finding);
  return State::kFound;
}

}  // namespace

extern const Detector kCounterLoop = {
    "counter_loop", Severity::kWarn, 1.0, 3, detect,
    {"looping with a counter", "带计数的循环"},
    {"The output ends in copies of one piece that differ by a number or a word each.", "输出末尾是同一段内容的一再重复，每次只换一个数字或一个词。"},
    {{"At the end of an answer that did not stop by itself: words, numbers and signs repeat with one distance, numbers standing for any number. Numbers "
      "alone differ: 8 copies over 200 bytes (400 where the finish reason is not recorded). Words differ too, up to four in a row and a third of all: 12 "
      "copies over 300 bytes (16 over 1,000), with three kept words a copy (of Thai, Lao, Khmer and Burmese two letters are one) and few signs. Never where signs and numbers are more than twice the words.",
      "只看不是自行停止的回答的末尾：词、数字、符号以同一间隔重复，数字之间不论大小都算相同。只有数字变化：8 次、覆盖 200 字节（没有记录结束原因时 400 字"
      "节）。词也变化（一处最多连续四个，总共不超过三分之一）：12 次、300 字节（16 次、1000 字节），每次至少保留三个词（泰、老、高棉、缅文两个字母算一个），符号要少。符号和数字超过词数两倍"
      "的一律不报。"},
     {"Published answers without a finish reason (alpaca_eval, 34,615 of strong models): 1, a list of rhymes that went round to number 550. Pieces of source "
      "code, cut, stopped and with nothing recorded: 24 of 21,596 (0.11 %), tables of registers and other numbered rows; manuals: 5 of 24,002. Universal Declaration in "
      "some 500 languages, long thoughts, logs: 0. Of 560 planted (counters, one word changing, 14 scripts) 559.",
      "公开回答（alpaca_eval，没有结束原因，强模型 34615 条）：1 条，一份押韵词表转着圈写到第 550 号。源代码片段（截断、停止、未记录都"
      "有）：21596 段中 24 段（0.11%），都是寄存器表之类逐行编号的内容；手册：24002 段中 5 段。约 500 种语言的《世界人权宣言》、长思考、日志：0。"
      "植入 560 例（计数器、每次换一个词，14 种文字），找到 559 例。"},
     {"Long lists with one pattern that a limit cut look alike: it warns and fails no run. Tables, CSV, JSON, logs and code pass by their signs and numbers, "
      "so a loop that counts in code or JSON is missed. A loop with nothing but white space changing is repetition_loop.",
      "被长度上限截断的同一句式的长列表看起来一样：只警告，不判整次运行失败。表格、CSV、JSON、日志、代码因符号和数字多而放过，所以代码和 JSON 里带计数的"
      "循环会漏掉。只有空白不同的循环归 repetition_loop。"},
     {"A repetition penalty or a DRY sampler forbids the exact copy, and the model repeats with a number changed. Long lists asked of small or distilled "
      "models decay into one entry (arXiv:2606.13705). Otherwise as for repetition_loop: cache, mask, RoPE, all-reduce.",
      "重复惩罚或 DRY 采样器禁止原样复制，模型就换个数字再来一遍。让小模型、蒸馏模型写很长的列表，最后往往只剩同一条（arXiv:2606.13705）。其余同 repetition_loop："
      "KV cache、mask、RoPE、all-reduce。"},
     {"`vaa check RUN --export counter_loop --export-out again.jsonl` and send again with temperature and penalties of the model card; a loop that stays "
      "is compared with a reference engine at the same settings.",
      "用 `vaa check RUN --export counter_loop --export-out again.jsonl` 导出，按模型卡的温度和惩罚参数重发；仍然循环的，用同样设置在参照引擎上对比。"}}};

}  // namespace vaa
