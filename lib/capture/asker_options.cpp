// The options of vaa_asker_new.
#include "base/options.h"
#include "capture/asker.h"
#include "capture/base_url.h"
#include "capture/secrets.h"

namespace vaa::capture {
namespace {

using Type = OptionSpec::Type;
constexpr double kDay = 86400;
constexpr OptionSpec kTable[] = {
    {"urls", Type::kTexts, 1, 4096, "", "", "base URLs of the servers, such as http://127.0.0.1:8000/v1"},
    {"engine", Type::kChoice, 0, 0, "auto|vllm|vllm_ascend|sglang|llamacpp|mindie|openai", "\"auto\"", "what the servers are; auto asks them"},
    {"model", Type::kText, 0, 1024, "", "\"\"", "the name to ask for; default: the only one that is served"},
    {"key_env", Type::kText, 0, 1024, "", "\"\"", "the environment variable that holds the key"},
    {"key_file", Type::kText, 0, 4096, "", "\"\"", "the file that holds the key"},
    {"headers", Type::kTexts, 1, 65536, "", "[]", "more headers, each \"Name: value\""},
    {"ca_file", Type::kText, 0, 4096, "", "\"\"", "certificates that TLS is verified with, besides the system's"},
    {"proxy", Type::kText, 0, 4096, "", "\"\"", "a proxy; env: that of the environment"},
    {"concurrency", Type::kInt, 1, 4096, "", "32", "requests in flight at once"},
    {"rate", Type::kReal, 0, 1e6, "", "0", "requests begun a second; 0: no limit"},
    {"connect_timeout_s", Type::kReal, 0.001, kDay, "", "10", "seconds until a connection stands"},
    {"idle_timeout_s", Type::kReal, 0.001, kDay, "", "300", "seconds without a byte"},
    {"timeout_s", Type::kReal, 0, 30 * kDay, "", "0", "seconds of one request; 0: no limit"},
    {"retries", Type::kInt, 0, 20, "", "4", "times that a request which may be asked again is"},
    {"max_retry_wait_s", Type::kReal, 0, kDay, "", "60", "longest wait before one, Retry-After included"},
};

}  // namespace

AskerOptions asker_options(std::string_view json) {
  const Options options(json, kTable, "vaa_asker_new");
  AskerOptions asker;
  if (options.given("urls")) asker.urls = options.texts("urls");
  if (asker.urls.empty()) fail(VAA_ERROR_OPTION, "vaa_asker_new: urls: is missing; it lists the base URLs of the servers, such as [\"http://127.0.0.1:8000/v1\"]");
  if (asker.urls.size() > 64) fail(VAA_ERROR_OPTION, "vaa_asker_new: urls: are " + std::to_string(asker.urls.size()) + ", at most 64");
  for (const std::string& url : asker.urls) parse_base_url(url, "urls");
  asker.engine = options.text("engine");
  asker.model = options.text("model");
  ConnectionOptions& connection = asker.session.connection;
  connection.key = read_key(options.text("key_env"), options.text("key_file"));
  connection.headers = options.texts("headers");
  check_headers(connection.headers, !connection.key.empty());
  connection.secrets = secrets_of(connection.key, connection.headers);
  connection.ca_file = options.text("ca_file");
  connection.proxy = options.text("proxy");
  connection.concurrency = static_cast<int>(options.integer("concurrency"));
  connection.connect_timeout_s = options.real("connect_timeout_s");
  connection.idle_timeout_s = options.real("idle_timeout_s");
  connection.timeout_s = options.real("timeout_s");
  asker.session.rate = options.real("rate");
  asker.session.retries = static_cast<int>(options.integer("retries"));
  asker.session.max_retry_wait_s = options.real("max_retry_wait_s");
  return asker;
}

}  // namespace vaa::capture
