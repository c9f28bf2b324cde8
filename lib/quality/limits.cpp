#include "quality/limits.h"

#include "base/figures.h"

namespace vaa {
namespace {

// The command of a framework that records more of the same run.
constexpr const char* kAisbenchIds = "ais_bench --models … --datasets … --response-anomaly --response-anomaly-payload-retention all";
constexpr const char* kAisbenchDetails = "ais_bench … --mode eval --reuse <timestamp> --dump-eval-details";
constexpr const char* kServerFields = "\"return_token_ids\": true, \"logprobs\": true, \"top_logprobs\": 20";

enum class Tool { kAisbench, kLmEval, kOther };
Tool tool_of(std::string_view format) {
  return format.substr(0, 8) == "aisbench" ? Tool::kAisbench : format.substr(0, 7) == "lm_eval" ? Tool::kLmEval : Tool::kOther;
}

// "any of 30 answers", "6 of 30 answers"; "全部 30 个回答", "30 个回答中有 6 个".
std::string of_en(int64_t n, int64_t all, const char* what) { return (all == 1 ? "the " : n == all ? "any of " : grouped(n) + " of ") + counted(all, what); }
std::string of_zh(int64_t n, int64_t all, const char* what) { return n == all ? "全部 " + grouped(all) + " " + what : grouped(all) + " " + what + "中有 " + grouped(n) + " 个"; }

Limit no_finish_reason(const Tally::State& state, Tool tool) {
  const int64_t n = state.with_output - state.with_finish;
  Limit limit{"finish_reason", n, state.with_output, {}, "", {}};
  limit.words = {"the finish reason is not recorded for " + of_en(n, state.with_output, "answers") + ": a cut is certain only where the tokens reach the limit",
                 of_zh(n, state.with_output, "个回答") + "未记录结束原因：只有词元数达到上限时才能确定被截断"};
  if (tool == Tool::kAisbench) {
    limit.next = kAisbenchIds;
    limit.words.en += "; with the token ids that this command keeps, max_out_len decides";
    limit.words.zh += "；用下面的命令保留词元 id 后，可由 max_out_len 判定";
  } else if (tool == Tool::kLmEval) {
    limit.next = "lm_eval … --gen_kwargs max_gen_toks=<twice as many>";
    limit.words.en += "; lm-eval keeps none: a larger max_gen_toks shows whether answers grow";
    limit.words.zh += "；lm-eval 不保存结束原因：调大 max_gen_toks 可看出回答是否变长";
  } else {
    limit.words.en += "; keep the server's whole response, with finish_reason and usage";
    limit.words.zh += "；请保留服务端的完整响应（finish_reason 与 usage）";
  }
  return limit;
}

Limit no_token_ids(const Tally::State& state, Tool tool) {
  const int64_t n = state.with_output - state.with_ids;
  Limit limit{"token_ids", n, state.with_output, {}, tool == Tool::kAisbench ? kAisbenchIds : tool == Tool::kOther ? kServerFields : "", {}, tool == Tool::kOther};
  limit.words = {"token ids are not recorded for " + of_en(n, state.with_output, "answers") + ": loops and leaks are judged on the text alone",
                 of_zh(n, state.with_output, "个回答") + "未记录词元 id：循环与泄漏仅凭文本判断"};
  if (tool == Tool::kLmEval) {
    limit.words.en += "; lm-eval keeps none";
    limit.words.zh += "；lm-eval 不保存";
  }
  return limit;
}

Limit no_scores(const Tally::State& state, const InputFacts& facts, Tool tool) {
  Limit limit{"score", state.with_output - state.with_score, state.with_output, {}, "", {}};
  if (facts.header && state.options.text) limit.next = facts.header->add_scores_command;
  if (limit.next.empty() && tool == Tool::kAisbench) limit.next = kAisbenchDetails;
  if (limit.next.empty() && tool == Tool::kLmEval) limit.next = "lm_eval … --log_samples";
  limit.words = {"no answer has a score of its own: what the wrong answers died of is not known", "没有逐题得分：无法得知错误回答的原因"};
  if (!limit.next.empty()) {
    limit.words.en += "; this command adds them without a device";
    limit.words.zh += "；下面的命令可补上，不需要加速卡";
  }
  return limit;
}

// Flags unknown on answers that are there: one limit for all of those with the same count.
void add_unknown_flags(const Tally::State& state, std::vector<Limit>* limits) {
  const size_t first = limits->size();
  for (size_t i = 0; i < state.flags.size(); ++i) {
    const int64_t unknown = state.with_output - state.flags[i].tested;
    if (!(state.enabled >> i & 1) || unknown <= 0 || state.with_output == 0) continue;
    size_t at = first;
    while (at < limits->size() && (*limits)[at].n != unknown) ++at;
    if (at == limits->size()) limits->push_back({"unknown", unknown, state.with_output, {}, "", {}});
    (*limits)[at].flags.push_back(detector_table()[i]->name);
  }
  for (size_t at = first; at < limits->size(); ++at) {
    Limit& limit = (*limits)[at];
    Said names;
    for (const std::string& flag : limit.flags) {
      names.en += (names.en.empty() ? "" : ", ") + flag;
      names.zh += (names.zh.empty() ? "" : "、") + flag;
    }
    limit.words = {names.en + ": unknown on " + (limit.of == 1 ? "the " : limit.n == limit.of ? "all " : grouped(limit.n) + " of ") + counted(limit.of, "answers"), names.zh + "：" + of_zh(limit.n, limit.of, "个回答") + "无法判断"};
  }
}

void add_counted(std::vector<Limit>* limits, const char* what, int64_t n, int64_t of, const std::string& en, const std::string& zh) {
  if (n > 0) limits->push_back({what, n, of, {}, "", {counted(n, en), grouped(n) + zh}});
}

}  // namespace

Said how_to_record(int flag, std::string_view format) {
  const int place = detector_table()[static_cast<size_t>(flag)]->account;
  const Tool tool = tool_of(format);
  if (place == kPlaceNotExtracted) {
    const char* command = tool == Tool::kAisbench ? kAisbenchDetails : tool == Tool::kLmEval ? "lm_eval … --log_samples" : "";
    return *command ? Said{std::string("record scores and extracted answers: ") + command, std::string("请记录得分与提取的答案：") + command}
                    : Said{"record score.gold and score.extracted", "请记录 score.gold 与 score.extracted"};
  }
  if (tool == Tool::kAisbench) return {std::string("record token ids: ") + kAisbenchIds, std::string("请记录词元 id：") + kAisbenchIds};
  return {std::string("keep the server's whole response (finish_reason, usage), asked with ") + kServerFields, std::string("请保留服务端的完整响应（finish_reason、usage），并在请求中加入 ") + kServerFields};
}

std::vector<Limit> run_limits(const Tally::State& state, const RunView& view, const InputFacts& facts) {
  const auto samples = static_cast<int64_t>(state.kept.size());
  const Tool tool = tool_of(facts.format);
  std::vector<Limit> limits;
  if (state.with_output > state.with_finish) limits.push_back(no_finish_reason(state, tool));
  if (state.with_output > state.with_ids) limits.push_back(no_token_ids(state, tool));
  if (state.with_output > 0 && state.with_score == 0) limits.push_back(no_scores(state, facts, tool));
  if (samples > state.with_prompt) {
    limits.push_back({"prompt", samples - state.with_prompt, samples, {}, "",
                      {"the prompt is not recorded for " + of_en(samples - state.with_prompt, samples, "samples") + ": what was asked for cannot be told from a fault",
                       of_zh(samples - state.with_prompt, samples, "个样本") + "未记录提示词：无法区分按要求的输出与故障"}});
  }
  add_unknown_flags(state, &limits);
  add_counted(&limits, "id", samples - state.with_id, samples, "samples without an id: paired with no other run", " 个样本没有 id：无法与其他运行配对");
  add_counted(&limits, "duplicate", view.duplicates(), samples, "samples with the dataset, id and repeat of another: counted as they stand", " 个样本的数据集、id 与重复序号与其他样本相同；按原样计入");
  add_counted(&limits, "forced", state.forced, samples, "teacher-forced samples: not judged", " 个样本为强制解码测量，不作判断");
  add_counted(&limits, "datasets", state.datasets_left_out, samples, "samples of further datasets: counted together as " + std::string(kOtherDatasets), " 个样本属于更多的数据集，合并计为 " + std::string(kOtherDatasets));
  return limits;
}

}  // namespace vaa
