// Keeps SIGPIPE from this thread while it lives: an old OpenSSL writes to a connection that is gone without asking for silence. Nothing but the thread's mask is touched.
#pragma once
#include <curl/curl.h>

#include <csignal>
#include <ctime>

namespace vaa::capture {

class QuietPipe {
 public:
  // From 7.87 on libcurl writes for OpenSSL, silently.
  static bool is_needed() { return curl_version_info(CURLVERSION_NOW)->version_num < 0x075700; }
  explicit QuietPipe(bool needed) : needed_(needed) {
    if (!needed_) return;
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  ~QuietPipe() {
    if (!needed_ || sigismember(&before_, SIGPIPE)) return;
    const timespec at_once{};
    sigtimedwait(&pipe_, nullptr, &at_once);  // takes the one that came meanwhile
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  QuietPipe(const QuietPipe&) = delete;
  QuietPipe& operator=(const QuietPipe&) = delete;

 private:
  bool needed_;
  sigset_t pipe_{}, before_{};
};

}  // namespace vaa::capture
