// One request and its response inside the transport: a libcurl handle, set up once and used for one request after another, and what its callbacks learn.
#pragma once
#include <curl/curl.h>

#include <exception>
#include <memory>
#include <string>
#include <string_view>

#include "capture/transport.h"

namespace vaa::capture {

struct CurlEasyFreed {
  void operator()(CURL* easy) const { curl_easy_cleanup(easy); }
};
struct CurlListFreed {
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};
using CurlList = std::unique_ptr<curl_slist, CurlListFreed>;

// What all transfers of a transport share.
struct Shared {
  ConnectionOptions options;
  CurlList headers;             // of a POST and of a GET
  std::exception_ptr thrown;    // out of a sink; rethrown by Transport::run, as nothing may be thrown through libcurl
};

class Transfer {
 public:
  // Throws std::bad_alloc.
  explicit Transfer(Shared* shared);
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;
  CURL* easy() const { return easy_.get(); }
  HttpSink* sink() const { return sink_; }
  // Throws Failure (VAA_ERROR_OPTION) for a URL that is none.
  void begin(std::string_view url, std::string_view body, HttpSink* sink);
  // Says in *end how it ended, from libcurl's result.
  void finish(CURLcode result, HttpEnd* end) const;
  // The limit that is over at `now` (steady_s), as kTimeout or kIdle in *end; false: none is.
  bool overdue(double now, HttpEnd* end) const;
  // What is known of the response so far.
  void describe(HttpEnd* end) const;

  // What is read until arrives_now() arrived `quiet_s` ago.
  void arrived(double quiet_s);
  void arrives_now() { late_ = false; }
  // When the last bytes arrived, where they are read late; else now. Of now_s().
  double time_s() const { return late_ ? arrived_s_ : now_s(); }
  // Seconds that what comes next may wait, by what came since the last call.
  double patience(double now);

  size_t place = 0;             // in the transport's list of those in flight
  // Kept by the transport: the socket that libcurl has it watch, the events it asks for, and when the socket is read next; 0: as soon as something comes.
  int socket = -1;
  uint32_t wanted = 0;
  double read_s = 0;

 private:
  static size_t on_header(char* data, size_t size, size_t count, void* self);
  static size_t on_bytes(char* data, size_t size, size_t count, void* self);
  static curl_socket_t on_socket(void* self, curlsocktype purpose, curl_sockaddr* address);
#if LIBCURL_VERSION_NUM >= 0x075000
  static int on_send(void* self, char* remote_ip, char* local_ip, int remote_port, int local_port);
#endif
  void set_up();
  void header_line(std::string_view line);
  template <class Work>
  bool taken(Work&& work);
  HttpEnd::Kind kind_of(CURLcode result) const;
  std::string reason(CURLcode result, HttpEnd::Kind kind) const;
  std::string without_secrets(std::string text) const;

  Shared* shared_;
  std::unique_ptr<CURL, CurlEasyFreed> easy_;
  HttpSink* sink_ = nullptr;
  std::string host_, content_type_, name_, refusal_;  // name_: scratch; refusal_: why the response was not taken
  int status_ = 0, sends_ = 0, socket_error_ = 0;
  bool headed_ = false, began_ = false;
  size_t header_bytes_ = 0;
  double retry_after_s_ = -1, started_s_ = 0, heard_s_ = 0;
  bool late_ = false;
  double arrived_s_ = 0;        // of now_s()
  size_t taken_ = 0;            // bytes since looked_s_
  double looked_s_ = 0;
  char error_[CURL_ERROR_SIZE] = "";
};

}  // namespace vaa::capture
