#include "loopback.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace loopback {
namespace {

int listen_on_any_port(int* port) {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  if (fd < 0 || ::bind(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 || ::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) != 0) std::abort();
  *port = ntohs(address.sin_port);
  return fd;
}

// The next request of a connection; false at its end. `rest` holds what was read past the one before.
bool read_request(int fd, std::string* rest, Request* out) {
  char bytes[65536];
  size_t head = 0, length = 0;
  for (;;) {
    if (head == 0 && (head = rest->find("\r\n\r\n")) != std::string::npos) {
      head += 4;
      const size_t at = rest->substr(0, head).find("Content-Length: ");
      length = at == std::string::npos ? 0 : std::strtoul(rest->c_str() + at + 16, nullptr, 10);
    } else if (head == std::string::npos) {
      head = 0;
    }
    if (head > 0 && rest->size() >= head + length) break;
    const ssize_t n = ::recv(fd, bytes, sizeof bytes, 0);
    if (n <= 0) return false;
    rest->append(bytes, static_cast<size_t>(n));
  }
  out->head = rest->substr(0, head);
  out->body = rest->substr(head, length);
  rest->erase(0, head + length);
  return true;
}

}  // namespace

void Connection::send(std::string_view bytes) {
  while (open() && !bytes.empty()) {
    const ssize_t n = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (n <= 0) return;
    bytes.remove_prefix(static_cast<size_t>(n));
  }
}

void Connection::close() {
  if (open()) ::shutdown(std::exchange(fd_, -1), SHUT_RDWR);
}

void Connection::reset() {
  if (!open()) return;
  const linger none{1, 0};
  ::setsockopt(fd_, SOL_SOCKET, SO_LINGER, &none, sizeof none);
  fd_ = -1;  // the server closes it, which resets
}

bool Connection::wait_for_close() {
  char byte;
  return ::recv(fd_, &byte, 1, 0) <= 0;
}

Server::Server(Script script) : script_(std::move(script)) {
  listen_ = listen_on_any_port(&port_);
  if (::listen(listen_, 4096) != 0) std::abort();
  acceptor_ = std::thread([this] { accept_all(); });
}

Server::~Server() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    stopped_ = true;
    ::shutdown(listen_, SHUT_RDWR);
    for (const int fd : open_) ::shutdown(fd, SHUT_RDWR);
  }
  acceptor_.join();
  for (std::thread& thread : threads_) thread.join();
  ::close(listen_);
}

void Server::accept_all() {
  for (;;) {
    const int fd = ::accept4(listen_, nullptr, nullptr, SOCK_CLOEXEC);
    if (fd < 0) return;
    const int one = 1;
    ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    const std::lock_guard<std::mutex> lock(mutex_);
    if (stopped_) {
      ::close(fd);
      return;
    }
    open_.push_back(fd);
    threads_.emplace_back([this, fd, connection = connections_++] { serve(fd, connection); });
  }
}

void Server::serve(int fd, int connection) {
  Connection peer(fd);
  std::string rest;
  Request request;
  request.connection = connection;
  while (peer.open() && read_request(fd, &rest, &request)) {
    request.place = requests_++;
    script_(peer, request);
    ++request.on_connection;
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  open_.erase(std::find(open_.begin(), open_.end(), fd));
  ::close(fd);
}

std::string response(int status, std::string_view body, std::string_view content_type, std::string_view more_headers) {
  return "HTTP/1.1 " + std::to_string(status) + " Words\r\nContent-Type: " + std::string(content_type) + "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n" + std::string(more_headers) + "\r\n" +
         std::string(body);
}

std::string stream_head(bool chunked) {
  return std::string("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\n") + (chunked ? "Transfer-Encoding: chunked\r\n\r\n" : "Connection: close\r\n\r\n");
}

std::string chunk(std::string_view bytes) {
  char size[32];
  std::snprintf(size, sizeof size, "%zx\r\n", bytes.size());
  return size + std::string(bytes) + "\r\n";
}

std::string chat(std::string_view text) {
  return R"({"id":"chatcmpl-1","object":"chat.completion","created":1,"model":"toy","choices":[{"index":0,"message":{"role":"assistant","content":")" + std::string(text) +
         R"("},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":2,"total_tokens":5}})";
}

std::string event(std::string_view text, std::string_view finish) {
  const std::string reason = finish.empty() ? "null" : "\"" + std::string(finish) + "\"";
  return R"(data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"toy","choices":[{"index":0,"delta":{"content":")" + std::string(text) + R"("},"finish_reason":)" + reason +
         "}]}\n\n";
}

int closed_port() {
  int port = 0;
  ::close(listen_on_any_port(&port));
  return port;
}

}  // namespace loopback
