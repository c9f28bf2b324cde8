#include "capture/transfer.h"

#include <sys/socket.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <new>

#include "base/failure.h"
#include "capture/late_read.h"

namespace vaa::capture {
namespace {

constexpr size_t kMaxHeaderBytes = size_t{256} << 10;

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r' || text.back() == '\n')) text.remove_suffix(1);
  return text;
}

// Of a Retry-After header: a number of seconds or a date (RFC 9110, 10.2.3); -1: neither.
double retry_after(const std::string& value) {
  if (!value.empty() && value.size() < 16 && value.find_first_not_of("0123456789") == std::string::npos) return std::stod(value);
  const time_t when = curl_getdate(value.c_str(), nullptr);
  return when < 0 ? -1 : std::max(0.0, static_cast<double>(when) - now_s());
}

void set(CURLcode result) {
  if (result == CURLE_OUT_OF_MEMORY) throw std::bad_alloc();
  if (result != CURLE_OK) fail(VAA_ERROR_INTERNAL, std::string("libcurl refuses a setting: ") + curl_easy_strerror(result));
}

}  // namespace

double now_s() { return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count(); }
double steady_s() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

std::string host_of(std::string_view url) {
  if (const size_t scheme = url.find("://"); scheme != url.npos) url.remove_prefix(scheme + 3);
  url = url.substr(0, url.find_first_of("/?#"));
  if (const size_t user = url.rfind('@'); user != url.npos) url.remove_prefix(user + 1);
  return std::string(url);
}

Transfer::Transfer(Shared* shared) : shared_(shared), easy_(curl_easy_init()) {
  if (!easy_) throw std::bad_alloc();
  set_up();
}

void Transfer::set_up() {
  CURL* easy = easy_.get();
  const ConnectionOptions& options = shared_->options;
  set(curl_easy_setopt(easy, CURLOPT_PRIVATE, this));
  set(curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, error_));
  set(curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L));
  set(curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1)));
#if LIBCURL_VERSION_NUM >= 0x075500
  set(curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https"));
#else
  set(curl_easy_setopt(easy, CURLOPT_PROTOCOLS, static_cast<long>(CURLPROTO_HTTP | CURLPROTO_HTTPS)));
#endif
#if LIBCURL_VERSION_NUM >= 0x075700
  set(curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L));  // a cancel does not wait for a resolver that hangs
#endif
#if LIBCURL_VERSION_NUM >= 0x075000
  set(curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, on_send));
  set(curl_easy_setopt(easy, CURLOPT_PREREQDATA, this));
#endif
  set(curl_easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "gzip, deflate"));
  set(curl_easy_setopt(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L));
  set(curl_easy_setopt(easy, CURLOPT_USERAGENT, "vaa/" VAA_VERSION_STRING));
  set(curl_easy_setopt(easy, CURLOPT_HTTPHEADER, shared_->headers.get()));
  set(curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(options.connect_timeout_s * 1000)));
  set(curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, on_header));
  set(curl_easy_setopt(easy, CURLOPT_HEADERDATA, this));
  set(curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, on_bytes));
  set(curl_easy_setopt(easy, CURLOPT_WRITEDATA, this));
  set(curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, on_socket));
  set(curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, this));
  if (!options.ca_file.empty()) set(curl_easy_setopt(easy, CURLOPT_CAINFO, options.ca_file.c_str()));
  if (options.proxy != "env") set(curl_easy_setopt(easy, CURLOPT_PROXY, options.proxy.c_str()));
}

void Transfer::begin(std::string_view url, std::string_view body, HttpSink* sink) {
  sink_ = sink;
  host_ = host_of(url);
  if (host_.empty() || url.find('\0') != url.npos) fail(VAA_ERROR_OPTION, "url: " + quoted(host_) + " is no host, such as in http://127.0.0.1:8000/v1");
  content_type_.clear();
  refusal_.clear();
  status_ = sends_ = socket_error_ = 0;
  headed_ = began_ = false;
  header_bytes_ = 0;
  retry_after_s_ = -1;
  started_s_ = heard_s_ = looked_s_ = steady_s();
  taken_ = 0;
  late_ = false;
  socket = -1;
  read_s = 0;
  error_[0] = '\0';
  CURL* easy = easy_.get();
  set(curl_easy_setopt(easy, CURLOPT_URL, std::string(url).c_str()));
  if (body.empty()) {
    set(curl_easy_setopt(easy, CURLOPT_HTTPGET, 1L));
    return;
  }
  set(curl_easy_setopt(easy, CURLOPT_POST, 1L));
  set(curl_easy_setopt(easy, CURLOPT_POSTFIELDS, body.data()));
  set(curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(body.size())));
}

