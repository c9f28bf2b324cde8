// A unit of the output comes again and again (docs/detectors.md; the rules are in quality/loops.cpp).
#include "quality/features.h"
#include "text/utf8.h"

namespace vaa {
namespace {

void set_tokens(const Run& run, Finding* finding) {
  finding->onset_token = static_cast<int64_t>(run.begin);
  finding->length_tokens = static_cast<int64_t>(run.cover());
  finding->period_tokens = static_cast<int64_t>(run.period);
}

State detect(const Features& features, std::vector<Finding>* findings) {
  for (const Loop& loop : features.loops()) {
    Finding finding;
    if (loop.tokens) {
      finding.part = Part::kSample;
      set_tokens(loop.run, &finding);
    } else {
      const TextPart& part = features.parts()[loop.part == Part::kReasoning ? 1 : 0];
      finding = features.place(part, loop.run.begin, loop.run.cover());
      if (loop.copies == 0) {
        finding.period_bytes = static_cast<int64_t>(loop.run.period);
        finding.period_chars = static_cast<int64_t>(utf8_count(part.text.substr(loop.run.begin, loop.run.period)));
      }
      if (loop.in_tokens.period != 0) set_tokens(loop.in_tokens, &finding);
    }
    finding.count = static_cast<int64_t>(loop.copies > 0 ? loop.copies : loop.run.count());
    finding.severity = loop.severity;
    finding.confidence = loop.confidence;
    finding.reason = loop.reason;
    findings->push_back(finding);
  }
  if (!features.loops().empty()) return State::kFound;
  if (!features.ending().by_repetition) return State::kNo;
  Finding finding;
  finding.part = Part::kSample;
  finding.reason = "finish_reason";  // the engine saw it and stopped
  findings->push_back(finding);
  return State::kFound;
}

}  // namespace

extern const Detector kRepetitionLoop = {
    "repetition_loop", Severity::kFail, 0.01, 3, detect,
    {"looping", "循环重复"},
    {"The output repeats the same piece over and over instead of going on.", "输出一遍又一遍地重复同一段内容，不再向前推进。"},
    {{"A run with period p is a text that equals itself moved by p, all along; every p up to 16,384 bytes or tokens is found. Words, to the end of an answer "
      "that did not stop by itself: 4 whole copies over 100 bytes (24 tokens), or over 40 where it was cut and is nothing else; that stopped: 8 over 300 "
      "(72); there, copies that differ in white space only are equal. Words, anywhere: 10 copies over 600 bytes (150), or 4 over 1,500 (400), the latter a "
      "warning where 300 bytes follow or a thought went on to an answer. Lines of code (no three words side by side; a fifth digits and signs of programs, "
      "or indented capitals) and lists of one constant: a warning, unless they run over 600 bytes into a cut. No words, at the end only: 20 copies over 100 "
      "bytes where the answer was cut (rules, white space and numbers: 128 over 200); over 600 where not, a warning. Finish reason not recorded and under "
      "300 bytes: a warning.",
      "文本与自身错开 p 后处处相同，就是周期为 p 的重复；p 不超过 16384 字节（或词元）都能找到。重复的是文字且一直到末尾：不是自行停止的"
      "回答，4 次完整重复、覆盖 100 字节（24 词元），被截断且全文只有这段重复的，40 字节即可；自行停止的，8 次、300 字节（72 tok"
      "en）；此处只有空白不同的也算相同。在任意位置：10 次、600 字节（150 词元），或 4 次、1500 字节（400 词元）；后者若其"
      "后还有 300 字节，或在思考内且之后给出了回答，只判警告。代码行（没有三个词相连，数字和程序符号占五分之一，或缩进的全大写）和同一常量的列表只判警告，"
      "除非被截断且覆盖 600 字节。没有文字的只看末尾：被截断的 20 次、100 字节（横线、空白、数字：128 次、200 字节），没被截断的 600 "
      "字节且只判警告。没有记录结束原因、覆盖又不足 300 字节的，只判警告。"},
     {"Published answers without a finish reason (alpaca_eval): 34,615 of strong models, 8 of severity fail (0.023 %), all read: 6 loops and 2 programs in "
      "malbolge; 182,723 of 227 models, 361 (0.20 %). Universal Declaration of Human Rights in some 500 languages: 0. Source code, cut, stopped and with "
      "nothing recorded: 1 of 21,596 pieces, unrolled assembly at a cut; manuals: 0 of 24,002. A share of repeated 4-grams over 0.35, the usual rule, flags "
      "83 % of the same source code, 62 % of the manuals and 95 % of the declarations.",
      "公开回答（alpaca_eval，没有结束原因）：强模型 34615 条，判严重 8 条（0.023%），逐条看过：6 条真循环，2 条是 malbol"
      "ge 程序；全部 227 个模型 182723 条，361 条（0.20%）。约 500 种语言的《世界人权宣言》：0。源代码（截断、停止、未记录都有）"
      "21596 段：1，是在展开的汇编中间截断的；手册 24002 段：0。通行的“4-gram 重复率超过 0.35”规则，在同一批源代码上报 83%，手"
      "册上报 62%，《宣言》上报 95%。"},
     {"Dividers, dot leaders, matrices of zeros, hex dumps, base64, 1/7, refrains and templates pass, and in an answer that stopped by itself rows of data "
      "(JSON objects, separated values), lists of one constant, and one word of up to three letters below 1,500 bytes. Info only: a repetition that the "
      "prompt asks for (a number in it within 1.5 of the copies, answer not cut), one that the prompt itself holds, and runs with ignore_eos. Missed: "
      "entries that change a little each time (counter_loop, low_diversity), and a thought that goes round in ever new words.",
      "分隔线、目录点线、零矩阵、十六进制转储、base64、1/7、副歌、模板都不会误报；自行停止的回答里，成行的数据（JSON 对象、分隔值）、同一常量的列表、1500 字"
      "节以内不超过三个字母的单个词，也不报。只判提示的：提示词要求重复（题中有数字与次数相差不超过 1.5，且未被截断）、提示词自己就含这段重复、开了 ignore_eos 的"
      "压测。漏报：每次略有变化的条目（见 counter_loop、low_diversity），以及换着说法兜圈子的思考。"},
     {"Attention or cache reads the wrong place: exclusive causal mask in PCP+MTP, good for about 100 tokens, then a loop (vllm-ascend#11849); stale block "
      "tables after the batch is condensed (vllm-ascend#9727); YaRN tables cut to the original length, fine up to there (vllm-ascend#1332); partial rotary "
      "size ignored by the fused operator (vllm-ascend#2601). All-reduce missing or doubled in MoE (vllm-ascend#10557, vllm-ascend#9488). Speculation: W8A8 MTP with "
      "full decode graph (vllm-ascend#7595), quantised KV (vllm#40831). Penalties without effect under async scheduling (vllm-ascend#7789). NaN logits, one "
      "token for ever (vllm#22881). End token not applied (TensorRT-LLM#425). Small or distilled models at low temperature loop by themselves.",
      "注意力或 KV cache 读错位置：PCP+MTP 的因果掩码少算自身，前约 100 个词元正常，随后循环（vllm-ascend#11849）；batch 压缩后 block table 过期（"
      "vllm-ascend#9727）；YaRN 的 cos/sin 表被截到原始长度，之内一切正常（vllm-ascend#1332）；融合算子忽略 partial rotary 维度（vllm-ascend#2601）。MoE 少做"
      "或多做一次 all-reduce（vllm-ascend#10557、vllm-ascend#9488）。投机解码：W8A8 MTP 加 decode 整图模式（vllm-ascend#7595），KV 量化（vllm#40831）。异步调度下各种"
      " penalty 失效（vllm-ascend#7789）。logits 出 NaN，此后只剩一个词元（vllm#22881）。结束符没生效（TensorRT-LLM#425）。小模型、蒸馏模型在低温下本来就容"
      "易循环。"},
     {"Look at the onsets first: near one position in all answers points to RoPE or cache, soon after the prompt to prefill. Then `vaa check RUN --export "
      "repetition_loop --export-out again.jsonl`, and send those requests again one at a time: gone, it is batching or cache; else without speculation, then "
      "in eager mode, then on a reference engine with the same weights, sampling and seed.",
      "先看起点：各条都在同一位置附近，多半是 RoPE 或 KV cache；紧跟在提示词之后，多半是 prefill。再用 `vaa check RUN --export repetition_loop --export-out "
      "again.jsonl` 导出请求，逐条单发：不再循环，问题在组 batch 或 cache；仍循环，就依次关投机解码、改 eager，最后用同样的权重、采样参数和 seed 在参照引擎上"
      "跑。"}}};

}  // namespace vaa
