#include "base/write_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "base/failure.h"

namespace vaa {
namespace {

constexpr size_t kBuffer = size_t{1} << 18;

std::string why(int code) {
  char text[128];
  // The GNU form returns the text, which may be the buffer or not.
  return strerror_r(code, text, sizeof text);
}

// /dev/stdout, /dev/fd/3, /proc/self/fd/1: a name for a file that is open already, which a rename would take away from who opened it.
bool is_open_file(const std::string& path) {
  for (const char* place : {"/dev/std", "/dev/fd/", "/proc/"}) {
    if (path.rfind(place, 0) == 0) return true;
  }
  return false;
}

}  // namespace

void write_fully(int fd, std::string_view bytes, std::string_view name) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail(VAA_ERROR_IO, quoted(name, 400) + ": cannot write: " + why(errno));
    bytes.remove_prefix(static_cast<size_t>(n));
  }
}

AtomicFile::AtomicFile(std::string path) : path_(std::move(path)) {
  if (path_.find('\0') != std::string::npos) fail(VAA_ERROR_ARGUMENT, quoted(path_, 400) + ": a path cannot hold NUL");
  struct stat info {};
  const bool exists = ::stat(path_.c_str(), &info) == 0;
  if (exists && S_ISDIR(info.st_mode)) fail(VAA_ERROR_IO, quoted(path_, 400) + ": cannot write: it is a folder");
  if (exists && (!S_ISREG(info.st_mode) || is_open_file(path_))) {
    fd_ = ::open(path_.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
    if (fd_ < 0) broken("open");
    return;
  }
  // What a link leads to is renamed over, not the link.
  if (char resolved[PATH_MAX]; exists && ::realpath(path_.c_str(), resolved)) path_ = resolved;
  for (int attempt = 0; fd_ < 0; ++attempt) {
    temporary_ = path_ + ".part-" + std::to_string(::getpid()) + "-" + std::to_string(attempt);
    fd_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd_ < 0 && (errno != EEXIST || attempt == 100)) {
      temporary_.clear();
      broken("write");
    }
  }
  if (exists) (void)!::fchmod(fd_, info.st_mode & 07777);
}

AtomicFile::~AtomicFile() {
  if (fd_ >= 0) ::close(fd_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void AtomicFile::broken(const char* doing) const {
  fail(VAA_ERROR_IO, quoted(path_, 400) + ": cannot " + doing + ": " + why(errno));
}

void AtomicFile::write(std::string_view bytes) {
  buffer_.append(bytes);
  if (buffer_.size() >= kBuffer) flush();
}

void AtomicFile::flush() {
  write_fully(fd_, buffer_, path_);
  buffer_.clear();
}

void AtomicFile::commit() {
  flush();
  if (temporary_.empty()) return;
  if (::fsync(fd_) != 0 && errno != EINVAL) broken("write");
  if (::close(std::exchange(fd_, -1)) != 0) broken("write");
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) broken("write");
  temporary_.clear();
}

}  // namespace vaa
