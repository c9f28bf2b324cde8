// Answers that all begin alike from some repeat or dataset on.
#include <algorithm>
#include <map>

#include "quality/rates.h"
#include "quality/run/run_features.h"

namespace vaa {
namespace {

constexpr int64_t kFewest = 20;        // answers of a group
constexpr double kNearlyAll = 0.9;     // of the group begin so
constexpr double kElsewhere = 0.3;     // of the others at most begin so
constexpr double kSure = 1e-6;         // p over all groups that were looked at

struct Group {
  std::vector<uint32_t> answers;
  uint32_t opening = 0;  // the commonest; of two, the smaller hash
  bool odd = false;
  int64_t count = 0;     // answers that begin so
};
Group read_group(const RunFeatures& run, std::vector<uint32_t> answers) {
  Group out;
  std::map<uint32_t, int64_t> openings;
  for (const uint32_t i : answers) openings[run.trace(i).opening] += 1;
  for (const auto& [opening, count] : openings) {
    if (count > out.count) out.opening = opening, out.count = count;
  }
  for (const uint32_t i : answers) out.odd = out.odd || (run.trace(i).opening == out.opening && run.trace(i).is(KeptTrace::kOddOpening));
  out.answers = std::move(answers);
  return out;
}
int64_t begin_so(const RunFeatures& run, const Group& group, uint32_t opening) {
  return std::count_if(group.answers.begin(), group.answers.end(), [&](uint32_t i) { return run.trace(i).opening == opening; });
}

// Groups whose answers nearly all begin alike where those of the others do not. Same questions begin alike, so repeats are held against each other; datasets only where the word is odd.
void compare(const RunFeatures& run, const std::vector<Group>& groups, bool only_odd, RunFound* out) {
  if (groups.size() < 2) return;
  int64_t all = 0;
  for (const Group& group : groups) all += static_cast<int64_t>(group.answers.size());
  out->n += all;
  for (const Group& group : groups) {
    const auto n = static_cast<int64_t>(group.answers.size());
    if (static_cast<double>(group.count) < kNearlyAll * static_cast<double>(n) || (only_odd && !group.odd)) continue;
    int64_t others = 0;
    for (const Group& other : groups) others += &other == &group ? 0 : begin_so(run, other, group.opening);
    if (static_cast<double>(others) > kElsewhere * static_cast<double>(all - n)) continue;
    const double p = std::min(1.0, fisher_more(group.count, n, others, all - n) * static_cast<double>(groups.size()));
    if (p > kSure) continue;
    out->k += group.count;
    out->p = std::isnan(out->p) ? p : std::min(out->p, p);
    for (const uint32_t i : group.answers) {
      if (run.trace(i).opening == group.opening) out->samples.push_back({i});
    }
  }
}

RunFound look(const RunFeatures& run) {
  RunFound out;
  std::vector<Group> datasets;
  for (size_t d = 0; d < run.datasets(); ++d) {
    std::map<int32_t, std::vector<uint32_t>> repeats;
    std::vector<uint32_t> all;
    for (const uint32_t i : run.of_dataset(d)) {
      if (!run.answered(i)) continue;
      repeats[run.sample(i).repeat].push_back(i);
      all.push_back(i);
    }
    std::vector<Group> groups;
    for (auto& [repeat, answers] : repeats) {
      if (static_cast<int64_t>(answers.size()) >= kFewest) groups.push_back(read_group(run, std::move(answers)));
    }
    compare(run, groups, false, &out);
    if (static_cast<int64_t>(all.size()) >= kFewest) datasets.push_back(read_group(run, std::move(all)));
  }
  const int64_t within = out.n, found = out.k;
  if (found == 0) compare(run, datasets, true, &out);
  out.n = std::max(within, out.n - within);
  if (out.n == 0) out.words = {"no two repeats or datasets of 20 and more answers to compare", "没有两次各含 20 个以上回答的重复或数据集可供比较"};
  return out;
}

}  // namespace

extern const RunCheck kFirstTokenCollapse;
const RunCheck kFirstTokenCollapse = {
    "first_token_collapse", 1.0, false, look,
    {"answers that all begin with the same word", "以同一个词开头的回答"},
    {"Nearly all answers of one repeat or dataset begin with the same word, and those of the others do not.", "某次重复或某个数据集的回答几乎都以同一个词开头，而其他的并非如此。"},
    {{"Repeats of one dataset (20 answers each): 90 % of one repeat begin with the same word, at most 30 % of the other repeats do, p below 1e-6 over all repeats. Datasets against each other only where the word is odd: neither letter, digit, emoji nor a mark that Markdown, code or quotations begin with. Shown only.",
      "同一数据集的各次重复（各 20 个以上回答）：某次重复有 90% 以同一个词开头，而其他重复至多 30% 如此，校正后 p 小于 1e-6。数据集之间只在该词异常时比较：不是字母、数字、表情，也不是 Markdown、代码或引文常用的开头符号。仅列出。"},
     {"Models begin alike by nature (\"To\", \"Okay\", \"The\"), and the same questions make them begin alike in every repeat. None of 227 models is named by itself.",
      "模型的开头天然相似（“To”“Okay”“好的”），同样的提示词在每次重复中开头也相似。227 个模型单独检查时均未误报。"},
     {"Repeats asked with different system prompts; one repeat answered by another model.",
      "各次重复使用了不同的系统提示；某次重复由另一个模型回答。"},
     {"NaN logits that make token 0 (\"!\") the first one, a draft model whose first token is always taken, a chat template that changed between repeats, state left over by dummy graph runs (vllm-ascend#10901, vllm-ascend#11408).",
      "NaN logits 使首个词元恒为 0 号（“!”）、投机解码总接受首个草稿词元、两次重复之间对话模板改变、图模式空跑残留状态（vllm-ascend#10901、vllm-ascend#11408）。"},
     {"Send one of the questions alone with \"logprobs\": true, \"top_logprobs\": 20, \"max_tokens\": 1 and look whether the first token is likely.",
      "用 \"logprobs\": true、\"top_logprobs\": 20、\"max_tokens\": 1 单独发送其中一题，看首个词元的概率是否合理。"}}};

}  // namespace vaa
