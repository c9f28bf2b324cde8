#include "capture/base_url.h"

#include "base/failure.h"

namespace vaa::capture {
namespace {

bool is_scheme(std::string_view text, std::string_view scheme) {
  if (text.size() < scheme.size()) return false;
  for (size_t i = 0; i < scheme.size(); ++i)
    if ((text[i] | 0x20) != (scheme[i] | 0x20)) return false;
  return true;
}

// Up to five digits, 1 to 65535.
bool is_port(std::string_view text) {
  int value = 0;
  if (text.empty() || text.size() > 5) return false;
  for (const char c : text) {
    if (c < '0' || c > '9') return false;
    value = value * 10 + (c - '0');
  }
  return value >= 1 && value <= 65535;
}

// "host", "host:port", "[::1]:port".
const char* authority_fault(std::string_view authority) {
  std::string_view port;
  bool has_port = false;
  if (!authority.empty() && authority.front() == '[') {
    const size_t close = authority.find(']');
    if (close == authority.npos || close == 1) return "its IPv6 address has no closing bracket";
    const std::string_view rest = authority.substr(close + 1);
    if (!rest.empty() && rest.front() != ':') return "something stands between its address and its port";
    has_port = !rest.empty();
    port = rest.empty() ? rest : rest.substr(1);
  } else {
    const size_t colon = authority.find(':');
    has_port = colon != authority.npos;
    port = has_port ? authority.substr(colon + 1) : std::string_view();
    if (authority.substr(0, colon).empty()) return "it has no host";
  }
  return has_port && !is_port(port) ? "its port is no number from 1 to 65535" : nullptr;
}

}  // namespace

BaseUrl parse_base_url(std::string_view text, std::string_view option) {
  const size_t scheme_size = is_scheme(text, "http://") ? 7 : is_scheme(text, "https://") ? 8 : 0;
  const std::string_view rest = text.substr(scheme_size);
  const size_t authority_size = std::min(rest.find_first_of("/?#"), rest.size());
  const std::string_view authority = rest.substr(0, authority_size);
  const size_t at = authority.rfind('@');
  const std::string_view host = at == authority.npos ? authority : authority.substr(at + 1);
  const std::string shown = std::string(text.substr(0, scheme_size)) + std::string(host) + std::string(rest.substr(authority_size));
  // Of what is no URL anything before an @ may be a password.
  const auto refuse = [&](const char* why) { fail(VAA_ERROR_OPTION, std::string(option) + ": " + quoted(text.substr(text.rfind('@') + 1), 200) + ": " + why); };
  if (scheme_size == 0) refuse("it must begin with http:// or https://");
  for (const char c : text)
    if (static_cast<unsigned char>(c) <= 0x20 || c == 0x7F) refuse("it holds a blank or a control character");
  if (shown.find_first_of("?#") != shown.npos) refuse("a base URL has no query and no fragment");
  if (const char* fault = authority_fault(host)) refuse(fault);

  std::string_view path = rest.substr(authority_size);
  const auto cut_slashes = [&] { while (!path.empty() && path.back() == '/') path.remove_suffix(1); };
  cut_slashes();
  if (path.size() >= 3 && path.substr(path.size() - 3) == "/v1") path.remove_suffix(3);
  cut_slashes();
  const std::string scheme(text.substr(0, scheme_size)), tail(path);
  return {scheme + std::string(authority) + tail, scheme + std::string(host) + tail};
}

}  // namespace vaa::capture
