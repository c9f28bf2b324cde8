#include "capture/answer_fault.h"

#include "base/failure.h"
#include "base/json.h"
#include "capture/json_members.h"

namespace vaa::capture {
namespace {

constexpr size_t kWords = 300;  // bytes of what a server said

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\n' || text.front() == '\r' || text.front() == '\t')) text.remove_prefix(1);
  return text;
}

bool json_object(std::string_view text) {
  JsonReader json(text);
  return json.peek() == JsonKind::kObject && json.skip() && json.finish();
}

// {"error": {"message"}}, {"message"}, {"error": "text"}, {"detail": "text" or a list}.
std::string words_of(std::string_view body) {
  std::string words;
  auto members = json_members(body);
  const std::string_view error = member_value(members, "error"), detail = member_value(members, "detail");
  if (json_object(error)) members = json_members(error);
  for (const std::string_view value : {member_value(members, "message"), error, detail})
    if (!value.empty() && json_text(value, &words)) return words;
  return std::string(detail);
}

std::string connection_fault(const HttpEnd& end, const std::string& endpoint) {
  const std::string host = host_of(endpoint) + ": ";
  std::string why = end.fault.empty() ? "no answer" : end.fault;
  if (why.rfind(host, 0) == 0) why.erase(0, host.size());
  const std::string said = endpoint + ": " + why;
  switch (end.kind) {
    case HttpEnd::Kind::kRefused: return said + "; is the server up? try: curl " + endpoint + "/v1/models";
    case HttpEnd::Kind::kName: return said + "; is the host's name right?";
    case HttpEnd::Kind::kTls: return said + "; option ca_file names the certificate that its own is signed with, and http:// is for a server without TLS";
    case HttpEnd::Kind::kTimeout:
    case HttpEnd::Kind::kIdle: return said + "; is it the right port, and is a proxy needed (option proxy)? try: curl " + endpoint + "/v1/models";
    default: return said + "; try: curl " + endpoint + "/v1/models";
  }
}

const char* advice(int status, bool keyed) {
  if (keyed && (status == 401 || status == 403)) return "the key that option key_file or key_env gave was refused";
  if (status == 401) return "option key_file or key_env names where the key is";
  if (status == 403) return "this may not be asked without a key, or from here; option key_file or key_env names where the key is";
  if (status == 404 || status == 405) return "is this the base URL, such as http://host:8000/v1?";
  if (status == 407) return "the proxy asks for a user: option proxy takes http://user:password@host:port";
  if (status == 429) return "it limits requests; ask later, or with option rate";
  if (status == 503) return "the server is loading its model, or has no room; ask again when it is ready";
  if (status >= 300 && status < 400) return "the server moved; give the URL that it leads to";
  if (status >= 500) return "the server, or the proxy before it, is broken; its log says more";
  return "the server does not take the question";
}

}  // namespace

bool is_html(const HttpResponse& answer) {
  const std::string_view body = trimmed(answer.body);
  return answer.content_type.find("text/html") != std::string::npos || (!body.empty() && body.front() == '<');
}

std::string server_words(const HttpResponse& answer) {
  if (is_html(answer)) return "a page of HTML";
  const std::string_view body = trimmed(answer.body);
  if (body.empty()) return "";
  const std::string words = json_object(body) ? words_of(body) : std::string(body);
  return words.empty() ? "" : quoted(words, kWords);
}

std::string status_words(const HttpResponse& answer) {
  const std::string words = server_words(answer);
  return "HTTP " + std::to_string(answer.end.status) + (words.empty() ? "" : " " + words);
}

std::string answer_fault(const HttpResponse& answer, std::string_view endpoint, std::string_view path, bool keyed) {
  const std::string base(endpoint);
  const int status = answer.end.status;
  if (answer.end.kind != HttpEnd::Kind::kWhole || status == 0) return connection_fault(answer.end, base);
  if (status >= 200 && status < 300) {
    if (!is_html(answer)) return "";
    return base + std::string(path) + ": a page of HTML came instead of JSON; is this the base URL of the server, such as http://host:8000/v1?";
  }
  return base + std::string(path) + ": " + status_words(answer) + "; " + advice(status, keyed);
}

}  // namespace vaa::capture
