// Decompression of a stream, a piece at a time.
#pragma once
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace vaa {

constexpr size_t kUnpackChunk = size_t{256} << 10;

class Unpacker {
 public:
  virtual ~Unpacker() = default;
  // Bytes made of input[at…]; 0: more input is needed, or a fault.
  virtual size_t unpack(char* out, size_t capacity, std::string* fault) = 0;
  // The input has ended: a fault where that is inside a frame or member.
  virtual void end(std::string* fault) = 0;
  virtual bool ended() const { return false; }  // what follows is padding
  std::vector<char> input;
  size_t at = 0;
};

// By the first bytes; nullptr: not compressed.
std::unique_ptr<Unpacker> make_unpacker(std::string_view head);

}  // namespace vaa
