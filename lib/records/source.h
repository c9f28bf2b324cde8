// The bytes of one file as a stream, decompressed: plain, gzip (several members) and zstd (several frames, also empty ones and such without a size), known by the
// first bytes. A pipe is a file like any other. Memory is bounded: 1 MiB of packed bytes and the window of the compression, at most 128 MiB.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace vaa {

class Task;
class Unpacker;  // of one compression

// A file descriptor, closed with its holder.
struct Descriptor {
  Descriptor() = default;
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor();
  int fd = -1;
};

class Source {
 public:
  // Opens. Throws Failure: VAA_ERROR_NOT_FOUND, VAA_ERROR_IO.
  explicit Source(std::string path);
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;
  ~Source();

  // Up to `capacity` bytes of the text; 0: the end, or a fault. Throws Failure (VAA_ERROR_IO) where the system refuses to read.
  size_t read(char* out, size_t capacity);
  // "" or why the text ended early: "ends inside a zstd frame".
  const std::string& fault() const { return fault_; }
  const std::string& path() const { return path_; }
  bool regular() const { return regular_; }      // can be opened again
  bool packed() const { return unpacker_ != nullptr; }
  int64_t size() const { return size_; }         // as it lies on disk; 0: not known
  int64_t done() const { return done_; }         // bytes taken of it
  // A read that waits for a pipe asks this task every 50 ms whether it was cancelled; null: it waits.
  void watch(const Task* task) { task_ = task; }

 private:
  friend class Unpacker;
  size_t read_packed(char* out, size_t capacity);
  size_t read_plain(char* out, size_t capacity);
  std::string path_, fault_;
  std::string head_;  // bytes read to know the compression and not handed on yet
  std::unique_ptr<Unpacker> unpacker_;
  Descriptor file_;
  bool regular_ = false;
  int64_t size_ = 0, done_ = 0;
  const Task* task_ = nullptr;
};

// The unread bytes of a source that are in memory. Grows as far as its user lets it; views of it are valid until the next more().
class ByteWindow {
 public:
  static constexpr size_t kChunk = size_t{1} << 20;
  explicit ByteWindow(std::unique_ptr<Source> source, size_t chunk = kChunk);

  std::string_view bytes() const { return std::string_view(buffer_.data() + begin_, end_ - begin_); }
  bool more();             // reads on behind bytes(); false: the end
  void take(size_t n) { begin_ += n; }
  int64_t offset() const { return read_ - static_cast<int64_t>(end_ - begin_); }  // in the text, of the first unread byte
  const Source& source() const { return *source_; }
  void watch(const Task* task) { source_->watch(task); }

 private:
  std::unique_ptr<Source> source_;
  std::vector<char> buffer_;
  size_t begin_ = 0, end_ = 0;
  int64_t read_ = 0;
};

}  // namespace vaa
