// A text that is read out of order. A plain file is read where it lies; packed ones are unpacked, one behind another, to a temporary file without a name.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace vaa {

class RandomFile {
 public:
  static constexpr int64_t kMaxUnpacked = int64_t{64} << 30;
  RandomFile() = default;
  RandomFile(RandomFile&& other) noexcept;
  RandomFile& operator=(RandomFile&& other) noexcept;
  ~RandomFile();

  // The file itself. Throws Failure: VAA_ERROR_NOT_FOUND, VAA_ERROR_IO.
  static RandomFile plain(const std::string& path);
  // What a temporary file is for, and what else can be done where there is no room, for messages.
  struct Use {
    const char *of, *instead;
  };
  static constexpr Use kUnpacked{"what was unpacked", "unpack the files beside the run"};
  // An empty temporary file, in /var/tmp or /tmp. Throws Failure (VAA_ERROR_IO).
  static RandomFile temporary(const Use& use = kUnpacked);
  // Of a temporary file: appends; its offset is size() before. Throws Failure: VAA_ERROR_IO (no room), VAA_ERROR_CAPACITY (over kMaxUnpacked).
  void append(std::string_view bytes);
  int64_t size() const { return size_; }
  // Up to `bytes` bytes at `offset`: fewer at the end. Throws Failure (VAA_ERROR_IO).
  void read(int64_t offset, size_t bytes, std::string* out) const;

 private:
  std::string name_;
  Use use_ = kUnpacked;
  int fd_ = -1;
  int64_t size_ = 0;
};

}  // namespace vaa
