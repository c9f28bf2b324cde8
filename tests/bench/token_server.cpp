#include "token_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace {

struct Stream {
  std::string in, out;     // what was read of a request; what is to be sent
  int left = 0;            // tokens to send
  double due_s = 0;
};

double now_s() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

std::string chunk(const std::string& bytes) {
  char size[32];
  std::snprintf(size, sizeof size, "%zx\r\n", bytes.size());
  return size + bytes + "\r\n";
}

// A chunk as vLLM writes it.
std::string event(int token, bool last) {
  return chunk("data: {\"id\":\"chatcmpl-0f8fad5b-d9cb-469f-a165-70867728950e\",\"object\":\"chat.completion.chunk\",\"created\":1796000000,\"model\":\"toy\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\" word" +
               std::to_string(token % 1000) + "\"},\"logprobs\":null,\"finish_reason\":" + (last ? "\"length\"" : "null") + ",\"stop_reason\":null,\"token_ids\":[" + std::to_string(1000 + token % 100000) + "]}]}\n\n");
}

class Serving {
 public:
  explicit Serving(const TokenServer& options) : options_(options) {}

  int run() {
    epoll_ = ::epoll_create1(0);
    listen_ = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    if (::bind(listen_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 || ::listen(listen_, 4096) != 0) return 1;
    ::getsockname(listen_, reinterpret_cast<sockaddr*>(&address), &size);
    std::printf("%d\n", ntohs(address.sin_port));
    std::fflush(stdout);
    watch(listen_);
    watch(0);
    while (!over_) turn();
    return 0;
  }

 private:
  void watch(int fd) {
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.fd = fd;
    ::epoll_ctl(epoll_, EPOLL_CTL_ADD, fd, &event);
  }
  void turn() {
    epoll_event events[256];
    const int count = ::epoll_wait(epoll_, events, 256, sending_ == 0 ? 1000 : options_.pace_s > 0 ? 1 : 0);
    for (int i = 0; i < count; ++i) {
      const int fd = events[i].data.fd;
      if (fd == 0) over_ = true;
      else if (fd == listen_) accept_all();
      else read(fd);
    }
    const double now = now_s();
    std::vector<int> gone;
    for (auto& [fd, stream] : streams_)
      if (!send(fd, &stream, now)) gone.push_back(fd);
    for (const int fd : gone) drop(fd);
  }
  void accept_all() {
    for (int fd; (fd = ::accept4(listen_, nullptr, nullptr, SOCK_NONBLOCK)) >= 0;) {
      const int one = 1;
      ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
      streams_[fd];
      watch(fd);
    }
  }
  void drop(int fd) {
    if (streams_[fd].left > 0) --sending_;
    streams_.erase(fd);
    ::close(fd);
  }
  void read(int fd) {
    char bytes[65536];
    const ssize_t n = ::recv(fd, bytes, sizeof bytes, 0);
    if (n <= 0) {
      if (n == 0 || errno != EAGAIN) drop(fd);
      return;
    }
    Stream& stream = streams_[fd];
    stream.in.append(bytes, static_cast<size_t>(n));
    const size_t head = stream.in.find("\r\n\r\n");
    if (head == std::string::npos) return;
    const size_t at = stream.in.find("Content-Length: ");
    const size_t length = at == std::string::npos ? 0 : std::strtoul(stream.in.c_str() + at + 16, nullptr, 10);
    if (stream.in.size() < head + 4 + length) return;
    stream.in.clear();
    if (!options_.stream) {
      const std::string body = R"({"id":"c","object":"chat.completion","created":1,"model":"toy","choices":[{"index":0,"message":{"role":"assistant","content":"28"},"finish_reason":"stop","token_ids":[171,2]}],"usage":{"prompt_tokens":4,"completion_tokens":2,"total_tokens":6}})";
      stream.out += "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
      return;
    }
    stream.out += "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";
    stream.left = options_.tokens;
    // Streams that begin together do not send together.
    stream.due_s = now_s() + options_.pace_s * (fd % 97) / 97;
    ++sending_;
  }
  // The next token of a stream, if it is due and the last one is sent.
  bool send(int fd, Stream* stream, double now) {
    if (stream->left > 0 && stream->out.size() < 512 && now >= stream->due_s) {
      stream->due_s += options_.pace_s;
      --stream->left;
      stream->out += event(stream->left, stream->left == 0);
      if (stream->left == 0) {
        stream->out += chunk("data: [DONE]\n\n") + chunk("");
        --sending_;
      }
    }
    if (stream->out.empty()) return true;
    const ssize_t n = ::send(fd, stream->out.data(), stream->out.size(), MSG_NOSIGNAL);
    if (n < 0) return errno == EAGAIN;
    stream->out.erase(0, static_cast<size_t>(n));
    return true;
  }

  TokenServer options_;
  int epoll_ = -1, listen_ = -1, sending_ = 0;
  bool over_ = false;
  std::unordered_map<int, Stream> streams_;
};

}  // namespace

int serve_tokens(const TokenServer& options) { return Serving(options).run(); }
