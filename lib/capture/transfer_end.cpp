// How a transfer ended, in words of ours: libcurl's result, the system's reason, and what to do about it.
#include <sys/resource.h>

#include <cerrno>
#include <cstring>

#include "base/json_writer.h"
#include "capture/transfer.h"

namespace vaa::capture {
namespace {

using Kind = HttpEnd::Kind;

std::string system_words(int code) {
  char text[128];
  return strerror_r(code, text, sizeof text);  // the GNU form returns the text
}

std::string in_seconds(double seconds) {
  std::string text;
  append_number(&text, seconds);
  return text + " s";
}

bool contains(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

std::string file_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return "";
  return " (this process may open " + std::to_string(limit.rlim_cur) + " files: raise it with ulimit -n, or lower concurrency)";
}

}  // namespace

HttpEnd::Kind Transfer::kind_of(CURLcode result) const {
  if (!refusal_.empty()) return Kind::kBroken;
  switch (result) {
    case CURLE_OK: return Kind::kWhole;
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY: return Kind::kName;
    case CURLE_COULDNT_CONNECT: return Kind::kRefused;
    case CURLE_OPERATION_TIMEDOUT: return Kind::kTimeout;
    // A connection that is lost in the middle of a handshake says nothing against the certificate.
    case CURLE_SSL_CONNECT_ERROR: return contains(error_, "SSL_ERROR_SYSCALL") || contains(error_, "reset by peer") ? Kind::kLost : Kind::kTls;
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_SSL_CIPHER:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_ISSUER_ERROR:
    case CURLE_SSL_INVALIDCERTSTATUS: return Kind::kTls;
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_URL_MALFORMAT:
    case CURLE_WEIRD_SERVER_REPLY:
    case CURLE_OUT_OF_MEMORY:
    case CURLE_BAD_CONTENT_ENCODING:
    case CURLE_WRITE_ERROR: return Kind::kBroken;
    default: return Kind::kLost;
  }
}

std::string Transfer::reason(CURLcode result, Kind kind) const {
  if (!refusal_.empty()) return refusal_;
  long system = 0;
  curl_easy_getinfo(easy_.get(), CURLINFO_OS_ERRNO, &system);
  const std::string words = without_secrets(error_[0] ? error_ : curl_easy_strerror(result));
  switch (kind) {
    case Kind::kRefused: {
      if (socket_error_ == EMFILE || socket_error_ == ENFILE) return "too many open files" + file_limit();
      const int code = socket_error_ ? socket_error_ : static_cast<int>(system);
      return code ? "cannot connect: " + system_words(code) : "cannot connect: " + words;
    }
    case Kind::kName: return "no address is known for this host: " + words;
    case Kind::kTls: return "TLS is not verified: " + words + (shared_->options.ca_file.empty() ? " (give the authority that signed it as ca_file)" : "");
    case Kind::kTimeout: return "no connection within " + in_seconds(shared_->options.connect_timeout_s) + " (connect_timeout_s)";
    case Kind::kLost:
      if (result == CURLE_GOT_NOTHING) return "the connection was closed before a byte of the answer";
      if (result == CURLE_PARTIAL_FILE) return "the connection was closed before the answer was whole";
      if ((result == CURLE_RECV_ERROR || result == CURLE_SEND_ERROR) && system) return "the connection broke: " + system_words(static_cast<int>(system));
      return "the connection broke: " + words;
    case Kind::kBroken:
      if (result == CURLE_UNSUPPORTED_PROTOCOL || result == CURLE_WEIRD_SERVER_REPLY) return "what came is no HTTP/1.1 response: " + words;
      if (result == CURLE_OUT_OF_MEMORY) return began_ ? "a line of the headers is over 100000 bytes" : "out of memory";
      return words;
    default: return words;
  }
}

std::string Transfer::without_secrets(std::string text) const {
  if (const size_t scheme = text.find("://"); scheme != text.npos) {
    const size_t end = text.find_first_of("/ '\"", scheme + 3), user = text.rfind('@', end);
    if (user != text.npos && user > scheme) text.erase(scheme + 3, user - scheme - 2);
  }
  const std::string& key = shared_->options.key;
  for (size_t at = 0; !key.empty() && (at = text.find(key, at)) != text.npos;) text.replace(at, key.size(), "…");
  return text;
}

void Transfer::describe(HttpEnd* end) const {
  end->status = status_;
  end->began = began_;
  end->retry_after_s = retry_after_s_;
  long sent = 0;
  curl_easy_getinfo(easy_.get(), CURLINFO_REQUEST_SIZE, &sent);
  end->sent = sent > 0;
  end->sends = sends_ ? sends_ : end->sent;
}

void Transfer::finish(CURLcode result, HttpEnd* end) const {
  describe(end);
  end->kind = kind_of(result);
  // Bytes that are no HTTP reach no callback.
  if (end->kind == Kind::kBroken) end->began = end->sent;
  if (end->kind != Kind::kWhole) end->fault = host_ + ": " + reason(result, end->kind);
}

bool Transfer::overdue(double now, HttpEnd* end) const {
  const ConnectionOptions& options = shared_->options;
  std::string why;
  if (options.timeout_s > 0 && now - started_s_ > options.timeout_s) {
    why = "no whole answer within " + in_seconds(options.timeout_s) + " (timeout_s)";
    end->kind = Kind::kTimeout;
  } else if (options.idle_timeout_s > 0 && now - heard_s_ > options.idle_timeout_s) {
    why = "no byte for " + in_seconds(options.idle_timeout_s) + " (idle_timeout_s)";
    end->kind = Kind::kIdle;
  } else {
    return false;
  }
  describe(end);
  end->fault = host_ + ": " + why;
  return true;
}

}  // namespace vaa::capture
