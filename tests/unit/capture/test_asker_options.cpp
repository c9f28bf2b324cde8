#include "capture/asker.h"
#include "capture/base_url.h"
#include "refused.h"

using namespace vaa;
using namespace vaa::capture;

namespace {
std::string refusal(const char* json) {
  return refused(VAA_ERROR_OPTION, [&] { asker_options(json); });
}
}  // namespace

TEST_CASE("asker options: defaults are those of the header", "[capture]") {
  const AskerOptions options = asker_options(R"({"urls": ["http://127.0.0.1:8000/v1"]})");
  CHECK(options.urls == std::vector<std::string>{"http://127.0.0.1:8000/v1"});
  CHECK(options.engine == "auto");
  CHECK(options.model.empty());
  CHECK(options.session.rate == 0);
  CHECK(options.session.retries == 4);
  CHECK(options.session.max_retry_wait_s == 60);
  CHECK(options.session.connection.concurrency == 32);
  CHECK(options.session.connection.connect_timeout_s == 10);
  CHECK(options.session.connection.idle_timeout_s == 300);
  CHECK(options.session.connection.timeout_s == 0);
  CHECK(options.session.connection.proxy.empty());
}

TEST_CASE("asker options: what is refused is named with what is allowed", "[capture]") {
  CHECK(holds(refusal("{}"), "urls: is missing"));
  CHECK(holds(refusal(R"({"urls": []})"), "urls: is missing"));
  CHECK(holds(refusal(R"({"url": "http://a"})"), "did you mean urls?"));
  CHECK(holds(refusal(R"({"urls": ["http://a"], "engine": "vlm"})"), "vllm"));
  CHECK(holds(refusal(R"({"urls": ["http://a"], "concurrency": 0})"), "1 to 4096"));
  CHECK(holds(refusal(R"({"urls": ["http://a"], "retries": 21})"), "0 to 20"));
  std::string many = R"({"urls": [)";
  for (int i = 0; i < 65; ++i) many += std::string(i ? ", " : "") + "\"http://a\"";
  CHECK(holds(refusal((many + "]}").c_str()), "at most 64"));
}

TEST_CASE("asker options: a base URL loses /v1 and slashes, and its password where it is shown", "[capture]") {
  const auto url = [](const char* text) { return parse_base_url(text, "urls").url; };
  CHECK(url("http://127.0.0.1:8000/v1") == "http://127.0.0.1:8000");
  CHECK(url("http://127.0.0.1:8000/v1/") == "http://127.0.0.1:8000");
  CHECK(url("http://127.0.0.1:8000//") == "http://127.0.0.1:8000");
  CHECK(url("HTTPS://host/gateway/v1") == "HTTPS://host/gateway");
  CHECK(url("http://[::1]:8000") == "http://[::1]:8000");
  CHECK(url("http://v1") == "http://v1");
  const BaseUrl secret = parse_base_url("https://user:p%40ss@host:8443/v1", "urls");
  CHECK(secret.url == "https://user:p%40ss@host:8443");
  CHECK(secret.shown == "https://host:8443");
}

TEST_CASE("asker options: a URL that is none says why, without its password", "[capture]") {
  const auto refuse = [](const char* text) { return refused(VAA_ERROR_OPTION, [&] { parse_base_url(text, "urls"); }); };
  CHECK(refuse("127.0.0.1:8000") == "urls: \"127.0.0.1:8000\": it must begin with http:// or https://");
  CHECK(holds(refuse("ftp://host"), "http:// or https://"));
  CHECK(holds(refuse("http://"), "no host"));
  CHECK(holds(refuse("http://:8000"), "no host"));
  CHECK(holds(refuse("http://host:80000"), "1 to 65535"));
  CHECK(holds(refuse("http://host:"), "1 to 65535"));
  CHECK(holds(refuse("http://host/v1?key=1"), "no query"));
  CHECK(holds(refuse("http://host/v1#x"), "no fragment"));
  CHECK(holds(refuse("http://ho st"), "blank"));
  CHECK(holds(refuse("http://host\r\nX: 1"), "control"));
  CHECK(holds(refuse("http://[::1"), "bracket"));
  for (const char* text : {"http://user:hunter2@host:99999", "http://user:hunter2@:1", "http://user:hunter2@host?x", "user:hunter2@host", "ftp://user:hunter2@host", "http://user:hunter2/@host"}) CHECK_FALSE(holds(refuse(text), "hunter2"));
}
