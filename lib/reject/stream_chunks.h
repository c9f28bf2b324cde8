// How many ids came with each chunk of a streamed answer, as its record has it. A verify step puts out what it accepted and one more, so that chunks of one id are all that comes where nothing is accepted.
#pragma once
#include <cstdint>
#include <string_view>

namespace vaa {

struct ChunkCount {
  int64_t chunks = 0, longer = 0;  // with ids; of them with two ids or more
};
// Of a record's extra: "chunk_tokens": [[ids, chunks in a row], …]. Nothing where it is not recorded, or not so.
ChunkCount chunk_count(std::string_view extra);

}  // namespace vaa