// Runs what a sink does; what it throws is kept, as it may not pass through libcurl.
template <class Work>
bool Transfer::taken(Work&& work) {
  try {
    work();
    return true;
  } catch (const Failure& failure) {
    if (failure.status() == VAA_ERROR_CAPACITY || failure.status() == VAA_ERROR_FORMAT) refusal_ = failure.message();
    else shared_->thrown = std::current_exception();
  } catch (...) {
    shared_->thrown = std::current_exception();
  }
  return false;
}

size_t Transfer::on_header(char* data, size_t size, size_t count, void* self) {
  auto* transfer = static_cast<Transfer*>(self);
  const std::string_view line(data, size * count);
  transfer->heard_s_ = steady_s();
  transfer->began_ = true;
  transfer->header_bytes_ += line.size();
  if (transfer->header_bytes_ > kMaxHeaderBytes) {
    transfer->refusal_ = "the headers of the response go over " + std::to_string(kMaxHeaderBytes) + " bytes";
    return 0;
  }
  return transfer->taken([&] { transfer->header_line(line); }) ? line.size() : 0;
}

void Transfer::header_line(std::string_view line) {
  if (line.substr(0, 5) == "HTTP/") {  // of the first response, or of the one after a 1xx
    const size_t blank = line.find(' ');
    status_ = blank == line.npos ? 0 : std::atoi(std::string(line.substr(blank + 1, 3)).c_str());
    content_type_.clear();
    headed_ = false;
    return;
  }
  if (headed_ || status_ < 200) return;  // trailers of a chunked body; 1xx
  const std::string_view text = trimmed(line);
  if (text.empty()) {
    headed_ = true;
    sink_->head(status_, content_type_, now_s());
    return;
  }
  const size_t colon = text.find(':');
  if (colon == text.npos) return;
  name_.assign(text.substr(0, colon));
  for (char& c : name_) c = lower(c);
  const std::string_view value = trimmed(text.substr(colon + 1));
  if (name_ == "content-type") content_type_.assign(value);
  if (name_ == "retry-after") retry_after_s_ = retry_after(std::string(value));
  sink_->header(name_, value);
}

size_t Transfer::on_bytes(char* data, size_t size, size_t count, void* self) {
  auto* transfer = static_cast<Transfer*>(self);
  const std::string_view bytes(data, size * count);
  transfer->taken_ += bytes.size();
  if (!transfer->late_) transfer->heard_s_ = steady_s();
  return transfer->taken([&] { transfer->sink_->bytes(bytes, transfer->time_s()); }) ? bytes.size() : 0;
}

void Transfer::arrived(double quiet_s) {
  const double now = steady_s();
  late_ = true;
  heard_s_ = std::max(heard_s_, now - quiet_s);  // a clock of coarse ticks may put it before what was read already
  arrived_s_ = now_s() - (now - heard_s_);
}

double Transfer::patience(double now) {
  const double wait = sink_->patient() ? may_wait(now - started_s_, taken_, now - looked_s_) : 0;
  looked_s_ = now;
  taken_ = 0;
  return wait;
}

curl_socket_t Transfer::on_socket(void* self, curlsocktype, curl_sockaddr* address) {
  const int fd = ::socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
  if (fd >= 0) return fd;
  static_cast<Transfer*>(self)->socket_error_ = errno;
  return CURL_SOCKET_BAD;
}

#if LIBCURL_VERSION_NUM >= 0x075000
int Transfer::on_send(void* self, char*, char*, int, int) {
  ++static_cast<Transfer*>(self)->sends_;
  return CURL_PREREQFUNC_OK;
}
#endif

}  // namespace vaa::capture
