#include "records/random_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "base/failure.h"
#include "base/figures.h"

namespace vaa {

RandomFile::RandomFile(RandomFile&& other) noexcept { *this = std::move(other); }

RandomFile& RandomFile::operator=(RandomFile&& other) noexcept {
  std::swap(name_, other.name_);
  std::swap(use_, other.use_);
  std::swap(fd_, other.fd_);
  std::swap(size_, other.size_);
  return *this;
}

RandomFile::~RandomFile() {
  if (fd_ >= 0) ::close(fd_);
}

RandomFile RandomFile::plain(const std::string& path) {
  RandomFile out;
  out.name_ = path;
  out.fd_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (out.fd_ < 0) fail(errno == ENOENT ? VAA_ERROR_NOT_FOUND : VAA_ERROR_IO, path + ": cannot open: " + std::strerror(errno));
  return out;
}

RandomFile RandomFile::temporary(const Use& use) {
  RandomFile out;
  out.use_ = use;
  std::string faults;
  for (const char* folder : {"/var/tmp", "/tmp"}) {
    std::string path = std::string(folder) + "/vaa-XXXXXX";
    out.fd_ = ::mkostemp(path.data(), O_CLOEXEC);
    if (out.fd_ < 0) {
      faults += std::string(faults.empty() ? "" : ", ") + folder + ": " + std::strerror(errno);
      continue;
    }
    ::unlink(path.c_str());
    out.name_ = std::string("a temporary file in ") + folder;
    return out;
  }
  fail(VAA_ERROR_IO, std::string("cannot make a temporary file for ") + use.of + " (" + faults + "); make one of the folders writable, or " + use.instead);
}

void RandomFile::append(std::string_view bytes) {
  if (size_ + static_cast<int64_t>(bytes.size()) > kMaxUnpacked)
    fail(VAA_ERROR_CAPACITY, name_ + ": more than " + std::to_string(kMaxUnpacked >> 30) + " GiB would be needed for " + use_.of + "; " + use_.instead);
  const int64_t needed = size_ + static_cast<int64_t>(bytes.size());
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd_, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail(VAA_ERROR_IO, name_ + " for " + use_.of + ": cannot grow from " + grouped(size_) + " to " + grouped(needed) + " bytes: " + std::strerror(errno) + "; make room there, or " + use_.instead);
    size_ += n;
    bytes.remove_prefix(static_cast<size_t>(n));
  }
}

void RandomFile::read(int64_t offset, size_t bytes, std::string* out) const {
  out->resize(bytes);
  size_t have = 0;
  while (have < bytes) {
    const ssize_t n = ::pread(fd_, out->data() + have, bytes - have, static_cast<off_t>(offset) + static_cast<off_t>(have));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail(VAA_ERROR_IO, name_ + ": cannot read: " + std::strerror(errno));
    if (n == 0) break;
    have += static_cast<size_t>(n);
  }
  out->resize(have);
}

}  // namespace vaa
