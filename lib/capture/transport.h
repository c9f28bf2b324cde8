// HTTP over libcurl multi: hundreds of transfers on the caller's thread. It knows nothing of models; what may be asked again is retry.h's matter.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "vaa/task.h"

namespace vaa::capture {

struct ConnectionOptions {
  std::string key;                    // sent as "Authorization: Bearer …"; "" : none. Never in a message
  std::vector<std::string> headers;   // "Name: value"
  std::vector<std::string> secrets;   // of both: taken out of all that a server says (secrets.h)
  std::string ca_file, proxy;         // proxy "env": that of the environment; "" : none
  double connect_timeout_s = 10, idle_timeout_s = 300, timeout_s = 0;  // timeout_s 0: none
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
  int sends = 0;                      // over 1 where a kept connection turned out to be closed and the request went out on a new one
  std::string fault;                  // in words, why the transport broke off, with the URL's host: "" : it did not
  // kBroken: what came is no HTTP response, or the sink refused it.
  enum class Kind : uint8_t { kWhole, kRefused, kName, kTls, kTimeout, kIdle, kLost, kBroken, kCancelled } kind = Kind::kWhole;
  double retry_after_s = -1;          // of the header, seconds or date; -1: none
};

// Who takes a response as it arrives: time_s is when, by the clock of now_s(). Called from Transport::run on the caller's thread only; only end() may start another transfer. A Failure of VAA_ERROR_CAPACITY or _FORMAT that a sink throws ends
// its transfer as kBroken with that message; anything else comes out of Transport::run.
class HttpSink {
 public:
  virtual ~HttpSink() = default;
  virtual void header(std::string_view name, std::string_view value) = 0;   // name in lower case
  virtual void head(int status, std::string_view content_type, double time_s) = 0;  // after the last header (of the final response: 1xx are passed over, redirects are not followed)
  virtual void bytes(std::string_view bytes, double time_s) = 0;            // of the body, decompressed
  virtual void end(const HttpEnd& end, double time_s) = 0;                  // once; the transfer is gone after it
  // The rest need not be read as it comes (late_read.h): bytes() and end() still get the time of arrival, of the last of several pieces, exact to a tick of the kernel's clock.
  virtual bool patient() const { return false; }
};

class Transport {
 public:
  // Throws Failure: VAA_ERROR_OPTION for a header, key or number of connections that cannot be, VAA_ERROR_NOT_FOUND for a CA file.
  explicit Transport(const ConnectionOptions& options);
  ~Transport();
  // `body` ("" : GET) and the sink must live until end() was called or the Transport is gone. Throws Failure (VAA_ERROR_OPTION) for a URL that is none.
  void start(std::string_view url, std::string_view body, HttpSink* sink);
  size_t in_flight() const;
  // Works on all transfers until something happened, `wait_ms` at most. A cancelled task ends every transfer with kCancelled, within 50 ms.
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

// "host:port" of a URL, for messages: without user, password and path.
std::string host_of(std::string_view url);
// Seconds since 1970.
double now_s();
// Seconds of a clock that is never set.
double steady_s();

}  // namespace vaa::capture
