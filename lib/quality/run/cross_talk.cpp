// Answers to someone else's question.
#include <algorithm>
#include <utility>

#include "quality/run/run_features.h"

namespace vaa {
namespace {

constexpr size_t kFewestPrompts = 20;
constexpr uint32_t kRareShare = 100;     // a term is rare that at most one in so many prompts has
constexpr uint32_t kMostPostings = 64;   // and never more prompts than this
constexpr int kOwnRare = 3;              // rare terms that the own prompt must have, none of them used
constexpr uint32_t kTheirs = 3;          // rare terms of the other prompt that the answer uses, and
constexpr double kTheirShare = 0.5;      // share of that prompt's rare terms, and
constexpr uint32_t kLead = 2;            // so many more than of the prompt that comes next

// Different terms with a number each: open addressing over 32-bit keys. As small as they allow: it is looked up for each term of the run.
class TermNumbers {
 public:
  // nullptr: not there.
  uint32_t* find(uint32_t term) {
    Slot& slot = at(term);
    return slot.term == term ? &slot.number : nullptr;
  }
  void add(uint32_t term) {
    if (2 * size_ >= slots_.size()) grow();
    Slot& slot = at(term);
    size_ += slot.term != term;
    slot.term = term;
  }

 private:
  struct Slot {
    uint32_t term = 0, number = 0;  // 0 is no term
  };
  Slot& at(uint32_t term) {
    size_t i = (term * 0x9e3779b1U) & (slots_.size() - 1);
    while (slots_[i].term != 0 && slots_[i].term != term) i = (i + 1) & (slots_.size() - 1);
    return slots_[i];
  }
  void grow() {
    std::vector<Slot> old(2 * slots_.size());
    old.swap(slots_);
    for (const Slot& slot : old)
      if (slot.term != 0) at(slot.term) = slot;
  }
  std::vector<Slot> slots_ = std::vector<Slot>(1024);
  size_t size_ = 0;
};

class Matcher {
 public:
  Matcher(const RunFeatures& run, const std::vector<uint32_t>& candidates) : run_(run), rare_(std::clamp<uint32_t>(static_cast<uint32_t>(run.trail().prompts()) / kRareShare, 1, kMostPostings)) {
    each_term(candidates, [&](uint32_t term) { counts_.add(term); });
    for (uint32_t p = 0; p < run.trail().prompts(); ++p) {
      for (const uint32_t term : run.trail().prompt_terms(p)) {
        if (uint32_t* count = counts_.find(term)) *count += 1;
      }
    }
  }
  bool rare(uint32_t term) {
    const uint32_t* count = counts_.find(term);
    return count && *count > 0 && *count <= rare_;
  }
  // Enough rare terms of its own prompt for the answer to use, and it uses none: 1; it uses some: 0; too few to tell: -1.
  int silent(uint32_t i) {
    const KeptTrace& trace = run_.trace(i);
    const std::span<const uint32_t> own = run_.trail().prompt_terms(trace.prompt);
    int count = 0;
    for (size_t t = 0; t < own.size(); ++t) {
      if (!rare(own[t])) continue;
      if (trace.used >> t & 1) return 0;
      ++count;
    }
    return count >= kOwnRare ? 1 : -1;
  }
  // Where the rare terms of these answers stand.
  void index(const std::vector<uint32_t>& answers) {
    each_answer_term(answers, [&](uint32_t term) {
      if (rare(term)) wanted_.add(term);
    });
    for (uint32_t p = 0; p < run_.trail().prompts(); ++p) {
      for (const uint32_t term : run_.trail().prompt_terms(p)) {
        if (wanted_.find(term)) postings_.push_back({term, p});
      }
    }
    std::sort(postings_.begin(), postings_.end());
    for (size_t i = postings_.size(); i-- > 0;) *wanted_.find(postings_[i].first) = static_cast<uint32_t>(i);
    uses_.assign(run_.trail().prompts(), 0);
  }
  // The prompt whose answer it is instead of its own's; KeptTrace::kNone: no other stands out.
  uint32_t other(uint32_t i) {
    const KeptTrace& trace = run_.trace(i);
    used_.clear();
    for (const uint32_t term : run_.trail().answer_terms(trace.answer_terms)) {
      const uint32_t* const first = wanted_.find(term);
      if (!first) continue;
      for (size_t at = *first; at < postings_.size() && postings_[at].first == term; ++at)
        if (uses_[postings_[at].second]++ == 0) used_.push_back(postings_[at].second);
    }
    uint32_t best = 0, next = 0, prompt = 0;
    for (const uint32_t p : used_) {
      const uint32_t count = std::exchange(uses_[p], 0);
      if (p == trace.prompt) continue;
      if (count > best) next = best, best = count, prompt = p;
      else next = std::max(next, count);
    }
    if (best < kTheirs || best < next + kLead) return KeptTrace::kNone;
    int theirs = 0;
    for (const uint32_t term : run_.trail().prompt_terms(prompt)) theirs += rare_in_all(term);
    return static_cast<double>(best) >= kTheirShare * theirs ? prompt : KeptTrace::kNone;
  }

