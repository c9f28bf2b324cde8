// What is wrong with an answer to a small question, as a person must hear it. Pure: no network.
#pragma once
#include <string>
#include <string_view>

#include "capture/transport.h"

namespace vaa::capture {

// A fault of the connection, or an answer that no server of models gives: what was asked, what came, and what to do. "" where the answer can be read on (any 2xx that is no page of HTML).
// `endpoint`: base URL without user and password; `path`: what was asked, "/v1/models". `keyed`: a key was sent.
std::string answer_fault(const HttpResponse& answer, std::string_view endpoint, std::string_view path, bool keyed = false);

// The server's own words out of an error body of any shape, quoted; "" where it has none.
std::string server_words(const HttpResponse& answer);
// "HTTP 400 "its words"".
std::string status_words(const HttpResponse& answer);

bool is_html(const HttpResponse& answer);

}  // namespace vaa::capture
