// The answer was cut before its end (docs/records.md, in that order).
#include <algorithm>

#include "quality/features.h"

namespace vaa {
namespace {

State detect(const Features& features, std::vector<Finding>* findings) {
  const Ending& ending = features.ending();
  Finding finding;
  finding.severity = Severity::kInfo;
  finding.part = Part::kSample;
  if (ending.cut == Ending::Cut::kNo) return State::kNo;
  if (ending.cut == Ending::Cut::kCertain) {
    finding.reason = ending.reason;
  } else {
    const auto runs_on = [](const Loop& loop) { return loop.tail && loop.severity >= Severity::kWarn; };
    finding.confidence = Confidence::kSuspected;
    if (features.thought().unclosed == State::kFound) finding.reason = "open_thought";
    else if (std::any_of(features.loops().begin(), features.loops().end(), runs_on)) finding.reason = "loop";
    else return State::kUnknown;
  }
  findings->push_back(finding);
  return State::kFound;
}

}  // namespace

extern const Detector kTruncated = {
    "truncated", Severity::kInfo, 0.05, 2, detect,
    {"cut", "被截断"},
    {"The answer was cut off before its end, most often by the length limit.", "回答没有写完就被截断，多半是到了长度上限。"},
    {{"In this order: finish reason length, abort or error: certain. Any other finish reason: no. Completion tokens at or above max_tokens: certain. A "
      "stream without its end, or an error beside a part of an answer: certain. A thought that never closes, or a loop to the very end: suspected. Else "
      "unknown, never \"no\".",
      "依次判断：结束原因是 length、abort、error：确定。其他结束原因：没有截断。输出词元数达到 max_tokens：确定。流式响应没有收尾，或报错时已有部分回答："
      "确定。思考没有结束，或循环一直到末尾：疑似。其余一律“未知”，不当作“没有”。"},
     {"Nothing to measure, the record says it. Only certain ones count. The ceiling of 5 % is a choice: a token budget made for the task stays below it, and "
      "above it the score is one of the budget. AISBench, lm-eval and OpenCompass record no finish reason: their answers are suspected or unknown.",
      "没有要校准的量，记录里写着。只有确定的才计数。上限 5% 是人定的：给任务配足了长度就到不了，超过了，得分反映的就是长度预算。AISBench、lm-eval、"
      "OpenCompass 不记结束原因，它们的回答只会是疑似或未知。"},
     {"A right answer may be cut too; the account has a row for it. `truncated: true` of llama.cpp says that the prompt was cut. Runs with ignore_eos end at "
      "the limit on purpose. Never leave the cut answers out of a score: they are those of the hard questions.",
      "答对的也可能被截断，报告的“错误回答的原因”里单列一行。llama.cpp 的 `truncated: true` 指提示词被截，不是回答。开 ignore_eos 的压测本来就跑满。不要把被"
      "截断的剔出去再算分：它们多半是难题。"},
     {"The budget, most often: default limits are 16 tokens (vLLM completions), 20 (MindIE /infer), 256 (lm-eval), 512 (AISBench), and runs are compared "
      "under unlike ones (49,152 on GPU, 9,500 on NPU in one published table). Loops that run to the limit: see repetition_loop on the same answers. End "
      "token not applied, so that the model goes on with the next turn (vllm#5924, TensorRT-LLM#425). A stream that breaks: AISBench takes one without "
      "[DONE] for complete.",
      "最常见的是长度给少了：默认上限 vLLM completions 16、MindIE /infer 20、lm-eval 256、AISBench 512；还有两边上限不一样就拿来比的（某公开对比表 GPU 49152、"
      "NPU 9500）。循环跑满：看同一批回答有没有 repetition_loop。结束符没生效，模型接着编下一轮对话（vllm#5924、TensorRT-LLM#425）。流式响应中途断开：没有"
      " [DONE] 的流，AISBench 也当作完整。"},
     {"The rate needs no sample: the difference of `vllm:request_success_total{finished_reason=\"length\"}` before and after the run. Then repeat with twice "
      "the max_tokens: answers that end now lacked budget; those that still reach the limit loop or never get their end token.",
      "要比例不必看样本：跑前跑后各取一次 `vllm:request_success_total{finished_reason=\"length\"}` 相减即可。然后把 max_tokens 加倍重跑：能收尾的是长度不够；仍"
      "跑满的，要么在循环，要么结束符没生效。"}}};

}  // namespace vaa