 private:
  using Posting = std::pair<uint32_t, uint32_t>;  // term, prompt
  template <class Each>
  void each_answer_term(const std::vector<uint32_t>& answers, Each each) const {
    for (const uint32_t i : answers) {
      for (const uint32_t term : run_.trail().answer_terms(run_.trace(i).answer_terms)) each(term);
    }
  }
  template <class Each>
  void each_term(const std::vector<uint32_t>& answers, Each each) const {
    each_answer_term(answers, each);
    for (const uint32_t i : answers) {
      for (const uint32_t term : run_.trail().prompt_terms(run_.trace(i).prompt)) each(term);
    }
  }
  // What no candidate has was not counted: it is taken as rare.
  bool rare_in_all(uint32_t term) {
    const uint32_t* count = counts_.find(term);
    return !count || *count <= rare_;
  }

  const RunFeatures& run_;
  TermNumbers counts_;
  uint32_t rare_;
  std::vector<Posting> postings_;
  TermNumbers wanted_;          // of each term in postings_ the first
  std::vector<uint32_t> uses_;  // by prompt, of the answer that is looked at
  std::vector<uint32_t> used_;  // prompts that it uses
};

RunFound look(const RunFeatures& run) {
  RunFound out;
  out.certain = true;
  if (run.trail().prompts() < kFewestPrompts) {
    out.words = {"fewer than 20 different prompts are recorded", "记录的不同提示词少于 20 条"};
    return out;
  }
  std::vector<uint32_t> candidates;
  for (uint32_t i = 0; i < run.size(); ++i) {
    if (!run.answered(i) || run.trace(i).prompt == KeptTrace::kNone) continue;
    out.n += 1;
    if (run.trace(i).answer_terms != KeptTrace::kNone) candidates.push_back(i);
  }
  Matcher matcher(run, candidates);
  std::vector<uint32_t> silent;
  for (const uint32_t i : candidates) {
    const int state = matcher.silent(i);
    out.n -= state < 0;
    if (state == 1) silent.push_back(i);
  }
  matcher.index(silent);
  std::vector<uint32_t> first(run.trail().prompts(), KeptTrace::kNone);  // sample of each prompt
  for (uint32_t i = 0; i < run.size(); ++i) {
    const uint32_t prompt = run.trace(i).prompt;
    if (prompt != KeptTrace::kNone) first[prompt] = std::min(first[prompt], i);
  }
  for (const uint32_t i : silent) {
    const uint32_t prompt = matcher.other(i);
    if (prompt != KeptTrace::kNone) out.samples.push_back({i, first[prompt]});
  }
  out.k = static_cast<int64_t>(out.samples.size());
  return out;
}

}  // namespace

extern const RunCheck kCrossTalk;
const RunCheck kCrossTalk = {
    "cross_talk", 0.001, false, look,
    {"answers to another prompt", "答非所问（串扰）"},
    {"The answer uses the rare words and numbers of another prompt of the run and none of its own: it answers someone else's question.", "回答使用了本次运行中另一条提示词的罕见词与数字，却没有用到自己的：它回答的是别人的问题。"},
    {{"Terms are words of four letters, numbers of two digits, and pairs of Han, Kana or Hangul; the last 64 different ones of the prompt's last 1,024 bytes count. A term is rare that at most 1 % of the run's prompts have, and never more than 64. An answer is found that uses none of at least 3 rare terms of its own prompt, and at least 3 of another prompt, half of that prompt's, and 2 more than of any further prompt. It needs 20 different prompts.",
      "词项为四个字母以上的单词、两位以上的数字、相邻两个汉字（假名、谚文）；取提示词最后 1,024 字节中最后 64 个不同词项。至多 1%（且不超过 64 条）提示词含有的词项为罕见词。若回答没有用到自己提示词的任何罕见词（至少 3 个），却用到另一条提示词的至少 3 个、占其一半以上、且比其他任何提示词多 2 个以上，即判定。需要 20 条不同的提示词。"},
     {"0 of 33,962 answers of strong chat models with their own prompts, 4 of 179,272 of 227 models, all weak ones (0.002 %, below 0.006 % at 95 %). With prompts exchanged it finds one in five answers to one-line questions (5,886 of 28,650): those whose prompt has enough rare words.",
      "43 个强模型的 33,962 个回答误报 0 个，227 个模型的 179,272 个回答误报 4 个，均为弱模型（0.002%，95% 置信上限 0.006%）。把提示词打乱后，对一句话的问题能找出五分之一（28,650 个中的 5,886 个），即提示词含有足够罕见词的那些。"},
     {"Short answers, prompts of common words, and questions that all share one vocabulary are not seen. A model that ignores its prompt and happens to speak of another's subject looks the same.",
      "短回答、只含常用词的提示词、词汇完全相同的提示词无法识别。模型忽略提示词而恰好谈到另一题的主题时看起来相同。"},
     {"Responses given to the wrong request: a stale or exchanged block table after a batch was condensed (vllm-ascend#9727), a prefix-cache hit on the wrong blocks (vllm-ascend#5269), KV transfer between the wrong requests (vllm-ascend#5660, vllm-ascend#8853), request ids mixed up in a proxy or client.",
      "把响应交给了错误的请求：batch 压缩后 block table 过期或错位（vllm-ascend#9727）、前缀缓存命中错误的块（vllm-ascend#5269）、PD 分离时 KV 传错请求（vllm-ascend#5660、vllm-ascend#8853）、代理或客户端弄混请求 id。"},
     {"Send the named prompt and its other alone, one after the other: right answers then, and wrong ones under load, name the batch. Then once with prefix caching off and once at concurrency 1.",
      "把报告点名的提示词与其对应的另一条单独先后发送：单独正确而并发时错误，则问题在批处理。再分别关闭前缀缓存、把并发设为 1 各跑一次。"}}};

}  // namespace vaa
