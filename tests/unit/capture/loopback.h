// A server of the tests' own on 127.0.0.1: a thread a connection, which hands each request to a script and sends, holds back, closes or resets as that says.
#pragma once
#include <atomic>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace loopback {

struct Request {
  std::string head, body;   // head: request line and headers
  int connection = 0;       // from 0, in the order of connecting
  int on_connection = 0;    // from 0, in the order of requests of this connection
  int place = 0;            // from 0, over all requests in the order in which they were read
};

class Connection {
 public:
  explicit Connection(int fd) : fd_(fd) {}
  void send(std::string_view bytes);  // whole; a peer that is gone is no fault
  void close();                       // after what was sent
  void reset();                       // the peer sees "connection reset by peer"
  // Blocks until the peer has closed its side; false where a byte came instead.
  bool wait_for_close();
  bool open() const { return fd_ >= 0; }
  int fd() const { return fd_; }

 private:
  int fd_;
};

using Script = std::function<void(Connection&, const Request&)>;

class Server {
 public:
  explicit Server(Script script);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }
  int port() const { return port_; }
  int requests() const { return requests_; }
  int connections() const { return connections_; }

 private:
  void accept_all();
  void serve(int fd, int connection);
  Script script_;
  int listen_ = -1, port_ = 0;
  std::atomic<int> requests_{0}, connections_{0};
  std::mutex mutex_;
  std::vector<std::thread> threads_;
  std::vector<int> open_;
  bool stopped_ = false;
  std::thread acceptor_;
};

// "HTTP/1.1 200 OK" with Content-Length and this body.
std::string response(int status, std::string_view body, std::string_view content_type = "application/json", std::string_view more_headers = "");
// The head of a stream of events that ends with its connection, or chunked.
std::string stream_head(bool chunked = false);
std::string chunk(std::string_view bytes);   // "" : the last one
// The answer of a chat that says `text`.
std::string chat(std::string_view text);
// An event with a piece of text; finish "" : none.
std::string event(std::string_view text, std::string_view finish = "");

// A port on which nothing listens.
int closed_port();

}  // namespace loopback
