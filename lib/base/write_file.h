// A file that is whole or not there: written beside its name and renamed when complete.
#pragma once
#include <string>
#include <string_view>

namespace vaa {

class AtomicFile {
 public:
  // Opens "<path>.part-<pid>-<n>" in the same folder. Throws Failure (VAA_ERROR_IO) that names the path and why. A path that is no plain file (a pipe, /dev/null), or that names a file which
  // is open already (/dev/stdout, /dev/fd/3), is written in place; of a link, what it leads to is replaced.
  explicit AtomicFile(std::string path);
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  ~AtomicFile();  // without commit(): nothing is left
  void write(std::string_view bytes);  // buffered
  void commit();                       // flush, sync, rename

 private:
  void flush();
  [[noreturn]] void broken(const char* doing) const;
  std::string path_, temporary_;
  std::string buffer_;
  int fd_ = -1;
};

// Bytes to a descriptor of the caller, in whole; throws Failure (VAA_ERROR_IO).
void write_fully(int fd, std::string_view bytes, std::string_view name);

}  // namespace vaa
