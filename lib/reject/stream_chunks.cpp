#include "reject/stream_chunks.h"

#include "records/json_tree.h"

namespace vaa {
namespace {

constexpr int64_t kMost = int64_t{1} << 40;

}  // namespace

ChunkCount chunk_count(std::string_view extra) {
  ChunkCount out;
  JsonTree tree;
  if (extra.find("\"chunk_tokens\"") == std::string_view::npos || !parse_json_tree(extra, &tree)) return out;
  for (const TreeMember& run : member(tree, "chunk_tokens").members) {
    if (!run.second.is(JsonKind::kArray) || run.second.members.size() != 2) return {};
    const int64_t ids = run.second.members[0].second.integer(), chunks = run.second.members[1].second.integer();
    if (ids < 0 || chunks < 0 || chunks > kMost - out.chunks) return {};
    if (ids == 0) continue;
    out.chunks += chunks;
    if (ids > 1) out.longer += chunks;
  }
  return out;
}

}  // namespace vaa
