#include "compare/symptoms.h"

#include <algorithm>

namespace vaa {

std::span<const Symptom> symptom_table() {
  static const Symptom kTable[] = {
      {"score_noise", {"the score moved, and no more than chance moves it", "得分有变化，但不超过随机波动"}, {"the benchmark's own noise", "基准测试自身的波动"}, {"more questions or more repeats on both sides", "两侧增加题目或重复次数"}},
      {"more_failed", {"more requests failed", "更多请求失败"}, {"the server's log, time-outs, load", "服务器日志、超时、负载"}, {"the failed requests again at a lower concurrency", "降低并发后重发失败的请求"}},
      {"more_empty", {"more answers are empty", "更多空回答"}, {"stop strings, chat template, reasoning parser, end-of-sequence ids", "停止串、对话模板、推理解析器、结束符 id"}, {"the same questions without stream and as raw completions", "同样的题目，非流式并用原始补全接口"}},
      {"more_cut", {"more answers are cut", "更多回答被截断"}, {"max_tokens, context length, time-outs; a limit alone can make the whole difference", "max_tokens、上下文长度、超时；仅上限不同就足以造成全部差异"}, {"the cut questions with the larger limit", "用较大的上限重做被截断的题"}},
      {"more_looping", {"more answers loop", "更多回答循环"}, {"long-context drift, sampler state, KV cache; speculation, quantisation", "长上下文漂移、采样器状态、KV 缓存；投机解码、量化"}, {"the looping questions again on both, each switch off in turn", "在两侧重做循环的题，逐个关闭开关"}},
      {"more_unclosed", {"more thoughts never end", "更多思考没有结束"}, {"chat template, reasoning parser, token limit", "对话模板、推理解析器、长度上限"}, {"the open questions as raw completions", "用原始补全接口重做这些题"}},
      {"more_garbled", {"more answers are garbled", "更多回答乱码"}, {"detokenizer, KV cache and slots, quantisation scales, collectives", "反分词器、KV 缓存与槽位、量化比例、集合通信"}, {"the garbled questions at concurrency 1, then with the cache off", "并发 1 重做乱码的题，再关闭缓存"}},
      {"more_not_extracted", {"right answers are no longer extracted", "正确答案不再被提取"}, {"answer format, chat template, the framework's version", "答案格式、对话模板、评测框架版本"}, {"the same answers through both extractions", "用两种提取方式处理同样的回答"}},
      {"more_plain_wrong", {"more well-formed answers are wrong", "更多格式完好的回答答错"}, {"weights, quantisation, template, sampling parameters: nothing is broken to look at", "权重、量化、模板、采样参数：没有可见的损坏"}, {"greedy answers with ids and logprobs of both, from which token they part", "两侧贪心回答并记录 id 与对数概率，找出从哪个词元分开"}},
      {"more_at_limit", {"more answers reach their token limit", "更多回答达到长度上限"}, {"max_tokens on both sides; loops; a penalty that is not applied", "两侧的 max_tokens；循环；未生效的惩罚"}, {"the same limit on both sides", "两侧使用相同上限"}},
      {"longer", {"answers became longer", "回答变长"}, {"sampling parameters, penalties, end-of-sequence ids, thinking mode", "采样参数、惩罚、结束符 id、思考模式"}, {"the longest questions again with the reference's request, word for word", "用参考侧的原请求重做最长的题"}},
      {"shorter", {"answers became shorter", "回答变短"}, {"token limit, stop strings, time-outs, thinking mode", "长度上限、停止串、超时、思考模式"}, {"finish reasons of the shortest answers; the limit of both requests", "最短回答的结束原因；两侧请求的上限"}},
      {"other_answers", {"the runs agree less with each other than with themselves", "两侧之间的一致性低于各自内部"}, {"sampling parameters, template, weights", "采样参数、模板、权重"}, {"greedy answers of both to the questions that part most", "对分歧最大的题，两侧给出贪心回答"}},
      {"first_token", {"the first token has another law", "首个词元的分布不同"}, {"prompt and template, prefill, weights, sampler; other tokenizers have other ids", "提示词与模板、预填充、权重、采样器；分词器不同则 id 不同"}, {"one token with its top logprobs of each prompt on both sides", "两侧对每个提示词取一个词元及其最高对数概率"}},
      {"opening_law", {"the first tokens have another law with speculation", "投机解码下前几个词元的分布不同"}, {"rejection sampler: the p and q that it is given, what it emits after a rejection, temperature and cuts of verified rows, seeds", "拒绝采样器：所用的 p 与 q、拒绝后发出的词元、验证行的温度与截断、种子"}, {"the probe inside the engine and vaa reject on what it wrote (docs/probe.md)", "在引擎内使用探针，并对其输出运行 vaa reject（docs/probe.md）"}},
      {"other_prompt_ids", {"the same words came as other prompt ids", "同样的文字变成了不同的提示词 id"}, {"chat template, add_special_tokens, tokenizer revision", "对话模板、add_special_tokens、分词器版本"}, {"the reference's ids sent as prompt_token_ids", "把参考侧的 id 作为 prompt_token_ids 发送"}},
      {"logprob_mode", {"logprobs of the two sides are of two kinds", "两侧的对数概率不是同一种"}, {"logprobs mode, sampling parameters of the client", "对数概率模式、客户端的采样参数"}, {"the same run with --logprobs-mode raw_logprobs on both sides", "两侧都用 --logprobs-mode raw_logprobs 重跑"}},
      {"impossible_logprobs", {"logprobs that cannot be: NaN, above 0, or adding to over 1", "不可能的对数概率：NaN、大于 0 或之和超过 1"}, {"the sampler and its logprobs (NaN in the logits, log-softmax), the client that records them", "采样器及其对数概率（logits 中的 NaN、log-softmax）、记录它们的客户端"}, {"the request of the first one alone, without speculation, with its 20 likeliest tokens", "单独重发第一处的请求，关闭投机解码，并记录 20 个最可能的词元"}},
      {"output_handling", {"the same ids, another text, tool call or finish reason", "id 相同，文本、工具调用或结束原因不同"}, {"detokenizer, stop strings, reasoning and tool parsers", "反分词、停止串、思考与工具解析器"}, {"the same requests without parsers; the ids decoded offline", "关闭解析器重发相同请求；离线解码这些 id"}},
      {"early_end", {"answers stop early with the reference's own ids", "回答用参考侧相同的 id，却提前结束"}, {"stop strings and ids, end-of-sequence ids of generation_config.json, token limit, streams that are lost", "停止串与停止 id、generation_config.json 的结束符、长度上限、丢失的流"}, {"the shortest ones without stream and without stop strings; finish_reason and stop_reason of each", "最短的几条，非流式且不带停止串重发；查看各自的 finish_reason 与 stop_reason"}},
      {"other_limit", {"the two runs had other token limits", "两次运行的长度上限不同"}, {"max_tokens: truncation alone can make the difference", "max_tokens：仅截断就可能造成差异"}, {"both runs with the larger limit", "两侧都用较大的上限"}},
      {"prefill_wrong", {"the first token is already wrong, by more than noise", "首个词元已经错误，超出噪声"}, {"weights, scales of quantisation, sharding of embedding or LM head, RoPE base, first-layer kernels, attention mask", "权重、量化尺度、嵌入或 LM head 的切分、RoPE 基数、首层内核、注意力掩码"}, {"bf16 weights; one device; one layer dumped on both sides", "bf16 权重；单设备；两侧各导出一层"}},
      {"large_swings", {"answers part where no near tie was", "在没有近似并列的地方分开"}, {"decode attention, writing and slots of the KV cache, graph mode, where the first token is right", "首个词元正确时：解码注意力、KV 缓存的写入与槽位、图模式"}, {"eager mode; the reference's tokens scored as a prompt (prompt_logprobs): where that is clean the decode path is at fault", "eager 模式；把参考侧词元作为提示词评分（prompt_logprobs）：若正常则问题在解码路径"}},
      {"more_noise", {"more noise than the reference has by itself, at near ties", "近似并列处的噪声大于参考侧自身"}, {"dtype of accumulation, 8-bit weights or activations, order of reductions over devices", "累加精度、8 位权重或激活、跨设备归约次序"}, {"both sides against the same model in fp32", "两侧都与同一模型的 fp32 比较"}},
      {"parts_sooner", {"answers part sooner than the reference from itself", "比参考侧与自身更早分开"}, {"noise or a fault: ids alone do not tell", "噪声或故障：仅凭 id 无法区分"}, {"the same greedy answers with the 20 likeliest tokens recorded", "同样的贪心回答，并记录 20 个最可能的词元"}},
      {"seeds_part_sooner", {"sampled answers of one seed part sooner than the reference from itself", "同一种子的采样回答比参考侧与自身更早分开"}, {"noise, a fault or another sampler: ids alone do not tell", "噪声、故障或不同的采样器：仅凭 id 无法区分"}, {"the same answers with the 20 likeliest tokens recorded; greedy ones of both sides", "同样的回答并记录 20 个最可能的词元；两侧的贪心回答"}},
      {"draws_differ", {"the distributions are alike, and other tokens are drawn from them with one seed", "分布相近，同一种子采样出的词元却不同"}, {"the sampler: order of its filters, ties, generator and its key, seeds that do not reach the request, speculation", "采样器：过滤次序、并列处理、生成器及其键、未传到请求的种子、投机解码"}, {"`vaa sampler` on both runs, `vaa align` on both configurations; `vaa replay` where logits can be dumped", "对两次运行用 `vaa sampler`，对两侧配置用 `vaa align`；能导出 logits 时用 `vaa replay`"}},
      {"decode_drifts", {"prefill of the same tokens is clean, decode drifts", "同样的词元预填充正常，解码漂移"}, {"decode kernels, quantised KV cache, speculation", "解码内核、KV 缓存量化、投机解码"}, {"kv_cache_dtype=auto and no speculation; eager mode", "kv_cache_dtype=auto 并关闭投机解码；eager 模式"}},
      {"prefill_drifts", {"decode is clean, prefill of the same tokens drifts", "解码正常，同样的词元预填充漂移"}, {"prefill attention, chunked prefill, prefix cache, padding of long batches", "预填充注意力、分块预填充、前缀缓存、长批次的填充"}, {"chunked prefill and prefix cache off; one request at a time", "关闭分块预填充与前缀缓存；一次一个请求"}},
      {"drift_small", {"the distributions drift by more than the reference's own, by less than weights of 8 bits cost", "分布漂移大于参考侧自身，小于 8 位权重的损失"}, {"dtype of accumulation, 8-bit activations or KV cache, order of reductions over devices", "累加精度、8 位激活或 KV 缓存、跨设备归约次序"}, {"both sides against the same model in fp32", "两侧都与同一模型的 fp32 比较"}},
      {"drift_large", {"the distributions are those of another model: mean KL above 0.01 nats, or under 97 % the same first token", "分布如同另一个模型：平均 KL 超过 0.01 nat，或首选词元相同不足 97%"}, {"quantised weights, a wrong scale or zero point, a wrong revision", "权重量化、错误的尺度或零点、错误的版本"}, {"hashes of the weights; unquantised weights", "权重的哈希；未量化的权重"}},
      {"steps_at_position", {"the noise steps up at a position", "噪声从某个位置起突增"}, {"switch of RoPE, YaRN or longrope, sliding window, dtype of an index, at the number that lies there", "RoPE、YaRN 或 longrope 的切换、滑动窗口、索引的数据类型，对应落在此处的数值"}, {"the same text behind a prefix that shifts it; another value of that number", "在同一文本前加前缀使其平移；改变该数值"}},
      {"steps_at_block", {"the noise steps up at a multiple of a block or chunk", "噪声在块或分块的倍数处突增"}, {"block table of the paged KV cache, chunked prefill, context parallelism", "分页 KV 的块表、分块预填充、上下文并行"}, {"another block size; chunked prefill off", "改变块大小；关闭分块预填充"}},
      {"grows_with_position", {"the noise grows slowly with the position", "噪声随位置缓慢增长"}, {"precision of accumulation in attention, softmax in bf16", "注意力的累加精度、bf16 的 softmax"}, {"softmax and attention in fp32", "softmax 与注意力使用 fp32"}},
      {"target_varies", {"the target differs from itself by more than the reference does", "目标侧与自身的差异大于参考侧"}, {"kernels that depend on the batch, asynchronous scheduling, padding, graph capture sizes, dispatch and combine of experts", "依赖批次的内核、异步调度、填充、图捕获尺寸、专家分发与合并"}, {"batch size 1; batch-invariant mode; tensor parallel alone", "批大小为 1；批次不变模式；仅张量并行"}},
  };
  return kTable;
}

const Symptom* find_symptom(std::string_view name) {
  const auto table = symptom_table();
  const auto found = std::find_if(table.begin(), table.end(), [&](const Symptom& s) { return name == s.name; });
  return found == table.end() ? nullptr : &*found;
}

}  // namespace vaa
