// Where strips wait for their partners: in memory up to a bound, beyond it in a temporary file without a name.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "records/random_file.h"

namespace vaa {

class StripRoom {
 public:
  static constexpr int64_t kMemory = int64_t{64} << 20;
  explicit StripRoom(int64_t memory = kMemory) : memory_(memory) {}
  // Keeps the bytes; the number asks for them. Throws Failure (VAA_ERROR_IO: no room on the disk, with how much was needed and where).
  int32_t keep(std::string bytes);
  std::string read(int32_t number) const;  // Throws Failure (VAA_ERROR_IO)
  void drop(int32_t number);
  int64_t held() const { return held_; }        // bytes in memory
  int64_t spilled() const { return spilled_; }  // bytes that were written to the file

 private:
  struct Entry {
    std::string bytes;
    int64_t offset = -1;  // in the file; -1: in memory
    int64_t size = 0;
  };
  int64_t memory_, held_ = 0, spilled_ = 0;
  std::vector<Entry> entries_;
  std::vector<int32_t> free_;
  RandomFile file_;
};

}  // namespace vaa
