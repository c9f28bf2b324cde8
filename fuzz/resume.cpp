// Files of answers from any bytes: refused with one line, or cut to whole answers; what is left without those that failed is read again as the same.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <string>

#include "base/failure.h"
#include "capture/resume.h"
#include "must.h"

using namespace vaa;
using namespace vaa::capture;

namespace {

Resumed read(const std::string& bytes) {
  const int fd = ::memfd_create("resume", MFD_CLOEXEC);
  VAA_MUST(fd >= 0 && ::write(fd, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()));
  struct Close {
    int fd;
    ~Close() { ::close(fd); }
  } close{fd};
  return read_resumed(fd, "f", nullptr);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string bytes(reinterpret_cast<const char*>(data), size);
  try {
    const Resumed first = read(bytes);
    if (first.open_line) bytes += '\n';
    VAA_MUST(first.end >= 0 && first.end <= static_cast<int64_t>(bytes.size()));
    std::string left;
    int64_t at = 0;
    for (const auto& [from, to] : first.failed) {
      VAA_MUST(at <= from && from < to && to <= first.end);
      left.append(bytes, static_cast<size_t>(at), static_cast<size_t>(from - at));
      at = to;
    }
    left.append(bytes, static_cast<size_t>(at), static_cast<size_t>(first.end - at));
    const Resumed second = read(left);
    VAA_MUST(second.end == static_cast<int64_t>(left.size()) && second.keys == first.keys && second.header == first.header && !second.open_line && second.failed.empty());
  } catch (const Failure& failure) {
    VAA_MUST(failure.status() == VAA_ERROR_FORMAT && !failure.message().empty() && failure.message().find('\n') == std::string::npos);
  }
  return 0;
}
