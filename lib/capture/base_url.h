// The base URL of a server as an option gives it.
#pragma once
#include <string>
#include <string_view>

namespace vaa::capture {

struct BaseUrl {
  std::string url;    // scheme, user and password, host, port, path; without "/v1" and a slash at the end
  std::string shown;  // the same without user and password: what records and messages say
};
// http or https, a host, no query and no fragment, nothing that breaks a request line. Throws Failure (VAA_ERROR_OPTION) that names option and URL, never its password.
BaseUrl parse_base_url(std::string_view text, std::string_view option);

}  // namespace vaa::capture
