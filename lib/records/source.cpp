#include "records/source.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/failure.h"
#include "base/task.h"
#include "records/unpack.h"

namespace vaa {
namespace {

[[noreturn]] void refuse(const std::string& path, const char* doing) {
  const int error = errno;
  fail(error == ENOENT || error == ENOTDIR ? VAA_ERROR_NOT_FOUND : VAA_ERROR_IO, path + ": " + doing + ": " + std::strerror(error));
}

size_t read_some(int fd, char* out, size_t capacity, const std::string& path) {
  for (;;) {
    const ssize_t n = ::read(fd, out, capacity);
    if (n >= 0) return static_cast<size_t>(n);
    if (errno != EINTR) refuse(path, "cannot read");
  }
}

// Returns when bytes or the end are there.
void await_bytes(int fd, const Task& task) {
  constexpr int kMilliseconds = 50;
  pollfd waited{fd, POLLIN, 0};
  do task.check();
  while (::poll(&waited, 1, kMilliseconds) == 0);
}

}  // namespace

Descriptor::~Descriptor() {
  if (fd >= 0) ::close(fd);
}

Source::Source(std::string path) : path_(std::move(path)) {
  file_.fd = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat info {};
  if (file_.fd < 0 || ::fstat(file_.fd, &info) != 0) refuse(path_, "cannot open");
  if (S_ISDIR(info.st_mode)) fail(VAA_ERROR_IO, path_ + ": is a folder");
  regular_ = S_ISREG(info.st_mode);
  size_ = regular_ ? static_cast<int64_t>(info.st_size) : 0;
  char first[4];
  while (head_.size() < sizeof first) {
    const size_t n = read_some(file_.fd, first, sizeof first - head_.size(), path_);
    if (n == 0) break;
    head_.append(first, n);
  }
  unpacker_ = make_unpacker(head_);
}

Source::~Source() = default;

size_t Source::read(char* out, size_t capacity) {
  if (capacity == 0 || !fault_.empty()) return 0;
  return unpacker_ ? read_packed(out, capacity) : read_plain(out, capacity);
}

size_t Source::read_plain(char* out, size_t capacity) {
  size_t n = std::min(capacity, head_.size());
  if (n > 0) {
    std::memcpy(out, head_.data(), n);
    head_.erase(0, n);
  } else {
    if (!regular_ && task_) await_bytes(file_.fd, *task_);
    n = read_some(file_.fd, out, capacity, path_);
  }
  done_ += static_cast<int64_t>(n);
  return n;
}

size_t Source::read_packed(char* out, size_t capacity) {
  for (;;) {
    const size_t made = unpacker_->unpack(out, capacity, &fault_);
    if (made > 0 || !fault_.empty() || unpacker_->ended()) return made;
    unpacker_->input.resize(kUnpackChunk);
    const size_t n = read_plain(unpacker_->input.data(), kUnpackChunk);
    unpacker_->input.resize(n);
    unpacker_->at = 0;
    if (n == 0) {
      unpacker_->end(&fault_);
      return 0;
    }
  }
}

ByteWindow::ByteWindow(std::unique_ptr<Source> source, size_t chunk) : source_(std::move(source)), buffer_(chunk) {}

bool ByteWindow::more() {
  if (begin_ == end_) {
    begin_ = end_ = 0;
  } else if (end_ == buffer_.size()) {
    const size_t unread = end_ - begin_;
    // Moved only where at least as much has been taken, so each byte moves a bounded number of times.
    if (unread <= buffer_.size() / 2) {
      std::memmove(buffer_.data(), buffer_.data() + begin_, unread);
    } else {
      std::vector<char> larger(buffer_.size() * 2);
      std::memcpy(larger.data(), buffer_.data() + begin_, unread);
      buffer_.swap(larger);
    }
    begin_ = 0;
    end_ = unread;
  }
  const size_t n = source_->read(buffer_.data() + end_, buffer_.size() - end_);
  end_ += n;
  read_ += static_cast<int64_t>(n);
  return n > 0;
}

}  // namespace vaa
