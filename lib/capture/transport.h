// HTTP over libcurl multi: hundreds of transfers on the caller's thread. It knows nothing of models; what may be asked again is retry.h's matter.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "vaa/task.h"

namespace vaa {

struct ConnectionOptions {
  std::string key;                    // sent as "Authorization: Bearer …"; "" : none. Never in a message
  std::vector<std::string> headers;   // "Name: value"
  std::string ca_file, proxy;         // proxy "env": that of the environment; "" : none
  double connect_timeout_s = 10, idle_timeout_s = 300, timeout_s = 0;
  int concurrency = 32;               // connections kept
};

struct HttpRequest {
  std::string url;
  std::string body;                   // "" : GET; otherwise POST of application/json
};

// How a transfer ended.
struct HttpEnd {
  int status = 0;                     // 0: no status line came
  bool sent = false;                  // the request may have reached the server
  bool began = false;                 // a byte of the response came
  std::string fault;                  // in words, why the transport broke off, with the URL's host: "" : it did not
  enum class Kind : uint8_t { kWhole, kRefused, kName, kTls, kTimeout, kIdle, kLost, kCancelled } kind = Kind::kWhole;
  double retry_after_s = -1;          // of the header, seconds or date; -1: none
};

// Who takes a response as it arrives. Called from Transport::run on the caller's thread only.
class HttpSink {
 public:
  virtual ~HttpSink() = default;
  virtual void header(std::string_view name, std::string_view value) = 0;   // name in lower case
  virtual void head(int status, std::string_view content_type, double time_s) = 0;  // after the last header (of the final response: 1xx are passed over, redirects are not followed)
  virtual void bytes(std::string_view bytes, double time_s) = 0;            // of the body, decompressed
  virtual void end(const HttpEnd& end, double time_s) = 0;                  // once; the transfer is gone after it
};

class Transport {
 public:
  explicit Transport(const ConnectionOptions& options);
  ~Transport();
  void start(const HttpRequest& request, HttpSink* sink);   // sink must live until its end() was called or the Transport is gone
  size_t in_flight() const;
  // Works on all transfers until something happened, `wait_ms` at most. A cancelled task ends every transfer with kCancelled.
  void run(int wait_ms, const vaa_task* task);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// One request, waited for: probes, /tokenize, /metrics. Bounded: a body over `max_bytes` is a fault.
struct HttpResponse {
  HttpEnd end;
  std::string content_type, body;
};
HttpResponse fetch(const ConnectionOptions& options, const HttpRequest& request, size_t max_bytes, const vaa_task* task);

// Seconds since 1970.
double now_s();

}  // namespace vaa
