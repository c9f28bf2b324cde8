// What an ask is for, and what requests carry then.
#include "base/failure.h"
#include "base/nearest_name.h"
#include "capture/request.h"

namespace vaa::capture {
namespace {

constexpr Purpose kTable[] = {
    // name      ids   greedy top-k  refuse times
    {"quality", true, false, 0, false, 1, "answers to check: token ids and finish reasons are asked for, nothing else is changed",
     "用于检查的回答：请求词元 id 与结束原因，不改变其他内容"},
    {"compare", true, true, 20, false, 1, "answers to compare token by token: greedy, with token ids and the logprobs of the top 20",
     "用于逐词元比较的回答：贪心，带词元 id 与前 20 个 logprob"},
    {"spec", true, false, 0, true, 1, "answers of speculative decoding: token ids and finish reasons only, and nothing that switches it off",
     "投机解码的回答：只请求词元 id 与结束原因，不带任何会关闭它的字段"},
    {"cache", true, true, 0, false, 2, "each request twice, the second after the first, so that its prefix is cached: greedy, with token ids",
     "每个请求发送两次，第二次在第一次之后，使其前缀已被缓存：贪心，带词元 id"},
};

}  // namespace

std::span<const Purpose> purpose_table() { return kTable; }

const Purpose& find_purpose(std::string_view name) {
  std::string names;
  std::vector<std::string_view> known;
  for (const Purpose& purpose : kTable) {
    if (name == purpose.name) return purpose;
    names += (names.empty() ? "" : ", ") + std::string(purpose.name);
    known.push_back(purpose.name);
  }
  const std::string_view near = nearest_name(name, known);
  fail(VAA_ERROR_OPTION, "for: " + quoted(name) + " is no purpose" + (near.empty() ? "" : "; did you mean " + std::string(near) + "?") + "; allowed are " + names);
}

}  // namespace vaa::capture
