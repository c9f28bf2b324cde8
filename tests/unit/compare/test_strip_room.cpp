#include <sys/resource.h>

#include <csignal>

#include "base/failure.h"
#include "catch.h"
#include "compare/strip_room.h"

using namespace vaa;

namespace {

// Files may grow to that many bytes while it lives.
class FileLimit {
 public:
  explicit FileLimit(rlim_t bytes) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    signal_ = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit low{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &low);
  }
  ~FileLimit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, signal_);
  }

 private:
  rlimit before_{};
  void (*signal_)(int) = nullptr;
};

}  // namespace

TEST_CASE("strip room: where its file cannot grow, the message says how much was needed, where, and what to do", "[compare]") {
  StripRoom room(0);
  std::string message;
  vaa_status status = VAA_OK;
  {
    const FileLimit limit(4096);
    room.keep(std::string(3000, 'a'));
    try {
      room.keep(std::string(3000, 'b'));
    } catch (const Failure& failure) {
      message = failure.message();
      status = failure.status();
    }
  }
  CHECK(status == VAA_ERROR_IO);
  CHECK(message.find("a temporary file in /") == 0);
  CHECK(message.find("for answers that wait for their partners: cannot grow from 4,096 to 6,000 bytes: File too large; make room there, or write both runs in one order") != std::string::npos);
  CHECK(room.read(0) == std::string(3000, 'a'));
}
